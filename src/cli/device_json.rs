//! GPUs, and who checked, in JSON; documented in CONTRIBUTING.md.

use serde_json::{Map, Value, json};

use crate::range_check::{
    DeviceChoice, DeviceUse, DeviceWhy, GpuBackend, GpuError, GpuInfo, GpuKind,
};
use crate::words::{Words, device_use, gpu_reason, gpu_reason_id};

/// Who checked what, and why.
pub(super) fn used(used: &DeviceUse, words: Words) -> Value {
    let rates = used
        .rates
        .map(|rates| json!({ "gpu": rates.gpu, "cpu": rates.cpu }));
    let fell_back = used.fell_back.as_ref().map(|error| reason(error, words));
    json!({
        "choice": choice(used.choice),
        "gpu": used.gpu.as_ref().map(gpu),
        "gpu_bytes": used.gpu_bytes,
        "cpu_bytes": used.cpu_bytes,
        "why": why(&used.why, words),
        "text": device_use(used, words).text,
        "rates": rates,
        "skipped": skipped(&used.skipped, words),
        "fell_back": fell_back,
    })
}

/// One adapter.
pub(super) fn gpu(gpu: &GpuInfo) -> Value {
    json!({
        "number": gpu.number,
        "name": gpu.name,
        "kind": match gpu.kind {
            GpuKind::Discrete => "discrete",
            GpuKind::Integrated => "integrated",
            GpuKind::Virtual => "virtual",
            GpuKind::Unknown => "unknown",
            GpuKind::Software => "software",
        },
        "backend": match gpu.backend {
            GpuBackend::Vulkan => "vulkan",
            GpuBackend::Dx12 => "dx12",
            GpuBackend::Metal => "metal",
            GpuBackend::Other => "other",
        },
        "driver": gpu.driver,
    })
}

/// Adapters that could not be used.
pub(super) fn skipped(skipped: &[(GpuInfo, GpuError)], words: Words) -> Value {
    let one = |(adapter, error): &(GpuInfo, GpuError)| json!({ "gpu": gpu(adapter), "error": reason(error, words) });
    skipped.iter().map(one).collect()
}

/// Why a GPU did not check.
pub(super) fn reason(error: &GpuError, words: Words) -> Value {
    json!({ "id": gpu_reason_id(error), "text": gpu_reason(error, words) })
}

/// As on the command line.
fn choice(choice: DeviceChoice) -> String {
    match choice {
        DeviceChoice::Auto => "auto".to_owned(),
        DeviceChoice::Cpu => "cpu".to_owned(),
        DeviceChoice::Gpu(None) => "gpu".to_owned(),
        DeviceChoice::Gpu(Some(number)) => format!("gpu:{number}"),
    }
}

fn why(why: &DeviceWhy, words: Words) -> Value {
    let id = match why {
        DeviceWhy::Asked => "asked",
        DeviceWhy::NothingLarge { .. } => "nothing-large",
        DeviceWhy::Measured => "measured",
        DeviceWhy::DoneBefore => "done-before",
        DeviceWhy::NoGpu => "no-gpu",
        DeviceWhy::Failed(_) => "failed",
        DeviceWhy::Busy => "busy",
        DeviceWhy::OtherOrder => "other-order",
    };
    let mut object = Map::new();
    object.insert("id".into(), json!(id));
    match why {
        DeviceWhy::NothingLarge { least } => {
            object.insert("least".into(), json!(least));
        }
        DeviceWhy::Failed(error) => {
            object.insert("error".into(), reason(error, words));
        }
        _ => {}
    }
    Value::Object(object)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::range_check::Rates;
    use crate::words::Language;

    #[test]
    fn who_checked_is_told_to_programs() {
        let card = GpuInfo {
            number: 2,
            name: "Radeon".to_owned(),
            kind: GpuKind::Integrated,
            backend: GpuBackend::Dx12,
            driver: String::new(),
        };
        let told = used(
            &DeviceUse {
                choice: DeviceChoice::Gpu(Some(2)),
                gpu: Some(card.clone()),
                skipped: vec![(card, GpuError::NoCompute)],
                gpu_bytes: 5,
                cpu_bytes: 3,
                why: DeviceWhy::NothingLarge { least: 9 },
                rates: Some(Rates { gpu: 2.0, cpu: 1.0 }),
                fell_back: Some(GpuError::TimedOut),
            },
            Words::new(Language::En),
        );
        let radeon = json!({
            "number": 2, "name": "Radeon", "kind": "integrated", "backend": "dx12", "driver": "",
        });
        assert_eq!(told["choice"], "gpu:2");
        assert_eq!(told["gpu"], radeon);
        assert_eq!(told["why"], json!({ "id": "nothing-large", "least": 9 }));
        assert_eq!(told["rates"], json!({ "gpu": 2.0, "cpu": 1.0 }));
        assert_eq!(told["skipped"][0]["gpu"], radeon);
        assert_eq!(told["skipped"][0]["error"]["id"], "no-compute");
        assert_eq!(told["fell_back"]["id"], "timed-out");
        assert_eq!(
            (&told["gpu_bytes"], &told["cpu_bytes"]),
            (&json!(5), &json!(3))
        );
        assert!(
            told["text"]
                .as_str()
                .is_some_and(|text| text.starts_with("Begun on Radeon"))
        );
    }
}
