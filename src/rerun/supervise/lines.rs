//! Bytes of one stream to complete lines. Nothing is decoded: in UTF-8 and in GBK alike a line feed is a line feed.

use super::telling::is_telling;

/// The longest line that is kept together; a longer one is broken into lines of this length.
pub(super) const LONGEST: usize = 1024 * 1024;

/// Puts the lines of a stream together.
#[derive(Default)]
pub(super) struct Assembler {
    /// The line that is not complete yet, from its latest redraw on.
    pending: Vec<u8>,
    /// Its last byte was a carriage return: a line feed ends it, anything else begins it anew.
    returned: bool,
    /// The letters of the latest redraw that was overwritten, as a number.
    shape: Option<u64>,
}

impl Assembler {
    /// Takes bytes as they came, and gives blocks of complete lines with how many they are.
    pub(super) fn push(&mut self, bytes: &[u8], give: &mut impl FnMut(&[u8], u64)) {
        let mut rest = bytes;
        while !rest.is_empty() {
            if self.returned
                && rest
                    .first()
                    .is_some_and(|&byte| byte != b'\n' && byte != b'\r')
            {
                // A redraw: what stood there is gone, unless it was more than progress.
                self.overwrite(give);
                self.returned = false;
            }
            if self.pending.is_empty() {
                rest = Self::whole_lines(rest, give);
                if rest.is_empty() {
                    return;
                }
            }
            let end = memchr::memchr2(b'\n', b'\r', rest);
            let (now, later) = rest.split_at(end.map_or(rest.len(), |at| at + 1));
            match end.and_then(|at| rest.get(at)) {
                Some(b'\n') => {
                    self.add(now, give);
                    self.returned = false;
                    give(&self.pending, 1);
                    self.pending.clear();
                }
                Some(_) => {
                    // Several carriage returns before a line feed are one.
                    let now = if self.returned { &[][..] } else { now };
                    self.add(now, give);
                    self.returned = true;
                }
                None => self.add(now, give),
            }
            rest = later;
        }
    }

    /// Forgets the redraw that is overwritten. One that may tell of a failure and is not like the one before it is a line of its
    /// own: another process wrote into the middle of a progress bar.
    fn overwrite(&mut self, give: &mut impl FnMut(&[u8], u64)) {
        let shape = shape(&self.pending);
        let repeats = self.shape.replace(shape) == Some(shape);
        if !repeats && is_telling(&self.pending) {
            let text = self.pending.trim_ascii_end().len();
            self.pending.truncate(text);
            self.pending.push(b'\n');
            give(&self.pending, 1);
        }
        self.pending.clear();
    }

    /// Gives the lines at the start that need no putting together, all at once; what is left.
    fn whole_lines<'a>(bytes: &'a [u8], give: &mut impl FnMut(&[u8], u64)) -> &'a [u8] {
        let plain = memchr::memchr(b'\r', bytes).unwrap_or(bytes.len());
        let (plain, _) = bytes.split_at(plain);
        let Some(last) = memchr::memrchr(b'\n', plain) else {
            return bytes;
        };
        let (lines, rest) = bytes.split_at(last + 1);
        give(lines, memchr::memchr_iter(b'\n', lines).count() as u64);
        rest
    }

    fn add(&mut self, bytes: &[u8], give: &mut impl FnMut(&[u8], u64)) {
        self.pending.extend_from_slice(bytes);
        while self.pending.len() > LONGEST && self.pending.get(LONGEST..) != Some(b"\n") {
            let mut cut = LONGEST;
            // Not within a character of UTF-8.
            for _ in 0..3 {
                if self
                    .pending
                    .get(cut)
                    .is_some_and(|byte| (0x80..0xC0).contains(byte))
                {
                    cut -= 1;
                }
            }
            let rest = self.pending.split_off(cut);
            self.pending.push(b'\n');
            give(&self.pending, 1);
            self.pending = rest;
        }
    }

    /// The line that is not complete yet.
    pub(super) fn pending(&self) -> &[u8] {
        self.pending.trim_ascii_end()
    }

    /// Ends the stream: the last line may lack its line feed.
    pub(super) fn finish(&mut self) -> Vec<u8> {
        self.returned = false;
        std::mem::take(&mut self.pending)
    }
}

/// What a redraw has in common with the next one of the same bar: its letters.
fn shape(text: &[u8]) -> u64 {
    use std::hash::{DefaultHasher, Hasher as _};
    let mut hasher = DefaultHasher::new();
    for byte in text.iter().filter(|byte| byte.is_ascii_alphabetic()) {
        hasher.write_u8(*byte);
    }
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The lines of bytes that come in pieces, then what is left.
    fn lines(bytes: &[u8], piece: usize) -> (Vec<u8>, u64, Vec<u8>) {
        let mut assembler = Assembler::default();
        let (mut out, mut count) = (Vec::new(), 0);
        for piece in bytes.chunks(piece) {
            assembler.push(piece, &mut |lines, n| {
                assert_eq!(memchr::memchr_iter(b'\n', lines).count() as u64, n);
                assert!(lines.ends_with(b"\n"));
                out.extend_from_slice(lines);
                count += n;
            });
        }
        (out, count, assembler.finish())
    }

    #[track_caller]
    fn check(bytes: &[u8], expected: &[u8], left: &[u8]) {
        for piece in 1..=bytes.len().max(1) {
            let (out, _, rest) = lines(bytes, piece);
            let shown = String::from_utf8_lossy(&out).into_owned();
            assert_eq!(out, expected, "{shown:?} in pieces of {piece}");
            assert_eq!(rest, left, "in pieces of {piece}");
        }
    }

    #[test]
    fn lines_are_put_together_however_they_come() {
        check(b"", b"", b"");
        check(b"a\nb\nc", b"a\nb\n", b"c");
        check(b"a\r\nb\r\n", b"a\r\nb\r\n", b"");
        check(b"\n\n", b"\n\n", b"");
        check(b"a\r\r\nb", b"a\r\n", b"b");
    }

    #[test]
    fn of_redraws_the_latest_is_kept() {
        check(b"\r 1%\r 2%\r 3%\nend\n", b" 3%\nend\n", b"");
        check(b"10%\r20%\r", b"", b"20%\r");
        check(b"x\n10%\r20%\r\ny\n", b"x\n20%\r\ny\n", b"");
        check(b"10%\r          \rdone\n", b"done\n", b"");
        check(
            b" 41%|###\rTraceback\n  File\n",
            b"Traceback\n  File\n",
            b"",
        );
    }

    #[test]
    fn a_redraw_that_tells_of_a_failure_is_kept() {
        check(
            b"\rEpoch 1: 1%\rEpoch 1: 2%a.cu:1: Assertion `x` failed.\rEpoch 1: 4%\nend\n",
            b"Epoch 1: 2%a.cu:1: Assertion `x` failed.\nEpoch 1: 4%\nend\n",
            b"",
        );
        // A bar that names its error is a bar: once is enough.
        check(
            b"\rError 0.1 1%\rError 0.2 2%\rError 0.3 3%\n",
            b"Error 0.1 1%\nError 0.3 3%\n",
            b"",
        );
    }

    #[test]
    fn bytes_of_other_encodings_pass_unchanged() {
        // 训练 in GBK, and bytes that are no text at all.
        check(
            b"\xd1\xb5\xc1\xb7 \xff\xfe\x00\n",
            b"\xd1\xb5\xc1\xb7 \xff\xfe\x00\n",
            b"",
        );
    }

    #[test]
    fn an_endless_line_is_broken_and_nothing_of_it_lost() {
        let bytes = "训".repeat(LONGEST).into_bytes();
        let mut assembler = Assembler::default();
        let mut out = Vec::new();
        for piece in bytes.chunks(65_536) {
            assembler.push(piece, &mut |lines, _| {
                assert!(std::str::from_utf8(lines).is_ok());
                assert!(lines.len() <= LONGEST + 1);
                out.extend(lines.iter().filter(|&&byte| byte != b'\n'));
            });
            assert!(assembler.pending.capacity() <= 4 * LONGEST);
        }
        out.extend(assembler.finish());
        assert_eq!(out.len(), bytes.len());
        assert!(out == bytes);
    }
}
