//! Encodings, alone and mixed, and line ends.

use super::*;

#[derive(Default)]
struct Collect(Vec<(u64, String)>);

impl Sink for Collect {
    fn lines(&mut self, text: &str, line: u64) {
        for (number, text) in (line..).zip(text.lines()) {
            for segment in text.split('\r') {
                self.0.push((number, segment.to_owned()));
            }
        }
    }

    fn segment(&mut self, text: &str, line: u64, _end: End, _cut: bool) {
        self.0.push((line, text.to_owned()));
    }
}

fn decode(bytes: &[u8]) -> (Vec<(u64, String)>, Decoded) {
    let mut collect = Collect::default();
    let mut decoder = Decoder::new(1 << 16);
    decoder.read(bytes, true, &mut collect);
    (collect.0, decoder.finish())
}

fn utf16(text: &str, little: bool) -> Vec<u8> {
    text.encode_utf16()
        .flat_map(|unit| {
            if little {
                unit.to_le_bytes()
            } else {
                unit.to_be_bytes()
            }
        })
        .collect()
}

fn gbk_bytes(text: &str) -> Vec<u8> {
    encoding_rs::GBK.encode(text).0.into_owned()
}

#[test]
fn encodings_are_told_apart_line_by_line() {
    use TextEncoding::{Gbk, Unknown, Utf8, Utf8Bom, Utf16Be, Utf16Le};
    let check = |name: &str, parts: &[Vec<u8>], text: &str, encodings: &[TextEncoding]| {
        let (lines, decoded) = decode(&parts.concat());
        let expected: Vec<(u64, String)> = (1..).zip(text.lines().map(str::to_owned)).collect();
        assert_eq!(lines, expected, "{name}");
        assert_eq!(decoded.encodings, encodings, "{name}");
    };
    let narrow = |text: &str| text.as_bytes().to_vec();
    check("ascii", &[narrow("a\nb")], "a\nb", &[Utf8]);
    check(
        "bom",
        &[vec![0xEF, 0xBB, 0xBF], narrow("a\n损失\n")],
        "a\n损失\n",
        &[Utf8Bom],
    );
    check(
        "le",
        &[utf16("loss 1\r\n训练中\r\n", true)],
        "loss 1\n训练中\n",
        &[Utf16Le],
    );
    check(
        "be",
        &[utf16("loss 1\r\n训练中\r\n", false)],
        "loss 1\n训练中\n",
        &[Utf16Be],
    );
    check(
        "le with mark",
        &[vec![0xFF, 0xFE], utf16("训练\r\n上\n", true)],
        "训练\n上\n",
        &[Utf16Le],
    );
    check(
        "gbk",
        &[gbk_bytes("加载数据\r\nepoch 1\r\n页面文件太小\r\n")],
        "加载数据\nepoch 1\n页面文件太小\n",
        &[Gbk],
    );
    check(
        "utf-16 appended to utf-8",
        &[
            narrow("epoch 1\r\n损失\r\n"),
            utf16("Traceback\r\n  所在位置\r\n", true),
        ],
        "epoch 1\n损失\nTraceback\n  所在位置\n",
        &[Utf8, Utf16Le],
    );
    check(
        "utf-8 appended to utf-16",
        &[
            vec![0xFF, 0xFE],
            utf16("epoch 1\r\n中上文\r\n", true),
            narrow("Traceback (most recent call last):\r\n  File\r\n"),
        ],
        "epoch 1\n中上文\nTraceback (most recent call last):\n  File\n",
        &[Utf16Le, Utf8],
    );
    check(
        "marks in the middle",
        &[
            narrow("a line\n"),
            vec![0xFF, 0xFE],
            utf16("wide\r\n", true),
            vec![0xEF, 0xBB, 0xBF],
            narrow("narrow\n"),
        ],
        "a line\nwide\nnarrow\n",
        &[Utf8, Utf16Le, Utf8Bom],
    );
    check(
        "gbk lines among utf-8 lines",
        &[
            narrow("损失 ███\n"),
            gbk_bytes("页面文件太小\n"),
            narrow("plain\n训练\n"),
        ],
        "损失 ███\n页面文件太小\nplain\n训练\n",
        &[Utf8, Gbk],
    );
    check(
        "latin",
        &[b"r\xE9seau et for\xEAt\n".to_vec()],
        "réseau et forêt\n",
        &[Unknown],
    );
}

#[test]
fn nothing_stops_at_bad_bytes() {
    let (lines, decoded) = decode(b"one\n\x00\x01\xFF\xFE\n\xC3(\nend");
    assert_eq!(lines.last().map(|l| (l.0, l.1.as_str())), Some((4, "end")));
    assert!(decoded.undecodable.is_some());
    let (lines, _) = decode(b"a\0b\nnext\n");
    assert_eq!(lines, [(1, "a\0b".to_owned()), (2, "next".to_owned())]);
}

#[test]
fn returns_cut_lines_into_segments() {
    let (lines, decoded) = decode(b"a\rb\r\nc\r\r\nd\r");
    let expected =
        [(1, "a"), (1, "b"), (2, "c"), (2, ""), (3, "d")].map(|(n, t)| (n, t.to_owned()));
    assert_eq!(lines, expected);
    assert_eq!(decoded.lines, 3);
}
