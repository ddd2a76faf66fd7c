//! Values of a pickle. They refer to each other by number, so that what is shared stays shared, cycles are harmless, and
//! nothing is ever freed by recursion.

/// A value: small ones as they are, others by their number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in super::super) enum Item {
    None,
    Bool(bool),
    Int(i64),
    Float(f64),
    /// Index into the objects.
    Object(u32),
}

/// A value that is referred to.
#[derive(Clone, Debug)]
pub(in super::super) enum Object {
    Text(Box<str>),
    /// A text too long to be kept: UTF-8 at these bytes of the stream.
    LongText {
        at: u64,
        len: u64,
    },
    /// Bytes of the stream; short ones are kept, too.
    Bytes {
        at: u64,
        len: u64,
        kept: Option<Box<[u8]>>,
    },
    /// Bytes that were written with escapes.
    Owned(Box<[u8]>),
    /// A whole number of more than 64 bits.
    Big(i128),
    List(Vec<Item>),
    Tuple(Box<[Item]>),
    Set(Vec<Item>),
    Dict(Vec<(Item, Item)>),
    /// A class or function by name: `module.name`.
    Global(Box<str>),
    /// What a call would have made.
    Made(Box<Made>),
    /// Something stored outside of the pickle.
    Persistent(Item),
    /// Bytes that travel beside the pickle.
    OutOfBand,
}

/// What a call would have made, and what was put into it then.
#[derive(Clone, Debug)]
pub(in super::super) struct Made {
    /// Class or function.
    pub maker: Item,
    /// A tuple.
    pub args: Item,
    /// What it was told to take for its state.
    pub state: Item,
    /// What was appended.
    pub items: Vec<Item>,
    /// What was set by key.
    pub pairs: Vec<(Item, Item)>,
}
