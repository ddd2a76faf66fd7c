//! One cell of a text: a number in any of its spellings, a name, or nothing.

use super::text::trim;
use crate::range_check::Number;

/// What a cell holds.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Cell<'a> {
    /// No value.
    Missing,
    /// A number and how it was written.
    Number(Number, Form),
    /// Anything else.
    Name(&'a [u8]),
}

/// How a number was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// As an integer, or as a fraction.
    Plain,
    /// A whole number as a float: `3.0`, `1e0`.
    Float,
    /// A whole number in another way: `+1`, `007`, `1,0`, `True`, `"2"`.
    Odd,
}

/// How to read cells.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Reading<'a> {
    /// Names of classes: one of them is a name even where it looks like a missing value.
    pub names: &'a [String],
    /// A comma separates cells, so that one inside a number separates thousands.
    pub comma_separates: bool,
    /// `nan` is a value, not a missing one (model outputs).
    pub nan_is_value: bool,
}

/// What pandas turns into NaN.
const MISSING: [&str; 19] = [
    "", "#N/A", "#N/A N/A", "#NA", "-1.#IND", "-1.#QNAN", "-NaN", "-nan", "1.#IND", "1.#QNAN",
    "<NA>", "N/A", "NA", "NULL", "NaN", "None", "n/a", "nan", "null",
];

/// From here on a double does not hold every whole number.
pub(super) const EXACT: f64 = 9_007_199_254_740_992.0;

/// Reads a cell.
pub(super) fn parse<'a>(bytes: &'a [u8], how: Reading<'_>) -> Cell<'a> {
    let cell = trim(bytes);
    if let Some(n) = plain(cell) {
        return Cell::Number(n.into(), Form::Plain);
    }
    let Ok(text) = std::str::from_utf8(cell) else {
        return Cell::Name(cell);
    };
    if how.nan_is_value && text.trim_start_matches('-').eq_ignore_ascii_case("nan") {
        return Cell::Number(f64::NAN.into(), Form::Plain);
    }
    if MISSING.contains(&text) {
        return if !text.is_empty() && how.names.iter().any(|n| n == text) {
            Cell::Name(cell)
        } else {
            Cell::Missing
        };
    }
    match number(text, how) {
        Some((value, form)) if !is_word(text) || !how.names.iter().any(|n| n == text) => {
            Cell::Number(value, form)
        }
        _ => Cell::Name(cell),
    }
}

/// An integer as every program writes it, at most 18 digits: nearly all cells.
fn plain(cell: &[u8]) -> Option<i64> {
    let (negative, digits) = match cell {
        [b'-', rest @ ..] => (true, rest),
        _ => (false, cell),
    };
    let fits = matches!(digits, [b'0'] | [b'1'..=b'9', ..]) && digits.len() <= 18;
    if !fits {
        return None;
    }
    let mut n = 0_i64;
    for digit in digits {
        if !digit.is_ascii_digit() {
            return None;
        }
        n = n * 10 + i64::from(digit - b'0');
    }
    Some(if negative { -n } else { n })
}

/// A number that is written with letters.
fn is_word(text: &str) -> bool {
    text.trim_start_matches(['+', '-'])
        .starts_with(|c: char| c.is_ascii_alphabetic())
}

/// A number in any spelling.
pub(super) fn number(text: &str, how: Reading<'_>) -> Option<(Number, Form)> {
    match text {
        "True" | "TRUE" | "true" => return Some((1.into(), Form::Odd)),
        "False" | "FALSE" | "false" => return Some((0.into(), Form::Odd)),
        _ => {}
    }
    let unsigned = text.trim_start_matches(['+', '-']);
    if text.len() - unsigned.len() > 1 {
        return None;
    }
    if unsigned.bytes().all(|b| b.is_ascii_digit()) && !unsigned.is_empty() {
        let form = if text.starts_with('+') || (unsigned.len() > 1 && unsigned.starts_with('0')) {
            Form::Odd
        } else {
            Form::Plain
        };
        return match text.parse::<i128>() {
            Ok(n) => Some((n.into(), form)),
            // More digits than any integer type has.
            Err(_) => Some((text.parse::<f64>().ok()?.into(), form)),
        };
    }
    if unsigned.contains(',') {
        return with_comma(text, unsigned, how);
    }
    let begins_as_one = unsigned.starts_with(|c: char| c.is_ascii_digit() || c == '.');
    let infinite =
        unsigned.eq_ignore_ascii_case("inf") || unsigned.eq_ignore_ascii_case("infinity");
    if !begins_as_one && !infinite {
        return None;
    }
    let value = Number::from(text.parse::<f64>().ok()?);
    Some((value, whole(value, Form::Float)))
}

/// The form of a number that was not written as an integer.
fn whole(value: Number, form: Form) -> Form {
    if value.as_int().is_some() {
        form
    } else {
        Form::Plain
    }
}

/// `1,0` is a decimal comma; `1,204` between commas separates thousands.
fn with_comma(text: &str, unsigned: &str, how: Reading<'_>) -> Option<(Number, Form)> {
    let mut groups = unsigned.split(',');
    let first = groups.next()?;
    let rest: Vec<&str> = groups.collect();
    let digits = |s: &str| !s.is_empty() && s.bytes().all(|b| b.is_ascii_digit());
    if !digits(first) {
        return None;
    }
    let thousands = rest.iter().all(|g| digits(g) && g.len() == 3)
        && first.len() <= 3
        && !first.starts_with('0');
    if thousands && (how.comma_separates || rest.len() > 1) {
        let value = Number::from(text.replace(',', "").parse::<i128>().ok()?);
        return Some((value, Form::Odd));
    }
    match rest.as_slice() {
        [decimals] if digits(decimals) => {
            let value = Number::from(text.replace(',', ".").parse::<f64>().ok()?);
            Some((value, whole(value, Form::Odd)))
        }
        _ => None,
    }
}

/// The numbers of a list that was written into one cell, as pandas writes one, `[1, 2, 3]` or `[1 2 3]`, or without brackets:
/// `1 2 3`, `1|2|3`, `1;2;3`.
pub(super) fn list(cell: &[u8]) -> Option<Vec<Number>> {
    let text = std::str::from_utf8(trim(cell)).ok()?;
    if let Some(mark) = ['|', ';', ' ']
        .into_iter()
        .find(|mark| text.contains(*mark))
    {
        let parts = || {
            text.split(mark)
                .map(str::trim)
                .filter(|part| !part.is_empty())
        };
        let whole: Option<Vec<Number>> = parts()
            .map(|part| part.parse::<i64>().ok().map(Number::from))
            .collect();
        if let Some(whole) = whole.filter(|whole| whole.len() > 1) {
            return Some(whole);
        }
    }
    let inner = text.strip_prefix('[')?.strip_suffix(']')?;
    inner
        .split([',', ' ', '\n', '[', ']'])
        .filter(|part| !part.is_empty())
        .map(|part| number(part, Reading::default()).map(|(value, _)| value))
        .collect()
}

/// Several labels in one quoted cell of a table that commas separate: `0,16`. Groups of three digits are thousands, and `1,0` is 1.
pub(super) fn between_commas(cell: &[u8]) -> Option<Vec<Number>> {
    let text = std::str::from_utf8(trim(cell)).ok()?;
    let (_, rest) = text.split_once(',')?;
    let thousands = rest.split(',').all(|group| group.trim().len() == 3);
    if thousands || rest.bytes().all(|b| b == b'0') {
        return None;
    }
    text.split(',')
        .map(|part| part.trim().parse::<i64>().ok().map(Number::from))
        .collect()
}

/// Whether digits were lost when a number became a float.
pub(super) fn lost_digits(value: Number, form: Form) -> bool {
    form == Form::Float && value.as_f64().abs() >= EXACT && value.as_f64().is_finite()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(cell: &str, expected: &Cell<'_>) {
        assert_eq!(
            &parse(cell.as_bytes(), Reading::default()),
            expected,
            "{cell:?}"
        );
    }

    fn int(n: i64, form: Form) -> Cell<'static> {
        Cell::Number(n.into(), form)
    }

    #[test]
    fn spellings() {
        for (cell, n, form) in [
            ("3", 3, Form::Plain),
            ("-100", -100, Form::Plain),
            (" 2 ", 2, Form::Plain),
            ("\x002\0", 2, Form::Plain),
            ("999999999999999999", 999_999_999_999_999_999, Form::Plain),
            ("9223372036854775807", i64::MAX, Form::Plain),
            ("+1", 1, Form::Odd),
            ("007", 7, Form::Odd),
            ("-01", -1, Form::Odd),
            ("3.0", 3, Form::Float),
            ("3.", 3, Form::Float),
            ("1e0", 1, Form::Float),
            ("-1.0e2", -100, Form::Float),
            ("1,0", 1, Form::Odd),
            ("1,234,567", 1_234_567, Form::Odd),
            ("True", 1, Form::Odd),
            ("FALSE", 0, Form::Odd),
        ] {
            check(cell, &int(n, form));
        }
        check("0.5", &Cell::Number(0.5.into(), Form::Plain));
        check("-0,5", &Cell::Number((-0.5).into(), Form::Plain));
        check("1e400", &Cell::Number(f64::INFINITY.into(), Form::Plain));
        check("-inf", &Cell::Number(f64::NEG_INFINITY.into(), Form::Plain));
    }

    #[test]
    fn names_and_missing() {
        for cell in [
            "", "  ", "\0\0", "NA", "N/A", "NaN", "nan", "null", "None", "#N/A",
        ] {
            check(cell, &Cell::Missing);
        }
        for cell in [
            "cat", "1 5", "--1", "0x10", "1-2", "infant", "e5", "1,a", ",5", ".",
        ] {
            check(cell, &Cell::Name(cell.as_bytes()));
        }
    }

    #[test]
    fn a_class_of_that_name_is_a_name() {
        let names = ["N/A".to_owned(), "True".to_owned()];
        let how = Reading {
            names: &names,
            ..Reading::default()
        };
        assert_eq!(parse(b"N/A", how), Cell::Name(b"N/A"));
        assert_eq!(parse(b"True", how), Cell::Name(b"True"));
        assert_eq!(parse(b"NA", how), Cell::Missing);
    }

    #[test]
    fn thousands_between_commas() {
        let how = Reading {
            comma_separates: true,
            ..Reading::default()
        };
        assert_eq!(parse(b"1,204", how), int(1204, Form::Odd));
        assert_eq!(
            parse(b"1,204", Reading::default()),
            Cell::Number(1.204.into(), Form::Plain)
        );
    }

    #[test]
    fn labels_between_commas() {
        for (text, expected) in [
            ("0,16", Some(vec![0.into(), 16.into()])),
            ("1, 2, 3", Some(vec![1.into(), 2.into(), 3.into()])),
            ("1,204", None),
            ("1,0", None),
            ("0,5a", None),
            ("a,b", None),
            ("7", None),
        ] {
            assert_eq!(between_commas(text.as_bytes()), expected, "{text}");
        }
    }

    #[test]
    fn lists_in_a_cell() {
        assert_eq!(
            list(b"[1, -100,3]"),
            Some(vec![1.into(), (-100).into(), 3.into()])
        );
        assert_eq!(list(b"[]"), Some(vec![]));
        assert_eq!(list(b"[a]"), None);
        assert_eq!(list(b"0 16"), Some(vec![0.into(), 16.into()]));
        assert_eq!(list(b"0|16"), Some(vec![0.into(), 16.into()]));
        assert_eq!(list(b"-1; 2"), Some(vec![(-1).into(), 2.into()]));
        for text in ["0 a", "3", "a|b", "1.5 2", "", "|"] {
            assert_eq!(list(text.as_bytes()), None, "{text}");
        }
    }
}
