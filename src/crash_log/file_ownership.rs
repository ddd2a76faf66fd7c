//! Whose a source file is: the user's, or Python's and its packages'.

const PACKAGES: &[&str] = &["torch", "torchvision", "torchaudio", "numpy"];

/// The file belongs to Python or to an installed package. Whole path components decide: a project inside a folder whose
/// name merely contains such a word is the user's.
pub(super) fn is_library(file: &str) -> bool {
    if let Some(inner) = file.strip_prefix('<') {
        return !(inner.starts_with("stdin")
            || inner.starts_with("ipython-input")
            || inner.starts_with("input")
            || inner.starts_with("console")
            || inner.starts_with("timed "));
    }
    let lower = file.replace('\\', "/").to_ascii_lowercase();
    let parts: Vec<&str> = lower
        .split('/')
        .filter(|p| !p.is_empty() && *p != ".")
        .collect();
    let is_python = |part: &str| {
        part.strip_prefix("python").is_some_and(|rest| {
            rest.chars()
                .all(|c| c.is_ascii_digit() || c == '.' || c == '-')
                || rest.starts_with("_embed")
        })
    };
    // The guard that this program injects.
    if parts.last() == Some(&"assert_doctor_guard.py") {
        return true;
    }
    for (i, part) in parts.iter().enumerate() {
        if matches!(
            *part,
            "site-packages" | "dist-packages" | "python_embeded" | "python_embedded"
        ) || part.starts_with("torchinductor_")
            || (has_extension(part, &["zip"]) && part.starts_with("python"))
        {
            return true;
        }
        let before = i
            .checked_sub(1)
            .and_then(|i| parts.get(i))
            .copied()
            .unwrap_or("");
        let two_before = i
            .checked_sub(2)
            .and_then(|i| parts.get(i))
            .copied()
            .unwrap_or("");
        let after = parts.get(i + 1).copied().unwrap_or("");
        let is_home = is_python(before)
            || [
                "anaconda",
                "miniconda",
                "miniforge",
                "mambaforge",
                "micromamba",
            ]
            .iter()
            .any(|home| before.starts_with(home))
            || matches!(
                before,
                "conda" | "venv" | ".venv" | "env" | ".env" | ".conda"
            )
            || two_before == "envs";
        if (matches!(*part, "lib" | "lib64")
            && (is_python(after) && after.contains('.') || is_home))
            || (*part == "scripts" && is_home)
            || (*part == "bin"
                && (is_home || matches!(before, "local" | ".local" | "usr"))
                && !has_extension(&lower, &["py"]))
        {
            return true;
        }
    }
    // Relative paths of installed packages, as some tools shorten them.
    let is_relative = !file.starts_with(['/', '\\', '~', '.']) && !file.contains(':');
    is_relative && parts.len() > 2 && parts.first().is_some_and(|first| PACKAGES.contains(first))
        || lower.starts_with("torch/_") && parts.len() == 2
}

/// Whether a file's name ends in one of these extensions.
pub(super) fn has_extension(file: &str, extensions: &[&str]) -> bool {
    file.rsplit_once('.')
        .is_some_and(|(_, extension)| extensions.contains(&extension))
}
