//! What is saved of output that could not be written: the lines that may tell of a failure, and the newest.

use std::collections::VecDeque;

use super::telling::is_telling;

/// Bytes of telling lines and of the newest lines.
const TELLING: usize = 24 * 1024;
const NEWEST: usize = 16 * 1024;

/// Longer lines are left out.
const LONGEST: usize = 4 * 1024;

/// Bytes that a text of it may take at most, its markers included.
pub(super) const MOST: usize = 64 * 1024;

/// Lines of a stretch of output that could not be written, each with where in the stretch it began.
#[derive(Default)]
pub(super) struct Rescue {
    telling: Vec<(u64, Vec<u8>)>,
    telling_bytes: usize,
    newest: VecDeque<(u64, Vec<u8>)>,
    newest_bytes: usize,
    /// Bytes of the stretch.
    seen: u64,
}

impl Rescue {
    /// Bytes of the stretch.
    pub(super) fn seen(&self) -> u64 {
        self.seen
    }

    /// Takes what could not be written.
    pub(super) fn take(&mut self, bytes: &[u8]) {
        for line in bytes.split_inclusive(|&byte| byte == b'\n') {
            let at = self.seen;
            self.seen += line.len() as u64;
            if line.len() > LONGEST {
                continue;
            }
            if self.telling_bytes + line.len() <= TELLING && is_telling(line) {
                self.telling_bytes += line.len();
                self.telling.push((at, line.to_vec()));
            }
            self.newest(at, line.to_vec());
        }
    }

    fn newest(&mut self, at: u64, line: Vec<u8>) {
        self.newest_bytes += line.len();
        self.newest.push_back((at, line));
        while self.newest_bytes > NEWEST
            && let Some((_, oldest)) = self.newest.pop_front()
        {
            self.newest_bytes -= oldest.len();
        }
    }

    /// The same with what was printed just before the stretch and is to be left out as well.
    pub(super) fn after(self, earlier: &[u8]) -> Self {
        let mut all = Self::default();
        all.take(earlier);
        let shift = all.seen;
        for (at, line) in self.telling {
            if all.telling_bytes + line.len() <= TELLING {
                all.telling_bytes += line.len();
                all.telling.push((at + shift, line));
            }
        }
        if self.seen > 0 && self.newest.front().is_none_or(|(at, _)| *at > 0) {
            // The newest lines are those behind the last gap.
            all.newest.clear();
            all.newest_bytes = 0;
        }
        for (at, line) in self.newest {
            all.newest(at + shift, line);
        }
        all.seen = shift + self.seen;
        all
    }

    /// What is written in the place of the stretch, and how many of its bytes are in it. `marker` says how many are left out.
    pub(super) fn text(&self, marker: impl Fn(u64) -> String) -> (Vec<u8>, u64) {
        let first_newest = self.newest.front().map_or(self.seen, |(at, _)| *at);
        let telling = self.telling.iter().filter(|(at, _)| *at < first_newest);
        let (mut text, mut at, mut kept) = (Vec::new(), 0, 0);
        for (from, line) in telling.chain(&self.newest) {
            if *from > at {
                text.extend(marker(from - at).into_bytes());
            }
            text.extend_from_slice(line);
            if !line.ends_with(b"\n") {
                text.push(b'\n');
            }
            kept += line.len() as u64;
            at = from + line.len() as u64;
        }
        if self.seen > at {
            text.extend(marker(self.seen - at).into_bytes());
        }
        (text, kept)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(rescue: &Rescue) -> String {
        let (text, kept) = rescue.text(|bytes| format!("<{bytes}>\n"));
        let text = String::from_utf8(text).unwrap();
        let left: u64 = text
            .lines()
            .filter_map(|line| {
                line.strip_prefix('<')?
                    .strip_suffix('>')?
                    .parse::<u64>()
                    .ok()
            })
            .sum();
        assert_eq!(kept + left, rescue.seen(), "{text}");
        text
    }

    #[test]
    fn telling_and_newest_lines_are_saved_and_the_rest_is_counted() {
        let mut rescue = Rescue::default();
        rescue.take(b"a\nRuntimeError: CUDA error\n");
        for _ in 0..20_000 {
            rescue.take(b"0123456789\n");
        }
        rescue.take(b"the end\n");
        let said = text(&rescue);
        assert!(
            said.starts_with("<2>\nRuntimeError: CUDA error\n<"),
            "{said}"
        );
        assert!(said.ends_with("the end\n"), "{said}");
        assert!(said.len() < MOST);
        let said = text(&rescue.after(b"Assertion `x` failed.\nplain\n"));
        assert!(
            said.starts_with("Assertion `x` failed.\n<8>\nRuntimeError"),
            "{said}"
        );
        assert!(said.ends_with("the end\n"), "{said}");
    }

    #[test]
    fn a_text_is_never_longer_than_promised() {
        let mut rescue = Rescue::default();
        for _ in 0..50_000 {
            rescue.take(b"Error\nx\n");
        }
        rescue.take(&b"y\n".repeat(50_000));
        assert!(text(&rescue).len() < MOST);
    }
}
