//! Why a label file could not be read.

use crate::inputs::InputError;

/// Why nothing, or nothing of use, could be read from a file. `words` says it: the reason first, then what to do.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LabelError {
    /// The file itself: not there, refused, empty, a device, cancelled…
    #[error(transparent)]
    Input(#[from] InputError),
    /// A format that this version does not read (its name: `HDF5`, `TFRecord`, `zstd`…).
    #[error("{0} is not read by this version")]
    LaterFormat(&'static str),
    /// Bytes of no known format.
    #[error("no known format")]
    Unknown,
    /// The content is not what the name says.
    #[error("a {found} with the name of a {named}")]
    OtherContent {
        /// What the name says (`.npy`).
        named: String,
        /// What the content is (`PNG`).
        found: String,
    },
    /// A stand-in for a file that Git LFS has not fetched.
    #[error("a Git LFS pointer, not the data")]
    LfsPointer,
    /// Nothing in it looks like labels; what there is (columns, keys, arrays).
    #[error("nothing that looks like labels")]
    NoLabels {
        /// Columns, keys or arrays that could be named with `--column`.
        found: Vec<String>,
    },
    /// There is no column, key or array of this name; those that there are.
    #[error("no column {wanted}")]
    NoSuchColumn {
        /// What was asked for.
        wanted: String,
        /// What there is.
        found: Vec<String>,
    },
    /// It breaks the rules of its format.
    #[error("damaged: {said}")]
    Malformed {
        /// What is wrong, for an expert, in English.
        said: String,
        /// Line from 1, where known.
        line: Option<u64>,
        /// Byte from 0, where known.
        byte: Option<u64>,
    },
    /// The header announces more than the file has.
    #[error("cut short: {read} of {of}")]
    CutShort {
        /// Values (or bytes, where no values are known) that are there.
        read: u64,
        /// Values (or bytes) announced.
        of: u64,
    },
    /// A file that is read as a whole is larger than its limit.
    #[error("{size} bytes, more than {limit}")]
    TooLarge {
        /// Its size.
        size: u64,
        /// The limit.
        limit: u64,
    },
    /// It unpacks to more than the limit.
    #[error("unpacks to more than {limit} bytes")]
    UnpacksTooLarge {
        /// The limit in bytes.
        limit: u64,
    },
    /// Nested deeper than the limit, or more nodes than the limit.
    #[error("nested too deep")]
    TooDeep,
    /// Python's bare `NaN` or `Infinity`, which is not JSON.
    #[error("{word} is not JSON")]
    PythonNumber {
        /// `NaN`, `Infinity`, `-Infinity`
        word: String,
        /// Byte from 0.
        byte: u64,
        /// The key before it, where known.
        key: Option<String>,
    },
    /// An array of Python objects (pickled inside a .npy).
    #[error("stores Python objects (pickle)")]
    PickledObjects,
    /// A pickle of a program's own objects (pandas, joblib, a whole model); its class by name.
    #[error("a pickle of {0}")]
    ForeignPickle(String),
    /// A pickle with nothing but a call in it. The function's name; it was not run.
    #[error("holds a function ({0}); it was not run")]
    CodeOnly(String),
    /// An element type that no label has (complex, datetime, long double).
    #[error("element type {0}")]
    ElementType(String),
    /// XML with a DOCTYPE.
    #[error("DOCTYPE")]
    Doctype,
    /// A JPEG as a mask: its values are not the ones that were painted.
    #[error("JPEG as a mask")]
    JpegMask,
    /// A colour mask without a list of its colours.
    #[error("a colour picture without a list of colours")]
    NoColourList,
    /// The paths in it lead outside what was given; they were not followed.
    #[error("leads outside the folder: {0}")]
    OutsidePath(String),
    /// JSON or text that is no training data (chat texts, other annotation layouts): what it is.
    #[error("no numeric labels: {0}")]
    NotLabels(String),
    /// The reader itself broke off through a fault of this program.
    #[error("fault in the reader: {0}")]
    Fault(String),
}

impl From<std::io::Error> for LabelError {
    fn from(error: std::io::Error) -> Self {
        Self::Input(error.into())
    }
}
