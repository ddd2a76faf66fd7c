//! Floods of assertion lines that differ in their numbers only: known without being read.

/// The last assertion line, to know the next one of its kind without reading it.
#[derive(Clone, Debug)]
pub(super) struct Flood {
    /// The raw segment up to the block's `[`.
    pub before: String,
    /// The raw segment from the thread's `]`.
    pub after: String,
    /// Index of its group.
    pub group: usize,
}

impl Flood {
    /// Block and thread x index, if a segment differs from the last one in its numbers only.
    pub(super) fn numbers(&self, segment: &str) -> Option<(u32, u32)> {
        let middle = segment
            .strip_prefix(self.before.as_str())?
            .strip_suffix(self.after.as_str())?;
        let (block, rest) = triple(middle)?;
        let (thread, rest) = triple(rest.strip_prefix(", thread: ")?)?;
        rest.is_empty().then_some((block, thread))
    }
}

/// The first of `[1,0,0]`, and what follows the list.
fn triple(text: &str) -> Option<(u32, &str)> {
    let inside = text.strip_prefix('[')?;
    let end = inside.bytes().take(40).position(|byte| byte == b']')?;
    let mut numbers = inside.get(..end)?.split(',');
    let x: u32 = numbers.next()?.parse().ok()?;
    let rest = numbers
        .filter(|number| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
        .count();
    (rest == 2).then_some((x, inside.get(end + 1..)?))
}
