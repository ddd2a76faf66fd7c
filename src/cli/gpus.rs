//! `assert-doctor-cli gpus`: the GPUs of this machine, and whether one of them computes correctly.
//!
//! Ctrl+C ends the check of a GPU as it ends any check: nothing is written, so nothing is left behind.

use std::fmt::Write as _;
use std::io::{IsTerminal as _, Write};
use std::sync::atomic::AtomicBool;

use serde_json::{Map, Value, json};

use super::args::{Fault, Source};
use super::check::no_gpu;
use super::check_args::CheckArgs;
use super::human::paragraph;
use super::{device_json, exit};
use crate::case::shown;
use crate::range_check::{self, DeviceChoice, GpuError, GpuInfo, GpuKind, Health};
use crate::words::{Arg, Words, gpu_kind, gpu_name, gpu_problem, health_texts};

/// What `gpus` was told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct GpusArgs {
    /// Check one, too.
    pub health: bool,
    /// Measure one, too.
    pub measure: bool,
    /// Which; `None`: the best that works.
    pub number: Option<usize>,
}

impl GpusArgs {
    /// From the options that `check` knows, too.
    pub(super) fn of(
        (health, measure): (bool, bool),
        check: &CheckArgs,
        sources: &[Source],
    ) -> Result<Self, Fault> {
        if let Some(option) = check.first_but_device() {
            return Err(Fault::OnlyCheck(option.to_owned()));
        }
        if let Some(source) = sources.first() {
            let path = source
                .path()
                .map(|path| path.to_string_lossy().into_owned());
            return Err(Fault::NoPathHere(path.unwrap_or_else(|| "-".to_owned())));
        }
        let number = match check.named_device() {
            Some(_) if !health && !measure => return Err(Fault::NeedsHealth),
            Some(DeviceChoice::Cpu) => return Err(Fault::NotCpu),
            Some(DeviceChoice::Gpu(number)) => number,
            Some(DeviceChoice::Auto) | None => None,
        };
        Ok(Self {
            health,
            measure,
            number,
        })
    }
}

pub(super) fn run(
    args: GpusArgs,
    as_json: bool,
    words: Words,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> u8 {
    if args.measure {
        return super::gpus_measured::run(args.number, as_json, words, out, err);
    }
    if !args.health {
        let gpus = range_check::gpus();
        let text = if as_json {
            object(&gpus, None, words)
        } else {
            list(&gpus, words)
        };
        return super::answer(&text, exit::NOTHING_WRONG, words, out, err);
    }
    let never = AtomicBool::new(false);
    let mut progress = Progress::new(words, std::io::stderr().is_terminal());
    let health = range_check::health(args.number, &never, &mut |part| progress.tell(part, err));
    progress.clear(err);
    let health = match health {
        Ok(health) => health,
        Err(error) => return no_gpu(&error, "cli-gpus-instead", words, err),
    };
    let text = if as_json {
        object(&range_check::gpus(), Some(&health), words)
    } else {
        result(&health, words)
    };
    let code = if health.is_sound() {
        exit::NOTHING_WRONG
    } else {
        exit::WRONG
    };
    super::answer(&text, code, words, out, err)
}

/// The one that `--device auto` takes.
fn auto(gpus: &[GpuInfo]) -> Option<&GpuInfo> {
    gpus.iter().find(|gpu| gpu.kind != GpuKind::Software)
}

fn list(gpus: &[GpuInfo], words: Words) -> String {
    let mut out = String::new();
    if gpus.is_empty() {
        let told = if cfg!(feature = "gpu-check") {
            words.text("cli-gpus-none")
        } else {
            gpu_problem(&GpuError::NotBuilt, words).one_line(words)
        };
        paragraph(&mut out, "", &told);
        return out.trim_end().to_owned();
    }
    let width = gpus.len().to_string().len();
    for gpu in gpus {
        let mut parts = vec![gpu_name(gpu, words)];
        if gpu.kind != GpuKind::Software {
            parts.push(gpu_kind(gpu.kind, words));
        }
        if !gpu.driver.trim().is_empty() {
            let driver = shown(gpu.driver.trim());
            parts.push(words.with("cli-gpus-driver", &[("driver", Arg::Text(&driver))]));
        }
        let _ = writeln!(out, "{:>width$}  {}", gpu.number, parts.join(" · "));
    }
    out.push('\n');
    let told = match auto(gpus) {
        Some(gpu) => words.with(
            "cli-gpus-auto",
            &[("number", Arg::Number(gpu.number as u64))],
        ),
        None => words.text("cli-gpus-no-auto"),
    };
    paragraph(&mut out, "", &told);
    out.trim_end().to_owned()
}

fn result(health: &Health, words: Words) -> String {
    let texts = health_texts(health, words);
    let mut out = String::new();
    paragraph(&mut out, "", &texts.headline);
    paragraph(&mut out, "", &texts.text);
    for row in &texts.rows {
        paragraph(&mut out, "  - ", row);
    }
    out.push('\n');
    paragraph(&mut out, "", &texts.what);
    out.trim_end().to_owned()
}

/// `gpus --json`: one object, `assert-doctor/gpus/1`, documented in CONTRIBUTING.md.
fn object(gpus: &[GpuInfo], health: Option<&Health>, words: Words) -> String {
    let mut object = Map::new();
    object.insert("schema".into(), json!("assert-doctor/gpus/1"));
    object.insert("language".into(), json!(words.language.tag()));
    let all: Vec<Value> = gpus.iter().map(device_json::gpu).collect();
    object.insert("gpus".into(), json!(all));
    let auto = auto(gpus).map(|gpu| gpu.number);
    object.insert("auto".into(), json!(auto));
    let health = health.map(|health| health_object(health, words));
    object.insert("health".into(), json!(health));
    serde_json::to_string_pretty(&Value::Object(object)).unwrap_or_default()
}

fn health_object(health: &Health, words: Words) -> Value {
    let texts = health_texts(health, words);
    let types: Vec<Value> = health
        .types
        .iter()
        .map(|kind| {
            let differs = kind.differs.as_ref().map(
                |differs| json!({ "field": differs.field, "cpu": differs.cpu, "gpu": differs.gpu }),
            );
            json!({
                "type": kind.element.name(),
                "values": kind.values,
                "differs": differs,
            })
        })
        .collect();
    let failed = health
        .failed
        .as_ref()
        .map(|error| device_json::reason(error, words));
    json!({
        "gpu": device_json::gpu(&health.gpu),
        "sound": texts.sound,
        "headline": texts.headline,
        "text": texts.text,
        "rows": texts.rows,
        "types": types,
        "copied": health.copied,
        "changed": health.changed,
        "failed": failed,
        "skipped": device_json::skipped(&health.skipped, words),
        "elapsed_s": health.elapsed.as_micros() as f64 / 1e6,
    })
}

/// How far a check is, on one line of a terminal that goes again.
struct Progress {
    words: Words,
    shown: bool,
    percent: Option<u64>,
    columns: usize,
}

impl Progress {
    fn new(words: Words, shown: bool) -> Self {
        Self {
            words,
            shown,
            percent: None,
            columns: 0,
        }
    }

    fn tell(&mut self, part: f32, err: &mut dyn Write) {
        let percent = (part.clamp(0.0, 1.0) * 100.0) as u64;
        if !self.shown || self.percent == Some(percent) {
            return;
        }
        self.percent = Some(percent);
        let text = self
            .words
            .with("cli-gpus-progress", &[("percent", Arg::Number(percent))]);
        // A Chinese character takes two columns.
        self.columns = text.chars().map(|c| 1 + usize::from(!c.is_ascii())).sum();
        let _ = write!(err, "\r{text}");
        let _ = err.flush();
    }

    fn clear(&self, err: &mut dyn Write) {
        if self.columns > 0 {
            let _ = write!(err, "\r{:width$}\r", "", width = self.columns);
            let _ = err.flush();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::range_check::{Difference, ElementType, GpuBackend, TypeHealth};
    use crate::words::Language;

    const EN: Words = Words {
        language: Language::En,
    };

    fn gpu(number: usize, name: &str, kind: GpuKind, driver: &str) -> GpuInfo {
        GpuInfo {
            number,
            name: name.to_owned(),
            kind,
            backend: GpuBackend::Vulkan,
            driver: driver.to_owned(),
        }
    }

    #[test]
    fn the_list_says_which_auto_takes() {
        let card = gpu(1, "GeForce", GpuKind::Discrete, "NVIDIA 560.35");
        let soft = gpu(2, "llvmpipe", GpuKind::Software, "");
        assert_eq!(
            list(&[card, soft.clone()], EN),
            "1  GeForce (Vulkan) · graphics card · driver NVIDIA 560.35\n\
             2  llvmpipe (Vulkan, software)\n\n\
             --device auto takes number 1 for large arrays, where it proves faster than the CPU."
        );
        let told = list(&[soft], EN);
        assert!(told.contains("takes none of these"), "{told}");
        let none = if cfg!(feature = "gpu-check") {
            "No GPU was found"
        } else {
            "This program was built without"
        };
        assert!(list(&[], EN).starts_with(none));
    }

    #[test]
    fn a_check_is_told_whole() {
        let health = Health {
            gpu: gpu(1, "GeForce", GpuKind::Discrete, ""),
            skipped: Vec::new(),
            types: vec![TypeHealth {
                element: ElementType::F64,
                values: 1_000,
                differs: Some(Difference {
                    field: "nan",
                    cpu: "3".to_owned(),
                    gpu: "0".to_owned(),
                }),
            }],
            copied: 8_000,
            changed: 0,
            elapsed: Duration::from_millis(1_500),
            failed: None,
            cancelled: false,
        };
        let told = result(&health, EN);
        assert!(told.starts_with("The GPU computed wrongly"), "{told}");
        assert!(
            told.contains("\n  - float64, nan: CPU 3, GPU 0\n"),
            "{told}"
        );
        let object: Value = serde_json::from_str(&object(&[], Some(&health), EN)).unwrap();
        assert_eq!(object["schema"], "assert-doctor/gpus/1");
        assert_eq!(object["auto"], Value::Null);
        assert_eq!(object["health"]["sound"], false);
        assert_eq!(
            object["health"]["types"],
            json!([{ "type": "float64", "values": 1_000, "differs": { "field": "nan", "cpu": "3", "gpu": "0" } }])
        );
    }

    #[test]
    fn progress_stays_on_one_line_and_goes_again() {
        let mut err = Vec::new();
        let mut progress = Progress::new(EN, true);
        for part in [0.0, 0.001, 0.5, 2.0] {
            progress.tell(part, &mut err);
        }
        progress.clear(&mut err);
        let said = String::from_utf8(err).unwrap();
        let lines: Vec<_> = said.split('\r').map(str::trim).collect();
        let told = |percent: u64| format!("Checking the GPU: {percent} %");
        assert_eq!(lines, ["", &told(0), &told(50), &told(100), "", ""]);
        let mut silent = Vec::new();
        let mut progress = Progress::new(EN, false);
        progress.tell(0.5, &mut silent);
        progress.clear(&mut silent);
        assert!(silent.is_empty());
    }
}
