//! `assert-doctor-cli run --kit`: the commands that run a training again elsewhere, for every shell.

use std::ffi::OsString;
use std::fmt::Write as _;
use std::io::Write;
use std::path::Path;

use serde_json::{Value, json};

use super::exit;
use super::run_args::RunArgs;
use crate::rerun::{KitEntry, LOG_NAME, RunCommand, RunProblem, guard_files, kit, save_guard};
use crate::words::{Arg, Words, kit_intro, kit_texts, run_problem, system_said};

/// Prints the kit; nothing is started. With `--output` the guard's files are written into that folder.
pub(super) fn run(
    args: RunArgs,
    as_json: bool,
    words: Words,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> u8 {
    let options = args.options;
    let command = &command(args.command);
    if command.program.to_string_lossy().trim().is_empty() {
        let told = run_problem(&RunProblem::NoProgram, words).one_line(words);
        let _ = writeln!(err, "{told}");
        return exit::RUN_FAILED;
    }
    let entries = kit(command, options, LOG_NAME);
    let files = guard_files(command, options);
    if let Some(folder) = &args.output
        && let Err(error) = save_guard(folder, files)
    {
        let said = system_said(&error.to_string(), words);
        let told = words.with("cli-kit-not-saved", &[("said", Arg::Text(&said))]);
        let _ = writeln!(err, "{told}\n  {}", folder.display());
        return exit::RUN_FAILED;
    }
    let text = if as_json {
        object(&entries, files, words)
    } else {
        human(&entries, files, args.output.as_deref(), words)
    };
    super::answer(&text, exit::NOTHING_WRONG, words, out, err)
}

/// The command as it is run elsewhere: a script alone is run by the Python that is found there.
fn command(words: Vec<OsString>) -> RunCommand {
    let mut words = words.into_iter().peekable();
    let is_script = words.peek().is_some_and(|first| {
        let extension = Path::new(first).extension();
        extension.is_some_and(|extension| extension.eq_ignore_ascii_case("py"))
    });
    let program = if is_script {
        Some(OsString::from("python"))
    } else {
        words.next()
    };
    RunCommand {
        program: program.unwrap_or_default(),
        arguments: words.collect(),
        ..RunCommand::default()
    }
}

fn object(entries: &[KitEntry], files: &[&str], words: Words) -> String {
    let entries: Vec<Value> = entries
        .iter()
        .map(|entry| {
            let texts = kit_texts(entry, words);
            json!({
                "shell": entry.shell.id(),
                "name": texts.name,
                "hint": texts.hint,
                "text": entry.text,
                "log_name": entry.log_name,
                "problem": texts.problem,
            })
        })
        .collect();
    let object = json!({
        "schema": "assert-doctor/kit/1",
        "language": words.language.tag(),
        "log_name": LOG_NAME,
        "guard_files": files,
        "entries": entries,
    });
    serde_json::to_string_pretty(&object).unwrap_or_default()
}

fn human(entries: &[KitEntry], files: &[&str], saved: Option<&Path>, words: Words) -> String {
    let mut out = String::new();
    let _ = writeln!(out, "{}\n", words.text("kit-title"));
    for sentence in kit_intro(LOG_NAME, files, words) {
        super::human::paragraph(&mut out, "", &sentence);
    }
    if !files.is_empty() {
        let list = files.join(", ");
        let list = ("files", Arg::Text(&list));
        let told = match saved {
            Some(folder) => {
                let folder = crate::case::shown(&folder.to_string_lossy());
                words.with("cli-kit-saved", &[list, ("folder", Arg::Text(&folder))])
            }
            None => words.with("cli-kit-get-guard", &[list]),
        };
        super::human::paragraph(&mut out, "", &told);
    }
    for entry in entries {
        let texts = kit_texts(entry, words);
        let _ = writeln!(out, "\n{}", texts.name);
        super::human::paragraph(
            &mut out,
            "  ",
            texts.problem.as_ref().unwrap_or(&texts.hint),
        );
        if !entry.text.is_empty() {
            out.push('\n');
        }
        // At the margin: what is copied must not bring blanks along.
        out.push_str(&entry.text);
    }
    let _ = writeln!(out);
    let then = words.with("kit-then-diagnose", &[("log", Arg::Text(LOG_NAME))]);
    super::human::paragraph(&mut out, "", &then);
    out.truncate(out.trim_end().len());
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::Language;

    #[track_caller]
    fn said(as_json: bool, language: Language) -> String {
        let mut args = RunArgs::default();
        args.command.push("train.py".into());
        args.set("guard");
        let (mut out, mut err) = (Vec::new(), Vec::new());
        let code = run(args, as_json, Words::new(language), &mut out, &mut err);
        assert_eq!((code, err.len()), (exit::NOTHING_WRONG, 0));
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn all_shells_are_printed() {
        for language in Language::ALL {
            let text = said(false, language);
            for piece in [
                "PowerShell",
                "set -o pipefail",
                "#SBATCH",
                "cmd /d /v:off",
                "Jupyter",
                "assert_doctor_guard.py",
                "--output",
            ] {
                assert!(text.contains(piece), "{piece}\n{text}");
            }
        }
    }

    #[test]
    fn json_has_every_shell() {
        let object: Value = serde_json::from_str(&said(true, Language::En)).unwrap();
        assert_eq!(object["schema"], "assert-doctor/kit/1");
        assert_eq!(object["entries"].as_array().map(Vec::len), Some(5));
        assert_eq!(object["guard_files"], json!(["assert_doctor_guard.py"]));
    }
}
