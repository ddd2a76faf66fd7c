//! Finding lines and going to them.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::super::search::{MOST_LINES, Needle};
use super::super::{Job, LogFilter};
use super::{AppState, Search};

impl AppState {
    pub(super) fn stop_search(&mut self) {
        if let Some((_, cancel)) = self.searching.take() {
            cancel.store(true, Ordering::Relaxed);
        }
        self.search.running = false;
    }

    pub(super) fn start_search(&mut self, text: String) -> Vec<Job> {
        if text == self.search.text && self.searching.is_some() {
            return Vec::new();
        }
        self.stop_search();
        let needle = Needle::new(&text);
        self.search = Search {
            text: text.clone(),
            running: needle.is_some(),
            ..Search::default()
        };
        let wanted = needle.is_some();
        self.view.set_needle(needle);
        let Some((source, index, byte_count, encodings)) =
            self.view.search_parts().filter(|_| wanted)
        else {
            self.search.running = false;
            return Vec::new();
        };
        let request = self.next_request();
        let cancel = Arc::new(AtomicBool::new(false));
        self.searching = Some((request, Arc::clone(&cancel)));
        vec![Job::Search {
            request,
            source,
            text,
            index,
            byte_count,
            encodings,
            cancel,
        }]
    }

    pub(super) fn found(&mut self, lines: &[u64], done: bool) {
        let first = self.search.lines.is_empty() && !lines.is_empty();
        self.search.lines.extend_from_slice(lines);
        self.view.add_found(lines);
        if done {
            self.search.running = false;
            self.searching = None;
            self.search.capped = self.search.lines.len() >= MOST_LINES;
        }
        if first {
            self.search.current = Some(0);
            self.show_match();
        }
    }

    pub(super) fn step_match(&mut self, forward: bool) {
        let count = self.search.lines.len();
        if count == 0 {
            return;
        }
        self.search.current = Some(match (self.search.current, forward) {
            (None, _) => 0,
            (Some(current), true) => (current + 1) % count,
            (Some(current), false) => (current + count - 1) % count,
        });
        self.show_match();
    }

    pub(super) fn show_match(&mut self) {
        let current = self.search.current.and_then(|i| self.search.lines.get(i));
        if let Some(line) = current.copied() {
            self.go_to_line(line);
        }
    }

    pub(super) fn go_to_line(&mut self, line: u64) {
        if !self.view.filter_shows(self.filter, line) {
            self.filter = LogFilter::All;
            self.view.set_filter(LogFilter::All);
        }
        if self.view.reveal(line) {
            self.last_scroll += 1;
            self.scroll_to = Some((line, self.last_scroll));
        }
    }
}
