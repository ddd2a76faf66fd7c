//! Jupyter notebooks: the printed outputs, as lines of text with the line numbers of the JSON file.
//!
//! Recognised by content, never by name. Source cells are not read: what a program says of itself counts, not what it might do.

use serde::de::IgnoredAny;

use super::decode::{Decoded, Decoder, End, Sink};

/// What is read of a notebook.
pub(super) struct Outputs {
    pieces: Vec<Piece>,
    /// Its metadata is Google Colab's.
    pub colab: bool,
    pub decoded: Decoded,
}

/// A printed text and the line on which it stands in the file.
#[derive(Debug, PartialEq, Eq)]
struct Piece {
    text: String,
    line: u64,
}

/// Whether bytes begin as a notebook does: with one of its four names (or version 3's).
pub(super) fn may_be(bytes: &[u8]) -> bool {
    // NULs and marks of other encodings are left out: names are ASCII in all of them.
    let mut start = bytes
        .iter()
        .take(4096)
        .copied()
        .filter(|&byte| byte != 0 && byte.is_ascii())
        .skip_while(u8::is_ascii_whitespace);
    if start.next() != Some(b'{') {
        return false;
    }
    let start: Vec<u8> = start.skip_while(u8::is_ascii_whitespace).take(24).collect();
    [
        "\"cells\"",
        "\"metadata\"",
        "\"nbformat\"",
        "\"nbformat_minor\"",
        "\"worksheets\"",
    ]
    .iter()
    .any(|name| start.starts_with(name.as_bytes()))
}

/// Reads a whole notebook. `None`: it is no JSON, or holds no cells.
pub(super) fn outputs(bytes: &[u8]) -> Option<Outputs> {
    let mut whole = Whole::default();
    let mut decoder = Decoder::new(usize::MAX);
    decoder.read(bytes, true, &mut whole);
    let json = whole.text;
    serde_json::from_str::<IgnoredAny>(&json).ok()?;
    let mut walk = Walk::default();
    walk.read(&json);
    walk.cells.then(|| Outputs {
        pieces: walk.pieces,
        colab: walk.colab,
        decoded: decoder.finish(),
    })
}

/// Gives the outputs to a sink, as if they were lines.
pub(super) fn feed(outputs: &Outputs, sink: &mut impl Sink) {
    for piece in &outputs.pieces {
        let mut rest = piece.text.strip_suffix('\n').unwrap_or(&piece.text);
        loop {
            let Some(at) = memchr::memchr2(b'\n', b'\r', rest.as_bytes()) else {
                sink.segment(rest, piece.line, End::Feed, false);
                break;
            };
            let (segment, after) = rest.split_at(at);
            if let Some(next) = after
                .strip_prefix("\r\n")
                .or_else(|| after.strip_prefix('\n'))
            {
                sink.segment(segment, piece.line, End::Feed, false);
                rest = next;
            } else {
                sink.segment(segment, piece.line, End::Return, false);
                rest = after.get(1..).unwrap_or_default();
            }
        }
    }
}

/// Collects decoded text.
#[derive(Default)]
struct Whole {
    text: String,
}

impl Sink for Whole {
    fn lines(&mut self, text: &str, _line: u64) {
        self.text.push_str(text);
    }

    fn segment(&mut self, text: &str, _line: u64, end: End, _cut: bool) {
        self.text.push_str(text);
        match end {
            End::Feed => self.text.push('\n'),
            End::Return => self.text.push('\r'),
            End::Eof => {}
        }
    }
}

/// Names that matter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Name {
    Cells,
    Outputs,
    Text,
    Traceback,
    ErrorClass,
    ErrorMessage,
    Metadata,
    Colab,
    Other,
}

fn name(key: &str) -> Name {
    match key {
        "cells" => Name::Cells,
        "outputs" => Name::Outputs,
        "text" | "text/plain" => Name::Text,
        "traceback" => Name::Traceback,
        "ename" => Name::ErrorClass,
        "evalue" => Name::ErrorMessage,
        "metadata" => Name::Metadata,
        "colab" => Name::Colab,
        _ => Name::Other,
    }
}

/// Goes through JSON that is known to be valid, without building it.
#[derive(Default)]
struct Walk {
    /// The name under which each open object or list stands.
    open: Vec<(u8, Name)>,
    /// The last key, until its value came.
    key: Option<Name>,
    pieces: Vec<Piece>,
    /// The last piece lacks its line end.
    unfinished: bool,
    cells: bool,
    colab: bool,
    error: Failure,
}

/// An error output, until its object ends.
#[derive(Default)]
struct Failure {
    name: Option<String>,
    value: Option<(String, u64)>,
    traceback: bool,
}

impl Walk {
    fn read(&mut self, json: &str) {
        let bytes = json.as_bytes();
        let (mut at, mut line) = (0, 1);
        while let Some(&byte) = bytes.get(at) {
            match byte {
                b'{' | b'[' => {
                    // Lists in lists and objects in lists stand under the list's name.
                    let name = self
                        .key
                        .take()
                        .or_else(|| self.open.last().map(|open| open.1))
                        .unwrap_or(Name::Other);
                    if name == Name::Cells && byte == b'[' {
                        self.cells = true;
                    }
                    if name == Name::Colab
                        && self.open.iter().any(|open| open.1 == Name::Metadata)
                        && self.open.len() <= 3
                    {
                        self.colab = true;
                    }
                    self.open.push((byte, name));
                    if name == Name::Outputs && byte == b'{' {
                        self.error = Failure::default();
                    }
                    self.unfinished = false;
                }
                b'}' | b']' => {
                    if self.open.pop() == Some((b'{', Name::Outputs)) {
                        self.end_output();
                    }
                    self.key = None;
                    self.unfinished = false;
                }
                b'"' => {
                    let end = string_end(bytes, at);
                    let token = json.get(at..end).unwrap_or_default();
                    let is_key =
                        self.open.last().is_some_and(|open| open.0 == b'{') && self.key.is_none();
                    if is_key {
                        self.key = Some(name(token.trim_matches('"')));
                    } else {
                        self.string(token, line);
                        self.key = None;
                    }
                    line += memchr::memchr_iter(b'\n', token.as_bytes()).count() as u64;
                    at = end;
                    continue;
                }
                b'\n' => line += 1,
                b',' => self.key = None,
                _ => {}
            }
            at += 1;
        }
    }

    /// A string value.
    fn string(&mut self, token: &str, line: u64) {
        let inside = |name: Name| self.open.iter().any(|open| open.1 == name);
        if !inside(Name::Cells) || !inside(Name::Outputs) {
            return;
        }
        let name = self
            .key
            .or_else(|| self.open.last().map(|open| open.1))
            .unwrap_or(Name::Other);
        if !matches!(
            name,
            Name::Text | Name::Traceback | Name::ErrorClass | Name::ErrorMessage
        ) {
            return;
        }
        let Ok(text) = serde_json::from_str::<String>(token) else {
            return;
        };
        match name {
            Name::ErrorClass => self.error.name = Some(text),
            Name::ErrorMessage => self.error.value = Some((text, line)),
            Name::Traceback => {
                self.error.traceback = true;
                self.pieces.push(Piece { text, line });
            }
            _ => {
                let finished = text.ends_with('\n');
                if self.unfinished
                    && let Some(last) = self.pieces.last_mut()
                {
                    last.text.push_str(&text);
                } else {
                    self.pieces.push(Piece { text, line });
                }
                self.unfinished = !finished;
            }
        }
    }

    /// An error without a traceback still has its message.
    fn end_output(&mut self) {
        let error = std::mem::take(&mut self.error);
        if let Some((value, line)) = error.value
            && !error.traceback
        {
            let name = error.name.unwrap_or_else(|| "Error".to_owned());
            self.pieces.push(Piece {
                text: format!("{name}: {value}"),
                line,
            });
        }
    }
}

/// Where the string that begins at `at` ends, its quote included.
fn string_end(bytes: &[u8], at: usize) -> usize {
    let mut from = at + 1;
    while let Some(found) = bytes
        .get(from..)
        .and_then(|rest| memchr::memchr2(b'"', b'\\', rest))
    {
        let here = from + found;
        if bytes.get(here) == Some(&b'"') {
            return here + 1;
        }
        from = here + 2;
    }
    bytes.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces(json: &str) -> Option<(Vec<(u64, String)>, bool)> {
        let outputs = outputs(json.as_bytes())?;
        Some((
            outputs
                .pieces
                .into_iter()
                .map(|piece| (piece.line, piece.text))
                .collect(),
            outputs.colab,
        ))
    }

    #[test]
    fn outputs_with_their_lines() {
        let json = r#"{
 "metadata": {"colab": {"provenance": []}},
 "cells": [
  {"cell_type": "code", "source": ["text that is not read\n"],
   "outputs": [
    {"output_type": "stream", "text": [
     "one\n",
     "two ",
     "goes on\n"
    ]},
    {"output_type": "execute_result", "data": {"text/plain": "x = \"1\""}, "metadata": {"text": 5}},
    {"output_type": "error", "ename": "E", "evalue": "v", "traceback": ["a\nb", "c"]},
    {"output_type": "error", "ename": "E", "evalue": "v", "traceback": []}
   ]}
 ]
}"#;
        let expected = [
            (7, "one\n"),
            (8, "two goes on\n"),
            (11, "x = \"1\""),
            (12, "a\nb"),
            (12, "c"),
            (13, "E: v"),
        ];
        let expected = expected
            .map(|(line, text)| (line, text.to_owned()))
            .to_vec();
        assert_eq!(pieces(json), Some((expected, true)));
        let one_line = json.replace('\n', "");
        assert!(pieces(&one_line).is_some_and(
            |(pieces, _)| pieces.len() == 6 && pieces.iter().all(|(line, _)| *line == 1)
        ));
        assert_eq!(pieces(&json[..json.len() - 3]), None);
        assert_eq!(pieces("{\"metadata\": 1}"), None);
    }

    #[test]
    fn told_by_content() {
        for (text, expected) in [
            ("{\n \"cells\": []}", true),
            ("\u{feff}{\"nbformat\": 4", true),
            ("{\"epoch\": 1}\n{\"epoch\": 2}", false),
            ("{'train': {}}", false),
            ("epoch 1 {\"cells\"", false),
            ("", false),
        ] {
            assert_eq!(may_be(text.as_bytes()), expected, "{text}");
        }
    }
}
