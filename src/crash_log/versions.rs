//! Versions and names of software and graphics cards, where a log prints them.

use std::sync::LazyLock;

use super::recognisers::kept;
use super::word_set::WordSet;
use super::{Environment, Stated};

/// Reads versions; remembers what a question in an interpreter asked for.
#[derive(Clone, Default)]
pub(super) struct VersionReader {
    asked: Option<Asked>,
    patience: u32,
    /// Python's version came from a path only.
    python_from_path: bool,
    /// CUDA's came from nvidia-smi, which shows what the driver could do.
    cuda_from_driver: bool,
}

#[derive(Clone, Copy)]
enum Asked {
    Torch,
    Cuda,
}

impl VersionReader {
    /// A version was asked for; the answer is the next line.
    pub(super) fn wants_next(&self) -> bool {
        self.asked.is_some()
    }

    /// Looks at a line.
    pub(super) fn line(&mut self, text: &str, number: u64, environment: &mut Environment) {
        self.answer(text, number, environment);
        let stated = |version: &str| Stated {
            text: kept(version),
            line: number,
        };
        if environment.torch.is_none()
            && let Some(version) = torch(text)
        {
            environment.torch = Some(stated(version));
        }
        if (environment.cuda.is_none() || self.cuda_from_driver)
            && let Some((version, driver)) = cuda(text)
            && (environment.cuda.is_none() || !driver)
        {
            environment.cuda = Some(stated(version));
            self.cuda_from_driver = driver;
        }
        if environment.driver.is_none()
            && let Some(version) = driver(text)
        {
            environment.driver = Some(stated(version));
        }
        if (environment.python.is_none() || self.python_from_path)
            && let Some(version) = python(text)
        {
            environment.python = Some(stated(version));
            self.python_from_path = false;
        }
        self.library_path(text, number, environment);
    }

    /// Takes Python's version from a library path where nothing better is known.
    pub(super) fn library_path(&mut self, path: &str, number: u64, environment: &mut Environment) {
        if environment.python.is_none()
            && let Some(version) = python_in_path(path)
        {
            environment.python = Some(Stated {
                text: version,
                line: number,
            });
            self.python_from_path = true;
        }
    }

    fn answer(&mut self, text: &str, number: u64, environment: &mut Environment) {
        if let Some(asked) = self.asked {
            let answer = text.trim().trim_matches(['\'', '"']);
            if let Some(version) = version_at(answer).filter(|v| v.len() == answer.len()) {
                let stated = Some(Stated {
                    text: kept(version),
                    line: number,
                });
                match asked {
                    Asked::Torch => environment.torch = environment.torch.take().or(stated),
                    Asked::Cuda => environment.cuda = stated,
                }
                self.asked = None;
            } else if self.patience == 0 {
                self.asked = None;
            } else {
                self.patience -= 1;
            }
        }
        if text.contains("torch.__version__") {
            self.asked = Some(Asked::Torch);
            self.patience = 2;
        } else if text.contains("torch.version.cuda") {
            self.asked = Some(Asked::Cuda);
            self.patience = 2;
        }
    }
}

/// Major and minor number of `2.6.0+cu124`.
pub(super) fn major_minor(version: &str) -> Option<(u32, u32)> {
    let mut parts = version.split('.');
    let major = parts.next()?.parse().ok()?;
    let minor = parts.next()?;
    let digits = minor
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(minor.len());
    Some((major, minor.get(..digits)?.parse().ok()?))
}

/// How names of graphics cards begin.
const CARDS: &[&str] = &[
    "NVIDIA GeForce ",
    "NVIDIA RTX ",
    "NVIDIA TITAN ",
    "NVIDIA A",
    "NVIDIA H",
    "NVIDIA L",
    "NVIDIA B",
    "NVIDIA T",
    "NVIDIA Tesla ",
    "NVIDIA Quadro ",
    "GeForce GTX ",
    "GeForce RTX ",
    "GeForce MX",
    "Tesla ",
    "Quadro ",
    "TITAN ",
    "AMD Radeon ",
    "AMD Instinct ",
];

/// Names of graphics cards in a line.
pub(super) fn gpu_names(text: &str) -> Vec<&str> {
    static BEGINNINGS: LazyLock<WordSet> = LazyLock::new(|| WordSet::new(CARDS));
    let mut names = Vec::new();
    if !BEGINNINGS.any_in(text) {
        return names;
    }
    let mut from = 0;
    while names.len() < 16 {
        let Some(rest) = text.get(from..) else { break };
        let Some(at) = CARDS.iter().filter_map(|start| rest.find(start)).min() else {
            break;
        };
        let name = rest.get(at..).unwrap_or("");
        let end = name
            .find([',', '(', ')', '|', ';', '\'', '"', '[', ']', '/'])
            .or_else(|| name.find("  "))
            .unwrap_or(name.len());
        let end = [
            "  ", " with ", " is ", " GPU ", " uses ", " and ", " has ", " On ", " Off ", " off ",
            ". ", ": ",
        ]
        .iter()
        .filter_map(|stop| name.find(stop))
        .fold(end, usize::min);
        let name = name
            .get(..end)
            .unwrap_or("")
            .trim()
            .trim_end_matches(['.', ':']);
        // A model has a number or a known name; "NVIDIA Accelerated …" has neither.
        let model = name
            .split_whitespace()
            .skip(1)
            .any(|word| word.chars().any(|c| c.is_ascii_digit()));
        let single = name
            .split_whitespace()
            .nth(1)
            .is_some_and(|w| w.chars().next().is_some_and(|c| c.is_ascii_uppercase()));
        if model
            && single
            && name.len() < 60
            && name.split_whitespace().count() <= 8
            && !name.contains("Driver")
            && !name.contains("CUDA")
        {
            names.push(name);
        }
        from += at + end.max(1);
        while !text.is_char_boundary(from) {
            from += 1;
        }
    }
    names
}

fn torch(text: &str) -> Option<&str> {
    // xFormers names the version it was built for, and in parentheses the one that is there.
    if text.trim_start().starts_with("PyTorch ")
        && let Some(at) = text.find("(you have ")
    {
        return version_at(text.get(at + "(you have ".len()..)?);
    }
    for (at, found) in text.match_indices("orch").take(16) {
        let before = text.get(..at)?;
        let Some(stem) = ["Pyt", "PyT", "pyt", "t", "T"]
            .iter()
            .find(|stem| before.ends_with(**stem))
        else {
            continue;
        };
        let before = before.get(..before.len() - stem.len())?;
        if before
            .ends_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '/' | '\\'))
        {
            continue;
        }
        let after = text.get(at + found.len()..)?;
        let Some((version, prose)) = version_after_name(after) else {
            continue;
        };
        if is_requirement(before, prose, version) {
            continue;
        }
        return Some(version);
    }
    None
}

/// The version after a program's name, and whether only a blank stands between: then it may be prose.
fn version_after_name(after: &str) -> Option<(&str, bool)> {
    let mut rest = after;
    let mut prose = true;
    if let Some(tail) = rest.strip_prefix(".__version__") {
        rest = tail;
        prose = false;
    }
    let trimmed = rest.trim_start_matches(['"', '\'']);
    prose &= trimmed.len() == rest.len();
    rest = trimmed;
    for word in [
        " version (GPU?)",
        " version",
        " Version",
        " VERSION",
        "_version",
        "_VERSION",
    ] {
        if let Some(tail) = rest.strip_prefix(word) {
            rest = tail;
            prose = false;
            break;
        }
    }
    if let Some(tail) = rest.strip_prefix("==") {
        return version_at(tail).map(|v| (v, false));
    }
    // Asterisks and bars: bold type and table cells of Markdown.
    let separated = rest.trim_start_matches(['"', '\'', ' ', '\t', '*']);
    if let Some(tail) = separated.strip_prefix([':', '=', '-', '|']) {
        let tail = tail.trim_start_matches(['"', '\'', ' ', '\t', '*', 'v']);
        return version_at(tail).map(|v| (v, false));
    }
    let many_blanks = rest.starts_with("  ") || rest.starts_with('\t');
    let tail = separated;
    if tail.len() == rest.len() {
        return None;
    }
    let tail = tail.strip_prefix('v').unwrap_or(tail);
    version_at(tail).map(|v| (v, prose && !many_blanks))
}

/// "requires torch==1.13", "since PyTorch 2.0": not what is installed.
fn is_requirement(before: &str, prose: bool, version: &str) -> bool {
    let word = before
        .split_whitespace()
        .next_back()
        .unwrap_or("")
        .to_ascii_lowercase();
    if matches!(
        word.as_str(),
        "requires" | "require" | "needs" | "install" | "recommended" | "from"
    ) {
        return true;
    }
    let is_prose_word = matches!(
        word.as_str(),
        "in" | "since"
            | "than"
            | "to"
            | "until"
            | "before"
            | "after"
            | "for"
            | "of"
            | "with"
            | "use"
            | "using"
            | "least"
            | "required"
            | "upgrade"
            | "by"
            | "and"
            | "the"
            | "or"
            | "official"
    );
    // One blank and only two numbers, "PyTorch 2.0", is how people write, not how programs print.
    prose && (is_prose_word || version.matches('.').count() < 2)
}

/// A version at the start: at least two numbers, then letters, dots, digits and `+`.
fn version_at(text: &str) -> Option<&str> {
    let end = text
        .find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '.' | '+' | '_')))
        .unwrap_or(text.len());
    let version = text.get(..end)?.trim_end_matches(['.', '+', '_']);
    let (major, rest) = version.split_once('.')?;
    let good = !major.is_empty()
        && major.len() <= 3
        && major.bytes().all(|b| b.is_ascii_digit())
        && rest.starts_with(|c: char| c.is_ascii_digit());
    good.then_some(version)
}

fn after_any<'a>(text: &'a str, markers: &[&str]) -> Option<&'a str> {
    markers.iter().find_map(|marker| {
        let at = text.find(marker)? + marker.len();
        version_at(text.get(at..)?.trim_start())
    })
}

/// CUDA's version, and whether it is only what the driver could run.
fn cuda(text: &str) -> Option<(&str, bool)> {
    static WORDS: LazyLock<WordSet> = LazyLock::new(|| WordSet::new(&["CUDA", "cuda"]));
    if !WORDS.any_in(text) {
        return None;
    }
    if let Some(version) = after_any(
        text,
        &[
            "CUDA used to build PyTorch:",
            "torch.version.cuda:",
            "torch.version.cuda =",
            "CUDA version (torch):",
            "CUDA runtime version:",
            "CUDA Runtime ",
            "CUDA toolkit:",
            "cuda_version:",
        ],
    ) {
        return Some((version, false));
    }
    let from_driver = text.contains("Driver Version:");
    after_any(
        text,
        &[
            "CUDA Version:",
            "CUDA version:",
            "CUDA version ",
            "CUDA: ",
            "cuda: ",
            "cuda version:",
        ],
    )
    .map(|v| (v, from_driver))
}

fn driver(text: &str) -> Option<&str> {
    if !text.contains("river") {
        return None;
    }
    after_any(
        text,
        &[
            "Driver Version:",
            "Nvidia driver version:",
            "NVIDIA driver version:",
            "Driver version:",
            "driver version:",
            "driver_version:",
        ],
    )
}

fn python(text: &str) -> Option<&str> {
    if !text.contains("ython") {
        return None;
    }
    let version = after_any(
        text,
        &[
            "Python version:",
            "Python Version:",
            "python version:",
            "Python-",
            "Python: ",
            "python: ",
        ],
    )
    .or_else(|| {
        let trimmed = text.trim_start();
        let rest = trimmed.strip_prefix("Python ")?;
        let version = version_at(rest)?;
        // `Python 3.10.13` alone, or with its build in parentheses.
        let tail = rest.get(version.len()..)?.trim_start();
        (tail.is_empty() || tail.starts_with(['(', '|', '[', ',', ':'])).then_some(version)
    })?;
    (version.starts_with("3.") || version.starts_with("2.")).then_some(version)
}

/// `3.10` of `/lib/python3.10/` and of `\Python310\lib\`.
fn python_in_path(path: &str) -> Option<String> {
    for (at, _) in path.match_indices("ython").take(8) {
        let Some(rest) = path.get(at + "ython".len()..) else {
            continue;
        };
        let end = rest
            .find(|c: char| !(c.is_ascii_digit() || c == '.'))
            .unwrap_or(rest.len());
        let Some(digits) = rest.get(..end) else {
            continue;
        };
        let closes = rest.get(end..).is_some_and(|r| r.starts_with(['/', '\\']));
        if !closes {
            continue;
        }
        if let Some(minor) = digits
            .strip_prefix("3.")
            .filter(|m| !m.is_empty() && m.len() <= 2 && m.bytes().all(|b| b.is_ascii_digit()))
        {
            return Some(format!("3.{minor}"));
        }
        let opens = path
            .get(..at)
            .is_some_and(|b| b.ends_with("\\P") || b.ends_with("/P"));
        if opens
            && let Some(minor) = digits
                .strip_prefix('3')
                .filter(|m| (1..=2).contains(&m.len()) && m.bytes().all(|b| b.is_ascii_digit()))
        {
            return Some(format!("3.{minor}"));
        }
    }
    None
}
