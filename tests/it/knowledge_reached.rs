//! Every entry of the knowledge is reached by the lines it is for, through the whole program.

use assert_doctor::crash_log::{Facts, Scanner};
use assert_doctor::diagnosis::{Entry, diagnose};
use assert_doctor::knowledge::{GENERATED_FILE, catalogue};

fn read(log: &str) -> Facts {
    let mut scanner = Scanner::new();
    scanner.push(log.as_bytes());
    scanner.finish().0
}

#[test]
fn every_error_entry_is_reached_by_its_examples() {
    let mut faults = Vec::new();
    for entry in &catalogue().errors {
        for example in &entry.examples {
            let plain = format!("epoch 1\n{example}\n");
            let raised = format!(
                "epoch 1\nTraceback (most recent call last):\n  File \"train.py\", line 3, in <module>\n    main()\n{example}\n"
            );
            let reached = [plain, raised].iter().any(|log| {
                read(log)
                    .errors
                    .iter()
                    .any(|error| error.family == entry.id)
            });
            if !reached {
                faults.push(format!("{}: {example}", entry.id.id()));
            }
        }
    }
    assert!(faults.is_empty(), "{faults:#?}");
}

#[test]
fn every_assertion_entry_is_reached_by_its_line() {
    let mut faults = Vec::new();
    for entry in &catalogue().assertions {
        let Some(expression) = &entry.expression else {
            continue;
        };
        let file = if entry.file == GENERATED_FILE {
            "/tmp/torchinductor_me/ab/cabcd.py"
        } else {
            &entry.file
        };
        for (path, function) in [
            (format!("/pytorch/aten/src/{file}"), "some_kernel: "),
            (
                format!(
                    "C:\\cb\\pytorch_1000000000000\\work\\aten\\src\\{}",
                    file.replace('/', "\\")
                ),
                "",
            ),
        ] {
            let log = format!(
                "{path}:12: {function}block: [1,0,0], thread: [2,0,0] Assertion `{expression}` failed.\n"
            );
            let facts = read(&log);
            let diagnosis = diagnose(&facts);
            let first = &diagnosis.causes[0];
            let found = match &first.entry {
                Entry::Assertion(id) => catalogue().assertion_by_id(id).map(|found| &found.topic),
                _ => None,
            };
            if (found, first.id) != (Some(&entry.topic), entry.cause) {
                faults.push(format!("{}: {log} gave {found:?} {}", entry.id, first.id));
            }
        }
    }
    assert!(faults.is_empty(), "{faults:#?}");
}
