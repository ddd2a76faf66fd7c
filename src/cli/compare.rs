//! `assert-doctor-cli compare FIRST SECOND`: is the crash of the first run gone in the second?

use std::fmt::Write as _;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use serde_json::{Value, json};

use super::{exit, human};
use crate::case::{self, Case, Input, OpenWhat, Origin, Run, shown};
use crate::compare::{Comparison, Proof, Side, compare};
use crate::crash_log::Facts;
use crate::diagnosis::{self, Diagnosis};
use crate::inputs::{Format, InputError, InputKind};
use crate::words::{ComparisonTexts, SignText, Words, comparison, input_problem};

/// One side as it was read.
struct Read {
    path: PathBuf,
    facts: Facts,
    diagnosis: Diagnosis,
    run: Option<Run>,
    digest: Option<u64>,
}

impl Read {
    fn side(&self) -> Side<'_> {
        Side {
            facts: &self.facts,
            diagnosis: &self.diagnosis,
            run: self.run.as_ref().map(Run::side),
            digest: self.digest,
        }
    }
}

pub(super) fn run(
    paths: &[PathBuf; 2],
    as_json: bool,
    words: Words,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> u8 {
    let [first, second] = paths;
    let read = (read(first, words, err), read(second, words, err));
    let (Some(first), Some(second)) = read else {
        return exit::UNUSABLE;
    };
    let told = compare(&first.side(), &second.side());
    let texts = comparison(&told, words);
    let text = if as_json {
        object(&first, &second, &told, &texts, words)
    } else {
        human_text(&texts, words)
    };
    let code = if told.proof == Proof::Proved {
        exit::NOTHING_WRONG
    } else {
        exit::WRONG
    };
    super::answer(&text, code, words, out, err)
}

/// Reads a log, a run's folder, or the case of a run whose log is gone; complaints go to `err`.
fn read(path: &Path, words: Words, err: &mut dyn Write) -> Option<Read> {
    let never = AtomicBool::new(false);
    let what = OpenWhat::Paths(vec![path.to_owned()]);
    let mut case = case::open(&what, &never, &mut |_| {});
    let Some(log) = case.primary_log() else {
        // What a folder lacks may be the very lines that say how the run went; the case that was named says it alone.
        let is_case = path.file_name().is_some_and(|name| name == "case.json");
        return if crate::inputs::is_run_folder(path) || (is_run_file(path) && !is_case) {
            complain_of_all(&case, words, err);
            None
        } else {
            read_case(path, &case, words, err)
        };
    };
    // Of what was not read to its end nothing can be proved.
    if complain_of_all(&case, words, err) {
        return None;
    }
    let run = case.run_of_log(log).cloned();
    let log = case.logs.swap_remove(log);
    Some(Read {
        path: path.to_owned(),
        facts: log.facts,
        diagnosis: log.diagnosis,
        run,
        digest: log.digest,
    })
}

/// Without a log the case itself may hold what it said.
fn read_case(path: &Path, opened: &Case, words: Words, err: &mut dyn Write) -> Option<Read> {
    match case::run_case(path) {
        Ok(ended) => Some(Read {
            path: path.to_owned(),
            diagnosis: diagnosis::diagnose(&ended.facts),
            facts: ended.facts,
            run: Some(Run {
                log: 0,
                folder: path.to_owned(),
                record: ended.run,
                status: None,
                ending: Some(ended.ending),
            }),
            digest: None,
        }),
        Err(error) => {
            let told = complain_of_all(opened, words, err);
            // What was taken for data is no log; what is no case of a run says so, too.
            if !told {
                let error = match error {
                    InputError::NewerRecord { .. } => error,
                    _ => InputError::NotALog,
                };
                let kind = opened.inputs.first().map(|input| input.kind);
                let input = Input {
                    origin: Origin::Path(path.to_owned()),
                    kind: kind.unwrap_or(InputKind::Unknown),
                    format: Format::Plain,
                    error: Some(error),
                };
                complain(&input, words, err);
            }
            None
        }
    }
}

fn is_run_file(path: &Path) -> bool {
    path.parent().is_some_and(crate::inputs::is_run_folder)
}

/// Tells what is wrong with what was read; whether there was anything.
fn complain_of_all(case: &Case, words: Words, err: &mut dyn Write) -> bool {
    let mut told = false;
    for input in &case.inputs {
        told |= complain(input, words, err);
    }
    told
}

fn complain(input: &Input, words: Words, err: &mut dyn Write) -> bool {
    let Some(error) = &input.error else {
        return false;
    };
    // Nothing can be done about a closed standard error.
    let _ = writeln!(
        err,
        "{}",
        input_problem(input, error, words).one_line(words)
    );
    true
}

fn human_text(texts: &ComparisonTexts, words: Words) -> String {
    let mut out = String::new();
    let _ = writeln!(out, "{}\n", texts.title);
    human::paragraph(&mut out, "", &texts.sentence);
    out.push('\n');
    let labels = texts.rows.iter().map(|row| human::columns(&row.label));
    let column = labels.max().unwrap_or(0) + 2;
    let mut before = "";
    for row in &texts.rows {
        // Rows of one kind share their label.
        let label = if row.label == before { "" } else { &row.label };
        before = &row.label;
        human::labelled(&mut out, label, column, &row.text);
    }
    let _ = writeln!(out, "\n{}", words.text("cli-compare-signs"));
    for sign in &texts.signs {
        let tick = tick(sign);
        human::paragraph(&mut out, &format!("  {tick} "), &sign.line());
    }
    if !texts.caveats.is_empty() {
        let _ = writeln!(out, "\n{}", words.text("cli-remarks"));
        for caveat in &texts.caveats {
            human::paragraph(&mut out, "  - ", caveat);
        }
    }
    out.truncate(out.trim_end().len());
    out
}

/// Every terminal can show these.
fn tick(sign: &SignText) -> &'static str {
    use crate::compare::SignState as S;
    match sign.state {
        S::Seen => "[x]",
        S::NotYet => "[ ]",
        S::Broken => "[!]",
        S::Unknown => "[?]",
    }
}

fn object(
    first: &Read,
    second: &Read,
    told: &Comparison,
    texts: &ComparisonTexts,
    words: Words,
) -> String {
    let side = |read: &Read, reached: &crate::compare::Reached| {
        let run = read.run.as_ref();
        let failure = read.diagnosis.causes.first();
        json!({
            "path": shown(&read.path.to_string_lossy()),
            "cause": failure.map(|cause| cause.id),
            "certainty": failure.map(|cause| cause.certainty),
            "run": run.map(|run| json!({ "id": run.record.id, "options": run.record.options, "ending": run.ending })),
            "progress": reached.progress,
            "batches": reached.batches,
            "elapsed_ms": reached.elapsed_ms,
            "ended_by_itself": reached.ended_by_itself,
        })
    };
    let signs: Vec<Value> = texts
        .signs
        .iter()
        .map(|sign| {
            json!({
                "id": sign.id,
                "state": sign.state,
                "needed": sign.needed,
                "text": sign.text,
                "state_text": sign.state_word,
            })
        })
        .collect();
    let rows: Vec<Value> = texts
        .rows
        .iter()
        .map(|row| json!({ "kind": row.kind, "label": row.label, "text": row.text, "line": row.line }))
        .collect();
    let missing: Vec<_> = told.missing().map(|sign| sign.id).collect();
    let object = json!({
        "schema": "assert-doctor/compare/1",
        "language": words.language.tag(),
        "first": side(first, &told.first),
        "second": side(second, &told.second),
        "proof": told.proof,
        "missing": missing,
        "passed": told.passed,
        "same_check": told.same_check,
        "new": told.new,
        "changed": told.changed,
        "caveats": told.caveats,
        "rates": [told.rates.0, told.rates.1],
        "rates_differ_by": told.rates_differ_by,
        "signs": signs,
        "title": texts.title,
        "sentence": texts.sentence,
        "rows": rows,
        "remarks": texts.caveats,
    });
    serde_json::to_string_pretty(&object).unwrap_or_default()
}
