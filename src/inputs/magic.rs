//! Files that begin with bytes of their own, and what a name alone tells of a binary file.

use memchr::memmem;

use super::kind::{Format, InputKind, Name, Recognised};

/// Tells a file by its first bytes; the name decides only what those leave open.
pub(super) fn recognise(name: &Name, head: &[u8]) -> Option<Recognised> {
    use Format as F;
    use InputKind::{Checkpoint, Labels, Picture, Unknown};

    let found = if head.starts_with(b"\x1f\x8b") {
        packed(&name.inner())
    } else if head.starts_with(b"PK\x03\x04") || head.starts_with(b"PK\x05\x06") {
        zip(name, head)
    } else if head.starts_with(b"\x89PNG\r\n\x1a\n") {
        png(name, head)
    } else if head.starts_with(b"\xff\xd8\xff")
        || head.starts_with(b"GIF8")
        || (head.starts_with(b"RIFF") && head.get(8..12) == Some(b"WEBP"))
        || (head.starts_with(b"BM") && name.ends(&["bmp", "dib"]))
        || head.starts_with(b"II*\0")
        || head.starts_with(b"MM\0*")
    {
        Recognised::plain(Picture)
    } else if head.starts_with(b"\x93NUMPY") {
        Recognised::new(Labels, F::NumpyArray)
    } else if head.starts_with(b"\x89HDF\r\n\x1a\n") {
        let weights = ["weight", "model", "checkpoint", "ckpt"]
            .iter()
            .any(|word| name.whole.contains(word));
        Recognised::new(if weights { Checkpoint } else { Labels }, F::Hdf5)
    } else if head.starts_with(b"PAR1") {
        Recognised::new(Labels, F::Parquet)
    } else if head.starts_with(b"ARROW1") || head.starts_with(b"FEA1") {
        Recognised::new(Labels, F::Arrow)
    } else if head.starts_with(b"MATLAB ") && memmem::find(head.get(..128)?, b"MAT-file").is_some()
    {
        Recognised::new(Labels, F::Matlab)
    } else if head.starts_with(b"MMIDIDX\0") {
        Recognised::new(Labels, F::Megatron)
    } else if head.starts_with(b"GGUF") {
        Recognised::new(Checkpoint, F::Model)
    } else if is_safetensors(head) {
        Recognised::new(Checkpoint, F::Safetensors)
    } else if is_idx(head) {
        Recognised::new(Labels, F::Idx)
    } else if is_pickle(head) {
        pickle(name, head)
    } else if [
        b"BZh".as_slice(),
        b"\xfd7zXZ\0",
        b"\x28\xb5\x2f\xfd",
        b"7z\xbc\xaf\x27\x1c",
        b"Rar!\x1a\x07",
    ]
    .iter()
    .any(|magic| head.starts_with(magic))
        || head.get(257..262) == Some(b"ustar")
    {
        packed(&name.inner())
    } else if head.starts_with(b"\x7fELF")
        || (head.starts_with(b"MZ") && name.ends(&["exe", "dll", "pyd", "sys"]))
        || head.starts_with(b"%PDF-")
        || head.starts_with(b"SQLite format 3\0")
    {
        Recognised::plain(Unknown)
    } else {
        return None;
    };
    Some(found)
}

/// What the name of a binary file tells, where its bytes told nothing (cut at the front, an old format, a stand-in).
pub(super) fn by_name(name: &Name) -> Option<Recognised> {
    use Format as F;
    use InputKind::{Checkpoint, Labels, Picture};
    Some(match name.extension.as_str() {
        "npy" => Recognised::new(Labels, F::NumpyArray),
        "npz" => Recognised::new(Labels, F::NumpyArchive),
        "mat" => Recognised::new(Labels, F::Matlab),
        "parquet" => Recognised::new(Labels, F::Parquet),
        "arrow" | "feather" => Recognised::new(Labels, F::Arrow),
        "tfrecord" | "tfrecords" => Recognised::new(Labels, F::TfRecord),
        "xls" | "xlsx" => Recognised::new(Labels, F::Excel),
        "h5" | "hdf5" => Recognised::new(Labels, F::Hdf5),
        "pkl" | "pickle" => Recognised::new(Labels, F::Pickle),
        "pt" | "pth" | "ckpt" => Recognised::new(Checkpoint, F::Torch),
        "safetensors" => Recognised::new(Checkpoint, F::Safetensors),
        "onnx" | "gguf" | "pb" => Recognised::new(Checkpoint, F::Model),
        "png" | "jpg" | "jpeg" | "bmp" | "gif" | "tif" | "tiff" | "webp" => {
            Recognised::plain(Picture)
        }
        _ => return None,
    })
}

/// A packed file goes by the name of what is in it; a packed log has to be unpacked by the user.
fn packed(inner: &Name) -> Recognised {
    let idx = inner.whole.contains("-idx") || inner.whole.contains(".idx");
    if idx || inner.ends(&["csv", "tsv", "json", "jsonl", "npy", "nii", "xml"]) {
        let format = if idx { Format::Idx } else { Format::Compressed };
        return Recognised::new(InputKind::Labels, format);
    }
    match by_name(inner) {
        Some(found) if found.kind == InputKind::Checkpoint => found,
        _ => Recognised::new(InputKind::Unknown, Format::Compressed),
    }
}

fn zip(name: &Name, head: &[u8]) -> Recognised {
    let holds = |word: &[u8]| memmem::find(head, word).is_some();
    if holds(b"/data.pkl") || holds(b"data.pklFB") || holds(b"/.data/serialization_id") {
        return torch(name);
    }
    if holds(b"[Content_Types].xml") || holds(b"xl/workbook") {
        return Recognised::new(InputKind::Labels, Format::Excel);
    }
    if name.extension == "npz" || holds(b".npy") {
        return Recognised::new(InputKind::Labels, Format::NumpyArchive);
    }
    if name.ends(&["pt", "pth", "ckpt", "bin"]) {
        return torch(name);
    }
    Recognised::new(InputKind::Unknown, Format::Compressed)
}

/// `torch.save` writes weights and label tensors alike; the name is all that tells them apart before reading.
fn torch(name: &Name) -> Recognised {
    let kind = if name.speaks_of_labels() {
        InputKind::Labels
    } else {
        InputKind::Checkpoint
    };
    Recognised::new(kind, Format::Torch)
}

/// Grey and palette pictures hold one number a pixel, as masks do; photographs have three.
fn png(name: &Name, head: &[u8]) -> Recognised {
    let one_number = matches!(head.get(25), Some(0 | 3));
    if one_number || name.speaks_of_labels() {
        Recognised::new(InputKind::Labels, Format::Mask)
    } else {
        Recognised::plain(InputKind::Picture)
    }
}

fn is_safetensors(head: &[u8]) -> bool {
    let Some((length, rest)) = head.split_first_chunk::<8>() else {
        return false;
    };
    let length = u64::from_le_bytes(*length);
    rest.starts_with(b"{") && (2..=100_000_000).contains(&length)
}

fn is_idx(head: &[u8]) -> bool {
    matches!(head, [0, 0, 0x08 | 0x09 | 0x0b..=0x0e, 1..=4, 0, ..])
}

fn is_pickle(head: &[u8]) -> bool {
    // Protocol 2 to 5, then an opcode that can open a program.
    matches!(head, [0x80, 2..=5, opcode, ..] if b"}]()\x95c\x8a\x8c\x58K\x88\x89NG".contains(opcode))
}

fn pickle(name: &Name, head: &[u8]) -> Recognised {
    // The number with which torch.save began before it wrote zip files.
    const TORCH: &[u8] = b"\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19";
    if head.get(2..).is_some_and(|rest| rest.starts_with(TORCH)) {
        return torch(name);
    }
    let kind = if name.ends(&["pt", "pth", "ckpt", "bin", "tar"]) && !name.speaks_of_labels() {
        InputKind::Checkpoint
    } else {
        InputKind::Labels
    };
    Recognised::new(kind, Format::Pickle)
}
