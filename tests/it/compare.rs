//! `assert-doctor-cli compare` as a whole: answers, exit codes, runs' folders and cases.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use assert_doctor::crash_log::Scanner;
use assert_doctor::rerun::{CASE_SCHEMA, Ending, RunCase, RunRecord, RunStatus};
use serde_json::{Value, json};

fn cli(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_assert-doctor-cli"))
        .args(arguments)
        .output()
        .unwrap()
}

const LOSS: &str = "../aten/src/ATen/native/cuda/Loss.cu:250: nll_loss: block: [0,0,0], thread: [7,0,0] Assertion `t >= 0 && t < n_classes` failed.\n";

fn log(epochs: u64, step: u64) -> String {
    let mut text = String::new();
    for epoch in 1..=epochs {
        let last = if epoch == epochs { step } else { 100 };
        let bar = format!("Epoch {epoch}/20: {last}%|██ | {last}/100 [00:10<00:20,  4.00it/s]\n");
        text.push_str(&bar);
        if epoch < epochs {
            text += "val: 100%|███| 20/20 [00:02<00:00, 9.50it/s]\n";
        }
    }
    text
}

/// A folder of its own that goes with the test.
struct Made(PathBuf);

impl Drop for Made {
    fn drop(&mut self) {
        drop(fs::remove_dir_all(&self.0));
    }
}

impl Made {
    fn new(name: &str) -> Self {
        let folder = format!("assert-doctor-compare-{name}-{}", std::process::id());
        let folder = std::env::temp_dir().join(folder);
        drop(fs::remove_dir_all(&folder));
        fs::create_dir_all(&folder).unwrap();
        Self(folder)
    }

    fn file(&self, name: &str, text: &str) -> String {
        let path = self.0.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        path.to_string_lossy().into_owned()
    }

    /// A run's folder as the supervisor leaves it.
    fn run(&self, name: &str, log: &str, ending: Option<Ending>) -> String {
        let mut record = serde_json::to_value(RunRecord {
            id: name.to_owned(),
            ..RunRecord::default()
        })
        .unwrap();
        record["schema"] = json!("assert-doctor/run/1");
        self.file(&format!("{name}/run.json"), &record.to_string());
        self.file(&format!("{name}/output.log"), log);
        self.file(&format!("{name}/times.tsv"), "1\t0\tout\n");
        // The guard's own file is no script that says anything of the data.
        self.file(
            &format!("{name}/guard/assert_doctor_guard.py"),
            "num_classes = 3\n",
        );
        let status = RunStatus {
            elapsed_ms: 90_000,
            ..RunStatus::default()
        };
        let status = serde_json::to_string(&status).unwrap();
        self.file(&format!("{name}/status.json"), &status);
        if let Some(ending) = ending {
            let mut scanner = Scanner::new();
            scanner.push(log.as_bytes());
            let case = RunCase {
                schema: CASE_SCHEMA.to_owned(),
                run: RunRecord::default(),
                ending,
                facts: scanner.finish().0,
            };
            let case = serde_json::to_string(&case).unwrap();
            self.file(&format!("{name}/case.json"), &case);
        }
        self.0.join(name).to_string_lossy().into_owned()
    }
}

#[track_caller]
fn check(first: &str, second: &str, code: i32, proof: &str) -> Value {
    let output = cli(&["compare", "--json", first, second]);
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
    assert_eq!(
        (output.status.code(), answer["proof"].as_str()),
        (Some(code), Some(proof)),
        "{answer:#} {}",
        String::from_utf8_lossy(&output.stderr)
    );
    assert_eq!(answer["schema"], "assert-doctor/compare/1");
    answer
}

#[test]
fn two_logs() {
    let made = Made::new("logs");
    let died = made.file("first.log", &(log(3, 40) + LOSS));
    let gone = made.file("gone.log", &log(4, 10));
    let before = made.file("before.log", &log(2, 90));
    let again = made.file("again.log", &(log(4, 10) + LOSS));
    let answer = check(&died, &gone, 0, "proved");
    assert_eq!(answer["passed"]["state"], "yes");
    assert_eq!(answer["rates"][0]["per_second"], 4.0);
    check(&died, &before, 1, "not-yet");
    let answer = check(&died, &again, 1, "failed");
    assert_eq!(answer["same_check"], "still-there");
    check(&died, &died, 1, "failed");
    for (tag, title) in [("en", "The crash is gone"), ("zh-CN", "崩溃已消除")] {
        let human = cli(&["compare", "--lang", tag, &died, &gone]);
        let text = String::from_utf8(human.stdout).unwrap();
        assert!(text.starts_with(title), "{text}");
        assert!(text.contains("[x]"), "{text}");
        assert_eq!(human.status.code(), Some(0));
    }
}

#[test]
fn what_cannot_be_read_is_told() {
    let made = Made::new("unreadable");
    let died = made.file("first.log", &(log(3, 40) + LOSS));
    let weights = made.file("labels.npy", "");
    fs::write(&weights, b"\x93NUMPY\x01\0").unwrap();
    for (arguments, code) in [
        (vec!["compare", &died], 2),
        (vec!["compare", &died, "no-such-file"], 2),
        (vec!["compare", &died, &weights], 2),
        (vec!["compare", &died, "-"], 2),
    ] {
        let output = cli(&arguments);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}");
        assert!(
            output.stdout.is_empty() && !output.stderr.is_empty(),
            "{arguments:?}"
        );
    }
}

#[test]
fn folders_of_runs_and_cases() {
    let made = Made::new("runs");
    let ended = |code| {
        Some(Ending {
            code: Some(code),
            elapsed_ms: 60_000,
            ..Ending::default()
        })
    };
    let died = made.run("died", &(log(3, 40) + LOSS), ended(1));
    let done = made.run("done", &log(20, 100), ended(0));
    let silent = made.run("silent", "finished\n", ended(0));
    let killed = made.run("killed", &log(4, 10), ended(137));
    let going = made.run("going", &log(3, 20), None);
    let answer = check(&died, &done, 0, "proved");
    assert_eq!(answer["second"]["ended_by_itself"], true);
    assert_eq!(answer["first"]["run"]["id"], "died");
    let answer = check(&died, &killed, 1, "failed");
    assert_eq!(answer["new"]["kind"], "ended");
    let answer = check(&died, &going, 1, "not-yet");
    assert_eq!(answer["second"]["elapsed_ms"], 90_000);
    // One of the run's own files stands for it.
    check(&died, &format!("{done}/output.log"), 0, "proved");
    check(&format!("{died}/case.json"), &done, 0, "proved");
    let answer = check(&died, &silent, 1, "not-yet");
    assert_eq!(answer["passed"]["how"], "ended-silently");
    let answer = check(&died, &died, 1, "failed");
    assert_eq!(answer["title"], "Nothing to compare");
}

#[test]
fn a_damaged_folder_proves_nothing() {
    type Damage = fn(&Path);
    let damages: [(&str, Damage); 6] = [
        ("missing", |log| fs::remove_file(log).unwrap()),
        ("a folder", |log| {
            fs::remove_file(log).unwrap();
            fs::create_dir(log).unwrap();
        }),
        ("empty", |log| fs::write(log, "").unwrap()),
        ("cut", |log| fs::write(log, "Epoch 5/20\n").unwrap()),
        #[cfg(unix)]
        ("a pipe", |log| {
            fs::remove_file(log).unwrap();
            assert!(Command::new("mkfifo").arg(log).status().unwrap().success());
        }),
        #[cfg(not(unix))]
        ("missing", |log| fs::remove_file(log).unwrap()),
        ("a damaged case", |log| {
            fs::write(log.with_file_name("case.json"), "{").unwrap();
        }),
    ];
    for (name, damage) in damages {
        let made = Made::new("damage");
        let died = made.file("first.log", &(log(3, 40) + LOSS));
        let well = Ending {
            code: Some(0),
            ..Ending::default()
        };
        let text = log(20, 100);
        let done = made.run("done", &text, Some(well.clone()));
        let status = RunStatus {
            lines: text.lines().count() as u64,
            bytes: text.len() as u64,
            ending: Some(well),
            ..RunStatus::default()
        };
        made.file("done/status.json", &serde_json::to_string(&status).unwrap());
        check(&died, &done, 0, "proved");
        damage(&Path::new(&done).join("output.log"));
        let output = cli(&["compare", &died, &done]);
        let err = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{name}: {err}");
        assert!(output.stdout.is_empty(), "{name}");
        let file = if name == "a damaged case" {
            "case.json"
        } else {
            "output.log"
        };
        assert!(err.contains(file), "{name}: {err}");
    }
}

/// No two of the logs are of one training, but for these.
#[test]
fn no_two_strange_logs_prove_anything() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/logs");
    let mut logs: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| {
            path.extension()
                .is_some_and(|kind| kind == "log" || kind == "ipynb")
        })
        .collect();
    logs.sort();
    assert!(logs.len() >= 36);
    let never = std::sync::atomic::AtomicBool::new(false);
    let read: Vec<_> = logs
        .iter()
        .map(|path| assert_doctor::inputs::read_log(path, &never, &mut |_| {}).unwrap())
        .map(|log| (assert_doctor::diagnosis::diagnose(&log.facts), log))
        .collect();
    let mut proved = Vec::new();
    for (one, (d1, first)) in logs.iter().zip(&read) {
        for (other, (d2, second)) in logs.iter().zip(&read) {
            let told = assert_doctor::compare::compare(
                &assert_doctor::compare::Side {
                    facts: &first.facts,
                    diagnosis: d1,
                    run: None,
                    digest: Some(first.digest),
                },
                &assert_doctor::compare::Side {
                    facts: &second.facts,
                    diagnosis: d2,
                    run: None,
                    digest: Some(second.digest),
                },
            );
            if told.proof == assert_doctor::compare::Proof::Proved {
                proved.push((one.file_name(), other.file_name()));
            }
            let same = told.passed
                == assert_doctor::compare::Passed::Unknown(
                    assert_doctor::compare::WhyUnknown::SameLog,
                );
            assert_eq!(same, one == other, "{one:?} {other:?}");
        }
    }
    assert!(proved.is_empty(), "{proved:?}");
}

/// What `diagnose` says of a run's folder is what `run` said of it.
#[test]
fn a_run_is_told_by_its_end() {
    let made = Made::new("ends");
    let ending = |code, signal, stopped| {
        Some(Ending {
            code,
            signal,
            stopped,
            ..Ending::default()
        })
    };
    for (name, text, ending, code, id, certainty) in [
        (
            "well",
            "epoch 1/3\n",
            ending(Some(0), None, false),
            0,
            "none",
            "certain",
        ),
        (
            "silent",
            "",
            ending(Some(0), None, false),
            0,
            "none",
            "certain",
        ),
        (
            "blank",
            "\n\n",
            ending(Some(3), None, false),
            1,
            "run_ended_badly",
            "certain",
        ),
        (
            "killed",
            "epoch 1/3\n",
            ending(None, Some(9), false),
            1,
            "run_ended_badly",
            "certain",
        ),
        (
            "killed-silent",
            "",
            ending(None, Some(9), false),
            1,
            "run_ended_badly",
            "certain",
        ),
        (
            "three",
            "epoch 1/3\n",
            ending(Some(3), None, false),
            1,
            "run_ended_badly",
            "certain",
        ),
        (
            "stopped",
            "epoch 1/3\n",
            ending(Some(0), None, true),
            1,
            "run_stopped",
            "certain",
        ),
        (
            "unknown",
            "epoch 1/3\n",
            ending(None, None, false),
            1,
            "run_end_unknown",
            "possible",
        ),
        (
            "lost",
            "epoch 1/3\n",
            None,
            1,
            "run_end_unknown",
            "possible",
        ),
        ("lost-silent", "", None, 1, "run_end_unknown", "possible"),
    ] {
        let run = made.run(name, text, ending.clone());
        let output = cli(&["diagnose", "--json", &run]);
        let answer: Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
        let cause = &answer["causes"][0];
        assert_eq!(
            (
                output.status.code(),
                cause["id"].as_str(),
                cause["certainty"].as_str()
            ),
            (Some(code), Some(id), Some(certainty)),
            "{name}: {answer:#} {}",
            String::from_utf8_lossy(&output.stderr)
        );
        let ended = |key: &str| answer["ending"][key].as_i64();
        assert_eq!(
            ended("code"),
            ending.as_ref().and_then(|ending| ending.code)
        );
        assert_eq!(
            ended("signal"),
            ending.and_then(|ending| ending.signal).map(i64::from)
        );
        let text = cli(&["diagnose", "--lang", "en", &run]);
        let text = String::from_utf8(text.stdout).unwrap();
        assert!(
            !text.contains("read to the end") || code == 0,
            "{name}: {text}"
        );
        assert_eq!(
            text.starts_with("The run ended without an error"),
            code == 0,
            "{name}: {text}"
        );
    }
    // It goes on as long as its supervisor holds the lock.
    let run = made.run("going", "epoch 1/3\n", None);
    let lock = fs::File::create(Path::new(&run).join("run.lock")).unwrap();
    lock.lock().unwrap();
    let output = cli(&["diagnose", "--json", &run]);
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(answer["causes"][0]["id"], "run_unfinished");
    assert_eq!(answer["unfinished"], "running");
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn a_run_is_diagnosed_and_is_no_data() {
    let made = Made::new("data");
    let run = made.run("data/run-1", &(log(3, 40) + LOSS), None);
    made.file("data/labels.csv", "image,label\na.png,0\nb.png,1\n");
    let output = cli(&["diagnose", "--json", &run]);
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(
        answer["causes"][0]["id"], "label_out_of_range",
        "{answer:#}"
    );
    assert!(answer["data"].is_null(), "{answer:#}");
    // The data set that it lies in has one file of labels.
    let folder = made.0.join("data");
    let output = cli(&["check", "--json", &folder.to_string_lossy()]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(
        text.contains("labels.csv") && !text.contains("run-1"),
        "{text}"
    );
}

#[test]
fn a_damaged_record_is_told_and_the_log_is_read() {
    for (record, word) in [
        ("{\"schema\":\"assert-doctor/run/1\",\"id\":", "damaged"),
        ("{\"schema\":\"assert-doctor/run/1\",\"id\":[1]}", "damaged"),
        ("{\"schema\":\"assert-doctor/run/9\"}", "later version"),
        ("[]", "damaged"),
    ] {
        let made = Made::new("damaged");
        let run = made.run("run", &(log(3, 40) + LOSS), None);
        made.file("run/run.json", record);
        let output = cli(&["diagnose", "--lang", "en", &run]);
        let (out, err) = (
            String::from_utf8(output.stdout).unwrap(),
            String::from_utf8(output.stderr).unwrap(),
        );
        assert!(err.contains(word), "{record}: {err}");
        assert!(out.contains("label"), "{record}: {out}");
    }
    let made = Made::new("case");
    let run = made.run("run", &(log(3, 40) + LOSS), None);
    made.file("run/case.json", "{");
    let output = cli(&["diagnose", "--lang", "en", &run]);
    assert!(
        String::from_utf8(output.stderr)
            .unwrap()
            .contains("damaged")
    );
    assert_eq!(output.status.code(), Some(1));
}
