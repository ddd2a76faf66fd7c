//! Where a run took place, from the paths and names that its log shows.

use std::sync::LazyLock;

use super::Platform;
use super::file_ownership::has_extension;
use super::word_set::WordSet;

/// Paths looked for.
const MOST_MENTIONS: u32 = 1_000;

/// Evidence collected.
#[derive(Clone, Default)]
pub(super) struct PlatformVotes {
    windows: Votes,
    posix: Votes,
    macos: Votes,
    wsl: bool,
    colab: Colab,
}

/// Signs of Google Colab: one of its own, or two that only together are its.
#[derive(Clone, Default)]
struct Colab {
    named: bool,
    ipython_input: bool,
    dist_packages: bool,
}

/// Strong: files that the run itself used. Weak: paths and names that a text mentions.
#[derive(Clone, Default)]
struct Votes {
    strong: u32,
    weak: u32,
}

impl PlatformVotes {
    /// Looks at a line.
    pub(super) fn line(&mut self, text: &str) {
        if WSL.any_in(text) {
            self.wsl = true;
        }
        if COLAB.any_in(text) || text.starts_with("/content/") {
            self.colab.named = true;
        }
        self.colab.ipython_input |= text.contains("ipython-input");
        self.colab.dist_packages |= text.contains("dist-packages");
        if WINDOWS.any_in(text) {
            self.windows.strong += 1;
        }
        if LINUX.any_in(text) {
            self.posix.strong += 1;
        }
        if MACOS.any_in(text) {
            self.macos.weak += 1;
        }
        // Thousands of paths say no more than hundreds.
        if self.windows.weak + self.posix.weak > MOST_MENTIONS {
            return;
        }
        for word in text
            .split(|c: char| {
                c.is_whitespace()
                    || matches!(
                        c,
                        '"' | '\''
                            | '`'
                            | '('
                            | ')'
                            | ','
                            | '='
                            | '<'
                            | '>'
                            | '│'
                            | '['
                            | ']'
                            | '|'
                    )
            })
            .take(200)
        {
            match shape(word) {
                Some(Shape::Windows) => self.windows.weak += 1,
                Some(Shape::Posix) => {
                    self.posix.weak += 1;
                    self.macos.weak += u32::from(word.starts_with("/Users/"));
                }
                None => {}
            }
        }
    }

    /// Counts a frame's file.
    pub(super) fn frame_file(&mut self, file: &str) {
        self.file(file);
        if file.starts_with("/Users/") {
            self.macos.strong += 1;
        }
    }

    /// Counts the source file of an assertion: it was compiled on such a machine.
    pub(super) fn source_file(&mut self, file: &str) {
        self.file(file);
        if ["../aten", "../c10", "../torch", "../caffe2"]
            .iter()
            .any(|start| file.starts_with(start))
        {
            self.posix.strong += 1;
        }
    }

    fn file(&mut self, file: &str) {
        self.colab.ipython_input |= file.contains("ipython-input");
        self.colab.dist_packages |= file.contains("dist-packages");
        match shape(file) {
            Some(Shape::Windows) => self.windows.strong += 1,
            Some(Shape::Posix) => self.posix.strong += 1,
            None => {}
        }
    }

    /// What the evidence says.
    pub(super) fn platform(&self) -> Platform {
        let by_strength = |a: &Votes, b: &Votes| (a.strong, a.weak) > (b.strong, b.weak);
        if by_strength(&self.windows, &self.posix) {
            return Platform::Windows;
        }
        if self.colab.named || (self.colab.ipython_input && self.colab.dist_packages) {
            return Platform::Colab;
        }
        if self.macos.strong > 0 || (self.macos.weak > 0 && self.posix.strong <= self.macos.weak) {
            return Platform::Macos;
        }
        if self.wsl {
            return Platform::Wsl;
        }
        if self.posix.strong + self.posix.weak > 0 {
            return Platform::Linux;
        }
        Platform::Unknown
    }
}

// Words of one system each.
static WSL: LazyLock<WordSet> = LazyLock::new(|| {
    WordSet::new(&[
        "microsoft-standard-WSL",
        "Microsoft-standard-WSL",
        "-WSL2",
        "/usr/lib/wsl/",
        "/mnt/c/",
        "/mnt/d/",
        "/mnt/e/",
        "/mnt/f/",
        "\\\\wsl$",
        "\\\\wsl.localhost",
    ])
});
static COLAB: LazyLock<WordSet> = LazyLock::new(|| {
    WordSet::new(&[
        "google.colab",
        "/content/drive",
        "\"/content/",
        "'/content/",
        " /content/",
        "colab.research.google",
    ])
});
static WINDOWS: LazyLock<WordSet> = LazyLock::new(|| {
    WordSet::new(&[
        "Windows-10",
        "Windows-11",
        "Windows-7",
        "Microsoft Windows",
        "OS: Windows",
        "win32",
        "[MSC v",
        "ucrtbase.dll",
        "KERNELBASE.dll",
        "[WinError",
        "FullyQualifiedErrorId",
        "(0xC0000005)",
        "(0xC0000409)",
        "Windows fatal exception",
    ])
});
static LINUX: LazyLock<WordSet> = LazyLock::new(|| {
    WordSet::new(&[
        "on linux",
        "x86_64-with-glibc",
        "OS: Linux",
        "OS: Ubuntu",
        "(core dumped)",
        "manylinux",
        "/kaggle/",
        "linux-gnu",
    ])
});
static MACOS: LazyLock<WordSet> =
    LazyLock::new(|| WordSet::new(&["macOS-", "OS: macOS", "on darwin", "/opt/homebrew/"]));

/// Where absolute paths begin on Linux, and on no Windows.
const ROOTS: &[&str] = &[
    "/home/",
    "/usr/",
    "/opt/",
    "/root/",
    "/mnt/",
    "/tmp/",
    "/data",
    "/workspace/",
    "/var/",
    "/etc/",
    "/scratch/",
    "/content/",
    "/kaggle/",
    "/pytorch/",
    "/__w/",
    "/paddle/",
    "/dev/shm",
    "/lustre/",
    "/nfs/",
    "/gpfs/",
    "/app/",
    "/share/",
    "/Users/",
    "~/",
];

enum Shape {
    Windows,
    Posix,
}

/// What kind of path a word is; `None` where it is none or could be both.
fn shape(word: &str) -> Option<Shape> {
    let bytes = word.as_bytes();
    if bytes.first()?.is_ascii_alphabetic()
        && bytes.get(1) == Some(&b':')
        && matches!(bytes.get(2), Some(b'\\' | b'/'))
        && bytes.len() > 3
    {
        return Some(Shape::Windows);
    }
    if word.starts_with("~\\")
        || word.starts_with(".\\")
        || (word.starts_with("\\\\") && word.len() > 6 && word.get(2..)?.contains('\\'))
    {
        return Some(Shape::Windows);
    }
    if ROOTS.iter().any(|root| word.starts_with(root)) {
        return Some(Shape::Posix);
    }
    if word.starts_with("../aten/") || word.starts_with("../c10/") {
        return Some(Shape::Posix);
    }
    // Relative and with forward slashes throughout, down to a file that programs write: Windows mixes slashes here.
    let ending = has_extension(word, &["pth", "pt", "ckpt", "safetensors", "bin", "so"]);
    if ending && word.matches('/').count() >= 2 && !word.contains(['\\', ':']) {
        return Some(Shape::Posix);
    }
    // Any other absolute path to a source file, with or without the line behind it.
    let file = word.trim_end_matches(|c: char| c.is_ascii_digit() || c == ':' || c == '.');
    let source = has_extension(
        file,
        &["py", "cu", "cuh", "hip", "h", "hpp", "cpp", "cc", "c"],
    );
    (word.starts_with('/') && source && word.matches('/').count() >= 2).then_some(Shape::Posix)
}
