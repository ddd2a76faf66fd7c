//! What is to be run: the command, its interpreter and options, and the kit for another machine.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::super::super::command::{RunEdit, Tab};
use super::super::super::run_view::{KitView, SetupView, setup_view};
use super::super::super::telling::{MessageFact, NoticeFact};
use super::super::super::{Job, RequestId};
use super::super::{AppState, next};
use crate::case::Origin;
use crate::crash_log::Platform;
use crate::rerun::{
    FirstRun, FoundPython, LOG_NAME, NewRun, RunCommand, RunOptions, RunProblem, Shell, Suggestion,
    elsewhere, guard_files, join_command, kit, split_command,
};
use crate::words::{Words, kit_intro, kit_texts, run_problem, split_problem};

/// What is to be run.
#[derive(Debug, Default)]
pub struct Setup {
    /// As it is shown.
    pub view: SetupView,
    suggestions: Vec<Suggestion>,
    pythons: Vec<FoundPython>,
    /// The command was typed: a suggestion that comes late does not replace it.
    typed: bool,
    looking: Option<RequestId>,
    pub(super) starting: Option<RequestId>,
    pub(super) problem: Option<SetupProblem>,
}

#[derive(Debug)]
pub(super) enum SetupProblem {
    Command(crate::rerun::SplitFault),
    Run(RunProblem),
}

impl AppState {
    pub(in crate::app::state) fn prepare_run(&mut self, script: Option<PathBuf>) -> Vec<Job> {
        self.show_tab(Tab::Log);
        if self.run_goes_on() {
            return Vec::new();
        }
        self.leave_old_run();
        let log = self.first_log();
        let facts = log.map(|log| Box::new(log.facts.clone()));
        let near = self.folder_of_log();
        let request = self.next_request();
        let kept = self.rerun.setup.take();
        let options = kept.as_ref().map_or(
            RunOptions {
                guard: true,
                ..RunOptions::default()
            },
            |setup| setup.view.options,
        );
        let setup = Setup {
            view: SetupView {
                options,
                looking: true,
                ..SetupView::default()
            },
            looking: Some(request),
            ..Setup::default()
        };
        self.rerun.setup = Some(Box::new(setup));
        vec![Job::SuggestRun {
            request,
            facts,
            script,
            near,
        }]
    }

    pub(in crate::app::state) fn leave_run(&mut self) {
        self.rerun.setup = None;
    }

    /// The log that a run is compared with: the case's own.
    fn first_log(&self) -> Option<&crate::case::Log> {
        let case = self.case.as_ref()?;
        case.logs.get(case.primary_log()?)
    }

    fn folder_of_log(&self) -> Option<PathBuf> {
        let case = self.case.as_ref()?;
        match &case.inputs.get(self.first_log()?.input)?.origin {
            Origin::Path(path) => path.parent().map(Path::to_owned),
            _ => None,
        }
    }

    pub(in crate::app::state) fn run_suggested(
        &mut self,
        request: RequestId,
        suggestions: Vec<Suggestion>,
        pythons: Vec<FoundPython>,
    ) {
        let words = self.words;
        let Some(setup) = self.rerun.setup.as_mut() else {
            return;
        };
        if setup.looking != Some(request) {
            return;
        }
        setup.looking = None;
        setup.view.looking = false;
        setup.suggestions = suggestions;
        setup.pythons = pythons;
        if !setup.typed && !setup.suggestions.is_empty() {
            setup.take_suggestion(0);
        }
        setup.build(words);
    }

    pub(in crate::app::state) fn edit_run(&mut self, edit: RunEdit) {
        let words = self.words;
        let Some(setup) = self.rerun.setup.as_mut() else {
            return;
        };
        setup.problem = None;
        match edit {
            RunEdit::Command(text) => {
                setup.view.command = text;
                setup.typed = true;
            }
            RunEdit::Directory(text) => {
                setup.view.directory = text;
                setup.typed = true;
            }
            RunEdit::Options(options) => setup.view.options = options,
            RunEdit::Suggestion(index) => setup.take_suggestion(index),
            RunEdit::Python(index) => setup.take_python(index),
        }
        setup.build(words);
    }

    pub(in crate::app::state) fn toggle_kit(&mut self) {
        let words = self.words;
        let shell = self.usual_shell();
        if let Some(setup) = self.rerun.setup.as_mut() {
            setup.view.kit = match setup.view.kit {
                Some(_) => None,
                None => Some(KitView {
                    shell,
                    ..KitView::default()
                }),
            };
            setup.build(words);
        }
    }

    /// The shell of the machine that the log is of; without a log, of this one.
    fn usual_shell(&self) -> usize {
        let platform = self
            .first_log()
            .map_or(Platform::Unknown, |log| log.facts.environment.platform);
        let shell = match platform {
            Platform::Windows => Shell::PowerShell,
            Platform::Colab => Shell::Notebook,
            Platform::Unknown if cfg!(windows) => Shell::PowerShell,
            Platform::Linux | Platform::Wsl | Platform::Macos | Platform::Unknown => Shell::Bash,
        };
        (Shell::ALL.iter())
            .position(|one| *one == shell)
            .unwrap_or_default()
    }

    pub(in crate::app::state) fn select_shell(&mut self, shell: usize) {
        let words = self.words;
        if let Some(setup) = self.rerun.setup.as_mut() {
            if let Some(kit) = &mut setup.view.kit {
                kit.shell = shell;
            }
            setup.build(words);
        }
    }

    pub(in crate::app::state) fn start_run(&mut self) -> Vec<Job> {
        let first = self.first_run();
        let request = next(&mut self.last_request);
        let words = self.words;
        let Some(setup) = self.rerun.setup.as_mut() else {
            return Vec::new();
        };
        if setup.starting.is_some() {
            return Vec::new();
        }
        setup.problem = None;
        let command = match setup.command() {
            Ok(command) => command,
            Err(fault) => {
                setup.problem = Some(SetupProblem::Command(fault));
                setup.build(words);
                return Vec::new();
            }
        };
        let python = setup.chosen_python().cloned();
        setup.starting = Some(request);
        setup.build(words);
        let run = NewRun {
            command,
            options: setup.view.options,
            python,
            first,
            folder: None,
        };
        vec![Job::StartRun {
            request,
            run: Box::new(run),
        }]
    }

    /// The case's own log as the run that died first.
    fn first_run(&self) -> Option<FirstRun> {
        let case = self.case.as_ref()?;
        let at = case.primary_log()?;
        let log = case.logs.get(at)?;
        log.diagnosis.first_failure.as_ref()?;
        let path = match &case.inputs.get(log.input)?.origin {
            Origin::Path(path) => Some(path.clone()),
            _ => None,
        };
        Some(FirstRun {
            elapsed_ms: (case.run_of_log(at))
                .map(crate::case::Run::side)
                .and_then(|run| run.failed_at_ms.or(run.elapsed_ms)),
            progress: log.facts.progress.clone(),
            path,
            name: case.name_of_log(at),
        })
    }

    pub(in crate::app::state) fn save_guard(&mut self, folder: PathBuf) -> Vec<Job> {
        let request = self.next_request();
        let kit = (self.rerun.setup.as_ref()).and_then(|setup| setup.view.kit.as_ref());
        let files = kit.map_or_else(Vec::new, |kit| kit.guard_files.clone());
        self.rerun.saving = Some(request);
        vec![Job::SaveGuard {
            request,
            folder,
            files,
        }]
    }

    pub(in crate::app::state) fn guard_saved(
        &mut self,
        request: RequestId,
        path: PathBuf,
        result: Result<(), String>,
    ) {
        if self.rerun.saving != Some(request) {
            return;
        }
        self.rerun.saving = None;
        match result {
            Ok(()) => self.tell(MessageFact::GuardSaved(path)),
            Err(said) => {
                self.notices.push(NoticeFact::GuardNotSaved(said));
                self.relabel_notice();
            }
        }
    }
}

impl Setup {
    fn take_suggestion(&mut self, index: usize) {
        let Some(suggestion) = self.suggestions.get(index) else {
            return;
        };
        self.view.command = join_command(&suggestion.command);
        self.view.directory = suggestion.command.directory.display().to_string();
    }

    /// Puts an interpreter before the script, in the place of the one that stands there.
    fn take_python(&mut self, index: usize) {
        let Some(python) = self.pythons.get(index) else {
            return;
        };
        let mut parts = split_command(&self.view.command).unwrap_or_default();
        if parts
            .first()
            .is_some_and(|first| is_python(Path::new(first)))
        {
            parts.remove(0);
        }
        self.view.command = join_command(&RunCommand {
            program: python.path.clone().into_os_string(),
            arguments: parts,
            directory: PathBuf::new(),
        });
        self.typed = true;
    }

    /// The command in the fields. A script alone gets the best interpreter.
    fn command(&self) -> Result<RunCommand, crate::rerun::SplitFault> {
        let mut parts = split_command(&self.view.command)?;
        let has_script = parts.first().is_some_and(is_script);
        if has_script && let Some(python) = self.pythons.first() {
            parts.insert(0, python.path.clone().into_os_string());
        }
        let directory = match self.view.directory.trim() {
            // Most scripts are started in their folder.
            "" => folder_of_script(&parts).unwrap_or_default(),
            typed => PathBuf::from(typed),
        };
        let mut parts = parts.into_iter();
        let program = parts.next().unwrap_or_default();
        Ok(RunCommand {
            program,
            arguments: parts.collect(),
            directory,
        })
    }

    fn chosen_python(&self) -> Option<&FoundPython> {
        let command = self.command().ok()?;
        let program = Path::new(&command.program);
        self.pythons.iter().find(|python| python.path == program)
    }

    pub(super) fn build(&mut self, words: Words) {
        setup_view(&mut self.view, &self.suggestions, &self.pythons, words);
        let chosen = self.chosen_python().map(|python| python.path.clone());
        let pythons = &self.pythons;
        self.view.python =
            chosen.and_then(|path| pythons.iter().position(|python| python.path == path));
        self.view.starting = self.starting.is_some();
        self.view.problem = self.problem.as_ref().map(|problem| match problem {
            SetupProblem::Command(fault) => split_problem(*fault, words),
            SetupProblem::Run(problem) => run_problem(problem, words),
        });
        let command = elsewhere(&self.command().unwrap_or_default());
        if let Some(shown) = &mut self.view.kit {
            let entries = kit(&command, self.view.options, LOG_NAME);
            shown.shells = entries
                .iter()
                .map(|entry| kit_texts(entry, words).name)
                .collect();
            shown.shell = shown.shell.min(entries.len().saturating_sub(1));
            shown.guard_files = guard_files(&command, self.view.options).to_vec();
            if let Some(entry) = entries.get(shown.shell) {
                let texts = kit_texts(entry, words);
                shown.text.clone_from(&entry.text);
                shown.intro = kit_intro(&entry.log_name, &shown.guard_files, words);
                shown.hint = texts.hint;
                shown.problem = texts.problem;
            }
        }
    }
}

/// Whether a word of a command is a Python script, by its name.
fn is_script(word: &OsString) -> bool {
    let extension = Path::new(word).extension();
    extension.is_some_and(|extension| extension.eq_ignore_ascii_case("py"))
}

/// The folder of a command's script, where the command says where that is.
fn folder_of_script(parts: &[OsString]) -> Option<PathBuf> {
    let script = Path::new(parts.iter().find(|part| is_script(part))?);
    let folder = script.parent()?;
    script.is_absolute().then(|| folder.to_owned())
}

/// Whether a program is a Python interpreter, by its name.
fn is_python(program: &Path) -> bool {
    let name = program.file_stem().unwrap_or_default().to_string_lossy();
    let name = name.to_ascii_lowercase();
    name == "py" || name.starts_with("python") || name.starts_with("pypy")
}
