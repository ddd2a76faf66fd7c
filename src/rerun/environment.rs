//! What is set for a run. Everything else of the environment reaches it as it is.

use std::ffi::{OsStr, OsString};
use std::path::Path;

use super::RunOptions;

/// Where Python looks for modules first.
const PYTHONPATH: &str = "PYTHONPATH";

/// The variables of a run, in the order in which they are shown. `guard` is the folder of the guard's files, `pythonpath` the
/// user's own value.
pub(super) fn variables(
    options: RunOptions,
    guard: &Path,
    pythonpath: Option<&OsStr>,
) -> Vec<(&'static str, OsString)> {
    let mut set: Vec<(&'static str, OsString)> = vec![
        // Through a pipe Python keeps its output back until kilobytes are together: a crash would lose the last of it.
        ("PYTHONUNBUFFERED", "1".into()),
        // Only the three standard streams. PYTHONUTF8 would also change how the script reads and writes its own files,
        // and a run that behaves differently proves nothing. What has no UTF-8 (a lone surrogate) must not raise.
        ("PYTHONIOENCODING", "utf-8:backslashreplace".into()),
    ];
    if options.sync {
        set.push(("CUDA_LAUNCH_BLOCKING", "1".into()));
    }
    if options.guard {
        set.push(("ASSERT_DOCTOR_GUARD", "1".into()));
    }
    if options.cpu {
        set.push(("ASSERT_DOCTOR_CPU", "1".into()));
    }
    if let Some(workers) = options.workers {
        set.push(("ASSERT_DOCTOR_WORKERS", workers.to_string().into()));
    }
    if options.needs_guard_file() {
        let mut path = guard.as_os_str().to_owned();
        // An empty entry would mean the current folder.
        if let Some(own) = pythonpath.filter(|own| !own.is_empty()) {
            path.push(separator());
            path.push(own);
        }
        set.push((PYTHONPATH, path));
    }
    set
}

/// The user's own module path.
pub(super) fn own_pythonpath() -> Option<OsString> {
    std::env::var_os(PYTHONPATH)
}

/// What stands between two folders of a search path.
pub(super) fn separator() -> &'static str {
    if cfg!(windows) { ";" } else { ":" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(options: RunOptions, own: Option<&str>, expected: &[&str]) {
        let set: Vec<String> = variables(options, Path::new("guard"), own.map(OsStr::new))
            .into_iter()
            .map(|(name, value)| format!("{name}={}", value.to_string_lossy()))
            .collect();
        let always = [
            "PYTHONUNBUFFERED=1",
            "PYTHONIOENCODING=utf-8:backslashreplace",
        ];
        assert_eq!(set[..2], always);
        assert_eq!(set[2..], *expected, "{options:?}");
    }

    #[test]
    fn exactly_what_was_asked_for_is_set() {
        let none = RunOptions::default();
        check(none, Some("/own"), &[]);
        let sync = RunOptions { sync: true, ..none };
        check(sync, None, &["CUDA_LAUNCH_BLOCKING=1"]);
        let guard = RunOptions {
            guard: true,
            ..none
        };
        check(guard, None, &["ASSERT_DOCTOR_GUARD=1", "PYTHONPATH=guard"]);
        check(
            guard,
            Some(""),
            &["ASSERT_DOCTOR_GUARD=1", "PYTHONPATH=guard"],
        );
        let kept = format!("PYTHONPATH=guard{}/own", separator());
        check(guard, Some("/own"), &["ASSERT_DOCTOR_GUARD=1", &kept]);
        let all = RunOptions {
            sync: true,
            cpu: true,
            guard: true,
            workers: Some(0),
        };
        check(
            all,
            None,
            &[
                "CUDA_LAUNCH_BLOCKING=1",
                "ASSERT_DOCTOR_GUARD=1",
                "ASSERT_DOCTOR_CPU=1",
                "ASSERT_DOCTOR_WORKERS=0",
                "PYTHONPATH=guard",
            ],
        );
    }
}
