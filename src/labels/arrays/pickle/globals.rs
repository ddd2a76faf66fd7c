//! Which classes and functions pickles of data name, and which have no business there.

/// What a class or function in a pickle is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum Use {
    /// Data: containers, arrays, tensors, and the classes of well-known packages.
    Data,
    /// A class of the user's own program.
    Class,
    /// A function that would run when the pickle is loaded.
    Code,
}

/// Modules whose every function could do harm.
const DANGEROUS: &[&str] = &[
    "os",
    "posix",
    "nt",
    "posixpath",
    "ntpath",
    "subprocess",
    "sys",
    "importlib",
    "runpy",
    "shutil",
    "socket",
    "ctypes",
    "pty",
    "commands",
    "popen2",
    "webbrowser",
    "code",
    "codeop",
    "pickle",
    "_pickle",
    "cPickle",
    "marshal",
    "types",
    "timeit",
    "cProfile",
    "profile",
    "pdb",
    "bdb",
    "trace",
    "urllib",
    "urllib2",
    "http",
    "requests",
    "httplib",
    "ftplib",
    "smtplib",
    "asyncio",
    "multiprocessing",
    "threading",
    "_thread",
    "signal",
    "tempfile",
    "io",
    "_io",
    "pip",
    "setuptools",
    "distutils",
    "operator",
    "_operator",
    "functools",
    "_functools",
    "platform",
    "inspect",
    "imp",
    "zipimport",
    "pkgutil",
    "gc",
    "atexit",
    "ast",
    "linecache",
    "fileinput",
    "glob",
    "winreg",
    "msvcrt",
    "bpython",
    "IPython",
    "doctest",
    "unittest",
    "test",
    "idlelib",
    "lib2to3",
    "ensurepip",
    "venv",
];

const BUILTIN_DATA: &[&str] = &[
    "set",
    "frozenset",
    "bytearray",
    "complex",
    "list",
    "dict",
    "tuple",
    "int",
    "long",
    "float",
    "bool",
    "str",
    "unicode",
    "bytes",
    "object",
    "range",
    "xrange",
    "slice",
    "Ellipsis",
    "NoneType",
    "type",
];

/// Packages whose classes are data, and whose functions are named here.
const PACKAGES: &[&str] = &[
    "torch",
    "numpy",
    "collections",
    "argparse",
    "pathlib",
    "omegaconf",
    "torch_geometric",
    "scipy",
    "pandas",
    "sklearn",
    "datetime",
    "decimal",
    "fractions",
    "uuid",
    "enum",
    "dataclasses",
    "typing",
    "torchvision",
    "torchaudio",
    "transformers",
    "pytorch_lightning",
    "lightning",
    "lightning_fabric",
    "lightning_utilities",
    "timm",
    "mmengine",
    "mmcv",
    "PIL",
    "joblib",
    "networkx",
    "h5py",
    "tokenizers",
    "datasets",
    "ml_dtypes",
    "jax",
    "jaxlib",
    "ultralytics",
    "easydict",
    "yacs",
    "addict",
    "hydra",
    "random",
    "logging",
    "re",
    "string",
    "array",
    "copyreg",
    "copy_reg",
    "_codecs",
    "functools",
    "jsonargparse",
];

const DATA_FUNCTIONS: &[&str] = &[
    "_codecs.encode",
    "copyreg._reconstructor",
    "copy_reg._reconstructor",
    "copyreg.__newobj__",
    "copyreg.__newobj_ex__",
    "array.array",
    "array._array_reconstructor",
    "argparse.Namespace",
    "collections.deque",
    "collections.namedtuple",
    "torch.storage._load_from_bytes",
    "torch._tensor._rebuild_from_type_v2",
    "torch.device",
    "torch.serialization._get_layout",
    "torch.dtype",
    "torch.layout",
    "torch.memory_format",
    "datetime.datetime",
    "datetime.date",
    "datetime.time",
    "datetime.timedelta",
    "datetime.timezone",
    "numpy.ndarray",
    "numpy.dtype",
    "numpy.matrix",
    "numpy.recarray",
    "numpy.record",
    "numpy.void",
    "numpy.random._pickle.__randomstate_ctor",
    "numpy.random._pickle.__generator_ctor",
    "numpy.random._pickle.__bit_generator_ctor",
    "omegaconf.listconfig.ListConfig",
    "_codecs.latin_1_decode",
    "pandas._libs.internals._unpickle_block",
    "pandas.core.indexes.base._new_Index",
    "pandas.core.internals.blocks.new_block",
    "joblib.numpy_pickle.NumpyArrayWrapper",
];

/// What calling this would be.
pub(in super::super) fn use_of(global: &str) -> Use {
    let (module, name) = global.rsplit_once('.').unwrap_or(("", global));
    let package = module.split('.').next().unwrap_or_default();
    let is_class = name
        .trim_start_matches('_')
        .chars()
        .next()
        .is_some_and(char::is_uppercase);
    if matches!(module, "builtins" | "__builtin__" | "__builtins__") {
        return if BUILTIN_DATA.contains(&name) || name.ends_with("Error") {
            Use::Data
        } else {
            Use::Code
        };
    }
    if DATA_FUNCTIONS.contains(&global) {
        return Use::Data;
    }
    if DANGEROUS.contains(&package) {
        return Use::Code;
    }
    if PACKAGES.contains(&package) {
        let data = is_class || is_array_function(module, name);
        return if data { Use::Data } else { Use::Code };
    }
    if is_class { Use::Class } else { Use::Code }
}

/// Functions of PyTorch and NumPy that arrays and tensors are pickled with, and NumPy's scalar types.
fn is_array_function(module: &str, name: &str) -> bool {
    match module {
        "torch._utils" => name.starts_with("_rebuild_"),
        "numpy.core.multiarray" | "numpy._core.multiarray" => {
            matches!(name, "_reconstruct" | "scalar")
        }
        "numpy.core.numeric" | "numpy._core.numeric" => name == "_frombuffer",
        "numpy.ma.core" => name == "_mareconstruct",
        "numpy" | "torch" | "ml_dtypes" => {
            let kind = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '_');
            matches!(
                kind,
                "int"
                    | "uint"
                    | "float"
                    | "bool"
                    | "bfloat"
                    | "complex"
                    | "str"
                    | "bytes"
                    | "half"
                    | "long"
            )
        }
        "torch._C" => name == "_rebuild_tensor",
        "collections" => name == "defaultdict",
        "re" => name == "_compile",
        "random" => name == "Random",
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::{Use, use_of};

    #[test]
    fn harmless_and_harmful_names() {
        for (name, expected) in [
            ("torch._utils._rebuild_tensor_v2", Use::Data),
            ("collections.OrderedDict", Use::Data),
            ("collections.defaultdict", Use::Data),
            ("numpy._core.multiarray._reconstruct", Use::Data),
            ("numpy.int64", Use::Data),
            ("torch.FloatStorage", Use::Data),
            ("pathlib.PosixPath", Use::Data),
            ("argparse.Namespace", Use::Data),
            ("__builtin__.set", Use::Data),
            ("__main__.Config", Use::Class),
            ("project.models.Net", Use::Class),
            ("posix.system", Use::Code),
            ("nt.system", Use::Code),
            ("builtins.eval", Use::Code),
            ("builtins.getattr", Use::Code),
            ("subprocess.Popen", Use::Code),
            ("os.path.join", Use::Code),
            ("torch.hub.load", Use::Code),
            ("torch.load", Use::Code),
            ("numpy.load", Use::Code),
            ("runpy._run_code", Use::Code),
            ("project.tools.make", Use::Code),
            ("eval", Use::Code),
        ] {
            assert_eq!(use_of(name), expected, "{name}");
        }
    }
}
