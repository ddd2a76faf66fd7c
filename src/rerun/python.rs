//! Which Python interpreters there are.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::ask_python::{answer, ask};
use super::os_text;

/// Folders above the script in which environments are looked for.
const ABOVE: usize = 6;

/// Interpreters told.
const MOST: usize = 60;

/// Entries of a folder that are looked at.
const ENTRIES: usize = 1_000;

/// A Python interpreter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FoundPython {
    /// The interpreter.
    #[serde(with = "os_text::path")]
    pub path: PathBuf,
    /// How it was found.
    pub kind: PythonKind,
    /// Its version as it says (`3.11.4`).
    pub version: Option<String>,
    /// Whether PyTorch is installed for it, by its folders: nothing is imported.
    pub has_torch: Option<bool>,
    /// The environment's name, where it has one (`.venv`, `seg`).
    pub name: Option<String>,
}

/// How an interpreter was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PythonKind {
    /// A virtual environment beside the script or above it.
    Venv,
    /// The virtual environment that is active (`VIRTUAL_ENV`).
    ActiveVenv,
    /// A conda environment.
    Conda,
    /// The conda environment that is active (`CONDA_PREFIX`).
    ActiveConda,
    /// Windows' launcher `py` knows it.
    Py,
    /// It is on the search path.
    Path,
    /// The user named it.
    Chosen,
}

/// The interpreters of this machine, best first for a script at or in `near`: virtual environments beside it, what is active,
/// conda's environments, the `py` launcher's, the search path; those that are known to lack PyTorch come last.
/// May start interpreters to ask for their version; takes seconds at worst.
pub fn find_pythons(near: &Path) -> Vec<FoundPython> {
    let mut search = Search::default();
    search.beside(near);
    search.active();
    search.conda();
    search.launcher();
    search.search_path();
    let mut found = search.found;
    found.truncate(MOST);
    ask(&mut found);
    found.sort_by_key(|python| python.has_torch == Some(false));
    found
}

/// What is known of an interpreter that the user named. Asks it for its version.
pub fn chosen_python(path: &Path) -> FoundPython {
    let prefix = prefix_of(path);
    let mut found = [described(path, prefix, PythonKind::Chosen)];
    ask(&mut found);
    let [found] = found;
    found
}

#[derive(Default)]
struct Search {
    found: Vec<FoundPython>,
    seen: BTreeSet<PathBuf>,
}

impl Search {
    fn add(&mut self, path: &Path, prefix: Option<&Path>, kind: PythonKind) {
        // An environment's interpreter is a link to the one it was made with: its own folder tells them apart.
        let folder = path.parent().and_then(|folder| folder.canonicalize().ok());
        let name = path.file_name().unwrap_or_default();
        let key = match (folder, kind) {
            (_, PythonKind::Path) | (None, _) => {
                path.canonicalize().unwrap_or_else(|_| path.to_owned())
            }
            (Some(folder), _) => folder.join(name),
        };
        let in_folder = path.parent().and_then(|folder| folder.canonicalize().ok());
        let twice = in_folder.is_some_and(|folder| self.seen.contains(&folder.join(name)));
        if self.seen.insert(key) && !twice {
            self.found.push(described(path, prefix, kind));
        }
    }

    /// Adds the interpreter of an environment.
    fn environment(&mut self, prefix: &Path, kind: PythonKind) {
        if let Some(path) = interpreter(prefix) {
            let is_conda = prefix.join("conda-meta").is_dir();
            let kind = match kind {
                PythonKind::Venv if is_conda => PythonKind::Conda,
                kind => kind,
            };
            self.add(&path, Some(prefix), kind);
        }
    }

    fn beside(&mut self, near: &Path) {
        let near = std::path::absolute(near).unwrap_or_else(|_| near.to_owned());
        let folder = if near.is_dir() {
            Some(near.as_path())
        } else {
            near.parent()
        };
        for (level, folder) in folder
            .into_iter()
            .flat_map(Path::ancestors)
            .take(ABOVE)
            .enumerate()
        {
            for name in [".venv", "venv", "env", ".env"] {
                self.environment(&folder.join(name), PythonKind::Venv);
            }
            if level == 0 {
                // Environments have any name; this file makes them one.
                for inside in folders_in(folder) {
                    if inside.join("pyvenv.cfg").is_file() {
                        self.environment(&inside, PythonKind::Venv);
                    }
                }
            }
        }
    }

    fn active(&mut self) {
        for (variable, kind) in [
            ("VIRTUAL_ENV", PythonKind::ActiveVenv),
            ("CONDA_PREFIX", PythonKind::ActiveConda),
        ] {
            if let Some(prefix) = std::env::var_os(variable).filter(|prefix| !prefix.is_empty()) {
                self.environment(Path::new(&prefix), kind);
            }
        }
    }

    fn conda(&mut self) {
        let Ok(home) = etcetera::home_dir() else {
            return;
        };
        let listed = fs::read_to_string(home.join(".conda").join("environments.txt"));
        for prefix in listed.unwrap_or_default().lines().take(200) {
            if !prefix.trim().is_empty() {
                self.environment(Path::new(prefix.trim()), PythonKind::Conda);
            }
        }
        let mut above = vec![home];
        for variable in ["LOCALAPPDATA", "ProgramData", "SystemDrive"] {
            above.extend(std::env::var_os(variable).map(PathBuf::from));
        }
        if cfg!(not(windows)) {
            above.push("/opt".into());
        }
        for above in above {
            for name in [
                "miniconda3",
                "anaconda3",
                "miniforge3",
                "mambaforge",
                "Miniconda3",
                "Anaconda3",
                "conda",
                "micromamba",
            ] {
                let root = above.join(name);
                if root.join("conda-meta").is_dir() || root.join("envs").is_dir() {
                    for inside in folders_in(&root.join("envs")) {
                        self.environment(&inside, PythonKind::Conda);
                    }
                    self.environment(&root, PythonKind::Conda);
                }
            }
        }
    }

    /// What Windows' launcher knows: it is asked, and its usual places are looked at.
    fn launcher(&mut self) {
        if cfg!(not(windows)) {
            return;
        }
        if let Ok(py) = which::which("py")
            && let Some(said) = answer(&py, &["-0p"])
        {
            // ` -V:3.11 *        C:\…\python.exe`
            for line in String::from_utf8_lossy(&said).lines().take(50) {
                let at = line.find(":\\").and_then(|at| at.checked_sub(1));
                if let Some(path) = at.and_then(|at| line.get(at..)) {
                    let path = Path::new(path.trim());
                    if path.is_file() {
                        self.add(path, path.parent(), PythonKind::Py);
                    }
                }
            }
        }
        let above = [
            std::env::var_os("LOCALAPPDATA").map(|base| Path::new(&base).join("Programs\\Python")),
            std::env::var_os("ProgramFiles").map(PathBuf::from),
            std::env::var_os("SystemDrive").map(|drive| {
                let mut root = drive;
                root.push("\\");
                PathBuf::from(root)
            }),
        ];
        for above in above.into_iter().flatten() {
            let mut versions = folders_in(&above);
            versions.retain(|folder| {
                let name = folder.file_name().map(OsStr::to_string_lossy);
                name.is_some_and(|name| name.starts_with("Python3"))
            });
            versions.reverse();
            for prefix in versions {
                self.environment(&prefix, PythonKind::Py);
            }
        }
    }

    fn search_path(&mut self) {
        for name in ["python", "python3"] {
            for path in which::which_all(name).into_iter().flatten() {
                // Windows' own stand-in opens the store instead of running anything.
                let is_stand_in = path
                    .components()
                    .any(|part| part.as_os_str() == "WindowsApps")
                    && fs::metadata(&path).map_or(true, |file| file.len() == 0);
                if !is_stand_in {
                    let prefix = prefix_of(&path);
                    self.add(&path, prefix, PythonKind::Path);
                }
            }
        }
    }
}

fn described(path: &Path, prefix: Option<&Path>, kind: PythonKind) -> FoundPython {
    let is_environment = prefix.is_some_and(|prefix| {
        prefix.join("pyvenv.cfg").is_file() || prefix.join("conda-meta").is_dir()
    });
    let environment = prefix.filter(|_| is_environment);
    FoundPython {
        path: path.to_owned(),
        kind,
        version: environment.and_then(stated_version),
        has_torch: prefix.and_then(|prefix| has_torch(prefix, is_environment)),
        name: environment
            .and_then(Path::file_name)
            .map(|name| name.to_string_lossy().into_owned()),
    }
}

/// The environment or installation that an interpreter belongs to.
fn prefix_of(interpreter: &Path) -> Option<&Path> {
    let folder = interpreter.parent()?;
    let name = folder.file_name()?.to_string_lossy();
    if name.eq_ignore_ascii_case("bin") || name.eq_ignore_ascii_case("scripts") {
        folder.parent()
    } else {
        Some(folder)
    }
}

fn interpreter(prefix: &Path) -> Option<PathBuf> {
    let places: &[&str] = if cfg!(windows) {
        &["Scripts\\python.exe", "python.exe"]
    } else {
        &["bin/python", "bin/python3"]
    };
    places
        .iter()
        .map(|place| prefix.join(place))
        .find(|path| path.is_file())
}

/// The version that an environment's own files state.
fn stated_version(prefix: &Path) -> Option<String> {
    if let Ok(text) = fs::read_to_string(prefix.join("pyvenv.cfg")) {
        let value = |name: &str| {
            text.lines().take(50).find_map(|line| {
                let (key, value) = line.split_once('=')?;
                (key.trim() == name).then(|| value.trim().to_owned())
            })
        };
        let version = value("version").or_else(|| value("version_info"))?;
        // `3.11.4.final.0` of virtualenv.
        let short: Vec<&str> = version.split('.').take(3).collect();
        return Some(short.join("."));
    }
    // `python-3.11.4-h955ad1f_0.json`
    let entries = fs::read_dir(prefix.join("conda-meta")).ok()?;
    entries.take(5_000).flatten().find_map(|entry| {
        let name = entry.file_name().into_string().ok()?;
        let version = name.strip_prefix("python-")?.split('-').next()?.to_owned();
        version
            .starts_with(|c: char| c.is_ascii_digit())
            .then_some(version)
    })
}

/// Whether PyTorch lies where an installation keeps its packages; `None` where packages may lie elsewhere, too.
fn has_torch(prefix: &Path, is_environment: bool) -> Option<bool> {
    let mut packages = vec![prefix.join("Lib").join("site-packages")];
    for folder in folders_in(&prefix.join("lib")) {
        packages.push(folder.join("site-packages"));
        packages.push(folder.join("dist-packages"));
    }
    if packages.iter().any(|folder| is_torch(folder)) {
        return Some(true);
    }
    let system_too = fs::read_to_string(prefix.join("pyvenv.cfg")).is_ok_and(|text| {
        text.lines().any(|line| {
            let line = line.replace(' ', "").to_ascii_lowercase();
            line == "include-system-site-packages=true"
        })
    });
    (is_environment && !system_too).then_some(false)
}

pub(super) fn is_torch(packages: &Path) -> bool {
    packages.join("torch").join("__init__.py").is_file()
}

fn folders_in(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut folders: Vec<PathBuf> = entries
        .take(ENTRIES)
        .map(|entry| entry.path())
        .filter(|path| path.is_dir())
        .collect();
    folders.sort();
    folders
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scratch(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!(
            "assert-doctor-python-{}-{name}",
            std::process::id()
        ));
        drop(fs::remove_dir_all(&folder));
        fs::create_dir_all(&folder).unwrap();
        folder
    }

    fn put(path: &Path, text: &str) {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn interpreter_in(prefix: &Path) -> PathBuf {
        let place = if cfg!(windows) {
            "Scripts\\python.exe"
        } else {
            "bin/python"
        };
        let path = prefix.join(place);
        put(&path, "");
        path
    }

    #[test]
    fn an_environment_beside_the_script_is_found_and_described() {
        let folder = scratch("venv");
        let prefix = folder.join(".venv");
        let path = interpreter_in(&prefix);
        put(
            &prefix.join("pyvenv.cfg"),
            "home = /usr\nversion = 3.10.6\n",
        );
        let package = if cfg!(windows) {
            "Lib/site-packages/torch/__init__.py"
        } else {
            "lib/python3.10/site-packages/torch/__init__.py"
        };
        put(&prefix.join(package), "raise SystemExit('never imported')");
        let script = folder.join("tools").join("train.py");
        put(&script, "");
        let expected = FoundPython {
            path,
            kind: PythonKind::Venv,
            version: Some("3.10.6".to_owned()),
            has_torch: Some(true),
            name: Some(".venv".to_owned()),
        };
        assert_eq!(find_pythons(&script).first(), Some(&expected));
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn conda_states_its_version_and_what_it_lacks() {
        let folder = scratch("conda");
        let prefix = folder.join("env");
        interpreter_in(&prefix);
        put(
            &prefix.join("conda-meta/python-3.9.18-h955ad1f_0.json"),
            "{}",
        );
        let mut search = Search::default();
        search.beside(&folder);
        let [found] = search.found.as_slice() else {
            panic!("{:?}", search.found);
        };
        assert_eq!(found.kind, PythonKind::Conda);
        assert_eq!(found.version.as_deref(), Some("3.9.18"));
        assert_eq!(found.has_torch, Some(false));
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn versions_are_read_as_they_are_written() {
        let folder = scratch("versions");
        for (text, expected) in [
            ("version = 3.11.2\n", Some("3.11.2")),
            ("version_info = 3.8.10.final.0\n", Some("3.8.10")),
            ("home = /usr\n", None),
            ("", None),
        ] {
            put(&folder.join("pyvenv.cfg"), text);
            assert_eq!(stated_version(&folder).as_deref(), expected, "{text}");
        }
        fs::remove_dir_all(folder).unwrap();
    }
}
