//! Whether two runs are shown to be of the same training.
//!
//! What ends well, or counts farther, proves something of another run only where both do the same: any program ends with 0 some day.

use std::path::Path;

use super::Side;
use crate::crash_log::{Facts, Progress};

/// The arguments with which a script does nothing but say something of itself.
const TELLS_OF_ITSELF: [&str; 4] = ["-h", "--help", "--version", "-V"];

/// Something shows that both are the same training.
pub(super) fn is_same(first: &Side<'_>, second: &Side<'_>) -> bool {
    is_same_script(first, second) || counts_alike(first, second)
}

/// Both run the same script, or the very same command.
pub(super) fn is_same_script(first: &Side<'_>, second: &Side<'_>) -> bool {
    let (one, other) = (Command::of(first), Command::of(second));
    if let (Some(one), Some(other)) = (&one, &other) {
        if let (Some(script), Some(again)) = (&one.script, &other.script) {
            return script.is(again);
        }
        return one == other;
    }
    let (known, log) = match (one, other) {
        (Some(one), None) => (one, second.facts),
        (None, Some(other)) => (other, first.facts),
        _ => return share_a_script(first.facts, second.facts),
    };
    let asks = known
        .arguments
        .iter()
        .any(|argument| TELLS_OF_ITSELF.contains(&argument.as_str()));
    !asks
        && known
            .script
            .is_some_and(|script| scripts(log).any(|file| script.is(&Script::new(file))))
}

/// Both commands are known, and they run different scripts.
pub(super) fn is_other_script(first: &Side<'_>, second: &Side<'_>) -> bool {
    let (Some(one), Some(other)) = (Command::of(first), Command::of(second)) else {
        return false;
    };
    match (one.script, other.script) {
        (Some(one), Some(other)) => one.name() != other.name(),
        _ => false,
    }
}

/// Both commands are known, and their arguments differ.
pub(super) fn has_other_arguments(first: &Side<'_>, second: &Side<'_>) -> bool {
    let (Some(one), Some(other)) = (Command::of(first), Command::of(second)) else {
        return false;
    };
    one.script.is_some() && other.script.is_some() && one.arguments != other.arguments
}

/// The files of the user that stand in a log's tracebacks.
fn scripts(facts: &Facts) -> impl Iterator<Item = &str> {
    let frames = facts.tracebacks.iter().flat_map(|seen| &seen.frames);
    frames
        .filter(|frame| !frame.library && is_python(&frame.file))
        .map(|frame| frame.file.as_str())
}

fn share_a_script(one: &Facts, other: &Facts) -> bool {
    scripts(one).any(|file| {
        let script = Script::new(file);
        scripts(other).any(|again| script.is(&Script::new(again)))
    })
}

fn is_python(file: &str) -> bool {
    Path::new(file)
        .extension()
        .is_some_and(|extension| extension.eq_ignore_ascii_case("py"))
}

/// Both print their progress in the same way: they count the same things, to the same ends.
///
/// Another end is allowed where a size that both state is the same, too.
fn counts_alike(first: &Side<'_>, second: &Side<'_>) -> bool {
    let (died, reached) = (&first.facts.progress, second.reached());
    let counts = |progress: &Progress| progress.epoch.is_some() || progress.step.is_some();
    if !counts(died) || !counts(&reached) || died.epoch.is_some() != reached.epoch.is_some() {
        return false;
    }
    let total = |count: Option<(u64, Option<u64>)>| count.and_then(|(_, of)| of);
    // Loops of one epoch have lengths of their own.
    let same_loop = died.phase == reached.phase;
    let mut pairs = vec![(total(died.epoch), total(reached.epoch))];
    if same_loop {
        pairs.push((total(died.step), total(reached.step)));
    }
    let agree = |(one, other): &(Option<u64>, Option<u64>)| one.is_some() && one == other;
    let differ = |(one, other): &(Option<u64>, Option<u64>)| matches!((one, other), (Some(one), Some(other)) if one != other);
    let states =
        |progress: &Progress| total(progress.epoch).is_some() || total(progress.step).is_some();
    if !states(died) && !states(&reached) {
        // Neither says how far it will go: nothing but the way of counting is known.
        return died.step.is_some() == reached.step.is_some();
    }
    pairs.iter().any(agree)
        && (!pairs.iter().any(differ) || share_a_size(first.facts, second.facts))
}

/// Both state a size by the same name and value.
fn share_a_size(one: &Facts, other: &Facts) -> bool {
    one.stated_sizes.iter().any(|size| {
        other
            .stated_sizes
            .iter()
            .any(|again| size.name == again.name && size.value == again.value)
    })
}

/// The guard saw an operation with the same range in both.
pub(super) fn share_a_range(one: &Facts, other: &Facts) -> bool {
    let ranges = |facts: &Facts| {
        let seen = facts.guard.operations.iter();
        let seen = seen.filter_map(|seen| Some((seen.name.clone(), seen.lo?, seen.hi?)));
        seen.collect::<Vec<_>>()
    };
    let known = ranges(other);
    ranges(one).iter().any(|range| known.contains(range))
}

/// What was started.
#[derive(Debug, PartialEq, Eq)]
struct Command {
    /// The script, where one is named.
    script: Option<Script>,
    /// What stands behind the script, or the whole command.
    arguments: Vec<String>,
}

impl Command {
    /// As it was started, or as the log shows it.
    fn of(side: &Side<'_>) -> Option<Self> {
        let words = super::changes::words(side)?;
        let words: Vec<&str> = words.iter().flat_map(|word| parts(word)).collect();
        let directory = side.run.map(|run| run.record.command.directory.as_path());
        let Some((name, at)) = started(&words) else {
            let mut arguments: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
            // The same words in another folder are another command.
            arguments.extend(directory.map(|path| path.to_string_lossy().into_owned()));
            return Some(Self {
                script: None,
                arguments,
            });
        };
        let script = match directory {
            Some(directory) => Script::new(&directory.join(&name).to_string_lossy()),
            None => Script::new(&name),
        };
        let rest = words.get(at + 1..).unwrap_or_default().iter();
        Some(Self {
            script: Some(script),
            arguments: rest
                .take_while(|word| **word != NEXT)
                .map(|word| (*word).to_owned())
                .collect(),
        })
    }
}

/// The script that a command runs, and where it stands. One that is only named (`cat train.py`) is none.
fn started(words: &[&str]) -> Option<(String, usize)> {
    let module = words.iter().position(|word| *word == "-m").filter(|at| {
        let module = words.get(at + 1).copied().unwrap_or_default();
        has_launcher(words.get(..*at)) && !LAUNCHING_MODULES.contains(&module)
    });
    let script = words.iter().position(|word| is_python(bare(word)));
    if let Some(at) = module.filter(|at| script.is_none_or(|script| *at < script)) {
        // `python -m package.module`
        let module = bare(words.get(at + 1)?);
        return Some((format!("{}.py", module.replace('.', "/")), at + 1));
    }
    let at = script?;
    let before = words.get(..at)?;
    let is_program = before.last().is_none_or(|word| *word == NEXT);
    let is_code = before
        .windows(2)
        .any(|pair| matches!(pair, [python, "-c"] if has_launcher(Some(&[*python]))));
    (!is_code && (is_program || has_launcher(Some(before)))).then(|| {
        (
            bare(words.get(at).copied().unwrap_or_default()).to_owned(),
            at,
        )
    })
}

/// What runs Python scripts.
const LAUNCHERS: [&str; 9] = [
    "python",
    "pypy",
    "ipython",
    "py",
    "torchrun",
    "accelerate",
    "deepspeed",
    "horovodrun",
    "uv",
];

/// Modules that run the script behind them.
const LAUNCHING_MODULES: [&str; 7] = [
    "torch.distributed.launch",
    "torch.distributed.run",
    "accelerate.commands.launch",
    "pdb",
    "cProfile",
    "debugpy",
    "torch.utils.bottleneck",
];

/// One of the words names a program that runs Python scripts, with or without a version.
fn has_launcher(words: Option<&[&str]>) -> bool {
    words.unwrap_or_default().iter().any(|word| {
        let name = bare(word).rsplit(['/', '\\']).next().unwrap_or_default();
        let name = name.to_lowercase();
        let name = name.strip_suffix(".exe").unwrap_or(&name);
        let name = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.' || c == 'w');
        LAUNCHERS.contains(&name)
    })
}

fn bare(word: &str) -> &str {
    word.trim_matches(['"', '\''])
}

/// Where a shell's next command begins.
const NEXT: &str = ";";

/// A shell's line is one word with several in it.
fn parts(word: &str) -> Vec<&str> {
    let is_line = word.contains(char::is_whitespace) && !is_python(bare(word));
    if !is_line {
        return vec![word];
    }
    let mut parts = Vec::new();
    for (at, command) in word.split([';', '&', '|', '(', ')']).enumerate() {
        if at > 0 {
            parts.push(NEXT);
        }
        parts.extend(command.split_whitespace());
    }
    parts
}

/// The path of a script, part by part from its end.
#[derive(Debug, PartialEq, Eq)]
struct Script {
    parts: Vec<String>,
    absolute: bool,
}

impl Script {
    fn new(path: &str) -> Self {
        let parts = path.split(['/', '\\']).rev();
        let parts = parts.filter(|part| !part.is_empty() && *part != ".");
        Self {
            parts: parts.map(str::to_lowercase).collect(),
            absolute: path.starts_with(['/', '\\']) || path.get(1..2) == Some(":"),
        }
    }

    fn name(&self) -> Option<&str> {
        self.parts.first().map(String::as_str)
    }

    /// The same file: one path is the end of the other. Of two whole paths the folder counts as well: the log of another machine has
    /// another beginning, and half of all scripts are called `train.py`.
    fn is(&self, other: &Self) -> bool {
        let same = self.parts.iter().zip(&other.parts);
        let same = same.take_while(|(one, other)| one == other).count();
        let shorter = self.parts.len().min(other.parts.len());
        let wanted = if self.absolute && other.absolute {
            shorter.min(2)
        } else {
            shorter
        };
        same >= wanted.max(1)
    }
}
