//! What a reader can find wrong or strange about a file, besides values.

use super::{LabelError, Place};

/// One thing, with its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Trouble {
    /// What.
    pub kind: TroubleKind,
    /// Where.
    pub place: Place,
    /// The row as it stands, where that helps.
    pub text: Option<String>,
}

/// What is wrong or strange. `findings` gives each its severity and its words.
#[derive(Clone, Debug, PartialEq)]
pub enum TroubleKind {
    /// A line or record that cannot be read; reading went on. What was wrong with it, in a few words for an expert.
    BadLine(String),
    /// The file ends early: values (rows, bytes) read, and how many were announced.
    CutShort {
        /// Read.
        read: u64,
        /// Announced; 0 where the file does not tell (a packed text that ends early).
        of: u64,
    },
    /// Reading broke off behind some values: how many, and why. Unlike [`Self::CutShort`] the rest may well be there.
    BrokeOff {
        /// Values read.
        read: u64,
        /// Why it went no further.
        why: LabelError,
    },
    /// A pickle names a function (`posix.system`). It was not run.
    CodeNotRun(String),
    /// Zero or negative size, outside the picture, or a coordinate that is no number.
    BadBox(String),
    /// A file, class folder or table without labels.
    Empty {
        /// Name of the class, where it is a class folder.
        class: Option<String>,
    },
    /// The same annotation or category id, image or class name twice.
    Duplicate {
        /// What occurs twice (`annotation-id`, `category-id`, `class-name`, `image`).
        what: &'static str,
        /// The name or id.
        value: String,
        /// Where it stood before, where known.
        before: Option<Box<Place>>,
    },
    /// The same picture listed twice with different labels.
    Contradiction {
        /// The picture.
        name: String,
        /// The labels.
        labels: [String; 2],
        /// Where the other stands.
        before: Box<Place>,
    },
    /// An annotation names an image that the file does not list.
    UnknownImage(String),
    /// A colour that the colour list lacks, and how many pixels of this file have it.
    UnknownColour {
        /// `r,g,b`
        colour: String,
        /// Pixels.
        pixels: u64,
    },
    /// A folder whose name begins with a dot is taken for a class.
    HiddenFolder(String),
    /// Class folders whose names differ only by case.
    CaseClash(String, String),
    /// Class folders named like splits: the wrong root was given.
    SplitAsClass(String),
    /// Pictures lying directly in the root, which torchvision ignores: how many.
    RootFiles(u64),
    /// Class folders without a picture extension that is read, by how many other files they hold.
    NoPictures {
        /// Name of the class.
        class: String,
        /// Other files in it.
        files: u64,
    },
    /// A labels cache older than the label files.
    StaleCache,
    /// A class list holds names that YAML reads as something else (`no`, `007`).
    YamlWords(Vec<String>),
    /// A path of the data set's own file leads outside what was given; it was not followed.
    OutsidePath(String),
    /// A path that the data set's own file names does not exist.
    MissingPath(String),
    /// The text is not UTF-8 and was read as Windows-1252.
    OtherEncoding(&'static str),
    /// A number that a float could not hold exactly.
    LostDigits(String),
    /// A palette picture: another way of opening it gives colours instead of classes.
    PaletteOpened {
        /// The values that `convert("L")` gives instead.
        luminance: Vec<u8>,
    },
    /// Integer labels of a type that PyTorch refuses with another message (`int32`).
    NotInt64(&'static str),
    /// A results file (model outputs), not annotations.
    ResultsFile,
    /// A table of offenders that this program wrote; it was left out.
    OwnTable,
    /// Reading went only as far as a limit: which.
    Limit(Limit),
    /// The file changed while it was read.
    Changed,
    /// Not every array of the file was read: the names of those left out.
    LeftOut(Vec<String>),
}

/// What was not read, or not told, for there was too much of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Limit {
    /// A folder with more files or folders than this: the rest was not looked at.
    Files(u64),
    /// A list that names more pictures than are followed.
    List,
    /// More values in one file, or deeper nested ones, than are read.
    Values,
    /// Reading stopped after so many faults that more say nothing new.
    Troubles,
    /// All was read, but not every fault of it is told.
    NotAllTold,
    /// A folder that could not be listed: its name, and what the system said.
    Unlisted {
        /// Its name.
        folder: String,
        /// What the system said.
        said: String,
    },
}
