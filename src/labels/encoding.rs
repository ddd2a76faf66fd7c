//! In which encoding a text without a mark is written, from its first bytes.
//!
//! UTF-8 needs no telling, and what is neither UTF-8 nor one of those here is read as Windows-1252, cell by cell.

use encoding_rs::{Encoding, GBK, UTF_8, UTF_16BE, UTF_16LE};

/// Bytes that an encoding is told from.
pub(in crate::labels) const HEAD: usize = 64 << 10;

/// The encoding of a text and the length of its mark; `None` for UTF-8 and for what cannot be told.
pub(in crate::labels) fn of(head: &[u8]) -> Option<(&'static Encoding, usize)> {
    let head = head.get(..HEAD).unwrap_or(head);
    if let Some((encoding, mark)) = Encoding::for_bom(head) {
        return (encoding != UTF_8).then_some((encoding, mark));
    }
    without_mark(head).map(|encoding| (encoding, 0))
}

fn without_mark(head: &[u8]) -> Option<&'static Encoding> {
    if let Some(encoding) = utf_16(head) {
        return Some(encoding);
    }
    match std::str::from_utf8(head) {
        Ok(_) => None,
        // The beginning may end inside a character.
        Err(error) if error.error_len().is_none() => None,
        Err(_) => is_gbk(head).then_some(GBK),
    }
}

/// Two bytes a character, one of them zero for every ASCII letter.
fn utf_16(head: &[u8]) -> Option<&'static Encoding> {
    let (pairs, _) = head.as_chunks::<2>();
    if pairs.len() < 8 {
        return None;
    }
    let ascii = |byte: u8| matches!(byte, b'\t' | b'\n' | b'\r' | b' '..=b'~');
    let little = pairs.iter().filter(|[a, b]| *b == 0 && ascii(*a)).count();
    let big = pairs.iter().filter(|[a, b]| *a == 0 && ascii(*b)).count();
    let most = |count: usize, other: usize| count * 2 > pairs.len() && other * 8 < count;
    if most(little, big) {
        Some(UTF_16LE)
    } else if most(big, little) {
        Some(UTF_16BE)
    } else {
        None
    }
}

/// Chinese in the encoding of Chinese Windows: two bytes a character, both above 0xA0 for nearly all characters that are written,
/// and most of the commonest 3,755 (GB 2312, level 1). In a Western text accented letters stand alone, in a Cyrillic one they come
/// in words of any length.
fn is_gbk(head: &[u8]) -> bool {
    let (mut pairs, mut usual, mut common) = (0_usize, 0_usize, 0_usize);
    let mut at = 0;
    while let Some(first) = head.get(at) {
        at += 1;
        if first.is_ascii() {
            continue;
        }
        let Some(second) = head.get(at) else {
            break;
        };
        at += 1;
        if !(0x81..=0xfe).contains(first) || !(0x40..=0xfe).contains(second) || *second == 0x7f {
            return false;
        }
        pairs += 1;
        let both_high = (0xa1..=0xf7).contains(first) && *second >= 0xa1;
        usual += usize::from(both_high);
        // Punctuation and full-width letters, or a common character.
        common += usize::from(
            both_high && (matches!(first, 0xa1 | 0xa3) || (0xb0..=0xd7).contains(first)),
        );
    }
    pairs > 0 && usual * 10 >= pairs * 8 && common * 10 >= pairs * 6
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(head: &[u8], expected: Option<&str>) {
        assert_eq!(of(head).map(|(encoding, _)| encoding.name()), expected);
    }

    #[test]
    fn encodings_are_told_apart() {
        let gbk = |text: &str| GBK.encode(text).0.into_owned();
        let western = |text: &str| encoding_rs::WINDOWS_1252.encode(text).0.into_owned();
        let cyrillic = |text: &str| encoding_rs::WINDOWS_1251.encode(text).0.into_owned();
        check("文件名,标签\n图1.jpg,0\n".as_bytes(), None);
        check(&"文件名".as_bytes()[..8], None);
        check(b"file,label\n", None);
        check(b"", None);
        check(&gbk("文件名,标签\n图1.jpg,0\n"), Some("GBK"));
        check(&gbk("label\n猫\n狗\n鸟\n"), Some("GBK"));
        check(&western("Käse;Brötchen;Größe;Straße\n"), None);
        check(&western("é\nà\n"), None);
        check(&cyrillic("файл,метка\nкошка.jpg,кошка\n"), None);
        let wide: Vec<u8> = "é,label\na.jpg,1\n"
            .encode_utf16()
            .flat_map(u16::to_le_bytes)
            .collect();
        check(&wide, Some("UTF-16LE"));
        let wide: Vec<u8> = "é,label\na.jpg,1\n"
            .encode_utf16()
            .flat_map(u16::to_be_bytes)
            .collect();
        check(&wide, Some("UTF-16BE"));
        check(b"\xef\xbb\xbflabel\n", None);
        check(b"\xff\xfel\0", Some("UTF-16LE"));
        check(b"label\n1\n2\n\0\0\0\0\0\0\0\0\0\0", None);
    }
}
