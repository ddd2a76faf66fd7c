//! The guard's files, as this program carries them.

use std::io::{self, Write as _};
use std::path::Path;

/// The guard's files, names and texts, as they are put into a run's folder.
pub const GUARD_FILES: [(&str, &str); 2] = [
    (
        "assert_doctor_guard.py",
        include_str!("../../assets/guard/assert_doctor_guard.py"),
    ),
    (
        "sitecustomize.py",
        include_str!("../../assets/guard/sitecustomize.py"),
    ),
];

/// Writes guard files into a folder, which is made where it is not there; what is there is replaced only where it is such a file of this program.
///
/// # Errors
/// A file of that name is there and is somebody else's (nothing is written then), or the folder cannot be written.
pub fn save_guard(folder: &Path, files: &[&str]) -> io::Result<()> {
    let wanted = || GUARD_FILES.iter().filter(|(name, _)| files.contains(name));
    for (name, _) in wanted() {
        let path = folder.join(name);
        if path.exists() && !is_guard(&std::fs::read(path)?) {
            let said = format!("{name} is there already and is not of this program");
            return Err(io::Error::new(io::ErrorKind::AlreadyExists, said));
        }
    }
    std::fs::create_dir_all(folder)?;
    for (name, text) in wanted() {
        let mut file = std::fs::File::create(folder.join(name))?;
        file.write_all(text.as_bytes())?;
        file.sync_all()?;
    }
    Ok(())
}

/// Whether a file is one of the guard's, of this version or another.
fn is_guard(bytes: &[u8]) -> bool {
    let text = String::from_utf8_lossy(bytes);
    text.contains("assert_doctor_guard") || text.contains("AssertDoctorGuardError")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_guard_is_written_and_nothing_of_the_users_is() {
        let name = format!("assert-doctor-guard-files-{}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&folder).unwrap();
        let files = GUARD_FILES.map(|(name, _)| name);
        save_guard(&folder, &files).unwrap();
        for (name, text) in GUARD_FILES {
            assert_eq!(std::fs::read_to_string(folder.join(name)).unwrap(), text);
        }
        save_guard(&folder, &files).unwrap();
        let own = folder.join("sitecustomize.py");
        std::fs::write(&own, "print('mine')\n").unwrap();
        save_guard(&folder, &files).unwrap_err();
        assert_eq!(std::fs::read_to_string(&own).unwrap(), "print('mine')\n");
        save_guard(&folder, &["assert_doctor_guard.py"]).unwrap();
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
