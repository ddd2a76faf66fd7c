//! What a log states of the machine, its software, the command and whether launches were blocking.
//!
//! Only what is printed: a version that a kernel's line number suggests is not stated here.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use super::error_numbers::leading_int;
use super::line::{Line, Recogniser};
use super::recognisers::kept;
use super::word_set::WordSet;
use super::{
    ErrorFamily, ErrorRole, Facts, HintKind, Source, Stated, environment_variables as variables,
    hints, platform::PlatformVotes, versions,
};

/// See the module.
#[derive(Clone, Default)]
pub(super) struct EnvironmentReader {
    votes: PlatformVotes,
    versions: versions::VersionReader,
    sources: BTreeSet<Source>,
    blocking: Blocking,
}

/// Evidence for and against blocking launches, by line.
#[derive(Clone, Default)]
struct Blocking {
    /// The last line that sets it, and to what.
    set: Option<(u64, bool)>,
    /// The last line of the hint that is printed only while it is off.
    hint: Option<u64>,
    /// The last "Compile with" line.
    dsa: Option<u64>,
    /// The last "Search for" line.
    search: Option<u64>,
    /// The newest full CUDA error of an exception, and whether it is one of the asynchronous ones.
    error: Option<FullError>,
    /// An exception after which the log went on without hints.
    bare: Option<FullError>,
}

#[derive(Clone, Copy)]
struct FullError {
    line: u64,
    asynchronous: bool,
}

/// Ranks and workers counted; beyond it the number says only "very many".
const MOST_SOURCES: usize = 4096;
const MOST_GPUS: usize = 64;

impl Recogniser for EnvironmentReader {
    fn wake_words(&self) -> &'static [&'static str] {
        &[
            "orch",
            "CUDA",
            "cuda",
            "ython",
            "indows",
            "WSL",
            "inux",
            "macOS",
            "darwin",
            "win32",
            ":\\",
            ":/",
            "~\\",
            "~/",
            "/home/",
            "/usr/",
            "/opt/",
            "/mnt/",
            "/content",
            "/kaggle/",
            "/Users/",
            "/root/",
            "/workspace/",
            "/data/",
            ".pth",
            ".pt",
            ".ckpt",
            ".safetensors",
            "glibc",
            "NVIDIA",
            "GeForce",
            "Tesla ",
            "Quadro ",
            "river",
            "exit",
            "code",
            "status",
            "HIP",
            "ROCm",
            "hip",
            "AMD_SERIALIZE",
            "MSC v",
            ".dll",
            "colab",
            "$ ",
            "PS ",
            "_BLOCKING",
            "_DSA",
            "accelerate launch",
            "deepspeed ",
            "WinError",
            "you have",
            "Search for",
            "packages/",
        ]
    }

    fn wants_next(&self) -> bool {
        self.blocking.error.is_some() || self.versions.wants_next()
    }

    fn line(&mut self, line: &Line<'_>, facts: &mut Facts) {
        if let Some(source) = &line.source
            && self.sources.len() < MOST_SOURCES
        {
            self.sources.insert(source.clone());
        }
        let text = line.text;
        self.votes.line(text);
        self.versions
            .line(text, line.number, &mut facts.environment);
        Self::gpus(line, facts);
        self.blocking_evidence(line, facts);
        let environment = &mut facts.environment;
        if !environment.rocm {
            environment.rocm = is_rocm(text);
        }
        if environment.dsa_set_in_environment.is_none()
            && text.contains("TORCH_USE_CUDA_DSA")
            && variables::setting(text, "TORCH_USE_CUDA_DSA").is_some()
        {
            environment.dsa_set_in_environment = Some(line.number);
        }
        if environment.command.is_none()
            && let Some(command) = variables::command(text)
        {
            environment.command = Some(Stated {
                text: kept(command),
                line: line.number,
            });
        }
        if let Some(code) = exit_code(text) {
            environment.exit_code = Some(code);
        }
    }

    fn finish(&mut self, facts: &mut Facts) {
        for assertion in &facts.assertions {
            self.votes.source_file(&assertion.file);
        }
        for frame in facts.tracebacks.iter().flat_map(|t| &t.frames) {
            self.votes.frame_file(&frame.file);
            self.versions
                .library_path(&frame.file, frame.log_line, &mut facts.environment);
        }
        facts.environment.platform = self.votes.platform();
        facts.environment.processes = self.sources.len() as u32;
        let torch = facts.environment.torch.as_ref().map(|t| t.text.clone());
        let (blocking, line) = self.blocking.verdict(torch.as_deref());
        facts.environment.launch_blocking = blocking;
        facts.environment.launch_blocking_line = line;
    }

    fn copy(&self) -> Box<dyn Recogniser + Send> {
        Box::new(self.clone())
    }
}

impl EnvironmentReader {
    fn gpus(line: &Line<'_>, facts: &mut Facts) {
        let gpus = &mut facts.environment.gpus;
        for name in versions::gpu_names(line.text) {
            if gpus.len() < MOST_GPUS && gpus.iter().all(|known| known.text != name) {
                gpus.push(Stated {
                    text: name.to_owned(),
                    line: line.number,
                });
            }
        }
    }

    fn blocking_evidence(&mut self, line: &Line<'_>, facts: &Facts) {
        let blocking = &mut self.blocking;
        let mut any_hint = false;
        for (kind, _) in hints::find(line.text) {
            any_hint = true;
            match kind {
                HintKind::Asynchronous | HintKind::LaunchBlocking => {
                    blocking.hint = Some(line.number);
                }
                HintKind::DsaCompile => blocking.dsa = Some(line.number),
                HintKind::SearchDocs => blocking.search = Some(line.number),
                HintKind::DsaOther | HintKind::DriverLog => {}
            }
        }
        let set = variables::setting(line.text, "CUDA_LAUNCH_BLOCKING")
            .or_else(|| variables::setting(line.text, "HIP_LAUNCH_BLOCKING"));
        if let Some(value) = set
            && !any_hint
        {
            blocking.set = Some((line.number, value != "0"));
        }
        let newest = newest_full_error(facts);
        if let Some(error) = blocking.error {
            let is_same_line = line.number <= error.line;
            if !is_same_line && !line.text.trim().is_empty() {
                if !any_hint {
                    blocking.bare = Some(error);
                }
                blocking.error = None;
            }
        }
        if let Some(error) = newest
            && error.line == line.number
            && !any_hint
        {
            blocking.error = Some(error);
        }
    }
}

impl Blocking {
    fn verdict(&self, torch: Option<&str>) -> (Option<bool>, Option<u64>) {
        if let Some((line, on)) = self.set
            && self.hint.is_none_or(|hint| hint < line)
        {
            return (Some(on), Some(line));
        }
        if let Some(hint) = self.hint {
            return (Some(false), Some(hint));
        }
        // The lines that stand beside the hint are there, the hint is not.
        if let Some(dsa) = self.dsa {
            return (Some(true), Some(dsa));
        }
        let bare = self.bare;
        if let Some(search) = self.search
            && bare.or(self.error).is_none_or(|error| error.asynchronous)
        {
            return (Some(true), Some(search));
        }
        if let Some(error) = bare
            && let Some((major, minor)) = torch.and_then(versions::major_minor)
            && (major, minor) >= (1, 9)
            && ((major, minor) < (2, 13) || error.asynchronous)
        {
            return (Some(true), Some(error.line));
        }
        (None, None)
    }
}

/// The newest exception that is a CUDA error of PyTorch's own check, whose text would be followed by the hint.
fn newest_full_error(facts: &Facts) -> Option<FullError> {
    let error = facts.errors.last()?;
    let is_full = error.role == ErrorRole::Exception
        && error.text.contains("Error: CUDA error: ")
        && !error.text.contains("_STATUS_");
    is_full.then_some(FullError {
        line: error.line,
        asynchronous: matches!(
            error.family,
            ErrorFamily::DeviceAssert
                | ErrorFamily::IllegalAddress
                | ErrorFamily::LaunchFailure
                | ErrorFamily::IllegalInstruction
                | ErrorFamily::MisalignedAddress
        ),
    })
}

fn is_rocm(text: &str) -> bool {
    static MARKS: LazyLock<WordSet> = LazyLock::new(|| {
        WordSet::new(&[
            "HIP error: ",
            "HIP kernel errors",
            "AMD_SERIALIZE_KERNEL",
            "TORCH_USE_HIP_DSA",
            "HIP out of memory",
            "/native/hip/",
            "hipError",
            "+rocm",
            "HIPBLAS_STATUS_",
            "miopenStatus",
            "ROCm-capable",
        ])
    });
    MARKS.any_in(text)
}

/// What stands before an exit code.
const EXIT_CODE_MARKERS: &[&str] = &[
    "finished with exit code ",
    "exited with code ",
    "exited with code=",
    "exited with exit code ",
    "exitcode: ",
    "exitcode  : ",
    "exit code: ",
    "Exit code: ",
    "exit code ",
    "exited with status ",
    "exit status ",
    "return code = ",
    "code=exited, status=",
];

/// An exit code as launchers, IDEs and shells print it.
fn exit_code(text: &str) -> Option<i64> {
    if text.contains("DataLoader worker")
        || !(text.contains("exit") || text.contains("code") || text.contains("status"))
    {
        return None;
    }
    let rest = EXIT_CODE_MARKERS
        .iter()
        .find_map(|marker| text.get(text.find(marker)? + marker.len()..))?;
    let Some(hex) = rest.strip_prefix("0x").or_else(|| rest.strip_prefix("0X")) else {
        return leading_int(rest);
    };
    // Windows names its status in hexadecimal.
    let end = hex
        .find(|c: char| !c.is_ascii_hexdigit())
        .unwrap_or(hex.len());
    let code = u32::from_str_radix(hex.get(..end)?, 16).ok()?;
    Some(i64::from(code as i32))
}

#[cfg(test)]
mod tests;
