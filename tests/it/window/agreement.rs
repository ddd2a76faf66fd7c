//! The window says of each log what the console says.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use assert_doctor::app::LogStatus;
use assert_doctor::case::{self, OpenWhat, Origin};
use assert_doctor::words::{Language, verdict};

use super::harness::{Start, drop_file, mentions, says, step_until, words};
use crate::cases::log_cases;
use crate::program::Folder;

#[test]
fn every_log_case_has_the_same_words_in_the_window() {
    let folder = Folder::new();
    for language in Language::ALL {
        let words = words(language);
        let mut window = Start::speaking(language).open();
        for case in log_cases() {
            let what = OpenWhat::Text(Origin::Pasted, Arc::from(case.bytes.as_slice()));
            let opened = case::open(&what, &AtomicBool::new(false), &mut |_| {});
            let told = verdict(&opened.logs[0], words);

            drop_file(&mut window, folder.file(&case.file, &case.bytes));
            step_until(
                &mut window,
                &case.file,
                |window| matches!(&window.state().state().log, LogStatus::Ready { name, .. } if *name == case.file),
            );
            for text in [&told.title, &told.next] {
                assert!(says(&window, text), "{}: {text}", case.file);
            }
            assert!(mentions(&window, &told.certainty_word), "{}", case.file);
        }
    }
}
