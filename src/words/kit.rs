//! The rerun kit in words: titles, and what to know of each shell.

use super::language::{Arg, Words};
use crate::rerun::{KitEntry, KitProblem, Shell};

/// What is said around the commands for one shell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KitTexts {
    /// The shell's name.
    pub name: String,
    /// What to do before, or to know.
    pub hint: String,
    /// Why there are no commands, where there are none.
    pub problem: Option<String>,
}

/// What is said around the commands for one shell.
pub fn kit_texts(entry: &KitEntry, words: Words) -> KitTexts {
    let id = entry.shell.id();
    let hint = format!("kit-{id}-hint");
    let hint = if entry.shell == Shell::Slurm {
        let file = entry.log_name.replace("-%j.log", ".sbatch");
        words.with(&hint, &[("file", Arg::Text(&file))])
    } else {
        words.text(&hint)
    };
    KitTexts {
        name: words.text(&format!("kit-{id}-name")),
        hint,
        problem: entry.problem.map(|problem| match problem {
            KitProblem::LineBreak => words.text("kit-problem-line-break"),
            KitProblem::Isolated(flag) => {
                let flag = format!("-{flag}");
                words.with("kit-problem-isolated", &[("flag", Arg::Text(&flag))])
            }
        }),
    }
}

/// What is said above all of them: what they do, and the guard's files that must be put beside, where there are any.
pub fn kit_intro(log_name: &str, guard_files: &[&str], words: Words) -> Vec<String> {
    let mut texts = vec![words.with("kit-intro", &[("log", Arg::Text(log_name))])];
    if !guard_files.is_empty() {
        let files = guard_files.join(", ");
        texts.push(words.with("kit-guard", &[("files", Arg::Text(&files))]));
    }
    texts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rerun::{LOG_NAME, RunCommand, RunOptions, kit};
    use crate::words::Language;

    #[test]
    fn every_shell_has_its_texts() {
        let command = RunCommand {
            program: "python".into(),
            arguments: vec!["a.py".into(), "x\ny".into()],
            ..RunCommand::default()
        };
        for language in Language::ALL {
            let words = Words::new(language);
            for entry in kit(&command, RunOptions::default(), LOG_NAME) {
                let texts = kit_texts(&entry, words);
                assert!(!texts.name.starts_with("kit-"), "{}", texts.name);
                assert!(!texts.hint.starts_with("kit-"), "{}", texts.hint);
                assert_eq!(texts.problem.is_some(), entry.text.is_empty());
            }
        }
        let texts = kit_intro(LOG_NAME, &["a.py", "b.py"], Words::new(Language::En));
        assert!(texts[0].contains(LOG_NAME) && texts[1].contains("a.py, b.py"));
    }

    #[test]
    fn slurm_names_the_file_to_submit() {
        let command = RunCommand {
            program: "python".into(),
            ..RunCommand::default()
        };
        let entries = kit(&command, RunOptions::default(), "run2.log");
        let slurm = entries.last().unwrap();
        let texts = kit_texts(slurm, Words::new(Language::En));
        assert!(texts.hint.contains("run2.sbatch"), "{}", texts.hint);
        assert!(
            slurm.text.contains("# Save as run2.sbatch"),
            "{}",
            slurm.text
        );
    }
}
