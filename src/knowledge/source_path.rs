//! Whose code a printed source path belongs to: PyTorch's, a generated file's, an extension's or another framework's.
//!
//! Looks at the names in the path only; nothing is opened.

/// A path as an assertion line prints it, cut into names.
#[derive(Debug)]
pub(super) struct SourcePath {
    /// Names from left to right, drive and empty ones left out, letter case kept.
    names: Vec<String>,
}

/// Whose code it is.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Owner {
    /// PyTorch's sources or installed headers.
    Pytorch,
    /// Code that `torch.compile` wrote into its cache.
    Generated,
    /// Another framework, by its name.
    OtherFramework(&'static str),
    /// Anything else with a path; the library's name where the path shows it.
    Custom(Option<String>),
    /// No path (`unknown`, empty).
    Nowhere,
}

/// Paths of other frameworks: consecutive names in lower case, and the framework's own spelling.
/// A single name is not enough where users name folders so.
const OTHER_FRAMEWORKS: &[(&[&str], &str)] = &[
    (&["paddle", "paddle"], "PaddlePaddle"),
    (&["paddle", "phi"], "PaddlePaddle"),
    (&["paddle", "fluid"], "PaddlePaddle"),
    (&["paddle", "include"], "PaddlePaddle"),
    (&["org_tensorflow"], "TensorFlow"),
    (&["tensorflow", "core"], "TensorFlow"),
    (&["tensorflow", "compiler"], "TensorFlow"),
    (&["tensorflow", "include"], "TensorFlow"),
    (&["external", "xla"], "JAX"),
    (&["xla", "service"], "JAX"),
    (&["jaxlib"], "JAX"),
    (&["incubator-mxnet"], "MXNet"),
    (&["mxnet", "src"], "MXNet"),
    (&["mshadow"], "MXNet"),
    (&["onnxruntime", "core"], "ONNX Runtime"),
    (&["oneflow", "core"], "OneFlow"),
    (&["oneflow", "user"], "OneFlow"),
    (&["mindspore", "ccsrc"], "MindSpore"),
    (&["megengine"], "MegEngine"),
];

/// How files of the compiled languages end.
const COMPILED: &[&str] = &[
    ".cu", ".cuh", ".hip", ".h", ".hpp", ".cpp", ".cc", ".c", ".cxx", ".hxx", ".inl",
];

/// How a Python file ends.
const PYTHON: &str = ".py";

/// Folders that say nothing of the library they are in.
const GENERIC: &str = "src csrc source sources cuda gpu hip kernels kernel ops op lib libs include build cpp cc c \
    cpp_extensions extensions extension ext native core layers modules models model utils common \
    third_party thirdparty 3rdparty external work home root users user tmp temp opt usr local var \
    data mnt workspace workdir app content code codes project projects repo repos git github \
    python conda envs env venv site-packages dist-packages csrc_cuda pytorch torch . .. ~ desktop \
    documents downloads d e f a s b w _work triton attention forward backward functional \
    functions nn cache .cache _ext_src _ext-src ext_src ext-src cu detail training inference pip \
    site";

impl SourcePath {
    pub(super) fn new(file: &str) -> Self {
        let names = file
            .split(['/', '\\', '＼', '／'])
            .map(str::trim)
            .filter(|name| !name.is_empty() && !is_drive(name))
            .map(str::to_owned)
            .collect();
        Self { names }
    }

    /// The names, in lower case, as NVIDIA's spelling of AMD's files.
    pub(super) fn key(&self) -> Vec<String> {
        self.names
            .iter()
            .map(|name| as_cuda(&name.to_ascii_lowercase()))
            .collect()
    }

    /// A file of C++, CUDA or HIP: its assertions are C++ expressions.
    pub(super) fn is_compiled(&self) -> bool {
        self.names.last().is_some_and(|name| {
            let name = name.to_ascii_lowercase();
            COMPILED.iter().any(|ending| name.ends_with(ending))
        })
    }

    pub(super) fn owner(&self) -> Owner {
        let lower: Vec<String> = self
            .names
            .iter()
            .map(|name| name.to_ascii_lowercase())
            .collect();
        let Some(last) = lower.last() else {
            return Owner::Nowhere;
        };
        if self.is_generated(last) {
            return Owner::Generated;
        }
        if let Some((_, name)) = OTHER_FRAMEWORKS
            .iter()
            .find(|(marks, _)| position(&lower, marks).is_some())
        {
            return Owner::OtherFramework(name);
        }
        if self.is_pytorch(&lower) {
            return Owner::Pytorch;
        }
        let has_ending = last.contains('.') && !last.ends_with('.');
        if !has_ending || last.starts_with('<') {
            return Owner::Nowhere;
        }
        Owner::Custom(self.library(&lower))
    }

    /// The compiler's cache: named so, or a hashed name in a folder of its second and third letters (`ab/cabx….py`).
    fn is_generated(&self, last: &str) -> bool {
        let Some(stem) = last.strip_suffix(PYTHON) else {
            return false;
        };
        let in_cache = self.names.iter().any(|name| {
            let name = name.to_ascii_lowercase();
            name.starts_with("torchinductor")
                || name.contains("inductor_cache")
                || name.contains("inductor-cache")
        });
        let hashed = stem.len() >= 40
            && stem
                .bytes()
                .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit());
        in_cache || hashed
    }

    fn is_pytorch(&self, lower: &[String]) -> bool {
        // `ATen` in this spelling; a lower-case `aten` folder is found in extensions too.
        if self.names.iter().any(|name| name == "ATen")
            || position(lower, &["aten", "src"]).is_some()
        {
            return true;
        }
        let legacy = ["thc", "thcunn", "thh", "thhunn", "c10", "caffe2"];
        if lower.iter().any(|name| legacy.contains(&name.as_str())) {
            return true;
        }
        let in_torch = ["csrc", "_inductor", "headeronly", "lib"]
            .iter()
            .any(|child| {
                position(lower, &["torch", child]).is_some_and(|at| {
                    let parents = [
                        "pytorch",
                        "work",
                        "..",
                        ".",
                        "include",
                        "src",
                        "site-packages",
                        "dist-packages",
                    ];
                    at == 0
                        || lower
                            .get(at - 1)
                            .is_some_and(|parent| parents.contains(&parent.as_str()))
                })
            });
        in_torch || position(lower, &["pytorch", "third_party"]).is_some()
    }

    /// The most telling folder name: that of an installed package, else the one before `csrc`, else the nearest that says something.
    fn library(&self, lower: &[String]) -> Option<String> {
        let name = |at: usize| self.names.get(at).cloned();
        // A folder right below `home` or `Users` is a person, not a library.
        let is_user = |at: usize| {
            at > 0
                && lower
                    .get(at - 1)
                    .is_some_and(|n| n == "home" || n == "users")
        };
        let telling = |at: usize| {
            !is_user(at)
                && lower.get(at).is_some_and(|n| {
                    !GENERIC.split_whitespace().any(|generic| generic == n) && !is_build_number(n)
                })
        };
        let folders = lower.len().saturating_sub(1);
        if let Some(at) = lower
            .iter()
            .rposition(|n| n == "site-packages" || n == "dist-packages")
        {
            let package = at + 1;
            return name(package).map(|n| n.strip_suffix(PYTHON).map_or(n.clone(), str::to_owned));
        }
        if let Some(at) = lower.iter().position(|n| n == "torch_extensions") {
            // `torch_extensions/py310_cu118/NAME/…`
            return (at + 1..folders)
                .rev()
                .find(|&i| telling(i) && !is_build_tag(lower.get(i)))
                .and_then(name);
        }
        let csrc = lower
            .iter()
            .position(|n| n == "csrc" || n == "csrc_cuda" || n == "cpp_extensions");
        if let Some(at) = csrc
            && let Some(owner) = (0..at).rev().find(|&i| telling(i))
        {
            return name(owner);
        }
        (0..folders).rev().find(|&i| telling(i)).and_then(name)
    }
}

/// Where consecutive names stand in a path.
fn position(names: &[String], marks: &[&str]) -> Option<usize> {
    names
        .windows(marks.len().max(1))
        .position(|window| window.iter().zip(marks).all(|(name, mark)| name == mark))
}

/// Builds for AMD rename folders and files: `native/hip/X.hip` is `native/cuda/X.cu`, `THH` is `THC`.
fn as_cuda(name: &str) -> String {
    let name = if name == "hip" {
        "cuda".to_owned()
    } else {
        name.replace("thh", "thc")
    };
    match name.strip_suffix(".hip") {
        Some(stem) => format!("{stem}.cu"),
        None => name
            .strip_prefix("hip")
            .filter(|rest| rest.contains('.'))
            .map_or(name.clone(), |rest| format!("cuda{rest}")),
    }
}

fn is_drive(name: &str) -> bool {
    matches!(name.as_bytes(), [letter, b':'] if letter.is_ascii_alphabetic())
}

/// `pytorch_1000000000000`, `torch_1595629403081`: conda's build folders.
fn is_build_number(name: &str) -> bool {
    name.rsplit('_')
        .next()
        .is_some_and(|digits| digits.len() >= 8 && digits.bytes().all(|b| b.is_ascii_digit()))
}

/// `py310_cu118`.
fn is_build_tag(name: Option<&String>) -> bool {
    name.is_some_and(|n| n.starts_with("py3") || n.starts_with("cu1"))
}
