//! Every log case: facts and diagnosis as expected, wrong causes never called certain.

use std::fmt::Write as _;

use assert_doctor::crash_log::{Facts, Scanner};
use assert_doctor::diagnosis::{Certainty, Diagnosis, Failure, diagnose, kind_of};

use crate::cases::{LogCase, log_cases};

fn read(case: &LogCase) -> (Facts, Diagnosis) {
    let mut scanner = Scanner::new();
    scanner.push(&case.bytes);
    let (facts, _) = scanner.finish();
    let diagnosis = diagnose(&facts);
    (facts, diagnosis)
}

/// Collects what is wrong over all cases, so that one run shows everything.
#[derive(Default)]
struct Faults(String);

impl Faults {
    #[expect(
        clippy::needless_pass_by_value,
        reason = "values made for the call read better without a reference"
    )]
    fn check<T: PartialEq + std::fmt::Debug>(
        &mut self,
        case: &LogCase,
        what: &str,
        found: T,
        expected: T,
    ) {
        if found != expected {
            writeln!(
                self.0,
                "{}: {what} is {found:?}, expected {expected:?}",
                case.file
            )
            .unwrap();
        }
    }

    fn require(&mut self, case: &LogCase, what: &str, holds: bool) {
        self.check(case, what, holds, true);
    }
}

impl Drop for Faults {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            assert!(self.0.is_empty(), "\n{}", self.0);
        }
    }
}

#[test]
fn causes_are_right_and_wrong_ones_never_certain() {
    let mut faults = Faults::default();
    for case in log_cases() {
        let (_, diagnosis) = read(&case);
        let accepted = |id: &str| id == case.culprit || case.also_accept.iter().any(|a| a == id);
        let first = diagnosis.causes.first().expect("never empty");
        if !accepted(first.id.id()) {
            faults.check(&case, "first cause", first.id.id(), &case.culprit);
        }
        for cause in &diagnosis.causes {
            if cause.certainty == Certainty::Certain && !accepted(cause.id.id()) {
                faults.check(&case, "certain cause", cause.id.id(), &case.culprit);
            }
        }
        let ids: std::collections::BTreeSet<_> = diagnosis.causes.iter().map(|c| c.id).collect();
        faults.check(&case, "distinct causes", ids.len(), diagnosis.causes.len());
    }
}

#[test]
fn assertions_are_counted_and_read_exactly() {
    let mut faults = Faults::default();
    for case in log_cases() {
        let (facts, _) = read(&case);
        let count: u64 = facts.assertions.iter().map(|group| group.count).sum();
        faults.check(&case, "assert_threads", count, case.assert_threads);
        faults.check(
            &case,
            "distinct_assertions",
            facts.assertions.len(),
            case.distinct_assertions,
        );
        if let Some(group) = facts.assertions.first() {
            faults.check(&case, "assertion", &group.expression, &case.assertion);
            faults.check(
                &case,
                "kernel_line",
                Some(group.line).filter(|&l| l > 0),
                case.kernel_line,
            );
            faults.require(
                &case,
                "kernel_file",
                group.file.ends_with(&case.kernel_file),
            );
            let function = group
                .function
                .as_ref()
                .map(|f| f.chars().take(60).collect::<String>());
            faults.check(&case, "kernel_function", &function, &case.kernel_function);
        }
    }
}

#[test]
fn the_traceback_is_trusted_exactly_where_it_may_be() {
    let mut faults = Faults::default();
    for case in log_cases() {
        let (_, diagnosis) = read(&case);
        if case.traceback_line_is_culprit.is_some() {
            let trusted = diagnosis.traceback.as_ref().map(|t| t.trust.is_trusted());
            faults.check(&case, "trusted", trusted, case.traceback_line_is_culprit);
        }
    }
}

#[test]
fn the_environment_is_read() {
    let mut faults = Faults::default();
    for case in log_cases() {
        let (facts, _) = read(&case);
        let environment = &facts.environment;
        faults.check(
            &case,
            "launch_blocking",
            environment.launch_blocking,
            case.launch_blocking,
        );
        let platform = serde_json::to_value(environment.platform).unwrap();
        faults.check(
            &case,
            "platform",
            platform.as_str().unwrap(),
            case.platform.as_str(),
        );
        let torch = environment.torch.as_ref().map(|t| t.text.as_str());
        if case.torch_version_source.as_deref() == Some("log") {
            faults.check(
                &case,
                "torch_version",
                torch,
                Some(case.torch_version.as_str()),
            );
        } else {
            faults.check(&case, "torch_version", torch, None);
        }
    }
}

#[test]
fn consequences_are_told_from_the_failure() {
    let mut faults = Faults::default();
    for case in log_cases() {
        let (facts, diagnosis) = read(&case);
        for kind in &case.secondary_errors {
            let told = diagnosis.consequences.iter().any(|c| c.kind() == kind);
            // A library's error that is itself the first thing in the log is told as the failure.
            let first = match diagnosis.first_failure {
                Some(Failure::Error(i)) => facts
                    .errors
                    .get(i)
                    .is_some_and(|e| kind_of(e.family) == kind),
                _ => false,
            };
            faults.require(&case, &format!("{kind} told"), told || first);
        }
    }
}
