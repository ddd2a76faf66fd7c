//! The formats that are read.

/// How the labels of a file are arranged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum LabelFormat {
    /// Delimited text: CSV, TSV, `;`, `|`; also gzipped.
    Table,
    /// `path label` lines, or one label a line.
    PathList,
    /// A JSON file with labels at any depth.
    Json,
    /// One JSON object a line.
    JsonLines,
    /// COCO instances, keypoints, panoptic, and results lists.
    Coco,
    /// YOLO label texts: `class cx cy w h` and its relatives.
    Yolo,
    /// Pascal VOC annotation files.
    Voc,
    /// Pictures in one folder a class.
    ImageFolder,
    /// PNG masks.
    Mask,
    /// `.npy`
    Npy,
    /// `.npz`
    Npz,
    /// `torch.save`: zip, legacy stream, old tar.
    Torch,
    /// A plain pickle.
    Pickle,
    /// safetensors
    SafeTensors,
    /// IDX, as MNIST comes; also gzipped.
    Idx,
    /// Headerless token ids.
    Tokens,
}

impl LabelFormat {
    /// Its name in JSON and texts.
    pub fn id(self) -> &'static str {
        match self {
            Self::Table => "table",
            Self::PathList => "path-list",
            Self::Json => "json",
            Self::JsonLines => "jsonl",
            Self::Coco => "coco",
            Self::Yolo => "yolo",
            Self::Voc => "voc",
            Self::ImageFolder => "image-folder",
            Self::Mask => "mask",
            Self::Npy => "npy",
            Self::Npz => "npz",
            Self::Torch => "torch",
            Self::Pickle => "pickle",
            Self::SafeTensors => "safetensors",
            Self::Idx => "idx",
            Self::Tokens => "tokens",
        }
    }
}
