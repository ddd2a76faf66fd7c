//! PyTorch's own advice lines after a CUDA error, in every release's wording.
//!
//! They say nothing of the cause, but their presence and absence tells whether launches were blocking; that conclusion is
//! drawn in `environment`.

use std::sync::LazyLock;

use super::line::{Line, Recogniser};
use super::recognisers::MarkPen;
use super::word_set::WordSet;
use super::{Facts, Hint, HintKind, MarkKind};

/// Counts hint lines and marks them.
#[derive(Clone, Default)]
pub(super) struct HintReader {
    pen: MarkPen,
}

impl Recogniser for HintReader {
    fn wake_words(&self) -> &'static [&'static str] {
        &[
            "asynchronously reported",
            "consider passing",
            "_DSA",
            "Search for",
            "Device-side assert",
            "device-side assert",
            "CUDA_LOG_FILE",
            "CUDA driver logged",
        ]
    }

    fn wants_next(&self) -> bool {
        false
    }

    fn line(&mut self, line: &Line<'_>, facts: &mut Facts) {
        let mut first = None;
        for (kind, _) in find(line.text) {
            let index = facts.hints.iter().position(|hint| hint.kind == kind);
            let index = index.unwrap_or_else(|| {
                facts.hints.push(Hint {
                    kind,
                    line: line.number,
                    count: 0,
                });
                facts.hints.len() - 1
            });
            if let Some(hint) = facts.hints.get_mut(index) {
                hint.count += 1;
            }
            first.get_or_insert(index);
        }
        if let Some(index) = first {
            let lines = line.number..=line.last_number;
            self.pen.mark(facts, MarkKind::Hint, lines, index);
        }
    }

    fn finish(&mut self, _facts: &mut Facts) {}

    fn copy(&self) -> Box<dyn Recogniser + Send> {
        Box::new(self.clone())
    }
}

/// The hints of a line and where each begins; several when lines were glued together.
pub(super) fn find(text: &str) -> impl Iterator<Item = (HintKind, usize)> {
    // Hardly any line holds a hint.
    static BEGINNINGS: LazyLock<WordSet> = LazyLock::new(|| {
        let beginnings: Vec<&str> = WORDINGS.iter().map(|(_, start, _)| *start).collect();
        WordSet::new(&beginnings)
    });
    let wordings = if BEGINNINGS.any_in(text) {
        WORDINGS
    } else {
        &[]
    };
    wordings.iter().filter_map(move |(kind, start, also)| {
        let at = text.find(start)?;
        text.get(at..)?.contains(also).then_some((*kind, at))
    })
}

/// Where the first hint of a line begins, its subject included.
pub(super) fn begins(text: &str) -> Option<usize> {
    find(text).map(|(_, at)| at).min()
}

/// Kind, how the line begins, what else it holds.
const WORDINGS: &[(HintKind, &str, &str)] = &[
    (
        HintKind::Asynchronous,
        "CUDA kernel errors might be asynchronously reported",
        "",
    ),
    (
        HintKind::Asynchronous,
        "HIP kernel errors might be asynchronously reported",
        "",
    ),
    (
        HintKind::Asynchronous,
        "XPU kernel errors might be asynchronously reported",
        "",
    ),
    (
        HintKind::LaunchBlocking,
        "For debugging consider passing",
        "CUDA_LAUNCH_BLOCKING",
    ),
    (
        HintKind::LaunchBlocking,
        "For debugging consider passing",
        "AMD_SERIALIZE_KERNEL",
    ),
    (
        HintKind::LaunchBlocking,
        "For debugging consider passing",
        "HIP_LAUNCH_BLOCKING",
    ),
    (HintKind::DsaCompile, "Compile with", "TORCH_USE_CUDA_DSA"),
    (HintKind::DsaCompile, "Compile with", "TORCH_USE_HIP_DSA"),
    (HintKind::SearchDocs, "Search for `cudaError", " in http"),
    (HintKind::SearchDocs, "Search for cudaError", " in http"),
    (HintKind::SearchDocs, "Search for 'cudaError", " in http"),
    (HintKind::SearchDocs, "Search for `hipError", " in http"),
    (HintKind::SearchDocs, "Search for hipError", " in http"),
    (HintKind::SearchDocs, "Search for 'hipError", " in http"),
    (
        HintKind::DsaOther,
        "Device-side assertion tracking was not enabled by user",
        "",
    ),
    (
        HintKind::DsaOther,
        "Device-side assertions were explicitly omitted for this error check",
        "",
    ),
    (
        HintKind::DsaOther,
        "Looking for device-side assertion failure information",
        "",
    ),
    (
        HintKind::DriverLog,
        "The CUDA driver logged these messages",
        "",
    ),
    (
        HintKind::DriverLog,
        "For more detailed error information, run with CUDA_LOG_FILE",
        "",
    ),
];

#[cfg(test)]
mod tests {
    use HintKind as H;

    use super::*;

    #[test]
    fn every_wording_of_every_release() {
        let check = |text: &str, expected: &[HintKind]| {
            let kinds: Vec<_> = find(text).map(|(kind, _)| kind).collect();
            assert_eq!(kinds, expected, "{text}");
        };
        check(
            "CUDA kernel errors might be asynchronously reported at some other API call,so the stacktrace below might be incorrect.",
            &[H::Asynchronous],
        );
        check(
            "CUDA kernel errors might be asynchronously reported at some other API call, so the stacktrace below might be incorrect.",
            &[H::Asynchronous],
        );
        check(
            "HIP kernel errors might be asynchronously reported at some other API call, so the stacktrace below might be incorrect.",
            &[H::Asynchronous],
        );
        check(
            "For debugging consider passing CUDA_LAUNCH_BLOCKING=1.",
            &[H::LaunchBlocking],
        );
        check(
            "For debugging consider passing AMD_SERIALIZE_KERNEL=3",
            &[H::LaunchBlocking],
        );
        check(
            "Compile with `TORCH_USE_CUDA_DSA` to enable device-side assertions.",
            &[H::DsaCompile],
        );
        check(
            "Compile with TORCH_USE_HIP_DSA to enable device-side assertions.",
            &[H::DsaCompile],
        );
        check(
            "Search for `cudaErrorAssert' in https://docs.nvidia.com/cuda/cuda-runtime-api/group__CUDART__TYPES.html for more information.",
            &[H::SearchDocs],
        );
        check(
            "Device-side assertion tracking was not enabled by user.",
            &[H::DsaOther],
        );
        check(
            "For more detailed error information, run with CUDA_LOG_FILE=stderr",
            &[H::DriverLog],
        );
        check(
            "The CUDA driver logged these messages, which may provide useful details:",
            &[H::DriverLog],
        );
        check(
            "CUDA kernel errors might be asynchronously reported at some other API call, so the stacktrace below might be incorrect.(Worker pid=5304) For debugging consider passing CUDA_LAUNCH_BLOCKING=1.",
            &[H::Asynchronous, H::LaunchBlocking],
        );
        check(
            "device-side assertions: not compiled in (TORCH_USE_CUDA_DSA off)",
            &[],
        );
        check("Try CUDA_LAUNCH_BLOCKING=1 and run again", &[]);
    }
}
