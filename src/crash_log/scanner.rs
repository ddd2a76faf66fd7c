//! The one path from bytes to facts.

use std::sync::{Arc, LazyLock};

use super::decode::Decoder;
use super::line::Recogniser;
use super::line_index::LineIndex;
use super::notebook::{self, Outputs};
use super::reader::{LONGEST, ReadProgress, Reader, wake_words};
use super::wake::WakeWords;
use super::{Facts, NotUnderstoodReason, Platform, note, progress, recognisers};

/// Bytes read in one go. Pieces begin at multiples of this, however the bytes come: so the facts cannot depend on it.
const PIECE: usize = 256 * 1024;

/// Notebooks up to this size are read as such.
const NOTEBOOK: usize = 64 * 1024 * 1024;

/// Reads a log piece by piece.
pub struct Scanner {
    intake: Intake,
    /// Bytes not consumed yet, then new ones.
    buffer: Vec<u8>,
    /// Length of `buffer` at which it is read.
    full: usize,
    piece: usize,
    decoder: Decoder,
    reader: Reader,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Intake {
    /// Nothing was read yet.
    Start,
    /// It begins as a notebook does, and is kept whole.
    Notebook,
    /// Lines of text.
    Text,
}

impl Default for Scanner {
    fn default() -> Self {
        Self::new()
    }
}

impl Scanner {
    /// A scanner at the start of a log.
    pub fn new() -> Self {
        // The words never change, and their search takes a millisecond to build.
        static WAKE: LazyLock<Arc<WakeWords>> =
            LazyLock::new(|| Arc::new(wake_words(&recognisers::all())));
        Self::with(
            recognisers::all(),
            Arc::clone(&WAKE),
            Some(progress::read_progress),
            PIECE,
        )
    }

    fn with(
        recognisers: Vec<Box<dyn Recogniser + Send>>,
        wake: Arc<WakeWords>,
        read_progress: Option<ReadProgress>,
        piece: usize,
    ) -> Self {
        Self {
            intake: Intake::Start,
            buffer: Vec::new(),
            full: piece,
            piece,
            decoder: Decoder::new(LONGEST),
            reader: Reader::new(recognisers, wake, read_progress),
        }
    }

    /// Takes the next bytes, cut anywhere.
    pub fn push(&mut self, mut bytes: &[u8]) {
        while !bytes.is_empty() {
            let room = self.full.saturating_sub(self.buffer.len());
            let (now, later) = bytes.split_at(room.min(bytes.len()));
            self.buffer.extend_from_slice(now);
            bytes = later;
            if self.buffer.len() >= self.full {
                self.read();
            }
        }
    }

    /// The facts as if the log ended here; it goes on as before.
    ///
    /// What is done for it does not grow with the log: the bounded facts are copied, and the bytes not read yet (at most a piece,
    /// of what begins as a notebook the whole) are read by the copy. Meant for a few times a second.
    pub fn so_far(&self) -> Facts {
        let copy = Self {
            intake: self.intake,
            buffer: self.buffer.clone(),
            full: self.full,
            piece: self.piece,
            decoder: self.decoder.without_index(),
            reader: self.reader.clone(),
        };
        copy.finish().0
    }

    /// Ends the log and tells what it said.
    pub fn finish(mut self) -> (Facts, LineIndex) {
        if self.intake == Intake::Start {
            self.begin();
        }
        if self.intake == Intake::Notebook {
            if let Some(outputs) = notebook::outputs(&self.buffer) {
                return self.finish_notebook(outputs);
            }
            self.give_up_notebook();
        }
        let buffer = std::mem::take(&mut self.buffer);
        self.decoder.read(&buffer, true, &mut self.reader);
        let decoded = self.decoder.finish();
        let mut facts = self.reader.finish(decoded.lines);
        facts.line_count = decoded.lines;
        facts.byte_count = decoded.bytes;
        facts.encodings = decoded.encodings;
        if let Some(undecodable) = decoded.undecodable {
            note(
                &mut facts,
                NotUnderstoodReason::Undecodable,
                undecodable.line,
                &undecodable.text,
            );
            if let Some(entry) = facts.not_understood.last_mut() {
                entry.count = undecodable.count;
            }
        }
        (facts, decoded.index)
    }

    fn begin(&mut self) {
        self.intake = if notebook::may_be(&self.buffer) {
            Intake::Notebook
        } else {
            Intake::Text
        };
    }

    fn read(&mut self) {
        if self.intake == Intake::Start {
            self.begin();
        }
        if self.intake == Intake::Notebook {
            if self.buffer.len() < NOTEBOOK {
                self.full += self.piece;
                return;
            }
            self.give_up_notebook();
            return;
        }
        let consumed = self.decoder.read(&self.buffer, false, &mut self.reader);
        self.buffer.drain(..consumed);
        self.full = self.buffer.len() + self.piece;
    }

    /// It is no notebook after all, or too large a one: what was kept is text.
    fn give_up_notebook(&mut self) {
        self.intake = Intake::Text;
        if memchr::memmem::find(&self.buffer, b"\"cells\"").is_some() {
            note(self.reader.facts(), NotUnderstoodReason::Notebook, 1, "");
        }
        let kept = std::mem::take(&mut self.buffer);
        self.full = self.piece;
        self.push(&kept);
    }

    fn finish_notebook(mut self, outputs: Outputs) -> (Facts, LineIndex) {
        notebook::feed(&outputs, &mut self.reader);
        let mut facts = self.reader.finish(outputs.decoded.lines);
        // The notebook says so itself; paths in its outputs only show Linux.
        if outputs.colab {
            facts.environment.platform = Platform::Colab;
        }
        facts.notebook = true;
        facts.line_count = outputs.decoded.lines;
        facts.byte_count = outputs.decoded.bytes;
        facts.encodings = outputs.decoded.encodings;
        (facts, outputs.decoded.index)
    }
}

#[cfg(test)]
mod tests;
