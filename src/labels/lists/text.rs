//! Small texts as a whole, whatever program wrote them.

use std::path::Path;
use std::sync::Arc;

use encoding_rs::{Encoding, UTF_8, WINDOWS_1252};

use crate::labels::{LabelError, Place, Trouble, TroubleKind, encoding, file};

/// Reads a text file as a whole. Its encoding is named where it is not UTF-8.
///
/// # Errors
/// Where it cannot be read or is larger than the limit.
pub(in crate::labels) fn read(
    path: &Path,
    limit: u64,
) -> Result<(String, Option<&'static str>), LabelError> {
    Ok(decode(file::read_whole(path, limit)?))
}

/// Bytes as text: by their byte order mark, else UTF-8, UTF-16 or GBK, else Windows-1252; the name of what is not UTF-8 is given.
pub(in crate::labels) fn decode(bytes: Vec<u8>) -> (String, Option<&'static str>) {
    if let Some((encoding, _)) = Encoding::for_bom(&bytes) {
        let (text, _) = encoding.decode_with_bom_removal(&bytes);
        return (text.into_owned(), name_of(encoding));
    }
    if let Some((encoding, _)) = encoding::of(&bytes) {
        let (text, _) = encoding.decode_without_bom_handling(&bytes);
        return (text.into_owned(), name_of(encoding));
    }
    match String::from_utf8(bytes) {
        Ok(text) => (text, None),
        Err(error) => {
            let (text, _) = WINDOWS_1252.decode_without_bom_handling(error.as_bytes());
            (text.into_owned(), name_of(WINDOWS_1252))
        }
    }
}

fn name_of(encoding: &'static Encoding) -> Option<&'static str> {
    (encoding != UTF_8).then(|| encoding.name())
}

/// What is told of a text that is not UTF-8.
pub(in crate::labels) fn trouble(
    encoding: Option<&'static str>,
    path: &Arc<Path>,
) -> Option<Trouble> {
    encoding.map(|name| Trouble {
        kind: TroubleKind::OtherEncoding(name),
        place: Place::file(Arc::clone(path)),
        text: None,
    })
}
