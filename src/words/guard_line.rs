//! A line of the guard in words: the line itself is for programs.

use serde_json::Value;

use super::language::{Arg, Words};

/// What stands before each of its lines.
const MARK: &str = "[assert-doctor] ";

/// The line in words; `None` where it is none of those that are told, and is shown as it is.
pub fn guard_line(line: &str, words: Words) -> Option<String> {
    let (_, json) = line.split_once(MARK)?;
    let value: Value = serde_json::from_str(json.trim_end()).ok()?;
    match value.get("event")?.as_str()? {
        "start" => {
            let torch = value.get("torch").and_then(Value::as_str);
            let torch = [("version", Arg::Text(torch.unwrap_or_default()))];
            Some(words.with("rerun-guard-start", &torch))
        }
        "violation" => {
            let said = value.get("message")?.as_str()?;
            let operation = value.get("op")?.as_str()?;
            Some(format!("{operation}: {said}"))
        }
        "summary" => {
            let operations = value.get("ops")?.as_object()?;
            let parts: Vec<String> = operations
                .iter()
                .take(6)
                .filter_map(|(name, counted)| {
                    let count = counted.get("values")?.as_u64()?;
                    let values = words.with("rerun-guard-values", &[("count", Arg::Number(count))]);
                    let (min, max) = (number(counted.get("min")), number(counted.get("max")));
                    Some(match min.zip(max) {
                        Some((min, max)) => format!("{name}: {values}, {min}–{max}"),
                        None => format!("{name}: {values}"),
                    })
                })
                .collect();
            (!parts.is_empty()).then(|| parts.join(" · "))
        }
        "memory" => {
            let name = value.get("name").and_then(Value::as_str);
            let gib = |at: &str| {
                let bytes = value.get(at)?.get("allocated")?.as_u64()?;
                Some(format!("{:.1}", bytes as f64 / f64::from(1 << 30)))
            };
            let (before, after) = (gib("before")?, gib("after")?);
            Some(format!(
                "{}: {before} → {after} GiB",
                name.unwrap_or("memory")
            ))
        }
        _ => None,
    }
}

/// A number, or one of the words for what is none.
fn number(value: Option<&Value>) -> Option<String> {
    match value? {
        Value::Number(number) => Some(number.to_string()),
        Value::String(text) => Some(text.clone()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::Language;

    #[track_caller]
    fn check(json: &str, expected: Option<&str>) {
        let line = format!("[rank0]: {MARK}{json}");
        let said = guard_line(&line, Words::new(Language::En));
        assert_eq!(said.as_deref(), expected, "{json}");
    }

    #[test]
    fn lines_are_told_in_words() {
        check(
            r#"{"guard":1,"event":"start","torch":"2.15.0"}"#,
            Some("The guard watches, PyTorch 2.15.0"),
        );
        check(
            r#"{"event":"summary","ops":{"cross_entropy":{"calls":24,"values":3192,"min":0,"max":13},"embedding":{"values":1}}}"#,
            Some("cross_entropy: 3,192 values, 0–13 · embedding: 1 value"),
        );
        check(
            r#"{"event":"violation","op":"embedding","message":"input[0] is 10, allowed is 0 to 9."}"#,
            Some("embedding: input[0] is 10, allowed is 0 to 9."),
        );
        check(
            r#"{"event":"memory","name":"step","before":{"allocated":1073741824},"after":{"allocated":2147483648}}"#,
            Some("step: 1.0 → 2.0 GiB"),
        );
        for other in [
            "{}",
            "[",
            r#"{"event":"summary","ops":{}}"#,
            r#"{"event":7}"#,
        ] {
            check(other, None);
        }
    }
}
