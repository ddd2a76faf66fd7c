//! The last lines of what was read: a failure is understood from what stands before it.

use super::clean::clean;

/// Bytes kept.
const KEPT: usize = 64 * 1024;
/// Lines handed out.
const LINES: usize = 200;
/// Bytes looked at for the surroundings of a line.
const SURROUNDINGS: usize = 2048;

/// See the module's text.
#[derive(Clone, Debug, Default)]
pub(super) struct Recent {
    text: String,
    /// Text fell out at the beginning.
    cut: bool,
    /// Bytes at the end that nobody looked at.
    unseen: usize,
}

impl Recent {
    /// Text went by. `unseen` bytes at its end were not looked at by anyone.
    pub(super) fn push(&mut self, text: &str, unseen: usize) {
        self.unseen = if unseen == text.len() {
            self.unseen + unseen
        } else {
            unseen
        };
        if text.len() >= KEPT {
            self.text.clear();
            self.text.push_str(end_of(text, KEPT));
            self.cut = true;
        } else {
            self.text.push_str(text);
        }
        if self.text.len() > 2 * KEPT {
            let from = self.text.len() - end_of(&self.text, KEPT).len();
            self.text.drain(..from);
            self.cut = true;
        }
        self.unseen = self.unseen.min(self.text.len());
    }

    /// Somebody looked at everything up to here.
    pub(super) fn seen(&mut self) {
        self.unseen = 0;
    }

    /// The end of what nobody looked at, followed by `skipped`, which came after it.
    pub(super) fn surroundings(&self, skipped: &str) -> String {
        let mut text = String::new();
        if skipped.len() < SURROUNDINGS {
            text.push_str(end_of(
                &self.text,
                self.unseen.min(SURROUNDINGS - skipped.len()),
            ));
        }
        text.push_str(end_of(skipped, SURROUNDINGS));
        text
    }

    /// The last lines including `here`, the text after everything pushed. Of a line that was drawn again and again the last state.
    pub(super) fn last_lines(&self, here: &str) -> Vec<String> {
        let mut text = String::new();
        if here.len() < KEPT {
            text.push_str(end_of(&self.text, KEPT - here.len()));
        }
        let whole = !self.cut && text.len() == self.text.len() && here.len() <= KEPT;
        text.push_str(end_of(here, KEPT));
        let text = text.strip_suffix('\n').unwrap_or(&text);
        let mut lines: Vec<String> = text
            .rsplit('\n')
            .take(LINES)
            .map(|line| {
                let state = line
                    .rsplit('\r')
                    .find(|state| !state.trim().is_empty())
                    .unwrap_or_default();
                clean(state).trim_end().to_owned()
            })
            .collect();
        if !whole && lines.len() < LINES {
            // Only its end is here.
            lines.pop();
        }
        lines.reverse();
        lines
    }
}

/// The last `length` bytes, or a few less where a character would be cut.
fn end_of(text: &str, length: usize) -> &str {
    let from = text.len().saturating_sub(length);
    text.get(text.ceil_char_boundary(from)..)
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn last_lines_are_whole_and_current() {
        let mut recent = Recent::default();
        recent.push("first\r\nepoch 1\n", 0);
        assert_eq!(
            recent.last_lines("10%\r20%\r30%"),
            ["first", "epoch 1", "30%"]
        );
        for i in 0..100_000 {
            recent.push(&format!("line {i}\n"), 0);
        }
        let lines = recent.last_lines("");
        assert_eq!(
            (lines.len(), lines[0].as_str(), lines[199].as_str()),
            (200, "line 99800", "line 99999")
        );
        recent.push(&"█".repeat(100_000), 0);
        recent.push("\nend\n", 0);
        assert_eq!(recent.last_lines(""), ["end"]);
    }

    #[test]
    fn surroundings_reach_back_over_pushes() {
        let mut recent = Recent::default();
        recent.push("seen\n", 0);
        recent.push("a\n", 2);
        recent.push("b\n", 2);
        assert_eq!(recent.surroundings("c\n"), "a\nb\nc\n");
        recent.seen();
        assert_eq!(recent.surroundings("c\n"), "c\n");
    }
}
