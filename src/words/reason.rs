//! Why a line or a box is bad, in the reader's language: readers say it in a few English words of a fixed form.

use super::language::{Arg, Words};

/// The forms, each with the id of its text (`finding-why-{id}`). A slot in braces takes any text; the first form that fits is used.
const FORMS: [(&str, &str); 37] = [
    ("ends-early", "EOF while parsing {a}"),
    ("no-key", "key must be a string"),
    ("comma", "trailing comma"),
    ("more-text", "trailing characters"),
    ("no-value", "expected value"),
    ("no-value", "expected ident"),
    ("separator", "expected `{a}` or `{b}`"),
    ("separator", "expected `{a}`"),
    ("control", "control character {a}"),
    ("escape", "invalid escape"),
    ("number", "invalid number"),
    ("deep", "nested too deep"),
    ("python", "{a} is not JSON (key {b})"),
    ("long", "longer than {a}"),
    ("quote", "a quote that is never closed"),
    ("no-cell", "no cell in column {a}"),
    ("cells", "{a} cells instead of {b}"),
    ("classes", "{a} of {b} classes"),
    ("no-label", "no label behind the path"),
    ("no-object", "no annotation object"),
    ("category", "a category with the id {a}"),
    ("no-name", "an object without a name"),
    ("fields", "{a} fields"),
    ("no-class", "class {a} is no number"),
    ("no-number", "{a} is no number"),
    ("width", "width {a}"),
    ("height", "height {a}"),
    ("field", "{a} in field {b} is outside 0..1"),
    ("no-coordinate", "{a} in field {b} is no coordinate"),
    ("beyond", "{a} outside {b}"),
    ("sides", "xmin {a} and xmax {b}"),
    ("tops", "ymin {a} and ymax {b}"),
    ("begins", "begins at {a}, {b}"),
    ("ends", "ends at {a} in a picture of {b}"),
    ("nc", "nc: {a} is no number of classes"),
    ("names", "names: numbers {a} to {b} instead of 0, 1, 2"),
    ("not-text", "not a text"),
];

/// A reason in words; one of another form as it is.
pub(super) fn reason(why: &str, words: Words) -> String {
    for (id, form) in FORMS {
        if let Some((a, b)) = slots(why, form) {
            // A count chooses the plural.
            let a = match a.parse() {
                Ok(count) if id == "fields" => Arg::Number(count),
                _ => Arg::Text(a),
            };
            let args = [("a", a), ("b", Arg::Text(b))];
            return words.with(&format!("finding-why-{id}"), &args);
        }
    }
    why.to_owned()
}

/// What stands in the slots of a form.
fn slots<'w>(why: &'w str, form: &str) -> Option<(&'w str, &'w str)> {
    let Some((before, rest)) = form.split_once("{a}") else {
        return (why == form).then_some(("", ""));
    };
    let why = why.strip_prefix(before)?;
    let Some((between, end)) = rest.split_once("{b}") else {
        let a = why.strip_suffix(rest)?;
        return (!a.is_empty()).then_some((a, ""));
    };
    let why = why.strip_suffix(end)?;
    let (a, b) = why.split_once(between)?;
    (!a.is_empty() && !b.is_empty()).then_some((a, b))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::Language;

    #[track_caller]
    fn check(why: &str, en: &str, zh: &str) {
        assert_eq!(reason(why, Words::new(Language::En)), en);
        assert_eq!(reason(why, Words::new(Language::ZhCn)), zh);
    }

    #[test]
    fn reasons_are_told_in_the_language() {
        check("trailing comma", "a comma too many", "多了一个逗号");
        check(
            "EOF while parsing an object",
            "it ends too early",
            "内容提前结束",
        );
        check(
            "expected `,` or `}`",
            "a comma or bracket is missing",
            "缺少逗号或括号",
        );
        check(
            "5 cells instead of 2",
            "5 cells instead of 2",
            "有 5 个单元格，应为 2 个",
        );
        check(
            "NaN is not JSON (key bbox)",
            "NaN is not JSON (key bbox)",
            "NaN 不是合法的 JSON（键 bbox）",
        );
        check(
            "[700, 10, 20, 20] outside 640 x 480",
            "[700, 10, 20, 20] outside 640 x 480",
            "[700, 10, 20, 20] 在 640 x 480 的图片之外",
        );
        check(
            "1.5 in field 2 is outside 0..1",
            "1.5 in field 2 is outside 0..1",
            "第 2 个字段为 1.5，超出 0–1",
        );
        check("1 fields", "one field", "有 1 个字段");
        check("4 fields", "4 fields", "有 4 个字段");
        check(
            "ends at 700, 10 in a picture of 640 × 480",
            "ends at 700, 10 in a picture of 640 × 480",
            "终点 700, 10 在 640 × 480 的图片之外",
        );
        check("something else", "something else", "something else");
    }

    #[test]
    fn every_form_has_its_text() {
        for language in Language::ALL {
            for (id, _) in FORMS {
                assert!(
                    Words::new(language).has(&format!("finding-why-{id}")),
                    "{id}"
                );
            }
        }
    }
}
