//! Telling texts apart: a log from tables, annotations, configurations and scripts.

use encoding_rs::{GBK, UTF_16BE, UTF_16LE};
use serde::de::IgnoredAny;

use super::kind::{Format, InputKind, Name, Recognised};
use super::magic;

/// The beginning of a file as text; `None` where it is none.
pub(super) fn decode(head: &[u8]) -> Option<String> {
    let text = decode_lossy(head);
    let mut chars = 0_usize;
    let mut control = 0_usize;
    let mut undecodable = 0_usize;
    for c in text.chars() {
        chars += 1;
        match c {
            // What terminals and printers know: bell, backspace, tab, line ends, escape.
            '\u{7}'..='\r' | '\u{1b}' => {}
            '\0'..='\u{1f}' | '\u{7f}' => control += 1,
            char::REPLACEMENT_CHARACTER => undecodable += 1,
            _ => {}
        }
    }
    // Random bytes reach a tenth of control characters; a log with junk in it stays far below.
    let says_something = chars > 0 || head.is_empty();
    let is_text = says_something && control * 20 <= chars && undecodable * 3 <= chars;
    is_text.then_some(text)
}

fn decode_lossy(head: &[u8]) -> String {
    if let Some(rest) = head.strip_prefix(b"\xef\xbb\xbf") {
        return String::from_utf8_lossy(rest).into_owned();
    }
    if let Some(rest) = head.strip_prefix(b"\xff\xfe") {
        return UTF_16LE.decode_without_bom_handling(rest).0.into_owned();
    }
    if let Some(rest) = head.strip_prefix(b"\xfe\xff") {
        return UTF_16BE.decode_without_bom_handling(rest).0.into_owned();
    }
    let zeros = |parity: usize| {
        head.iter()
            .skip(parity)
            .step_by(2)
            .filter(|&&b| b == 0)
            .count()
    };
    let (even, odd) = (zeros(0), zeros(1));
    if (even + odd) * 4 > head.len() {
        if odd > even * 8 {
            return UTF_16LE.decode_without_bom_handling(head).0.into_owned();
        }
        if even > odd * 8 {
            return UTF_16BE.decode_without_bom_handling(head).0.into_owned();
        }
    }
    // Zero bytes in a text: space that a dying machine reserved, or UTF-16 appended to something else.
    let bytes: Vec<u8> = head.iter().copied().filter(|&b| b != 0).collect();
    match std::str::from_utf8(&bytes) {
        Ok(text) => text.to_owned(),
        // The head may end inside a character.
        Err(error) if error.error_len().is_none() => String::from_utf8_lossy(&bytes).into_owned(),
        Err(_) => {
            let (text, _) = GBK.decode_without_bom_handling(&bytes);
            let lossy = String::from_utf8_lossy(&bytes);
            let errors = |text: &str| text.matches(char::REPLACEMENT_CHARACTER).count();
            if errors(&text) <= errors(&lossy) {
                text.into_owned()
            } else {
                lossy.into_owned()
            }
        }
    }
}

/// Whether something in the text is printed only by a failing run.
pub(super) fn has_log_sign(text: &str) -> bool {
    let mut traceback = false;
    for line in text.split(['\n', '\r']) {
        if let Some(at) = line.find("Traceback (most recent call last)") {
            // In a script the words stand inside quotes or behind a comment sign.
            let before = line.get(..at).unwrap_or_default();
            traceback |= !before.contains(['"', '\'', '#', '`']);
        }
        let shows_frame = line.contains("File \"") && line.contains("\", line ");
        let failed_check = (line.contains("Assertion `") || line.contains("Assertion '"))
            && line.contains("failed")
            && (line.contains("block: [") || line.contains("thread: ["));
        let error = line
            .trim_start()
            .split_once("Error: ")
            .is_some_and(|(class, rest)| {
                !class.contains([' ', '"', '\'', '(']) && rest.contains("CUDA")
            });
        if failed_check || error || (traceback && shows_frame) {
            return true;
        }
    }
    // Notebooks and rich draw their frames without "File".
    traceback
}

/// Tells what a text is.
pub(super) fn recognise(name: &Name, text: &str) -> Recognised {
    use Format as F;
    use InputKind::{Checkpoint, Config, Labels, Log, Script, Text};

    let start = text.trim_start();
    if start.starts_with("version https://git-lfs.github.com/spec/") {
        let kind = magic::by_name(name).map_or(Labels, |found| found.kind);
        return Recognised::new(kind, F::LfsPointer);
    }
    let json = if start.starts_with(['{', '[']) {
        Json::of(start)
    } else {
        Json::No
    };
    if json != Json::No && is_notebook(start) {
        return Recognised::plain(InputKind::Notebook);
    }
    if has_log_sign(text) || name.ends(&["log", "out", "err", "stdout", "stderr"]) {
        return Recognised::plain(Log);
    }
    if json != Json::No {
        return recognise_json(name, start, json);
    }
    if start.starts_with("<?xml") || start.starts_with("<annotation") {
        return Recognised::new(Labels, F::Xml);
    }
    let lines = Lines::of(text);
    if lines.share(|line| line.starts_with("__label__")) > 0.5 {
        return Recognised::new(Labels, F::FastText);
    }
    if is_script(name, text) {
        return Recognised::plain(Script);
    }
    if lines.share(is_yolo) > 0.9 {
        return Recognised::new(Labels, F::Yolo);
    }
    if lines.share(is_numbers) > 0.9 || lines.is_table(name) {
        return Recognised::new(Labels, F::Table);
    }
    let is_log = lines.share(is_log_line) > 0.3;
    if !is_log && (lines.share(is_list_entry) > 0.9 || lines.share(is_picture_path) > 0.9) {
        return Recognised::new(Labels, F::Table);
    }
    match name.extension.as_str() {
        _ if is_log => Recognised::plain(Log),
        "yaml" | "yml" | "toml" | "ini" | "cfg" | "conf" => Recognised::plain(Config),
        "names" => Recognised::new(Labels, F::ClassNames),
        "safetensors" | "pt" | "pth" | "ckpt" => Recognised::plain(Checkpoint),
        "csv" | "tsv" => Recognised::new(Labels, F::Table),
        "json" if start.starts_with(['{', '[']) => Recognised::new(Labels, F::Json),
        _ if is_yaml_dataset(text) => Recognised::plain(Config),
        "txt"
            if [
                "classes",
                "labels",
                "labelmap",
                "label_map",
                "label_colors",
                "class_names",
            ]
            .iter()
            .any(|stem| name.whole.strip_suffix(".txt") == Some(stem)) =>
        {
            Recognised::new(Labels, F::ClassNames)
        }
        _ => Recognised::plain(Text),
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Json {
    No,
    One,
    Many,
}

impl Json {
    /// Whether a text is JSON as far as it goes.
    fn of(text: &str) -> Self {
        // Python writes these three although JSON has none of them.
        let text = text
            .replace("NaN", "0")
            .replace("-Infinity", "0")
            .replace("Infinity", "0");
        let mut values = 0;
        for value in serde_json::Deserializer::from_str(&text).into_iter::<IgnoredAny>() {
            match value {
                Ok(_) => values += 1,
                Err(error) if error.is_eof() => {
                    return if values > 0 { Self::Many } else { Self::One };
                }
                // One bad line among records does not make them something else.
                Err(_) => {
                    let records = Lines::of(&text)
                        .share(|line| serde_json::from_str::<IgnoredAny>(line).is_ok());
                    return if records > 0.6 { Self::Many } else { Self::No };
                }
            }
        }
        if values > 1 { Self::Many } else { Self::One }
    }
}

fn is_notebook(start: &str) -> bool {
    start.starts_with('{')
        && start.contains("\"cells\"")
        && (start.contains("\"cell_type\"") || start.contains("\"nbformat\""))
}

fn recognise_json(name: &Name, text: &str, json: Json) -> Recognised {
    use InputKind::{Case, Checkpoint, Config, Labels, Log, Recording};
    let has = |key: &str| text.contains(&format!("\"{key}\""));
    if text.contains("\"assert-doctor/recording/") {
        return Recognised::plain(Recording);
    }
    if text.contains("\"assert-doctor/") {
        return Recognised::plain(Case);
    }
    if has("weight_map") {
        return Recognised::new(Checkpoint, Format::Safetensors);
    }
    if has("annotations") || has("categories") || has("bbox") {
        return Recognised::new(Labels, Format::Coco);
    }
    // One record of a logger, its line ends escaped.
    if json == Json::One && text.contains("Traceback (most recent call last):\\") {
        return Recognised::plain(Log);
    }
    if json == Json::Many {
        // Trainers write their log as one object a line, too.
        let any = |keys: &[&str]| keys.iter().any(|key| has(key));
        let trained = any(&["levelname", "level", "lr", "learning_rate", "epoch"])
            && any(&["msg", "message", "loss", "data_time"]);
        // So do the log drivers of containers, and collectors.
        let collected = (has("log") && has("stream"))
            || (any(&["severity", "@timestamp", "timestamp", "asctime"])
                && any(&["message", "msg", "textPayload"]));
        let logged = trained || collected;
        return if logged {
            Recognised::plain(Log)
        } else {
            Recognised::new(Labels, Format::JsonLines)
        };
    }
    let configures = [
        "model_type",
        "architectures",
        "hidden_size",
        "torch_dtype",
        "zero_optimization",
    ]
    .iter()
    .any(|key| has(key));
    let named = ["config", "tokenizer", "package", "settings", "args"]
        .iter()
        .any(|word| name.whole.contains(word));
    if configures || (named && text.starts_with('{')) {
        return Recognised::plain(Config);
    }
    Recognised::new(Labels, Format::Json)
}

/// The lines of a head that say something; the last one may be cut and is left out where there are others.
struct Lines<'a>(Vec<&'a str>);

impl<'a> Lines<'a> {
    fn of(text: &'a str) -> Self {
        let mut lines: Vec<&str> = text
            .split(['\n', '\r'])
            .filter(|line| !line.trim().is_empty())
            .take(400)
            .collect();
        if lines.len() > 1 && !text.ends_with(['\n', '\r']) {
            lines.pop();
        }
        Self(lines)
    }

    /// Share of the lines that are so, 0 to 1.
    fn share(&self, is: impl Fn(&str) -> bool) -> f64 {
        let hits = self.0.iter().filter(|line| is(line)).count();
        hits as f64 / self.0.len().max(1) as f64
    }

    /// Whether the lines are rows of one table. A name that says so needs less proof.
    fn is_table(&self, name: &Name) -> bool {
        let named = name.ends(&["csv", "tsv", "tab"]);
        let Some(header) = self.0.first() else {
            return false;
        };
        [',', '\t', ';', '|'].into_iter().any(|separator| {
            let columns = header.matches(separator).count();
            if columns == 0 {
                return false;
            }
            let fits = self.share(|line| line.matches(separator).count() == columns);
            let numbers = self.share(|line| {
                let cells = line.split(separator);
                let numeric = cells
                    .clone()
                    .filter(|cell| is_number(cell.trim().trim_matches('"')));
                numeric.count() * 3 >= cells.count()
            });
            if named {
                fits > 0.5
            } else {
                self.0.len() >= 3
                    && fits > 0.9
                    && (numbers > 0.6 || (separator == '\t' && name.extension == "txt"))
            }
        })
    }
}

fn is_number(word: &str) -> bool {
    word.parse::<f64>().is_ok()
}

/// A row of nothing but numbers, with or without separators.
fn is_numbers(line: &str) -> bool {
    line.split([' ', '\t', ',', ';'])
        .filter(|word| !word.is_empty())
        .all(is_number)
}

/// `class x y w h`, or a class and the corners of a polygon, all as shares of the picture.
fn is_yolo(line: &str) -> bool {
    let mut words = line.split_ascii_whitespace();
    let class = words.next().is_some_and(is_number);
    let coordinates: Vec<f64> = words.map_while(|word| word.parse().ok()).collect();
    class
        && coordinates.len() >= 4
        && coordinates.len() + 1 == line.split_ascii_whitespace().count()
        && coordinates.iter().all(|x| (-0.5..=1.5).contains(x))
}

/// A name with the numbers that belong to it, as in split lists, KITTI's objects and svmlight's `1:0.5`.
fn is_list_entry(line: &str) -> bool {
    let mut words = line.split_ascii_whitespace();
    // "step 3" is what a run prints: without many numbers the name itself has to tell entries apart.
    let named = words.next().is_some_and(|name| {
        let numbered = name.bytes().any(|b| b.is_ascii_digit());
        let many = words.clone().count() > 3 || words.clone().any(|word| word.contains(':'));
        !name.ends_with([':', '=']) && (numbered || many)
    });
    named
        && words.clone().count() > 0
        && words.all(|word| is_number(word.split_once(':').map_or(word, |(_, value)| value)))
}

/// A line of a list of pictures.
fn is_picture_path(line: &str) -> bool {
    let word = line
        .split_ascii_whitespace()
        .next()
        .unwrap_or_default()
        .to_ascii_lowercase();
    [".jpg", ".jpeg", ".png", ".bmp", ".tif"]
        .iter()
        .any(|extension| word.ends_with(extension))
}

fn is_script(name: &Name, text: &str) -> bool {
    let count = |is: &dyn Fn(&str) -> bool| text.lines().filter(|line| is(line)).count();
    let imports = count(&|line| {
        line.starts_with("import ") || (line.starts_with("from ") && line.contains(" import "))
    });
    let blocks = count(&|line| {
        ["def ", "class ", "async def ", "if ", "for ", "with "]
            .iter()
            .any(|word| line.starts_with(word))
            && line.trim_end().ends_with(':')
    });
    let shebang =
        text.starts_with("#!") && text.lines().next().is_some_and(|l| l.contains("python"));
    let named = name.ends(&["py", "pyw", "pyi"]);
    named || shebang || (imports >= 1 && blocks >= 1 && imports + blocks >= 3)
}

/// A dataset file of YOLO: `nc: 80` or `names:` beside `train:`.
fn is_yaml_dataset(text: &str) -> bool {
    let has = |key: &str| text.lines().any(|line| line.starts_with(key));
    (has("nc:") || has("names:")) && (has("train:") || has("val:") || has("path:"))
}

/// A line as trainers and loggers print them.
fn is_log_line(line: &str) -> bool {
    let lower = line.to_ascii_lowercase();
    let stamped = line
        .trim_start_matches(['[', '(', ' '])
        .get(..10)
        .is_some_and(|date| {
            date.bytes().filter(u8::is_ascii_digit).count() >= 7
                && date
                    .bytes()
                    .filter(|b| matches!(b, b'-' | b'/' | b'.'))
                    .count()
                    == 2
        });
    let words = [
        "it/s",
        "s/it",
        "epoch",
        "loss",
        "warning",
        "error",
        "[info",
        "info:",
        " info ",
        "debug",
        "iter ",
        "step ",
        "cuda",
        "%|",
        "eta:",
        "exception",
    ];
    stamped || words.iter().any(|word| lower.contains(word))
}
