//! Pascal VOC annotations: one XML file a picture, class names in `annotation/object/name`.

use std::path::Path;
use std::sync::Arc;

use encoding_rs::Encoding;
use memchr::memchr_iter;
use roxmltree::{Document, Node, ParsingOptions};

use super::MOST_TROUBLES;
use crate::labels::lists::text;
use crate::labels::{LabelError, Limit, Place, Role, Sink, Stream, Trouble, TroubleKind, file};

/// One picture's annotation has some kilobytes.
const MOST_BYTES: u64 = 32 << 20;
const MOST_NODES: u32 = 4_000_000;
/// Elements inside each other; real annotations have five.
const MOST_DEPTH: u32 = 256;
/// Attributes of one element; real annotations have none or a few.
const MOST_ATTRIBUTES: usize = 256;

pub(super) fn read(path: &Arc<Path>, sink: &mut dyn Sink) -> Result<(), LabelError> {
    let bytes = file::read_whole(path, MOST_BYTES)?;
    let size = bytes.len() as u64;
    let content = decode(bytes);
    let content = content.trim_start_matches('\u{feff}');
    if !is_plain(content) {
        return Err(LabelError::TooDeep);
    }
    let options = ParsingOptions {
        nodes_limit: MOST_NODES,
        ..ParsingOptions::default()
    };
    let document = Document::parse_with_options(content, options).map_err(|e| error(&e))?;
    let root = document.root_element();
    match root.tag_name().name() {
        "annotation" => {}
        "annotations" => return Err(LabelError::LaterFormat("CVAT")),
        other => {
            let name: String = other.chars().take(40).collect();
            return Err(LabelError::NotLabels(format!("XML <{name}>")));
        }
    }
    let stream = sink.begin(Stream {
        role: Some(Role::Class),
        ..Stream::default()
    });
    let mut lines = Lines::new(content);
    let mut troubles = 0;
    let picture = size_of(root);
    let objects = root.children().filter(|node| node.has_tag_name("object"));
    for (object, row) in objects.zip(0_u64..) {
        if row % 1024 == 0 && sink.stopped() {
            return Ok(());
        }
        let object_line = lines.at(object.range().start);
        let mut tell = |kind, line| {
            troubles += 1;
            if troubles <= MOST_TROUBLES {
                sink.trouble(Trouble {
                    kind,
                    place: Place {
                        line: Some(line),
                        row: Some(row),
                        ..Place::file(Arc::clone(path))
                    },
                    text: None,
                });
            }
        };
        let name_node = child(object, "name");
        let name = name_node.map(name_of).unwrap_or_default();
        if let Some(wrong) = child(object, "bndbox").and_then(|node| wrong_box(node, picture)) {
            tell(TroubleKind::BadBox(wrong), object_line);
        }
        if name.is_empty() {
            let said = "an object without a name".to_owned();
            tell(TroubleKind::BadLine(said), object_line);
            continue;
        }
        let line = name_node.map_or(object_line, |node| lines.at(node.range().start));
        sink.name(stream, &name, &|| Place {
            line: Some(line),
            row: Some(row),
            ..Place::file(Arc::clone(path))
        });
    }
    if troubles > MOST_TROUBLES {
        sink.trouble(Trouble {
            kind: TroubleKind::Limit(Limit::NotAllTold),
            place: Place::file(Arc::clone(path)),
            text: None,
        });
    }
    sink.read(size);
    Ok(())
}

/// Whether no element has more attributes, and none lies deeper, than the parser can take: it compares all attributes of an
/// element with each other, and copies the name spaces of an element to those inside of it.
fn is_plain(content: &str) -> bool {
    let bytes = content.as_bytes();
    let after = |at: usize, end: &str| {
        let rest = bytes.get(at..).unwrap_or_default();
        memchr::memmem::find(rest, end.as_bytes())
            .map_or(bytes.len(), |found| at + found + end.len())
    };
    let (mut at, mut depth) = (0, 0_u32);
    while let Some(open) = memchr::memchr(b'<', bytes.get(at..).unwrap_or_default()) {
        at += open + 1;
        let rest = bytes.get(at..).unwrap_or_default();
        match rest.first() {
            Some(b'/') => depth = depth.saturating_sub(1),
            Some(b'?') => at = after(at, "?>"),
            Some(b'!') if rest.starts_with(b"!--") => at = after(at + 3, "-->"),
            Some(b'!') if rest.starts_with(b"![CDATA[") => at = after(at, "]]>"),
            Some(b'!') | None => {}
            Some(_) => {
                let (mut quote, mut attributes, mut last) = (None, 0, 0);
                for &byte in rest {
                    at += 1;
                    match (quote, byte) {
                        (None, b'>') => break,
                        (None, b'"' | b'\'') => quote = Some(byte),
                        (None, b'=') => attributes += 1,
                        (Some(open), _) if open == byte => quote = None,
                        _ => {}
                    }
                    last = byte;
                }
                depth += u32::from(last != b'/');
                if attributes > MOST_ATTRIBUTES || depth > MOST_DEPTH {
                    return false;
                }
            }
        }
    }
    true
}

/// By the byte order mark, else by what the XML declaration names (`gb2312` is common), else UTF-8.
fn decode(bytes: Vec<u8>) -> String {
    let has_mark = Encoding::for_bom(&bytes).is_some();
    if !has_mark && let Some(encoding) = declared(&bytes) {
        return encoding.decode_without_bom_handling(&bytes).0.into_owned();
    }
    text::decode(bytes).0
}

fn declared(bytes: &[u8]) -> Option<&'static Encoding> {
    let head = String::from_utf8_lossy(bytes.get(..200).unwrap_or(bytes));
    let declaration = head
        .trim_start()
        .strip_prefix("<?xml")?
        .split("?>")
        .next()?
        .to_owned();
    let (_, rest) = declaration.split_once("encoding")?;
    let label = rest.trim_start_matches([' ', '=', '\t']);
    let quote = label.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    let label = label.trim_start_matches(quote).split(quote).next()?;
    let encoding = Encoding::for_label(label.as_bytes())?;
    // A file that declares UTF-16 without a mark was converted on its way.
    encoding.is_ascii_compatible().then_some(encoding)
}

fn error(error: &roxmltree::Error) -> LabelError {
    match error {
        roxmltree::Error::DtdDetected => LabelError::Doctype,
        roxmltree::Error::NodesLimitReached => LabelError::TooDeep,
        _ => LabelError::Malformed {
            said: error.to_string().chars().take(300).collect(),
            line: Some(u64::from(error.pos().row)),
            byte: None,
        },
    }
}

fn child<'a, 'input>(node: Node<'a, 'input>, name: &str) -> Option<Node<'a, 'input>> {
    node.children().find(|child| child.has_tag_name(name))
}

/// The name as it stands: a blank at its end makes another name of it for every loader. Only line ends are layout.
fn name_of(node: Node<'_, '_>) -> String {
    let text = node.text().unwrap_or_default();
    if text.contains('\n') || text.trim().is_empty() {
        text.trim().to_owned()
    } else {
        text.to_owned()
    }
}

fn number(node: Node<'_, '_>, name: &str) -> Option<f64> {
    child(node, name)?.text()?.trim().parse().ok()
}

/// Width and height of the picture, where the file states them.
fn size_of(root: Node<'_, '_>) -> Option<(f64, f64)> {
    let size = child(root, "size")?;
    let (width, height) = (number(size, "width")?, number(size, "height")?);
    (width > 0.0 && height > 0.0).then_some((width, height))
}

fn wrong_box(node: Node<'_, '_>, picture: Option<(f64, f64)>) -> Option<String> {
    let mut sides = [0.0; 4];
    for (side, name) in sides.iter_mut().zip(["xmin", "ymin", "xmax", "ymax"]) {
        match number(node, name) {
            Some(number) if number.is_finite() => *side = number,
            _ => return Some(format!("{name} is no number")),
        }
    }
    let [left, top, right, bottom] = sides;
    if left >= right {
        return Some(format!("xmin {left} and xmax {right}"));
    }
    if top >= bottom {
        return Some(format!("ymin {top} and ymax {bottom}"));
    }
    if left < 0.0 || top < 0.0 {
        return Some(format!("begins at {left}, {top}"));
    }
    let (width, height) = picture?;
    (right > width || bottom > height)
        .then(|| format!("ends at {right}, {bottom} in a picture of {width} × {height}"))
}

/// Line numbers of rising offsets, each line end counted once.
struct Lines<'a> {
    bytes: &'a [u8],
    offset: usize,
    line: u64,
}

impl<'a> Lines<'a> {
    fn new(content: &'a str) -> Self {
        Self {
            bytes: content.as_bytes(),
            offset: 0,
            line: 1,
        }
    }

    fn at(&mut self, offset: usize) -> u64 {
        if let Some(passed) = self.bytes.get(self.offset..offset) {
            self.line += memchr_iter(b'\n', passed).count() as u64;
            self.offset = offset;
        }
        self.line
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::labels::Collected;
    use crate::labels::pictures::test_folder::Folder;

    fn read_bytes(bytes: &[u8]) -> Result<Collected, LabelError> {
        let folder = Folder::new();
        let path: Arc<Path> = folder.write("a.xml", bytes).into();
        let mut sink = Collected::default();
        read(&path, &mut sink).map(|()| sink)
    }

    fn object(name: &str, sides: &str) -> String {
        let [left, top, right, bottom] = sides.split(' ').collect::<Vec<_>>()[..] else {
            panic!("four sides");
        };
        format!(
            "<object>{name}<bndbox><xmin>{left}</xmin><ymin>{top}</ymin><xmax>{right}</xmax><ymax>{bottom}</ymax></bndbox></object>\n"
        )
    }

    #[track_caller]
    fn check(objects: &str, names: &[(&str, u64)], troubles: &[&str]) {
        let text = format!(
            "<annotation>\n<size><width>64</width><height>48</height></size>\n{objects}</annotation>"
        );
        let sink = read_bytes(text.as_bytes()).expect("an annotation");
        let found: Vec<(&str, u64)> = sink
            .streams
            .iter()
            .flat_map(|stream| &stream.names)
            .map(|(name, place)| (name.as_str(), place.line.unwrap_or_default()))
            .collect();
        assert_eq!(found, names, "{text}");
        let told: Vec<&str> = (sink.troubles.iter())
            .map(|trouble| match &trouble.kind {
                TroubleKind::BadBox(said) | TroubleKind::BadLine(said) => said.as_str(),
                other => panic!("{other:?}"),
            })
            .collect();
        assert_eq!(told, troubles, "{text}");
    }

    #[test]
    fn names_and_boxes() {
        let good = "1 1 9 9";
        check(
            &(object("<name>dog</name>", good) + &object("\n<name>Person </name>", good)),
            &[("dog", 3), ("Person ", 5)],
            &[],
        );
        check(&object("<name>\n cat\n</name>", good), &[("cat", 3)], &[]);
        check("", &[], &[]);
        check(
            "<object><name>cat</name><part><name>head</name></part></object>",
            &[("cat", 3)],
            &[],
        );
        check(&object("", good), &[], &["an object without a name"]);
        check(
            &object("<name> </name>", good),
            &[],
            &["an object without a name"],
        );
        let cat = "<name>cat</name>";
        for (sides, said) in [
            ("9 1 9 9", "xmin 9 and xmax 9"),
            ("1 9 9 1", "ymin 9 and ymax 1"),
            ("-1 1 9 9", "begins at -1, 1"),
            ("1 1 65 9", "ends at 65, 9 in a picture of 64 × 48"),
            ("a 1 9 9", "xmin is no number"),
            ("1 1 nan 9", "xmax is no number"),
        ] {
            check(&object(cat, sides), &[("cat", 3)], &[said]);
        }
        check(&object(cat, "1 1 64 48"), &[("cat", 3)], &[]);
    }

    #[test]
    fn what_is_refused() {
        #[track_caller]
        fn check(text: &str, expected: &LabelError) {
            assert_eq!(
                read_bytes(text.as_bytes()).map(|_| ()).as_ref(),
                Err(expected),
                "{text:.80}"
            );
        }
        check(
            "<!DOCTYPE a [<!ENTITY b 'c'>]><annotation/>",
            &LabelError::Doctype,
        );
        check(
            "<annotations><image/></annotations>",
            &LabelError::LaterFormat("CVAT"),
        );
        check("<note/>", &LabelError::NotLabels("XML <note>".to_owned()));
        for text in ["", "hello", "<annotation>", "<annotation>&x;</annotation>"] {
            assert!(
                matches!(
                    read_bytes(text.as_bytes()),
                    Err(LabelError::Malformed { .. })
                ),
                "{text}"
            );
        }
    }

    #[test]
    fn deep_nesting_is_no_harm() {
        let (open, close) = ("<a>".repeat(300_000), "</a>".repeat(300_000));
        let text = format!("<annotation>{open}{close}</annotation>");
        assert_eq!(
            read_bytes(text.as_bytes()).map(|_| ()),
            Err(LabelError::TooDeep)
        );
        let unclosed = read_bytes(open.as_bytes());
        assert_eq!(unclosed.map(|_| ()), Err(LabelError::TooDeep));
        let nodes = "<a/>".repeat(MOST_NODES as usize);
        let read = read_bytes(format!("<annotation>{nodes}</annotation>").as_bytes());
        assert_eq!(read.map(|_| ()), Err(LabelError::TooDeep));
    }

    #[test]
    fn elements_that_cost_the_parser_too_much_are_refused() {
        let attributes = |n: usize| -> String {
            let written: Vec<String> = (0..n).map(|i| format!(" a{i}='>='")).collect();
            written.concat()
        };
        let spaces = (0..400).map(|i| format!("<a xmlns:p{i}='u'>"));
        for (text, expected) in [
            (format!("<annotation{}/>", attributes(200)), Ok(())),
            (
                format!("<annotation{}/>", attributes(300_000)),
                Err(LabelError::TooDeep),
            ),
            (
                format!("<annotation>{}", spaces.collect::<String>()),
                Err(LabelError::TooDeep),
            ),
            // What is no element counts as none.
            (
                format!(
                    "<?x {0}?><annotation><!--{0} <a <a--><object><name><![CDATA[<a{0}]]></name></object></annotation>",
                    "= ".repeat(500)
                ),
                Ok(()),
            ),
            (
                format!("<annotation>{}</annotation>", "<a></a>".repeat(1000)),
                Ok(()),
            ),
        ] {
            assert_eq!(
                read_bytes(text.as_bytes()).map(|_| ()),
                expected,
                "{text:.60}"
            );
        }
    }

    #[test]
    fn encodings() {
        let gbk = b"<?xml version=\"1.0\" encoding=\"gb2312\"?>\n<annotation><object><name>\xc3\xa8</name></object></annotation>";
        let utf8 = "\u{feff}<annotation><object><name>猫</name></object></annotation>".as_bytes();
        for bytes in [gbk.as_slice(), utf8] {
            let sink = read_bytes(bytes).expect("an annotation");
            let name = sink.streams.first().and_then(|stream| stream.names.first());
            assert_eq!(name.map(|(name, _)| name.as_str()), Some("猫"));
        }
    }

    #[test]
    fn fixtures() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/labels");
        let names = |name: &str| -> Result<Vec<String>, LabelError> {
            let mut sink = Collected::default();
            read(&root.join(name).into(), &mut sink)?;
            Ok(sink
                .streams
                .into_iter()
                .flat_map(|stream| stream.names)
                .map(|(name, _)| name)
                .collect())
        };
        assert_eq!(
            names("voc_real/Annotations/2007_000001.xml"),
            Ok(vec!["cat".to_owned(), "person".to_owned()])
        );
        assert_eq!(
            names("voc_case/Annotations/b.xml").map(|names| names.len()),
            Ok(3)
        );
        assert_eq!(names("hostile_xml_bomb/a.xml"), Err(LabelError::Doctype));
        assert_eq!(
            names("cvat_images/annotations.xml"),
            Err(LabelError::LaterFormat("CVAT"))
        );
    }

    #[test]
    fn mutated_xml_never_panics() {
        let seed = format!(
            "<?xml version='1.0'?>\n<annotation>{}</annotation>",
            object("<name>a&amp;b</name>", "1 1 9 9")
        );
        let folder = Folder::new();
        let mut state = 11_u64;
        for _ in 0..2_000 {
            let mut bytes = seed.clone().into_bytes();
            for _ in 0..4 {
                state = state
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1);
                let at = (state >> 33) as usize % bytes.len();
                if let Some(byte) = bytes.get_mut(at) {
                    *byte = (state >> 24) as u8;
                }
            }
            let path: Arc<Path> = folder.write("a.xml", &bytes).into();
            let _ = read(&path, &mut Collected::default());
        }
    }
}
