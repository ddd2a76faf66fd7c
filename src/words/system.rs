//! What the system says of a failure, in the reader's language where it is one of the usual.

use super::language::Words;

/// Numbers of errors that have a text of their own, as Linux counts them.
const KNOWN: [(i32, &str); 16] = [
    (2, "not-found"),
    (7, "arguments"),
    (8, "format"),
    (12, "memory"),
    (13, "denied"),
    (1, "denied"),
    (17, "exists"),
    (20, "no-folder"),
    (21, "folder"),
    (22, "invalid"),
    (24, "files"),
    (27, "too-large"),
    (28, "full"),
    (30, "read-only"),
    (36, "too-long"),
    (122, "quota"),
];

/// What the system said: `No such file or directory (os error 2)`. What is none of the usual stays as it is; Windows speaks the
/// user's language itself.
pub fn system_said(said: &str, words: Words) -> String {
    let number = said
        .rsplit_once("(os error ")
        .and_then(|(_, rest)| rest.strip_suffix(')')?.parse::<i32>().ok());
    let known = number
        .filter(|_| !cfg!(windows))
        .and_then(|number| KNOWN.iter().find(|(known, _)| *known == number));
    match known {
        Some((_, id)) => words.text(&format!("system-{id}")),
        None => said.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::Language;

    #[cfg(target_os = "linux")]
    #[test]
    fn the_usual_failures_are_told_in_the_language() {
        for (number, _) in KNOWN {
            let said = std::io::Error::from_raw_os_error(number).to_string();
            for language in Language::ALL {
                let told = system_said(&said, Words::new(language));
                assert!(
                    !told.contains("os error") && !told.starts_with("system-"),
                    "{told}"
                );
            }
        }
        let words = Words::new(Language::ZhCn);
        assert_eq!(system_said("no pipes", words), "no pipes");
        assert_eq!(system_said("x (os error 9999)", words), "x (os error 9999)");
    }
}
