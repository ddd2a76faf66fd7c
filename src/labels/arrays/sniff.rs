//! Which binary format a file has: by its first bytes, then by its name.

use std::io::Read;
use std::path::Path;
use std::sync::Arc;

use flate2::read::MultiGzDecoder;

use super::held::{Input, malformed};
use super::{idx, tokens, torch_legacy, zip_file};
use crate::labels::{LabelError, LabelFormat};

/// How Git LFS's stand-ins begin.
const LFS: &[u8] = b"version https://git-lfs.github.com/spec/";
/// Bytes of a gzip stream that are unpacked to see what is in it.
const MOST_LOOK: u64 = 1024;

/// Bytes that only one kind of file begins with, and its name. None of them is read by this version.
const LATER: &[(&[u8], &str)] = &[
    (b"\x89HDF\r\n\x1a\n", "HDF5"),
    (b"MATLAB 7.3", "MATLAB 7.3 (HDF5)"),
    (b"MATLAB 5.0", "MATLAB"),
    (b"PAR1", "Parquet"),
    (b"ARROW1", "Arrow"),
    (b"FEA1", "Feather"),
    (b"\xff\xff\xff\xff\x10\0\0\0", "Arrow"),
    (b"MMIDIDX\0", "Megatron"),
    (b"GGUF", "GGUF"),
    (b"SQLite format 3\0", "SQLite"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "Excel (xls)"),
    (b"\x28\xb5\x2f\xfd", "zstd"),
    (b"\xfd7zXZ\0", "xz"),
    (b"BZh", "bzip2"),
    (b"7z\xbc\xaf\x27\x1c", "7z"),
    (b"Rar!\x1a\x07", "RAR"),
    (b"\x04\x22\x4d\x18", "lz4"),
    (b"ZARR", "Zarr"),
];

/// Names that say the same where the bytes do not.
const LATER_NAMES: &[(&[&str], &str)] = &[
    (&["h5", "hdf5", "hdf", "keras"], "HDF5"),
    (&["mat"], "MATLAB"),
    (&["parquet"], "Parquet"),
    (&["arrow"], "Arrow"),
    (&["feather"], "Feather"),
    (&["xlsx", "xlsm", "xls", "ods"], "Excel"),
    (&["tfrecord", "tfrecords"], "TFRecord"),
    (&["tar"], "tar"),
    (&["mdb", "lmdb"], "LMDB"),
    (&["sqlite", "sqlite3", "db"], "SQLite"),
    (&["onnx"], "ONNX"),
    (&["gguf", "ggml"], "GGUF"),
    (&["pb", "tflite"], "TensorFlow"),
    (&["zst"], "zstd"),
    (&["xz"], "xz"),
    (&["bz2"], "bzip2"),
    (&["7z"], "7z"),
    (&["rar"], "RAR"),
    (&["rec"], "MXNet records"),
    (&["rds", "rdata"], "R data"),
    (&["joblib"], "joblib"),
    (&["nii"], "NIfTI"),
    (&["zarr"], "Zarr"),
];

/// What a binary file is; `None` where it is none of the formats of this module: text, a picture, anything unknown.
///
/// `head` are its first bytes (64 KiB are enough). Archives are opened to see what is in them.
///
/// # Errors
/// Where it is a format that this version does not read, a stand-in for the data, or something else than its name says.
pub fn sniff_binary(path: &Path, head: &[u8]) -> Result<Option<LabelFormat>, LabelError> {
    let name = path
        .file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .to_lowercase();
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    if head.starts_with(LFS) {
        return Err(LabelError::LfsPointer);
    }
    if head.is_empty() {
        return Ok(None);
    }
    if let Some(found) = by_bytes(path, &name, head)? {
        return Ok(Some(found));
    }
    if name.ends_with(".nii.gz") {
        return Err(LabelError::LaterFormat("NIfTI"));
    }
    let by_name = match extension {
        "npy" => Some(LabelFormat::Npy),
        "npz" => Some(LabelFormat::Npz),
        "pt" | "pth" | "ckpt" => Some(LabelFormat::Torch),
        "pkl" | "pickle" | "p" => Some(LabelFormat::Pickle),
        "safetensors" => Some(LabelFormat::SafeTensors),
        "bin" => Some(LabelFormat::Tokens),
        _ if name.contains("-idx1-") || name.contains(".idx1-") => Some(LabelFormat::Idx),
        _ => None,
    };
    if let Some(format) = by_name {
        check_content(path, format, head)?;
        if format == LabelFormat::Tokens && has_megatron_index(path) {
            return Err(LabelError::LaterFormat("Megatron"));
        }
        return Ok(Some(format));
    }
    if looks_like_text(head) {
        return Ok(None);
    }
    if name.contains("tfrecord") {
        return Err(LabelError::LaterFormat("TFRecord"));
    }
    let later = LATER_NAMES
        .iter()
        .find(|(ends, _)| ends.contains(&extension));
    match later {
        Some((_, name)) => Err(LabelError::LaterFormat(name)),
        // Text with the name of a picture is the business of those who read pictures.
        None => Ok(None),
    }
}

fn by_bytes(path: &Path, name: &str, head: &[u8]) -> Result<Option<LabelFormat>, LabelError> {
    if head.starts_with(b"\x93NUMPY") {
        return Ok(Some(LabelFormat::Npy));
    }
    if head.starts_with(b"\x1f\x8b") {
        return packed(head);
    }
    if head.starts_with(b"PK\x03\x04") || head.starts_with(b"PK\x05\x06") {
        return zip(path, name).map(Some);
    }
    for (magic, later) in LATER {
        if head.starts_with(magic) {
            return Err(LabelError::LaterFormat(later));
        }
    }
    if head.get(257..262) == Some(b"ustar") {
        return Err(LabelError::LaterFormat("tar"));
    }
    if name == "data.mdb" || is_mat4(name, head) {
        let later = if name == "data.mdb" {
            "LMDB"
        } else {
            "MATLAB 4"
        };
        return Err(LabelError::LaterFormat(later));
    }
    if is_safetensors(head) {
        return Ok(Some(LabelFormat::SafeTensors));
    }
    if is_pickle(head) {
        let torch = head
            .get(2..)
            .is_some_and(|rest| rest.starts_with(torch_legacy::MAGIC));
        let named = [".pt", ".pth", ".ckpt", ".bin"]
            .iter()
            .any(|end| name.ends_with(end));
        return Ok(Some(if torch || named {
            LabelFormat::Torch
        } else {
            LabelFormat::Pickle
        }));
    }
    if tokens::has_header(head) && name.ends_with(".bin") {
        return Ok(Some(LabelFormat::Tokens));
    }
    // Token files may begin like this; only a file of just this size is IDX then.
    if let Some(header) = idx::header(head)
        && (!name.ends_with(".bin") || fits(path, &header))
    {
        return Ok(Some(LabelFormat::Idx));
    }
    Ok(None)
}

fn fits(path: &Path, header: &idx::Header) -> bool {
    let bytes = super::dtype::product(&header.shape)
        .and_then(|n| n.checked_mul(header.element.size()))
        .and_then(|n| n.checked_add(header.data));
    std::fs::symlink_metadata(path).is_ok_and(|meta| Some(meta.len()) == bytes)
}

/// What is inside a gzip stream, as far as it is a format of this module.
fn packed(head: &[u8]) -> Result<Option<LabelFormat>, LabelError> {
    let mut inner = Vec::new();
    // A stream that breaks off here is only the end of the first bytes.
    let _ = MultiGzDecoder::new(head)
        .take(MOST_LOOK)
        .read_to_end(&mut inner);
    if inner.starts_with(b"\x93NUMPY") {
        Ok(Some(LabelFormat::Npy))
    } else if idx::header(&inner).is_some() {
        Ok(Some(LabelFormat::Idx))
    } else if is_pickle(&inner) {
        Ok(Some(LabelFormat::Pickle))
    } else if inner.get(257..262) == Some(b"ustar") {
        Err(LabelError::LaterFormat("tar"))
    } else {
        Ok(None)
    }
}

fn zip(path: &Path, name: &str) -> Result<LabelFormat, LabelError> {
    let input = Input::open(&Arc::from(path))?;
    let entries = zip_file::entries(&input)?;
    let has = |test: &dyn Fn(&str) -> bool| entries.iter().any(|entry| test(&entry.name));
    if has(&|entry| entry == "data.pkl" || entry.ends_with("/data.pkl")) {
        if has(&|entry| entry.ends_with("/constants.pkl") || entry.contains("/code/")) {
            return Err(LabelError::LaterFormat("TorchScript"));
        }
        return Ok(LabelFormat::Torch);
    }
    if has(&|entry| entry == "[Content_Types].xml" || entry.starts_with("xl/")) {
        return Err(LabelError::LaterFormat("Excel"));
    }
    // Every file of a NumPy archive is an array; an archive of a data set holds other things, too.
    if name.ends_with(".npz")
        || (!entries.is_empty() && entries.iter().all(|entry| entry.name.ends_with(".npy")))
    {
        return Ok(LabelFormat::Npz);
    }
    if name.ends_with(".keras") {
        return Err(LabelError::LaterFormat("Keras"));
    }
    if [".pt", ".pth", ".ckpt"]
        .iter()
        .any(|end| name.ends_with(end))
    {
        return Err(malformed("a ZIP archive without data.pkl"));
    }
    Err(LabelError::LaterFormat("ZIP"))
}

fn is_safetensors(head: &[u8]) -> bool {
    let Some((length, rest)) = head.split_first_chunk::<8>() else {
        return false;
    };
    let length = u64::from_le_bytes(*length);
    (rest.starts_with(b"{\"") || rest.starts_with(b"{}")) && (2..=100_000_000).contains(&length)
}

fn is_pickle(head: &[u8]) -> bool {
    // Protocol 2 to 5, then an opcode that can open a pickle.
    matches!(head, [0x80, 2..=5, opcode, ..]
        if b"}]()\x95c\x8a\x8b\x8c\x8f\x8e\x8d\x96XKMJNGUTCB\x88\x89".contains(opcode))
}

/// The oldest form of MATLAB files has no text; its first numbers are small.
fn is_mat4(name: &str, head: &[u8]) -> bool {
    name.ends_with(".mat")
        && head.as_chunks::<4>().0.first().is_some_and(|&bytes| {
            u32::from_le_bytes(bytes) < 5000 || u32::from_be_bytes(bytes) < 5000
        })
}

fn has_megatron_index(path: &Path) -> bool {
    let index: Arc<Path> = path.with_extension("idx").into();
    let link = std::fs::symlink_metadata(&index).is_ok_and(|meta| meta.is_symlink());
    !link
        && Input::open(&index)
            .and_then(|input| input.head(8))
            .is_ok_and(|head| head.starts_with(b"MMIDIDX\0"))
}

/// What bytes certainly are that no array file begins with.
fn other_content(head: &[u8]) -> Option<&'static str> {
    const PICTURES: &[(&[u8], &str)] = &[
        (b"\x89PNG\r\n\x1a\n", "PNG"),
        (b"\xff\xd8\xff", "JPEG"),
        (b"GIF8", "GIF"),
        (b"%PDF-", "PDF"),
    ];
    if let Some((_, name)) = PICTURES.iter().find(|(magic, _)| head.starts_with(magic)) {
        return Some(name);
    }
    if !looks_like_text(head) {
        return None;
    }
    let text = head.trim_ascii_start().to_ascii_lowercase();
    Some(
        if text.starts_with(b"<!doctype html") || text.starts_with(b"<html") {
            "HTML"
        } else if text.starts_with(b"{") {
            "JSON"
        } else {
            "text"
        },
    )
}

fn looks_like_text(head: &[u8]) -> bool {
    let head = head.get(..4096).unwrap_or(head);
    let text = match std::str::from_utf8(head) {
        Ok(_) => true,
        // Cut inside of a character.
        Err(error) => error.error_len().is_none() && error.valid_up_to() > 0,
    };
    text && !head
        .iter()
        .any(|&b| b < 0x20 && !b.is_ascii_whitespace() && b != 0x1b)
}

/// Whether a file is what its name says.
///
/// # Errors
/// Where it is certainly something else.
pub(super) fn check_content(
    path: &Path,
    format: LabelFormat,
    head: &[u8],
) -> Result<(), LabelError> {
    if head.starts_with(LFS) {
        return Err(LabelError::LfsPointer);
    }
    let found = match (format, other_content(head)) {
        (_, None) => return Ok(()),
        // Pickles of the first protocols are text.
        (LabelFormat::Pickle | LabelFormat::Torch, Some("text")) if is_text_pickle(head) => {
            return Ok(());
        }
        // Bytes of ids may be those of letters.
        (LabelFormat::Tokens, Some("text")) if head.len() < 64 => return Ok(()),
        (_, Some(found)) => found,
    };
    let extension = path.extension().unwrap_or_default().to_string_lossy();
    Err(LabelError::OtherContent {
        named: if extension.is_empty() {
            path.file_name()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned()
        } else {
            format!(".{extension}")
        },
        found: found.to_owned(),
    })
}

fn is_text_pickle(head: &[u8]) -> bool {
    [
        b"(lp".as_slice(),
        b"(dp",
        b"(tp",
        b"(t",
        b"(l",
        b"(d",
        b"(S",
        b"(I",
        b"(F",
        b"(i",
        b"cnumpy",
        b"ccopy",
        b"c__builtin__",
        b"ccollections",
        b"cos\n",
        b"cposix\n",
        b"cnt\n",
        b"csubprocess\n",
        b"cpandas",
        b"cbuiltins",
        b"ctorch",
        b"c__main__",
    ]
    .iter()
    .any(|start| head.starts_with(start))
}
