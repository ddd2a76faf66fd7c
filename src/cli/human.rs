//! The verdict as text for a terminal.

use std::fmt::Write as _;

use crate::case::Case;
use crate::check::Checked;
use crate::words::{Arg, RowKind, Span, SpanStyle, Verdict, Words, verdict};

/// Columns for running text: terminals are seldom narrower.
const WIDTH: usize = 96;

/// The whole answer: the primary log's verdict, then the others in a line each.
pub(super) fn text(case: &Case, primary: usize, words: Words) -> String {
    let mut out = String::new();
    let several = case.logs.len() > 1;
    for (at, log) in case
        .logs
        .iter()
        .enumerate()
        .filter(|(at, _)| *at == primary)
    {
        let verdict = verdict(log, words);
        if several {
            let _ = writeln!(out, "{}", case.name_of_log(at));
        }
        out.push_str(&one(&verdict, case.data.as_ref(), words));
    }
    if case.data.is_none()
        && case
            .logs
            .get(primary)
            .is_some_and(|log| log.diagnosis.looks_at_values())
    {
        let log = crate::case::shown(&case.path_of_log(primary));
        out.push('\n');
        let told = words.with("cli-give-data", &[("log", Arg::Text(&log))]);
        paragraph(&mut out, "", &told);
    }
    if several {
        let _ = writeln!(out, "\n{}", words.text("cli-other-logs"));
        for (at, log) in case
            .logs
            .iter()
            .enumerate()
            .filter(|(at, _)| *at != primary)
        {
            let name = case.name_of_log(at);
            let _ = writeln!(out, "  {name}: {}", verdict(log, words).title);
        }
    }
    out.truncate(out.trim_end().len());
    out
}

fn one(verdict: &Verdict, data: Option<&Checked>, words: Words) -> String {
    let mut out = String::new();
    let _ = writeln!(out, "{}", verdict.title);
    let _ = writeln!(
        out,
        "{} {} · {}\n",
        verdict.certainty_dots(),
        verdict.certainty_word,
        verdict.certainty_reason
    );
    paragraph(&mut out, "", &verdict.sentence);

    if !verdict.rows.is_empty() {
        out.push('\n');
    }
    let labels = verdict.rows.iter().map(|row| columns(&row.label));
    let column = labels
        .chain([columns(&words.text("cli-next"))])
        .max()
        .unwrap_or(0)
        + 2;
    for row in &verdict.rows {
        let mut text = joined(&row.spans, row.kind);
        if let Some(line) = &row.line {
            let _ = write!(text, "  [{}]", line.text);
        }
        labelled(&mut out, &row.label, column, &text);
    }
    out.push('\n');
    labelled(&mut out, &words.text("cli-next"), column, &verdict.next);
    if let Some(restart) = &verdict.restart {
        paragraph(&mut out, "", restart);
    }

    // What was found in the user's own data comes before what usually helps.
    if let Some(data) = data {
        let _ = writeln!(out, "\n{}", words.text("cli-data"));
        for line in super::check_human::text(data, words).lines() {
            let _ = writeln!(out, "{}", format!("  {line}").trim_end());
        }
    }
    if let Some(check) = &verdict.check {
        let _ = writeln!(out, "\n{}", check.caption);
        for line in check.code.lines() {
            let _ = writeln!(out, "    {line}");
        }
    }
    list(&mut out, &words.text("cli-fixes"), &verdict.fixes);
    let others: Vec<String> = verdict
        .others
        .iter()
        .map(|other| other.text.clone())
        .collect();
    list(&mut out, &words.text("cli-others"), &others);
    let remarks: Vec<String> = verdict
        .remarks
        .iter()
        .map(|remark| match &remark.line {
            Some(line) => format!("{} [{}]", remark.text, line.text),
            None => remark.text.clone(),
        })
        .collect();
    list(&mut out, &words.text("cli-remarks"), &remarks);
    out
}

fn joined(spans: &[Span], kind: RowKind) -> String {
    let mut text = String::new();
    for span in spans {
        // A reason that goes on after a code span begins with its own punctuation.
        let glued =
            span.text.starts_with([',', '，', '：', '（', '是']) && kind == RowKind::NotTheCulprit;
        if !text.is_empty() && !glued {
            text.push_str(if span.style == SpanStyle::Weak {
                "  "
            } else {
                " "
            });
        }
        text.push_str(&span.text);
    }
    text
}

fn list(out: &mut String, heading: &str, items: &[String]) {
    if items.is_empty() {
        return;
    }
    let _ = writeln!(out, "\n{heading}");
    for item in items {
        paragraph(out, "  - ", item);
    }
}

pub(super) fn labelled(out: &mut String, label: &str, column: usize, text: &str) {
    let fill = column.saturating_sub(columns(label));
    let first = format!("{label}{}", " ".repeat(fill));
    wrapped(out, &first, column, text);
}

pub(super) fn paragraph(out: &mut String, bullet: &str, text: &str) {
    wrapped(out, bullet, bullet.chars().count(), text);
}

/// Writes a text broken between words, and anywhere between Chinese characters, later lines indented.
pub(super) fn wrapped(out: &mut String, first: &str, indent: usize, text: &str) {
    out.push_str(first);
    let mut at = indent;
    let mut fresh = true;
    for piece in pieces(text) {
        let width = columns(piece.trim_end());
        if !fresh && at + width > WIDTH {
            out.truncate(out.trim_end().len());
            out.push('\n');
            out.push_str(&" ".repeat(indent));
            at = indent;
        }
        out.push_str(piece);
        at += columns(piece);
        fresh = false;
    }
    out.truncate(out.trim_end().len());
    out.push('\n');
}

/// Cuts where a line may break: after blanks and around wide characters, never before closing punctuation.
fn pieces(text: &str) -> Vec<&str> {
    let mut out = Vec::new();
    let mut from = 0;
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let end = at + c.len_utf8();
        let next = chars.peek().map(|&(_, n)| n);
        let closing = next.is_some_and(|n| "，。：；！？、）】”’》".contains(n));
        let opening = "（【“‘《".contains(c);
        let wide = is_wide(c) || next.is_some_and(is_wide);
        if (c == ' ' && next != Some(' ')) || (wide && !closing && !opening && c != ' ') {
            out.push(text.get(from..end).unwrap_or_default());
            from = end;
        }
    }
    out.push(text.get(from..).unwrap_or_default());
    out
}

pub(super) fn columns(text: &str) -> usize {
    text.chars().map(|c| if is_wide(c) { 2 } else { 1 }).sum()
}

/// Characters that take two columns: Chinese and full-width forms.
fn is_wide(c: char) -> bool {
    matches!(c, '\u{1100}'..='\u{115f}' | '\u{2e80}'..='\u{a4cf}' | '\u{ac00}'..='\u{d7a3}' | '\u{f900}'..='\u{faff}' | '\u{fe30}'..='\u{fe6f}' | '\u{ff00}'..='\u{ff60}' | '\u{ffe0}'..='\u{ffe6}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_are_broken_in_both_languages() {
        let text = "损失函数把掩码的每个像素当作类别编号。".repeat(6);
        let mut out = String::new();
        wrapped(&mut out, "数据  ", 6, &text);
        assert!(out.lines().count() > 1);
        for line in out.lines() {
            assert!(columns(line) <= WIDTH + 2, "{line}");
            assert!(!line.trim_start().starts_with('。'), "{line}");
        }
        let joined: String = out.lines().map(str::trim).collect();
        assert_eq!(joined, format!("数据  {text}"));
    }
}
