//! JSON files that state sizes: small ones, as Python wrote them.

use std::path::Path;

use serde_json::Value;

use crate::labels::LabelError;
use crate::labels::file::read_whole;

/// Configurations with the names of 20,000 classes have about 2 MiB.
const MOST_BYTES: u64 = 16 << 20;

/// A parsed file and its text, to find lines in.
pub(super) struct Json {
    pub value: Value,
    text: String,
}

/// Reads a JSON file. Byte order marks are stripped, and Python's bare `NaN` and `Infinity`, which configurations hold,
/// count as null. Nesting is cut at `serde_json`'s limit.
///
/// # Errors
/// Where it cannot be read, is too large, or is no JSON.
pub(super) fn read(path: &Path) -> Result<Json, LabelError> {
    parse(&read_whole(path, MOST_BYTES)?)
}

pub(super) fn parse(bytes: &[u8]) -> Result<Json, LabelError> {
    let (encoding, mark) = encoding_rs::Encoding::for_bom(bytes)
        .map_or((encoding_rs::UTF_8, 0), |(encoding, mark)| (encoding, mark));
    let (text, _) = encoding.decode_without_bom_handling(bytes.get(mark..).unwrap_or_default());
    let text = without_python_numbers(&text);
    match serde_json::from_str(&text) {
        Ok(value) => Ok(Json { value, text }),
        Err(error) if error.to_string().starts_with("recursion limit") => Err(LabelError::TooDeep),
        Err(error) => Err(LabelError::Malformed {
            said: error.to_string(),
            line: Some(error.line() as u64),
            byte: None,
        }),
    }
}

impl Json {
    /// Line of a key that occurs once in the file; `None` where it occurs more often.
    pub fn line_of(&self, key: &str) -> Option<u64> {
        let quoted = format!("\"{key}\"");
        let mut found = self.text.match_indices(&quoted).filter(|(at, _)| {
            let rest = self.text.get(at + quoted.len()..).unwrap_or_default();
            rest.trim_start().starts_with(':')
        });
        let (at, _) = found.next()?;
        if found.next().is_some() {
            return None;
        }
        let before = self.text.get(..at)?;
        Some(1 + memchr::memchr_iter(b'\n', before.as_bytes()).count() as u64)
    }
}

/// `NaN`, `Infinity` and `-Infinity` outside strings become null, everything else stays where it is.
fn without_python_numbers(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['"', 'N', 'I', '-']) {
        let (before, from) = rest.split_at(at);
        out.push_str(before);
        let word = ["NaN", "Infinity", "-Infinity"]
            .into_iter()
            .find(|word| from.starts_with(word));
        let length = if let Some(word) = word {
            out.push_str("null");
            word.len()
        } else {
            let length = if from.starts_with('"') {
                string_length(from)
            } else {
                1
            };
            out.push_str(from.get(..length).unwrap_or_default());
            length
        };
        rest = from.get(length..).unwrap_or_default();
    }
    out.push_str(rest);
    out
}

/// Bytes of the string that a text begins with, quotes included; all of the text where it never ends.
fn string_length(text: &str) -> usize {
    let mut escaped = false;
    for (at, byte) in text.bytes().enumerate().skip(1) {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}

/// A whole number that is not negative, as JSON writes it; `10.0` counts, `true` and `"10"` do not.
pub(super) fn whole(value: &Value) -> Option<u64> {
    value.as_u64().or_else(|| {
        let float = value.as_f64()?;
        (float.fract() == 0.0 && (0.0..9e15).contains(&float)).then_some(float as u64)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_python_writes_is_read() {
        let check = |bytes: &[u8], expected: Option<u64>| {
            let json = parse(bytes).ok();
            let got = json.and_then(|json| json.value.get("n").and_then(whole));
            assert_eq!(got, expected, "{}", String::from_utf8_lossy(bytes));
        };
        check(b"{\"n\": 3}", Some(3));
        check(b"\xef\xbb\xbf{\"n\": 3}", Some(3));
        check(b"\xff\xfe{\0\"\0n\0\"\0:\x003\0}\0", Some(3));
        check(
            b"{\"limit\": [0.0, Infinity, -Infinity, NaN], \"n\": 3.0}",
            Some(3),
        );
        check(b"{\"a\": \"NaN \\\" -Infinity\", \"n\": 3}", Some(3));
        check(b"{\"n\": 3.5}", None);
        check(b"{\"n\": -3}", None);
        check(b"{\"n\": \"3\"}", None);
        check(b"{\"n\": \"3", None);
        check(b"", None);
    }

    #[test]
    fn strings_stay_as_they_are() {
        let text = r#"{"Nan": "Infinity -Infinity NaN \"}"#;
        assert_eq!(without_python_numbers(text), text);
    }

    #[test]
    fn deep_nesting_is_refused() {
        let deep = "[".repeat(100_000);
        assert!(matches!(parse(deep.as_bytes()), Err(LabelError::TooDeep)));
    }

    #[test]
    fn lines_of_keys() {
        let json = parse(b"{\n \"a\": \"b\",\n \"b\" : 1, \"c\": {\"a\": 2}}").unwrap();
        assert_eq!(json.line_of("b"), Some(3));
        assert_eq!(json.line_of("a"), None);
        assert_eq!(json.line_of("x"), None);
    }
}
