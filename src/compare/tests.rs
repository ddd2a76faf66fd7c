//! Pairs of logs, as they are met; and pairs that try to have a crash called gone that is not.

use super::*;
use crate::crash_log::Scanner;
use crate::diagnosis::diagnose;
use crate::rerun::{RunCommand, RunOptions};

fn facts(text: &str) -> Facts {
    let mut scanner = Scanner::new();
    scanner.push(text.as_bytes());
    scanner.finish().0
}

fn digest(text: &str) -> u64 {
    use std::hash::{DefaultHasher, Hasher as _};
    let mut hasher = DefaultHasher::new();
    hasher.write(text.as_bytes());
    hasher.finish()
}

fn compared(first: &str, second: &str) -> Comparison {
    let (one, other) = (facts(first), facts(second));
    let (d1, d2) = (diagnose(&one), diagnose(&other));
    let side = |facts, diagnosis, text| Side {
        facts,
        diagnosis,
        run: None,
        digest: Some(digest(text)),
    };
    compare(&side(&one, &d1, first), &side(&other, &d2, second))
}

#[track_caller]
fn check(first: &str, second: &str, proof: Proof, passed: Passed, same: SameCheck) {
    let told = compared(first, second);
    assert_eq!(
        (told.proof, told.passed, told.same_check),
        (proof, passed, same),
        "{second}\n{told:#?}"
    );
}

/// A second run with a record and an ending.
fn compared_run(
    first: &str,
    second: &str,
    options: RunOptions,
    ending: Option<&Ending>,
) -> Comparison {
    let (one, other) = (facts(first), facts(second));
    let (d1, d2) = (diagnose(&one), diagnose(&other));
    let record = RunRecord {
        options,
        command: RunCommand {
            program: "python".into(),
            arguments: vec!["train.py".into()],
            ..RunCommand::default()
        },
        ..RunRecord::default()
    };
    let first = Side {
        facts: &one,
        diagnosis: &d1,
        run: None,
        digest: None,
    };
    let run = SideRun {
        record: &record,
        ending,
        elapsed_ms: Some(100_000),
        failed_at_ms: None,
    };
    let second = Side {
        facts: &other,
        diagnosis: &d2,
        run: Some(run),
        digest: None,
    };
    compare(&first, &second)
}

fn ended(code: i64) -> Ending {
    Ending {
        code: Some(code),
        ..Ending::default()
    }
}

const LOSS: &str = "../aten/src/ATen/native/cuda/Loss.cu:250: nll_loss: block: [0,0,0], thread: [7,0,0] Assertion `t >= 0 && t < n_classes` failed.\n";
const ROWS: &str = "../aten/src/ATen/native/cuda/Indexing.cu:1: f: block: [0,0,0], thread: [1,0,0] Assertion `srcIndex < srcSelectDimSize` failed.\n";
const OOM: &str = "Traceback (most recent call last):\n  File \"train.py\", line 9, in train\n    out = model(x)\ntorch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB\n";

/// Epochs `from..=to` of 100 steps with a validation after each, the last one up to `step`.
fn bars(from: u64, to: u64, step: u64) -> String {
    let mut text = String::from("num_classes: 14\n");
    for epoch in from..=to {
        let last = if epoch == to { step } else { 100 };
        for n in (10..=last).step_by(10) {
            let bar = format!("Epoch {epoch}/20: {n}%|██  | {n}/100 [00:10<00:20,  4.00it/s]\n");
            text.push_str(&bar);
        }
        if epoch < to {
            text += "val: 100%|████| 20/20 [00:02<00:00, 9.50it/s]\n";
        }
    }
    text
}

const BY_PROGRESS: Passed = Passed::Yes(PassedBy::Progress);

#[test]
fn a_crash_that_is_gone() {
    let died = bars(1, 3, 40) + LOSS;
    check(
        &died,
        &bars(1, 3, 60),
        Proof::Proved,
        BY_PROGRESS,
        SameCheck::Gone,
    );
    check(
        &died,
        &bars(1, 4, 10),
        Proof::Proved,
        BY_PROGRESS,
        SameCheck::Gone,
    );
    let told = compared(
        &died.replace("num_classes: 14", "num_classes: 9"),
        &bars(1, 4, 10),
    );
    let size = told
        .changed
        .iter()
        .find(|change| change.id == ChangeId::Size);
    assert_eq!(
        size.map(|size| (size.first.as_str(), size.second.as_str())),
        Some(("9", "14"))
    );
    assert_eq!(told.rates.1.map(|rate| rate.per_second), Some(4.0));
    assert_eq!(told.rates_differ_by, []);
}

#[test]
fn what_is_not_past_the_place_proves_nothing() {
    let died = bars(1, 3, 40) + LOSS;
    for second in [bars(1, 3, 40), bars(1, 3, 30), bars(1, 2, 90)] {
        check(
            &died,
            &second,
            Proof::NotYet,
            Passed::No,
            SameCheck::NotSeen,
        );
    }
    let why = |second: &str| compared(&died, second).passed;
    assert_eq!(
        why("all is well\n"),
        Passed::Unknown(WhyUnknown::NoProgressInSecond)
    );
    assert_eq!(
        why(&bars(7, 9, 50)),
        Passed::Unknown(WhyUnknown::BeganLater)
    );
    assert_eq!(why(&died), Passed::Unknown(WhyUnknown::SameLog));
    assert_eq!(
        why(&(bars(1, 5, 50) + &bars(1, 9, 50))),
        Passed::Unknown(WhyUnknown::EpochsBeginAnew)
    );
    // Steps without epochs count something else.
    assert_eq!(
        why("step 9000/20000 loss 0.1\n"),
        Passed::Unknown(WhyUnknown::OtherCount)
    );
    let silent = LOSS.to_owned();
    let told = compared(&silent, &bars(1, 4, 10));
    assert_eq!(told.passed, Passed::Unknown(WhyUnknown::NoProgressInFirst));
    assert_eq!(told.proof, Proof::NotYet);
    let healthy = compared(&bars(1, 3, 40), &bars(1, 4, 10));
    assert_eq!(
        (healthy.proof, healthy.passed),
        (Proof::NotYet, Passed::Unknown(WhyUnknown::FirstDidNotFail))
    );
}

#[test]
fn what_fails_again_or_anew() {
    let died = bars(1, 3, 40) + LOSS;
    // Another build prints another line number and folder.
    let again = bars(1, 5, 20) + &LOSS.replace("../", "/pytorch/").replace(":250:", ":311:");
    check(
        &died,
        &again,
        Proof::Failed,
        BY_PROGRESS,
        SameCheck::StillThere,
    );
    let other = bars(1, 5, 20) + ROWS;
    check(&died, &other, Proof::Failed, BY_PROGRESS, SameCheck::Gone);
    let memory = compared(&died, &(bars(1, 2, 20) + OOM));
    assert_eq!((memory.proof, memory.passed), (Proof::Failed, Passed::No));
    assert!(
        matches!(
            memory.new,
            Some(NewFailure::Cause {
                cause: CauseId::Oom,
                ..
            })
        ),
        "{:?}",
        memory.new
    );
    // The second shows only that a check failed, not which.
    let hidden = bars(1, 5, 20)
        + "Traceback (most recent call last):\n  File \"train.py\", line 9, in train\n    loss.backward()\nRuntimeError: CUDA error: device-side assert triggered\n";
    let told = compared(&died, &hidden);
    assert_eq!(
        (told.proof, told.same_check),
        (Proof::Failed, SameCheck::MayBe)
    );
    // A traceback whose end is missing.
    let cut = bars(1, 5, 20)
        + "Traceback (most recent call last):\n  File \"train.py\", line 9, in train\n    loss.backward()\n";
    assert_ne!(compared(&died, &cut).proof, Proof::Proved);
}

#[test]
fn within_an_epoch_the_phase_decides() {
    let val = |n: u64| format!("val: {n}%|██ | {n}/100 [00:01<00:01, 9.00it/s]\n");
    let in_validation = bars(3, 3, 100) + &val(30) + LOSS;
    // Further steps of the training are before its validation.
    check(
        &in_validation,
        &bars(3, 3, 100),
        Proof::NotYet,
        Passed::No,
        SameCheck::NotSeen,
    );
    let told = compared(&in_validation, &(bars(3, 3, 100) + &val(40)));
    assert_eq!(told.passed, BY_PROGRESS);
    // The validation pass has not ended: nothing has seen the rest of its data.
    assert_eq!(told.proof, Proof::NotYet);
    assert_eq!(
        told.sign(SignId::FirstValidationPass),
        Some(SignState::NotYet)
    );
    let next = compared(&in_validation, &bars(3, 4, 20));
    assert_eq!((next.proof, next.passed), (Proof::Proved, BY_PROGRESS));
    // Without any word on the phase a silent validation may have been the place.
    let silent = "epoch 3 step 90 loss 1\n".to_owned() + LOSS;
    let told = compared(&silent, "epoch 3 step 95 loss 1\n");
    assert_eq!(told.passed, Passed::Unknown(WhyUnknown::PhaseUnknown));
}

#[test]
fn the_first_validation_is_waited_for() {
    let died = bars(1, 1, 40) + LOSS;
    let told = compared(&died, &bars(1, 1, 90));
    assert_eq!((told.proof, told.passed), (Proof::NotYet, BY_PROGRESS));
    let missing: Vec<_> = told.missing().map(|sign| sign.id).collect();
    assert_eq!(missing, [SignId::FirstValidationPass]);
    assert_eq!(compared(&died, &bars(1, 2, 20)).proof, Proof::Proved);
    // A script that shows no validation: the next epoch is enough.
    let without = bars(1, 2, 20).replace("val: 100%|████| 20/20 [00:02<00:00, 9.50it/s]\n", "");
    assert_eq!(compared(&died, &without).proof, Proof::Proved);
}

#[test]
fn epochs_alone_wait_for_the_next() {
    let died = "Epoch 1 loss 2.0\nEpoch 2 loss 1.5\n".to_owned() + LOSS;
    check(
        &died,
        "Epoch 1 loss 2.0\nEpoch 2 loss 1.5\n",
        Proof::NotYet,
        Passed::No,
        SameCheck::NotSeen,
    );
    check(
        &died,
        "Epoch 1 loss 2.0\nEpoch 2 loss 1.5\nEpoch 3 loss 1.4\n",
        Proof::Proved,
        BY_PROGRESS,
        SameCheck::Gone,
    );
}

#[test]
fn another_number_of_steps_is_told() {
    let died = bars(1, 3, 40) + LOSS;
    let halved = |step: u64| bars(1, 3, step).replace("/100 [", "/200 [");
    let told = compared(&died, &halved(90));
    assert_eq!(told.passed, Passed::Yes(PassedBy::Share));
    assert!(told.caveats.contains(&Caveat::TotalsChanged));
    assert_eq!(compared(&died, &halved(60)).passed, Passed::No);
    assert!(told.rates_differ_by.contains(&RateReason::OtherBar));
}

#[test]
fn another_script_proves_nothing() {
    let with = |command: &str, text: String| format!("$ {command}\n{text}");
    let first = with("python train.py --epochs 20", bars(1, 3, 40) + LOSS);
    let second = with("python evaluate.py", bars(1, 4, 40));
    let told = compared(&first, &second);
    assert_eq!(
        told.passed,
        Passed::Unknown(WhyUnknown::OtherScript),
        "{told:#?}"
    );
    assert_eq!(told.proof, Proof::NotYet);
}

#[test]
fn a_good_end_passes_every_place_but_a_trial_run_does_not() {
    let died = bars(1, 3, 40) + LOSS;
    let none = RunOptions::default();
    let told = compared_run(&died, &bars(1, 20, 100), none, Some(&ended(0)));
    assert_eq!(told.passed, Passed::Yes(PassedBy::EndedByItself));
    assert_eq!(told.proof, Proof::Proved);
    let trial = compared_run(&died, &bars(1, 1, 100), none, Some(&ended(0)));
    assert_eq!((trial.proof, trial.passed), (Proof::NotYet, Passed::No));
    let jumped = compared_run(&died, &bars(7, 9, 50), none, Some(&ended(0)));
    assert_eq!(jumped.proof, Proof::NotYet);
    // Something ended it, and the log does not say what.
    let killed = compared_run(&died, &bars(1, 4, 20), none, Some(&ended(137)));
    assert_eq!(killed.proof, Proof::Failed);
    assert_eq!(
        killed.new,
        Some(NewFailure::Ended {
            code: Some(137),
            signal: None
        })
    );
    let stopped = Ending {
        code: Some(143),
        stopped: true,
        ..Ending::default()
    };
    let told = compared_run(&died, &bars(1, 4, 20), none, Some(&stopped));
    assert_eq!(told.proof, Proof::Proved);
    assert!(told.caveats.contains(&Caveat::Stopped));
    let running = compared_run(&died, &bars(1, 3, 20), none, None);
    assert_eq!(running.sign(SignId::EndedByItself), Some(SignState::NotYet));
}

#[test]
fn the_cpu_proves_less() {
    let cpu = RunOptions {
        cpu: true,
        ..RunOptions::default()
    };
    let died = bars(1, 3, 40) + LOSS;
    let told = compared_run(&died, &bars(1, 4, 20), cpu, None);
    assert_eq!(told.proof, Proof::Proved);
    assert!(told.caveats.contains(&Caveat::Cpu) && told.rates_differ_by.contains(&RateReason::Cpu));
    let ctc = bars(1, 3, 40)
        + "[assert-doctor] {\"guard\":1,\"event\":\"violation\",\"op\":\"ctc_loss\",\"check\":\"range\",\"what\":\"targets\",\"value\":9,\"lo\":1,\"hi\":4}\n";
    let access = bars(1, 3, 40)
        + "Traceback (most recent call last):\n  File \"train.py\", line 9, in train\n    out = model(x)\nRuntimeError: CUDA error: an illegal memory access was encountered\n";
    for died in [ctc, access, bars(1, 3, 40) + OOM] {
        let told = compared_run(&died, &bars(1, 4, 20), cpu, Some(&ended(0)));
        assert_eq!(told.proof, Proof::NotYet, "{told:#?}");
        assert!(told.caveats.contains(&Caveat::CpuCannotShow));
    }
}

#[test]
fn the_guard_counts_where_the_log_does_not() {
    let summary = |batches: u64, values: u64| {
        format!(
            "[assert-doctor] {{\"guard\":1,\"event\":\"start\",\"torch\":\"2.4.0\"}}\n[assert-doctor] {{\"guard\":1,\"event\":\"summary\",\"elapsed\":10.0,\"batches\":{batches},\"ops\":{{\"cross_entropy\":{{\"calls\":1,\"values\":{values},\"lo\":0,\"hi\":9}}}}}}\n"
        )
    };
    let violation = "[assert-doctor] {\"guard\":1,\"event\":\"violation\",\"op\":\"cross_entropy\",\"check\":\"range\",\"what\":\"target\",\"value\":12,\"lo\":0,\"hi\":9}\n";
    let died = summary(50, 500) + violation;
    let told = compared(&died, &summary(80, 800));
    assert_eq!(told.passed, Passed::Yes(PassedBy::Batches));
    assert_eq!(told.sign(SignId::GuardClean), Some(SignState::Seen));
    assert_eq!(
        told.rates.1.map(|rate| (rate.per_second, rate.by)),
        Some((8.0, RateBy::Guard))
    );
    assert_eq!(compared(&died, &summary(40, 400)).passed, Passed::No);
    // The same in both runs, although the second went farther; and a violation that the script caught.
    let again = compared(&died, &(summary(80, 800) + violation));
    assert_eq!(
        (again.proof, again.same_check),
        (Proof::Failed, SameCheck::StillThere)
    );
    let caught = summary(10, 10) + violation + &bars(1, 4, 50);
    let told = compared_run(
        &(bars(1, 3, 40) + LOSS),
        &caught,
        RunOptions::default(),
        Some(&ended(0)),
    );
    assert_ne!(told.proof, Proof::Proved);
}

#[test]
fn an_error_that_was_survived_is_told() {
    let died = bars(1, 3, 40) + LOSS;
    let second = "Traceback (most recent call last):\n  File \"a.py\", line 1, in f\n    import x\nModuleNotFoundError: No module named 'x'\n".to_owned() + &bars(1, 4, 50);
    let told = compared_run(&died, &second, RunOptions::default(), Some(&ended(0)));
    assert_eq!(told.proof, Proof::Proved, "{told:#?}");
    assert!(told.caveats.contains(&Caveat::ErrorSurvived));
    // Without knowing how it ended, the error may have been the end.
    assert_ne!(compared(&died, &second).proof, Proof::Proved);
}

const TRACEBACK: &str = "Traceback (most recent call last):\n  File \"/srv/job/train.py\", line 9, in <module>\n    loss.backward()\nIndexError: Target 7 is out of bounds.\n";

/// A run of this command in `/home/me/job`.
fn compared_command(first: &str, second: &str, words: &[&str], ending: &Ending) -> Comparison {
    let (one, other) = (facts(first), facts(second));
    let (d1, d2) = (diagnose(&one), diagnose(&other));
    let record = record(words, "/home/me/job");
    let first = Side {
        facts: &one,
        diagnosis: &d1,
        run: None,
        digest: Some(digest(first)),
    };
    let run = SideRun {
        record: &record,
        ending: Some(ending),
        elapsed_ms: Some(100_000),
        failed_at_ms: None,
    };
    let second = Side {
        facts: &other,
        diagnosis: &d2,
        run: Some(run),
        digest: Some(digest(second)),
    };
    compare(&first, &second)
}

fn record(words: &[&str], directory: &str) -> RunRecord {
    RunRecord {
        command: RunCommand {
            program: words[0].into(),
            arguments: words[1..].iter().map(Into::into).collect(),
            directory: directory.into(),
        },
        ..RunRecord::default()
    }
}

#[test]
fn a_good_end_counts_for_the_same_training_alone() {
    let unknown = Passed::Unknown(WhyUnknown::TrainingUnknown);
    let ended_well = Passed::Yes(PassedBy::EndedByItself);
    let died = bars(1, 3, 40) + TRACEBACK;
    let whole = bars(1, 20, 100);
    let other_totals = whole.replace("/20:", "/30:").replace("/100 [", "/64 [");
    for (first, words, second, passed) in [
        // Nothing in common; a log without progress, one with it, one with other totals.
        (TRACEBACK, vec!["echo", "hello"], "hello\n", unknown),
        (TRACEBACK, vec!["python", "other.py"], "done\n", unknown),
        (TRACEBACK, vec!["python", "other.py"], &whole, unknown),
        (LOSS, vec!["python", "train.py"], "done\n", unknown),
        (&died, vec!["python", "other.py"], &other_totals, unknown),
        // The script that the traceback shows, also under a shell, as a module, and asked for its help.
        (TRACEBACK, vec!["python", "train.py"], "done\n", ended_well),
        (
            TRACEBACK,
            vec!["sh", "-c", "cd x; python job/train.py && true"],
            "done\n",
            ended_well,
        ),
        (
            TRACEBACK,
            vec!["python", "-m", "train"],
            "done\n",
            ended_well,
        ),
        (
            TRACEBACK,
            vec!["python", "train.py", "--help"],
            "usage: train.py\n",
            unknown,
        ),
        // Named and not run.
        (
            TRACEBACK,
            vec!["cat", "train.py"],
            "import torch\n",
            unknown,
        ),
        (
            TRACEBACK,
            vec!["python", "-m", "py_compile", "train.py"],
            "",
            unknown,
        ),
        (
            TRACEBACK,
            vec!["python", "-c", "print(1)", "train.py"],
            "1\n",
            unknown,
        ),
        (
            TRACEBACK,
            vec!["git", "commit", "-m", "train"],
            "done\n",
            unknown,
        ),
        (TRACEBACK, vec!["./train.py"], "done\n", ended_well),
        (
            TRACEBACK,
            vec!["/opt/bin/python3.11", "train.py"],
            "done\n",
            ended_well,
        ),
        (
            TRACEBACK,
            vec!["python", "-m", "torch.distributed.run", "train.py"],
            "done\n",
            ended_well,
        ),
        // The same way of counting.
        (&died, vec!["make", "train"], &whole, ended_well),
        // No progress although the first printed some: it may have left at once.
        (
            &died,
            vec!["python", "train.py"],
            "done\n",
            Passed::Unknown(WhyUnknown::EndedSilently),
        ),
        (
            &died,
            vec!["echo", "hello"],
            "hello\n",
            Passed::Unknown(WhyUnknown::EndedSilently),
        ),
    ] {
        let told = compared_command(first, second, &words, &ended(0));
        assert_eq!(told.passed, passed, "{words:?} {second:?}");
        let proof = if passed == ended_well {
            Proof::Proved
        } else {
            Proof::NotYet
        };
        assert_eq!(told.proof, proof, "{words:?} {second:?} {told:#?}");
    }
}

#[test]
fn two_runs_are_of_one_training_by_their_command() {
    let died = facts(TRACEBACK);
    let done = facts("done\n");
    let (d1, d2) = (diagnose(&died), diagnose(&done));
    let well = ended(0);
    for (one, other, proof) in [
        (
            (vec!["python", "train.py"], "/a/job"),
            (vec!["python3", "train.py"], "/a/job"),
            Proof::Proved,
        ),
        (
            (vec!["python", "train.py"], "/a/job"),
            (vec!["python3", "./train.py"], "/a/job"),
            Proof::Proved,
        ),
        (
            (vec!["make", "train"], "/a/job"),
            (vec!["make", "train"], "/a/job"),
            Proof::Proved,
        ),
        (
            (vec!["make", "train"], "/a/job"),
            (vec!["make", "train"], "/a/other"),
            Proof::NotYet,
        ),
        (
            (vec!["make", "train"], "/a/job"),
            (vec!["make", "clean"], "/a/job"),
            Proof::NotYet,
        ),
        (
            (vec!["python", "train.py"], "/a/job"),
            (vec!["python", "train.py"], "/b/other"),
            Proof::NotYet,
        ),
        (
            (vec!["python", "train.py"], "/a/job"),
            (vec!["python", "test.py"], "/a/job"),
            Proof::NotYet,
        ),
        (
            (vec!["python", "train.py"], "/a/job"),
            (vec!["true"], "/a/job"),
            Proof::NotYet,
        ),
        (
            (vec!["python", "train.py"], "/a/job"),
            (vec!["python", "train.py", "--check"], "/a/job"),
            Proof::NotYet,
        ),
    ] {
        let records = [record(&one.0, one.1), record(&other.0, other.1)];
        let side = |at: usize, ending| SideRun {
            record: &records[at],
            ending,
            elapsed_ms: None,
            failed_at_ms: None,
        };
        let first = Side {
            facts: &died,
            diagnosis: &d1,
            run: Some(side(0, None)),
            digest: Some(1),
        };
        let second = Side {
            facts: &done,
            diagnosis: &d2,
            run: Some(side(1, Some(&well))),
            digest: Some(2),
        };
        assert_eq!(compare(&first, &second).proof, proof, "{one:?} {other:?}");
    }
}

#[test]
fn what_failed_counts_with_any_exit_code() {
    let died = bars(1, 3, 40) + TRACEBACK;
    let other = "Traceback (most recent call last):\n  File \"/srv/job/train.py\", line 12, in <module>\n    save()\nOSError: [Errno 28] No space left on device\n";
    for (second, same) in [
        // Hidden by a shell; caught by the script, which says goodbye or goes on.
        (died.replace("4.00it", "5.00it"), SameCheck::StillThere),
        (died.clone() + "bye\n", SameCheck::StillThere),
        (died.clone() + &bars(4, 6, 50), SameCheck::StillThere),
        (bars(1, 5, 40) + other, SameCheck::Gone),
    ] {
        let told = compared_command(&died, &second, &["python", "train.py"], &ended(0));
        assert_eq!(
            (told.proof, told.same_check),
            (Proof::Failed, same),
            "{second}"
        );
        assert!(!told.caveats.contains(&Caveat::ErrorSurvived));
        let words = ["sh", "-c", "cd job; python train.py || true"];
        let told = compared_command(
            &format!("$ python train.py\n{died}"),
            &second,
            &words,
            &ended(0),
        );
        assert_eq!((told.proof, told.same_check), (Proof::Failed, same));
        assert!(!told.caveats.contains(&Caveat::OtherArguments));
    }
}

#[test]
fn one_log_is_told_by_its_bytes() {
    let died = bars(1, 3, 40) + LOSS;
    assert_eq!(
        compared(&died, &died).passed,
        Passed::Unknown(WhyUnknown::SameLog)
    );
    // The same facts, other bytes.
    let spoken = died.clone() + "bye\n";
    let text = spoken.replace("bye", "bey");
    assert_eq!(facts(&spoken), facts(&text));
    let told = compared(&spoken, &text);
    assert_eq!(
        (told.passed, told.same_check),
        (Passed::No, SameCheck::StillThere)
    );
    // Two runs may print the very same.
    let one = facts(&died);
    let d = diagnose(&one);
    let records = ["a", "b"].map(|id| RunRecord {
        id: id.to_owned(),
        ..RunRecord::default()
    });
    let side = |at: usize| Side {
        facts: &one,
        diagnosis: &d,
        run: Some(SideRun {
            record: &records[at],
            ending: None,
            elapsed_ms: None,
            failed_at_ms: None,
        }),
        digest: Some(1),
    };
    assert_eq!(
        compare(&side(0), &side(0)).passed,
        Passed::Unknown(WhyUnknown::SameLog)
    );
    let told = compare(&side(0), &side(1));
    assert_ne!(told.passed, Passed::Unknown(WhyUnknown::SameLog));
    assert_eq!(told.same_check, SameCheck::StillThere);
}

#[test]
fn the_cpu_cannot_show_what_only_a_gpu_does() {
    let cpu = RunOptions {
        cpu: true,
        ..RunOptions::default()
    };
    let stopped = "[assert-doctor] {\"guard\":1,\"event\":\"violation\",\"op\":\"cross_entropy\",\"check\":\"range\",\"what\":\"target\",\"value\":12,\"lo\":0,\"hi\":9}\n";
    let unnamed = "Traceback (most recent call last):\n  File \"train.py\", line 9, in train\n    loss.backward()\nRuntimeError: CUDA error: device-side assert triggered\n";
    for (died, cannot) in [
        (TRACEBACK, false),
        (
            &TRACEBACK.replace(
                "IndexError: Target 7 is out of bounds.",
                "IndexError: index out of range in self",
            ),
            false,
        ),
        (
            &TRACEBACK.replace("IndexError: Target 7 is out of bounds.", "ValueError: 3"),
            false,
        ),
        (stopped, false),
        (LOSS, false),
        (OOM, true),
        (unnamed, true),
    ] {
        let told = compared_run(
            &(bars(1, 3, 40) + died),
            &bars(1, 20, 100),
            cpu,
            Some(&ended(0)),
        );
        assert_eq!(
            told.caveats.contains(&Caveat::CpuCannotShow),
            cannot,
            "{died}"
        );
        let proof = if cannot { Proof::NotYet } else { Proof::Proved };
        assert_eq!(told.proof, proof, "{died} {told:#?}");
    }
}

#[test]
fn what_was_stopped_did_not_end_well() {
    let stopped = Ending {
        stopped: true,
        ..ended(0)
    };
    let died = bars(1, 3, 40) + TRACEBACK;
    for (first, second) in [
        (TRACEBACK, "done\n"),
        (&died, "done\n"),
        (&died, &bars(1, 3, 20)),
    ] {
        let told = compared_command(first, second, &["python", "train.py"], &stopped);
        assert_eq!(told.proof, Proof::NotYet, "{second}");
        assert!(!matches!(told.passed, Passed::Yes(_)) && !told.second.ended_by_itself);
        assert!(told.caveats.contains(&Caveat::Stopped));
    }
}
