//! One line of the guard makes a cause certain; a caught one does not hide what the run died of.

use crate::crash_log::Scanner;
use crate::diagnosis::{Because, Certainty, Diagnosis, Failure, diagnose};

fn diagnosis(text: &str) -> Diagnosis {
    let mut scanner = Scanner::new();
    scanner.push(text.as_bytes());
    diagnose(&scanner.finish().0)
}

fn line(op: &str, check: &str, what: &str, rest: &str) -> String {
    format!(
        "[assert-doctor] {{\"guard\":1,\"event\":\"violation\",\"t\":1.0,\"op\":\"{op}\",\"api\":\"torch.{op}\",\"check\":\"{check}\",\"what\":\"{what}\",\"message\":\"m\",\"file\":\"a.py\",\"line\":3,\"function\":\"f\",\"code\":\"x = f(y)\"{rest}}}\n"
    )
}

const VALUE: &str = ",\"value\":7,\"index\":[1],\"lo\":0,\"hi\":6,\"size_of\":\"input.size(1)\"";

#[test]
fn one_line_alone_makes_the_cause_certain() {
    for (op, check, what, cause) in [
        ("cross_entropy", "range", "target", "label_out_of_range"),
        ("nll_loss", "range", "target", "label_out_of_range"),
        ("embedding", "range", "input", "embedding_index"),
        ("embedding_bag", "range", "input", "embedding_index"),
        ("embedding_bag", "range", "offsets", "embedding_index"),
        ("gather", "range", "index", "gather_scatter_index"),
        ("scatter", "range", "index", "gather_scatter_index"),
        ("scatter_add", "range", "index", "gather_scatter_index"),
        ("one_hot", "range", "input", "gather_scatter_index"),
        ("index_select", "range", "index", "embedding_index"),
        ("index", "range", "index", "advanced_index"),
        ("binary_cross_entropy", "range", "input", "bce_range"),
        ("binary_cross_entropy", "range", "target", "bce_range"),
        ("binary_cross_entropy", "nan", "input", "nan_inputs"),
        ("multinomial", "range", "input", "multinomial_probs"),
        ("multinomial", "nan", "input", "multinomial_probs"),
        ("multinomial", "sum", "input", "multinomial_probs"),
        ("ctc_loss", "range", "targets", "ctc_target"),
        ("ctc_loss", "shape", "target_lengths", "ctc_target"),
        ("cross_entropy", "shape", "target", "shape_mismatch"),
        ("gather", "shape", "index", "shape_mismatch"),
        ("cross_entropy", "dtype", "target", "python_error"),
    ] {
        let said = diagnosis(&line(op, check, what, VALUE));
        let first = said
            .causes
            .first()
            .map(|c| (c.id.id(), c.certainty, c.because));
        assert_eq!(
            first,
            Some((cause, Certainty::Certain, Because::GuardSaw)),
            "{op} {check} {what}"
        );
        let Some(cause) = said.causes.first() else {
            continue;
        };
        assert_eq!(cause.value, Some(7), "{op}");
        assert_eq!(
            cause.range.as_ref().map(|r| (r.lo, r.hi)),
            Some((0, 6)),
            "{op}"
        );
        assert_eq!(
            cause.operation.as_ref().map(|o| o.shown),
            Some(true),
            "{op}"
        );
        assert!(cause.evidence.iter().any(|e| e.text == "x = f(y)"), "{op}");
        assert_eq!(said.first_failure, Some(Failure::Guard(0)), "{op}");
    }
}

const TRACEBACK: &str = "Traceback (most recent call last):\n  File \"a.py\", line 3, in f\n    x = f(y)\nassert_doctor_guard.AssertDoctorGuardError: cross_entropy: target[1] is 7, allowed is 0 to 6 (input.size(1) is 7).\n  called as  torch.cross_entropy\n";

#[test]
fn line_and_exception_are_one_failure() {
    let violation = line("cross_entropy", "range", "target", VALUE);
    for text in [violation.clone() + TRACEBACK, TRACEBACK.to_owned()] {
        let said = diagnosis(&text);
        let told: Vec<_> = said
            .causes
            .iter()
            .map(|c| (c.id.id(), c.certainty))
            .collect();
        assert_eq!(told, [("label_out_of_range", Certainty::Certain)], "{text}");
        assert!(said.consequences.is_empty(), "{:?}", said.consequences);
        assert!(
            said.traceback.is_some_and(|t| t.trust.is_trusted()),
            "{text}"
        );
    }
}

#[test]
fn what_is_cut_is_not_certain() {
    let said = diagnosis(
        "Traceback (most recent call last):\n  File \"a.py\", line 3, in f\n    x = f(y)\nassert_doctor_guard.AssertDoctorGuardError: cross_entropy: target[1\n",
    );
    let first = said.causes.first().map(|c| (c.id.id(), c.certainty));
    assert_eq!(first, Some(("label_out_of_range", Certainty::Likely)));
    let said = diagnosis(
        "Traceback (most recent call last):\n  File \"a.py\", line 3, in f\n    x = f(y)\nassert_doctor_guard.AssertDoctorGuardError\n",
    );
    assert!(
        said.causes
            .iter()
            .all(|c| c.id.id() != "label_out_of_range" || c.certainty != Certainty::Certain)
    );
    let unknown = diagnosis(&line("new_operation", "range", "x", VALUE));
    assert!(
        unknown
            .causes
            .iter()
            .all(|c| c.certainty != Certainty::Certain)
    );
}

#[test]
fn a_run_that_caught_it_died_of_something_else() {
    let mut text = line("cross_entropy", "range", "target", VALUE);
    text += &"step 1/200 loss 0.1\n".repeat(200);
    text += "torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB\n";
    let said = diagnosis(&text);
    let told: Vec<_> = said
        .causes
        .iter()
        .map(|c| (c.id.id(), c.certainty))
        .collect();
    assert_eq!(told.first().map(|c| c.0), Some("oom"), "{told:?}");
    assert!(
        told.contains(&("label_out_of_range", Certainty::Possible)),
        "{told:?}"
    );
}

#[test]
fn the_guard_comes_before_everything_else() {
    let kernel = "../aten/src/ATen/native/cuda/Indexing.cu:1: f: block: [0,0,0], thread: [1,0,0] Assertion `srcIndex < srcSelectDimSize` failed.\n";
    let said = diagnosis(&(kernel.to_owned() + &line("cross_entropy", "range", "target", VALUE)));
    assert_eq!(said.first_failure, Some(Failure::Guard(0)));
}
