use std::time::Duration;

use super::*;
use crate::range_check::{Difference, ElementType, Rates, TypeHealth};
use crate::words::Language;

const EN: Words = Words {
    language: Language::En,
};
const ZH: Words = Words {
    language: Language::ZhCn,
};

fn gpu(number: usize, name: &str, backend: GpuBackend) -> GpuInfo {
    GpuInfo {
        number,
        name: name.to_owned(),
        kind: GpuKind::Discrete,
        backend,
        driver: "560.35".to_owned(),
    }
}

fn rtx() -> GpuInfo {
    gpu(1, "NVIDIA GeForce RTX 4070", GpuBackend::Vulkan)
}

fn on_gpu(gpu: f64, cpu: f64) -> DeviceUse {
    DeviceUse {
        gpu: Some(rtx()),
        gpu_bytes: 900 << 20,
        cpu_bytes: 100 << 20,
        why: DeviceWhy::Measured,
        rates: Some(Rates { gpu, cpu }),
        ..DeviceUse::default()
    }
}

fn by_cpu(why: DeviceWhy) -> DeviceUse {
    DeviceUse {
        cpu_bytes: 1 << 30,
        why,
        ..DeviceUse::default()
    }
}

#[track_caller]
fn says(used: &DeviceUse, en: &str, zh: &str, tells: bool) {
    let told = device_use(used, EN);
    assert_eq!((told.text.as_str(), told.tells), (en, tells));
    assert_eq!(device_use(used, ZH).text, zh);
}

#[test]
fn who_checked_is_said_with_the_reason() {
    says(
        &on_gpu(6.2e9, 2e9),
        "Checked on the GPU: NVIDIA GeForce RTX 4070 (Vulkan), 3.1 times as fast as this CPU on this data",
        "用 GPU 检查：NVIDIA GeForce RTX 4070 (Vulkan)，在这些数据上速度是这个 CPU 的 3.1 倍",
        true,
    );
    says(
        &DeviceUse {
            choice: DeviceChoice::Gpu(None),
            why: DeviceWhy::Asked,
            ..on_gpu(1.0, 1.0)
        },
        "Checked on the GPU: NVIDIA GeForce RTX 4070 (Vulkan)",
        "用 GPU 检查：NVIDIA GeForce RTX 4070 (Vulkan)",
        true,
    );
    says(
        &by_cpu(DeviceWhy::NothingLarge { least: 256 << 20 }),
        "Checked by the CPU: no array was as large as 256 MiB",
        "用 CPU 检查：没有达到 256 MiB 的数组",
        true,
    );
    says(
        &DeviceUse {
            gpu: Some(rtx()),
            rates: Some(Rates { gpu: 1e9, cpu: 4e9 }),
            ..by_cpu(DeviceWhy::Measured)
        },
        "Checked by the CPU: 4 times as fast as NVIDIA GeForce RTX 4070 (Vulkan) on this data",
        "用 CPU 检查：在这些数据上速度是 NVIDIA GeForce RTX 4070 (Vulkan) 的 4 倍",
        true,
    );
    says(
        &by_cpu(DeviceWhy::Failed(GpuError::Refused(
            "no memory.".to_owned(),
        ))),
        "Checked by the CPU: no GPU could be used (the driver did not open it: no memory)",
        "用 CPU 检查：没有可用的 GPU（驱动没有打开它：no memory）",
        true,
    );
}

#[test]
fn no_ratio_is_said_where_both_are_as_fast() {
    for used in [on_gpu(1.0, 0.99), on_gpu(1.0, 0.0)] {
        let told = device_use(&used, EN);
        assert_eq!(
            told.text,
            "Checked on the GPU: NVIDIA GeForce RTX 4070 (Vulkan)"
        );
    }
}

#[test]
fn a_gpu_that_fails_in_the_middle_is_told_before_anything_else() {
    let used = DeviceUse {
        fell_back: Some(GpuError::TimedOut),
        ..on_gpu(6.2e9, 2e9)
    };
    says(
        &used,
        "Begun on NVIDIA GeForce RTX 4070 (Vulkan), which failed (it did not answer in time); the CPU finished. Nothing was lost or counted twice.",
        "开始时用 NVIDIA GeForce RTX 4070 (Vulkan)，但它中途失败（它没有及时响应），由 CPU 完成。没有遗漏，也没有重复计数。",
        true,
    );
}

#[test]
fn what_anybody_expects_need_not_be_said() {
    let text_only = DeviceUse {
        why: DeviceWhy::NothingLarge { least: 256 << 20 },
        ..DeviceUse::default()
    };
    says(
        &text_only,
        "Checked by the CPU: there was no array that a GPU could check",
        "用 CPU 检查：没有可由 GPU 检查的数组",
        false,
    );
    let small = DeviceUse {
        cpu_bytes: 1 << 20,
        ..text_only.clone()
    };
    assert!(!device_use(&small, EN).tells);
    let by_choice = DeviceUse {
        choice: DeviceChoice::Cpu,
        ..by_cpu(DeviceWhy::Asked)
    };
    says(&by_choice, "Checked by the CPU", "用 CPU 检查", false);
    let asked_for = DeviceUse {
        choice: DeviceChoice::Gpu(None),
        ..text_only
    };
    assert!(device_use(&asked_for, EN).tells);
}

#[test]
fn adapters_that_were_skipped_are_named() {
    let used = DeviceUse {
        skipped: vec![(
            gpu(1, "Radeon\u{1b}[2J 780M", GpuBackend::Dx12),
            GpuError::NoCompute,
        )],
        ..by_cpu(DeviceWhy::NothingLarge { least: u64::MAX })
    };
    let told = device_use(&used, EN);
    assert!(told.tells);
    assert_eq!(
        told.remarks,
        ["Radeon\u{fffd}[2J 780M (DirectX 12) was not used: it does not run the checks"]
    );
}

#[test]
fn every_reason_has_words_of_its_own() {
    let said = || "x".to_owned();
    let errors = [
        GpuError::NotBuilt,
        GpuError::NoGpu,
        GpuError::NoSuchGpu(7),
        GpuError::NoCompute,
        GpuError::Refused(said()),
        GpuError::OutOfMemory,
        GpuError::Lost(said()),
        GpuError::TimedOut,
        GpuError::Inconsistent,
        GpuError::Rejected(said()),
    ];
    for words in [EN, ZH] {
        let mut all = std::collections::BTreeSet::new();
        for error in &errors {
            let problem = gpu_problem(error, words);
            let reason = gpu_reason(error, words);
            assert!(!reason.contains("gpu-reason"), "{reason}");
            assert!(!problem.text.contains("gpu-error"), "{}", problem.text);
            assert!(all.insert(problem.heading), "{error:?}");
            assert!(all.insert(problem.text), "{error:?}");
        }
    }
    for why in [
        DeviceWhy::DoneBefore,
        DeviceWhy::NoGpu,
        DeviceWhy::Busy,
        DeviceWhy::OtherOrder,
        DeviceWhy::Measured,
        DeviceWhy::Failed(GpuError::TimedOut),
        DeviceWhy::NothingLarge { least: 1 },
    ] {
        for words in [EN, ZH] {
            let told = device_use(&by_cpu(why.clone()), words);
            let short = told.short.unwrap_or_default();
            for text in [&told.text, &short] {
                assert!(!text.is_empty() && !text.contains("device-"), "{text}");
            }
            assert!(told.tells, "{why:?}");
        }
    }
}

#[test]
fn a_gpu_is_chosen_by_name_and_interface_only_where_names_repeat() {
    let gpus = [
        rtx(),
        gpu(2, "NVIDIA GeForce RTX 4070", GpuBackend::Dx12),
        gpu(3, "Intel UHD 770", GpuBackend::Vulkan),
    ];
    for (choice, expected) in [
        (DeviceChoice::Auto, "Automatic"),
        (DeviceChoice::Cpu, "CPU"),
        (
            DeviceChoice::Gpu(Some(2)),
            "NVIDIA GeForce RTX 4070 (DirectX 12)",
        ),
        (DeviceChoice::Gpu(Some(3)), "Intel UHD 770"),
        (DeviceChoice::Gpu(Some(9)), "GPU 9"),
    ] {
        assert_eq!(device_choice(choice, &gpus, EN), expected);
    }
}

#[test]
fn sizes_are_short() {
    for (bytes, expected) in [
        (0, "0 MB"),
        (256 << 20, "256 MiB"),
        (1 << 30, "1 GiB"),
        (3 << 29, "1.5 GiB"),
        (250_000_000, "250 MB"),
        (2_500_000_000, "2.5 GB"),
    ] {
        assert_eq!(size_text(bytes), expected);
    }
}

fn health() -> Health {
    let kind = |element| TypeHealth {
        element,
        values: 105_000_000,
        differs: None,
    };
    Health {
        gpu: rtx(),
        skipped: Vec::new(),
        types: vec![kind(ElementType::I64), kind(ElementType::F16)],
        copied: 1 << 30,
        changed: 0,
        elapsed: Duration::from_millis(2_340),
        failed: None,
        cancelled: false,
    }
}

#[track_caller]
fn found(health: &Health, en: &str, zh: &str, rows: &[&str]) {
    let told = health_texts(health, EN);
    assert_eq!(told.headline, en);
    assert_eq!(told.rows, rows);
    assert_eq!(told.sound, health.is_sound());
    assert_eq!(health_texts(health, ZH).headline, zh);
}

#[test]
fn a_sound_gpu_points_to_data_and_code_and_promises_no_more() {
    let sound = health();
    found(
        &sound,
        "The GPU computed correctly: 2 value types, 210,000,000 values, every answer equal to the CPU’s",
        "GPU 计算正确：2 种数值类型，210,000,000 个值，每个结果都与 CPU 相同",
        &[],
    );
    let told = health_texts(&sound, EN);
    assert!(told.text.contains("not ruled out"), "{}", told.text);
    assert_eq!(
        told.what,
        "NVIDIA GeForce RTX 4070 (Vulkan) · 210,000,000 values · 1 GiB copied there and back · 2.3 s"
    );
}

#[test]
fn software_that_plays_a_gpu_clears_no_card() {
    let mut software = health();
    software.gpu.kind = GpuKind::Software;
    found(
        &software,
        "Software that plays a GPU computed correctly: 2 value types, 210,000,000 values, every answer equal to the CPU’s",
        "软件模拟的 GPU 计算正确：2 种数值类型，210,000,000 个值，每个结果都与 CPU 相同",
        &[],
    );
    assert_eq!(
        gpu_name(&software.gpu, EN),
        "NVIDIA GeForce RTX 4070 (Vulkan, software)"
    );
    let text = health_texts(&software, EN).text;
    assert!(text.starts_with("No graphics card was checked"), "{text}");
}

#[test]
fn differences_are_listed_by_type_and_field() {
    let mut wrong = health();
    wrong.types[0].differs = Some(Difference {
        field: "above",
        cpu: "12".to_owned(),
        gpu: "13".to_owned(),
    });
    found(
        &wrong,
        "The GPU computed wrongly: in 1 of 2 value types its answer is not the CPU’s",
        "GPU 计算有误：2 种数值类型中有 1 种的结果与 CPU 不同",
        &["int64, above: CPU 12, GPU 13"],
    );
    wrong.changed = 4;
    wrong.failed = Some(GpuError::OutOfMemory);
    assert_eq!(
        health_texts(&wrong, EN).rows,
        [
            "int64, above: CPU 12, GPU 13",
            "copied bytes: 4 of 1,073,741,824 changed",
            "The check of the GPU broke off: too little free memory",
        ]
    );
}

#[test]
fn changed_bytes_and_a_broken_check_are_no_all_clear() {
    found(
        &Health {
            changed: 4,
            ..health()
        },
        "The GPU changed what it was given: 4 of 1,073,741,824 copied bytes came back different",
        "GPU 改变了收到的数据：复制的 1,073,741,824 个字节中有 4 个读回时不同",
        &[],
    );
    found(
        &Health {
            failed: Some(GpuError::Lost("reset".to_owned())),
            ..health()
        },
        "The check of the GPU broke off: the driver took it away: reset",
        "GPU 检测中断：驱动收回了它：reset",
        &[],
    );
    found(
        &Health {
            failed: Some(GpuError::Inconsistent),
            ..health()
        },
        "The GPU computed wrongly: its counts do not add up",
        "GPU 计算有误：它的计数前后矛盾",
        &[],
    );
    found(
        &Health {
            cancelled: true,
            ..health()
        },
        "The check of the GPU was stopped",
        "GPU 检测已停止",
        &[],
    );
}
