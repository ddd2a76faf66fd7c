//! Who checked and why, why a GPU could not, and what the check of a GPU found: in words.

use super::language::{Arg, Words};
use super::problem::Problem;
use crate::case::shown;
use crate::range_check::{
    DeviceChoice, DeviceUse, DeviceWhy, GpuBackend, GpuError, GpuInfo, GpuKind, Health,
};

/// Who checked, in words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DeviceTexts {
    /// "Checked on the GPU: Radeon 780M (Vulkan), 3.1 times as fast as this CPU on this data".
    pub text: String,
    /// Why so, in a few words, for a line that says already where; `None` where the user chose it.
    pub short: Option<String>,
    /// The GPU checked most of it, to its end.
    pub on_gpu: bool,
    /// Adapters that could not be used, each with its reason.
    pub remarks: Vec<String>,
    /// It is something that nobody would take for granted; otherwise it need not be said unasked.
    pub tells: bool,
}

/// What a check of a GPU found, in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HealthTexts {
    /// The result in one sentence.
    pub headline: String,
    /// What it means, and what it cannot show.
    pub text: String,
    /// What differs, one a row; adapters that could not be used.
    pub rows: Vec<String>,
    /// Which GPU, how much, how long.
    pub what: String,
    /// Every answer was right.
    pub sound: bool,
}

/// A GPU by name and interface: one card may be listed once for each of them. Software is never passed off as a card.
pub fn gpu_name(gpu: &GpuInfo, words: Words) -> String {
    let interface = match gpu.backend {
        GpuBackend::Other => words.text("device-interface-other"),
        known => known.name().to_owned(),
    };
    let id = if gpu.kind == GpuKind::Software {
        "device-gpu-software"
    } else {
        "device-gpu"
    };
    words.with(
        id,
        &[
            ("name", Arg::Text(&shown(&gpu.name))),
            ("interface", Arg::Text(&interface)),
        ],
    )
}

/// What kind of adapter.
pub fn gpu_kind(kind: GpuKind, words: Words) -> String {
    words.text(match kind {
        GpuKind::Discrete => "device-kind-discrete",
        GpuKind::Integrated => "device-kind-integrated",
        GpuKind::Virtual => "device-kind-virtual",
        GpuKind::Unknown => "device-kind-unknown",
        GpuKind::Software => "device-kind-software",
    })
}

/// What can be chosen, by name; a GPU that is not listed by its number.
pub fn device_choice(choice: DeviceChoice, gpus: &[GpuInfo], words: Words) -> String {
    match choice {
        DeviceChoice::Auto => words.text("device-auto"),
        DeviceChoice::Cpu => words.text("device-cpu-name"),
        DeviceChoice::Gpu(None) => "GPU".to_owned(),
        DeviceChoice::Gpu(Some(number)) => {
            let Some(gpu) = gpus.iter().find(|gpu| gpu.number == number) else {
                return format!("GPU {number}");
            };
            // The interface is said only where the name alone is not enough.
            let same = gpus.iter().filter(|other| other.name == gpu.name);
            if same.count() > 1 {
                gpu_name(gpu, words)
            } else {
                shown(&gpu.name)
            }
        }
    }
}

/// A size in bytes: in binary units where it is a whole number of them.
pub fn size_text(bytes: u64) -> String {
    let (units, step) = if bytes > 0 && bytes.is_multiple_of(1 << 20) {
        (["MiB", "GiB"], 1024.0)
    } else {
        (["MB", "GB"], 1000.0)
    };
    let [small, large] = units;
    let count = bytes as f64 / (step * step);
    if count < step {
        format!("{} {small}", short_number(count))
    } else {
        format!("{} {large}", short_number(count / step))
    }
}

/// With one decimal below 10, unless that is 0.
fn short_number(n: f64) -> String {
    let text = if n < 9.95 {
        format!("{n:.1}")
    } else {
        format!("{n:.0}")
    };
    text.strip_suffix(".0").map_or(text.clone(), str::to_owned)
}

/// The id of a reason, in texts and in JSON.
pub fn gpu_reason_id(error: &GpuError) -> &'static str {
    match error {
        GpuError::NotBuilt => "not-built",
        GpuError::NoGpu => "no-gpu",
        GpuError::NoSuchGpu(_) => "no-such-gpu",
        GpuError::NoCompute => "no-compute",
        GpuError::Refused(_) => "refused",
        GpuError::OutOfMemory => "out-of-memory",
        GpuError::Lost(_) => "lost",
        GpuError::TimedOut => "timed-out",
        GpuError::Inconsistent => "inconsistent",
        GpuError::Rejected(_) => "rejected",
    }
}

/// Why a GPU does not check, as part of a sentence.
pub fn gpu_reason(error: &GpuError, words: Words) -> String {
    about(error, "gpu-reason-", "", words)
}

/// Why no GPU checks, and what can be done.
pub fn gpu_problem(error: &GpuError, words: Words) -> Problem {
    Problem {
        heading: about(error, "gpu-error-", "", words),
        text: about(error, "gpu-error-", "-do", words),
        path: None,
    }
}

fn about(error: &GpuError, before: &str, after: &str, words: Words) -> String {
    let id = format!("{before}{}{after}", gpu_reason_id(error));
    match error {
        GpuError::NoSuchGpu(number) => words.with(&id, &[("number", Arg::Number(*number as u64))]),
        GpuError::Refused(said) | GpuError::Lost(said) | GpuError::Rejected(said) => {
            // A driver's own words end as they like; the sentence around them ends itself.
            let said = shown(said.trim().trim_end_matches('.'));
            words.with(&id, &[("said", Arg::Text(&said))])
        }
        _ => words.text(&id),
    }
}

/// Says who checked, and why.
pub fn device_use(used: &DeviceUse, words: Words) -> DeviceTexts {
    let remarks = used
        .skipped
        .iter()
        .map(|(gpu, error)| {
            words.with(
                "device-skipped",
                &[
                    ("gpu", Arg::Text(&gpu_name(gpu, words))),
                    ("reason", Arg::Text(&gpu_reason(error, words))),
                ],
            )
        })
        .collect();
    let gpu = used
        .gpu
        .as_ref()
        .map_or_else(|| words.text("device-some-gpu"), |gpu| gpu_name(gpu, words));
    if let Some(error) = &used.fell_back {
        let args = [
            ("gpu", Arg::Text(gpu.as_str())),
            ("reason", Arg::Text(&gpu_reason(error, words))),
        ];
        return DeviceTexts {
            text: words.with("device-fell-back", &args),
            short: Some(words.text("device-short-fell-back")),
            on_gpu: false,
            remarks,
            tells: true,
        };
    }
    // Both measure a part; the rest went to the faster one.
    let on_gpu = match (&used.why, used.rates) {
        (DeviceWhy::Measured, Some(rates)) => used.is_gpu() && rates.gpu > rates.cpu,
        _ => used.gpu_bytes > used.cpu_bytes,
    };
    let why = reason_of(used, on_gpu, &gpu, words);
    let shown_gpu = ("gpu", Arg::Text(gpu.as_str()));
    let text = match (&why, on_gpu) {
        (Some((why, _)), true) => {
            words.with("device-on-gpu-why", &[shown_gpu, ("why", Arg::Text(why))])
        }
        (None, true) => words.with("device-on-gpu", &[shown_gpu]),
        (Some((why, _)), false) => words.with("device-on-cpu-why", &[("why", Arg::Text(why))]),
        (None, false) => words.text("device-on-cpu"),
    };
    DeviceTexts {
        text,
        short: why.map(|(_, short)| short),
        on_gpu,
        tells: tells(used) || !used.skipped.is_empty(),
        remarks,
    }
}

/// Whether somebody who looks at the answer would want to know who checked.
fn tells(used: &DeviceUse) -> bool {
    if used.is_gpu() {
        return true;
    }
    match used.choice {
        DeviceChoice::Gpu(_) => true,
        DeviceChoice::Cpu => false,
        DeviceChoice::Auto => match used.why {
            DeviceWhy::Asked => false,
            // All together they were not as large: nobody would have thought of a GPU.
            DeviceWhy::NothingLarge { least } => used.cpu_bytes >= least,
            _ => used.cpu_bytes > 0,
        },
    }
}

/// The reason, as part of a sentence and in a few words; `None` where the user said so.
fn reason_of(used: &DeviceUse, on_gpu: bool, gpu: &str, words: Words) -> Option<(String, String)> {
    let both = |id: &str, args: &[(&str, Arg<'_>)]| {
        let long = words.with(&format!("device-why-{id}"), args);
        Some((long, words.with(&format!("device-short-{id}"), args)))
    };
    let gpu = ("gpu", Arg::Text(gpu));
    if used.choice == DeviceChoice::Cpu {
        return None;
    }
    if used.gpu_bytes == 0 && used.cpu_bytes == 0 {
        return both("no-array", &[]);
    }
    match &used.why {
        DeviceWhy::Asked => None,
        DeviceWhy::NothingLarge { least } => {
            both("nothing-large", &[("size", Arg::Text(&size_text(*least)))])
        }
        DeviceWhy::Measured => {
            let ratio = used.rates.map(|rates| {
                if on_gpu {
                    rates.gpu / rates.cpu
                } else {
                    rates.cpu / rates.gpu
                }
            });
            // "1.0 times as fast" would say nothing.
            let ratio = ratio.filter(|ratio| ratio.is_finite() && *ratio >= 1.05);
            let times = ratio.map(short_number).unwrap_or_default();
            let args = [gpu, ("times", Arg::Text(&times))];
            match (on_gpu, ratio) {
                (true, Some(_)) => both("faster", &args),
                (true, None) => None,
                (false, Some(_)) => both("measured", &args),
                (false, None) => both("not-faster", &args),
            }
        }
        DeviceWhy::DoneBefore => both("done-before", &[]),
        DeviceWhy::NoGpu => both("no-gpu", &[]),
        DeviceWhy::Failed(error) => {
            let reason = gpu_reason(error, words);
            both("failed", &[("reason", Arg::Text(&reason))])
        }
        DeviceWhy::Busy => both("busy", &[]),
        DeviceWhy::OtherOrder => both("other-order", &[]),
    }
}

/// Says what a check of a GPU found.
pub fn health_texts(health: &Health, words: Words) -> HealthTexts {
    let values: u64 = health.types.iter().map(|kind| kind.values).sum();
    // A type that a check broke off at was begun, not compared.
    let types = health.types.iter().filter(|kind| kind.values > 0).count() as u64;
    let differ = health.types.iter().filter(|kind| kind.differs.is_some());
    let differ = differ.count() as u64;
    let bytes = [
        ("changed", Arg::Number(health.changed)),
        ("copied", Arg::Number(health.copied)),
    ];
    let counts = [
        ("types", Arg::Number(types)),
        ("values", Arg::Number(values)),
        ("differ", Arg::Number(differ)),
    ];
    let mut rows: Vec<String> = health
        .types
        .iter()
        .filter_map(|kind| {
            let differs = kind.differs.as_ref()?;
            Some(words.with(
                "health-difference",
                &[
                    ("type", Arg::Text(kind.element.name())),
                    ("field", Arg::Text(differs.field)),
                    ("cpu", Arg::Text(&differs.cpu)),
                    ("gpu", Arg::Text(&differs.gpu)),
                ],
            ))
        })
        .collect();
    let broke = |reason: String| words.with("health-broke", &[("reason", Arg::Text(&reason))]);
    let so_far = || words.with("health-broke-text", &counts);
    let wrong = || words.text("health-wrong-text");
    let (headline, text) = if differ > 0 {
        // The headline tells of one thing only.
        if health.changed > 0 {
            rows.push(words.with("health-difference-bytes", &bytes));
        }
        (words.with("health-differs", &counts), wrong())
    } else if health.changed > 0 {
        (words.with("health-changed", &bytes), wrong())
    } else if health.failed == Some(GpuError::Inconsistent) {
        (words.text("health-inconsistent"), wrong())
    } else if let Some(error) = &health.failed {
        (broke(gpu_reason(error, words)), so_far())
    } else if health.cancelled {
        (words.text("health-stopped"), so_far())
    } else if health.gpu.kind == GpuKind::Software {
        let text = words.text("health-software-text");
        (words.with("health-sound-software", &counts), text)
    } else {
        let text = words.text("health-sound-text");
        (words.with("health-sound", &counts), text)
    };
    if let Some(error) = health
        .failed
        .as_ref()
        .filter(|_| !rows.is_empty() || health.changed > 0)
    {
        rows.push(broke(gpu_reason(error, words)));
    }
    for (gpu, error) in &health.skipped {
        rows.push(words.with(
            "device-skipped",
            &[
                ("gpu", Arg::Text(&gpu_name(gpu, words))),
                ("reason", Arg::Text(&gpu_reason(error, words))),
            ],
        ));
    }
    let seconds = short_number(health.elapsed.as_secs_f64());
    let what = words.with(
        "health-what",
        &[
            ("gpu", Arg::Text(&gpu_name(&health.gpu, words))),
            ("values", Arg::Number(values)),
            ("copied", Arg::Text(&size_text(health.copied))),
            ("seconds", Arg::Text(&seconds)),
        ],
    );
    HealthTexts {
        headline,
        text,
        rows,
        what,
        sound: health.is_sound(),
    }
}

#[cfg(test)]
mod tests;
