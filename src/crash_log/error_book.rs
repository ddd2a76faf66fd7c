//! The list of a log's errors: equal ones counted, and bounded.

use std::collections::HashMap;

use super::error_numbers::numbers;
use super::recognisers::{MarkPen, kept, too_many};
use super::{ErrorEvent, ErrorFamily, ErrorRole, Facts, LIMITS, MarkKind};

/// Keeps [`Facts::errors`]: equal ones counted, the first half and the newest when there are too many.
#[derive(Clone, Default)]
pub(super) struct ErrorBook {
    known: HashMap<(ErrorFamily, String), usize>,
    pen: MarkPen,
}

impl ErrorBook {
    /// Enters an error and marks its lines; gives its place in [`Facts::errors`].
    pub(super) fn enter(
        &mut self,
        facts: &mut Facts,
        mut event: ErrorEvent,
        last_line: u64,
    ) -> usize {
        event.text = kept(&event.text);
        let key = (event.family, event.text.clone());
        let lines = event.line..=last_line.max(event.line);
        let index = if let Some(&index) = self.known.get(&key) {
            if let Some(first) = facts.errors.get_mut(index) {
                first.count += 1;
                if event.role == ErrorRole::Exception {
                    first.role = ErrorRole::Exception;
                }
                if first.class.is_none() {
                    first.class = event.class;
                }
            }
            index
        } else {
            if facts.errors.len() >= LIMITS.errors {
                self.make_room(facts);
            }
            event.numbers = numbers(event.family, &event.text);
            let index = facts.errors.len();
            facts.errors.push(event);
            self.known.insert(key, index);
            index
        };
        self.pen.mark(facts, MarkKind::Error, lines, index);
        index
    }

    /// Drops the older half of what came after the first half, and renumbers what points at errors.
    fn make_room(&mut self, facts: &mut Facts) {
        let first = LIMITS.errors / 2;
        let dropped = first / 2;
        let Some(line) = facts.errors.get(first).map(|e| e.line) else {
            return;
        };
        facts.errors.drain(first..first + dropped);
        let moved = |index: usize| match index {
            i if i < first => Some(i),
            i if i < first + dropped => None,
            i => Some(i - dropped),
        };
        for traceback in &mut facts.tracebacks {
            traceback.error = traceback.error.and_then(moved);
        }
        facts.marks.retain_mut(|mark| {
            if mark.kind != MarkKind::Error {
                return true;
            }
            moved(mark.index).map(|index| mark.index = index).is_some()
        });
        self.known
            .retain(|_, index| moved(*index).map(|moved| *index = moved).is_some());
        for _ in 0..dropped {
            too_many(facts, line);
        }
    }
}
