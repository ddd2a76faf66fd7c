//! What stands before an assertion's block: the source file, its line, the device function. Any text may be glued before it.

/// `FILE:LINE: FUNCTION:` of an assertion.
pub(super) struct Header<'a> {
    pub file: &'a str,
    pub line: u32,
    pub function: Option<&'a str>,
    /// Where it begins in the line.
    pub start: usize,
}

impl<'a> Header<'a> {
    /// `FILE:LINE: FUNCTION:` before `until`.
    pub(super) fn read(text: &'a str, from: usize, until: usize) -> Option<Self> {
        let header = text.get(from..until)?;
        let (file_end, line, rest) = file_line(header, is_file_name)
            .or_else(|| file_line(header, |file| !file.ends_with([' ', ':'])))?;
        let start = file_start(header, file_end);
        let file = header.get(start..file_end)?;
        let function = header.get(rest..)?.trim().trim_end_matches(':').trim();
        // A progress bar or a sentence is no file.
        if file.is_empty() || file.contains(['|', '\t', '`']) {
            return None;
        }
        Some(Self {
            file,
            line,
            function: (!function.is_empty()).then_some(function),
            start: from + start,
        })
    }
}

/// The last `FILE:LINE` followed by a colon or a blank: the file's end, the line, and what follows it.
fn file_line(header: &str, is_file: impl Fn(&str) -> bool) -> Option<(usize, u32, usize)> {
    let mut before = header;
    while let Some(colon) = memchr::memrchr(b':', before.as_bytes()) {
        before = header.get(..colon)?;
        let after = header.get(colon + 1..)?;
        let number = after.strip_prefix(' ').unwrap_or(after);
        let digits = number.len()
            - number
                .trim_start_matches(|c: char| c.is_ascii_digit())
                .len();
        let end = header.len() - number.len() + digits;
        let ends = header
            .as_bytes()
            .get(end)
            .is_none_or(|byte| matches!(byte, b':' | b' '));
        if (1..=9).contains(&digits) && ends && is_file(before) {
            let colon_after = header.as_bytes().get(end) == Some(&b':');
            return Some((
                colon,
                number.get(..digits)?.parse().ok()?,
                end + usize::from(colon_after),
            ));
        }
    }
    None
}

/// Whether a text ends with a source file's name: by its extension, or because it is no file at all.
fn is_file_name(text: &str) -> bool {
    let bytes = text.as_bytes();
    let extension = bytes
        .iter()
        .rev()
        .take_while(|byte| byte.is_ascii_alphanumeric())
        .count();
    let dot = bytes.len() - extension;
    let named = (1..=5).contains(&extension)
        && dot.checked_sub(1).and_then(|dot| bytes.get(dot)) == Some(&b'.')
        && bytes.get(dot).is_some_and(u8::is_ascii_alphabetic);
    named
        || text
            .strip_suffix("unknown")
            .is_some_and(|before| !before.ends_with(|c: char| c.is_ascii_alphanumeric()))
        || (bytes.last() == Some(&b'>') && bytes.iter().rev().take(24).any(|&byte| byte == b'<'))
}

/// Directories at the root of a Unix file system under which sources are compiled.
const ROOTS: [&str; 30] = [
    "/opt/",
    "/pytorch/",
    "/home/",
    "/root/",
    "/usr/",
    "/tmp/",
    "/__w/",
    "/workspace/",
    "/mnt/",
    "/data/",
    "/var/",
    "/build/",
    "/content/",
    "/Users/",
    "/scratch/",
    "/github/",
    "/paddle/",
    "/srv/",
    "/app/",
    "/code/",
    "/src/",
    "/project/",
    "/kaggle/",
    "/private/",
    "/work/",
    "/media/",
    "/local/",
    "/raid/",
    "/lustre/",
    "/builds/",
];

/// Where the path that ends at `end` begins: paths can hold blanks, and progress bars can be glued before them.
fn file_start(header: &str, end: usize) -> usize {
    let before = header.get(..end).unwrap_or_default();
    // `<frozen importlib._bootstrap>`, `<eval_with_key>.7`: a name that Python invents for code without a file.
    if let Some(open) = before.rfind('<')
        && let Some(name) = before.get(open..)
        && !name.contains(['/', '|'])
        && name
            .split_once('>')
            .is_some_and(|(_, number)| number.len() <= 4)
    {
        return open;
    }
    // A drive letter, and nothing after it that no path holds.
    let drive = before
        .match_indices([':'])
        .filter(|(at, _)| {
            matches!(before.as_bytes().get(at + 1), Some(b'\\' | b'/'))
                && before.as_bytes().get(at + 2) != Some(&b'/')
        })
        .filter_map(|(at, _)| at.checked_sub(1))
        .rfind(|&at| {
            before
                .as_bytes()
                .get(at)
                .is_some_and(u8::is_ascii_alphabetic)
        });
    if let Some(at) = drive
        && before
            .get(at + 2..)
            .is_some_and(|path| !path.contains([':', '"', '|', '<', '>', '*', '?', '`']))
    {
        return at;
    }
    // A Unix path that fills the line so far may hold blanks.
    let indent = before.len() - before.trim_start().len();
    if ROOTS.iter().any(|root| {
        before
            .get(indent..)
            .is_some_and(|path| path.starts_with(root))
    }) && !before.contains([':', '|', '"', '`', '%', ',', ']'])
    {
        return indent;
    }
    let token = before.rfind(char::is_whitespace).map_or(0, |at| {
        at + before
            .get(at..)
            .and_then(|t| t.chars().next())
            .map_or(1, char::len_utf8)
    });
    let text = before.get(token..).unwrap_or_default();
    if let Some(at) = text.find("../") {
        return token + at;
    }
    if text.starts_with(['/', '\\', '~', '.']) {
        return token;
    }
    // `it/s/opt/…`, `1.11s/it]/opt/…`: the bar's unit is no directory.
    if let Some(at) = ROOTS.iter().filter_map(|root| text.find(root)).min() {
        return token + at;
    }
    if let Some(at) = text.rfind(['(', '[', ']', '|', '>', '"', '\'', '`', '%', ',', '=']) {
        let length = text
            .get(at..)
            .and_then(|t| t.chars().next())
            .map_or(1, char::len_utf8);
        if text
            .get(at + length..)
            .is_some_and(|rest| rest.contains('.'))
        {
            return token + at + length;
        }
    }
    if let Some(at) = text.find("unknown") {
        return token + at;
    }
    token
}
