//! `assert-doctor-cli gpus --measure`: how fast a GPU is, apart from the reading of files. For benches and bug reports.

use std::fmt::Write as _;
use std::io::Write;

use serde_json::{Map, Value, json};

use super::check::no_gpu;
use super::{device_json, exit};
use crate::range_check::{self, Measured};
use crate::words::{Arg, Words, gpu_name};

pub(super) fn run(
    number: Option<usize>,
    as_json: bool,
    words: Words,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> u8 {
    let measured = match range_check::measure(number) {
        Ok(measured) => measured,
        Err(error) => return no_gpu(&error, "cli-gpus-instead", words, err),
    };
    let text = if as_json {
        object(&measured, words)
    } else {
        lines(&measured, words)
    };
    super::answer(&text, exit::NOTHING_WRONG, words, out, err)
}

/// Bytes a second in GB/s, three digits.
fn shown(rate: f64) -> String {
    let rate = rate / 1e9;
    match rate {
        100.0.. => format!("{rate:.0}"),
        10.0.. => format!("{rate:.1}"),
        _ => format!("{rate:.2}"),
    }
}

fn lines(measured: &Measured, words: Words) -> String {
    let mut out = String::new();
    let name = gpu_name(&measured.gpu, words);
    let seconds = format!("{:.2}", measured.start.as_secs_f64());
    let named = [("gpu", Arg::Text(&name)), ("seconds", Arg::Text(&seconds))];
    let _ = writeln!(out, "{}", words.with("cli-measured-gpu", &named));
    for (id, rate) in [
        ("cli-measured-copy", measured.copy),
        ("cli-measured-upload", measured.upload),
    ] {
        let rate = shown(rate);
        let _ = writeln!(out, "  {}", words.with(id, &[("rate", Arg::Text(&rate))]));
    }
    for (element, rate) in &measured.kernels {
        let (shown, share) = (shown(*rate), format!("{:.0}", 100.0 * rate / measured.copy));
        let args = [
            ("type", Arg::Text(element.name())),
            ("rate", Arg::Text(&shown)),
            ("share", Arg::Text(&share)),
        ];
        let _ = writeln!(out, "  {}", words.with("cli-measured-kernel", &args));
    }
    out.trim_end().to_owned()
}

/// `assert-doctor/gpu-speed/1`, documented in CONTRIBUTING.md. Rates in bytes a second.
fn object(measured: &Measured, words: Words) -> String {
    let mut kernels = Map::new();
    for (element, rate) in &measured.kernels {
        kernels.insert(element.name().to_owned(), json!(rate));
    }
    let object: Value = json!({
        "schema": "assert-doctor/gpu-speed/1",
        "language": words.language.tag(),
        "gpu": device_json::gpu(&measured.gpu),
        "start_s": measured.start.as_secs_f64(),
        "size": measured.size,
        "copy": measured.copy,
        "upload": measured.upload,
        "kernels": kernels,
    });
    serde_json::to_string_pretty(&object).unwrap_or_default()
}
