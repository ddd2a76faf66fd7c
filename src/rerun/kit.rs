//! The commands that run a training again elsewhere, each for one shell, to copy: with unbuffered UTF-8 output in a log file, and
//! the exit code in its last line.
//!
//! Each text works as it is pasted: a prompt's rules of quoting are not a script file's. The SLURM one is a file to submit.

mod elsewhere;
mod python_words;
mod quote;
#[cfg(test)]
mod tests;

use super::{RunCommand, RunOptions};
use crate::findings::python_text;

use python_words::{is_launcher, is_python, is_script, isolation, with_module};

pub use elsewhere::elsewhere;

/// The log of a second run, as it is called where nobody says otherwise. The program asks for it by this name.
pub const LOG_NAME: &str = "assert-doctor-run2.log";

/// The guard's files, by what needs them.
const MODULE_FILES: &[&str] = &["assert_doctor_guard.py"];
const INJECTED_FILES: &[&str] = &["assert_doctor_guard.py", "sitecustomize.py"];

/// A shell, or what is used as one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Shell {
    /// Windows `PowerShell` 5.1 and `PowerShell` 7 on Windows.
    PowerShell,
    /// The prompt of `cmd.exe`.
    Cmd,
    /// bash; zsh takes it as well.
    Bash,
    /// Jupyter, Colab.
    Notebook,
    /// A file for `sbatch`.
    Slurm,
}

impl Shell {
    /// All, in the order in which they are shown.
    pub const ALL: [Self; 5] = [
        Self::PowerShell,
        Self::Cmd,
        Self::Bash,
        Self::Notebook,
        Self::Slurm,
    ];

    /// Its name in JSON and texts.
    pub fn id(self) -> &'static str {
        match self {
            Self::PowerShell => "powershell",
            Self::Cmd => "cmd",
            Self::Bash => "bash",
            Self::Notebook => "notebook",
            Self::Slurm => "slurm",
        }
    }
}

/// The commands for one shell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KitEntry {
    /// Which.
    pub shell: Shell,
    /// What to copy; empty where there is a problem.
    pub text: String,
    /// The log that it writes, with the mark that the shell replaces (`assert-doctor-run2-%j.log`).
    pub log_name: String,
    /// Why there is no text.
    pub problem: Option<KitProblem>,
}

/// Why a shell cannot run the command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KitProblem {
    /// An argument holds a line break, which `cmd.exe` cannot pass on.
    LineBreak,
    /// Python is started with this option and would not load the guard.
    Isolated(char),
}

/// How the guard gets into the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum GuardForm {
    /// It does not.
    None,
    /// `python -m assert_doctor_guard script.py`.
    Module,
    /// `sitecustomize.py` and the environment: launchers, `python -c`.
    Injected,
}

/// The guard's files that must lie in the folder in which the command is run; empty where the options need none.
pub fn guard_files(command: &RunCommand, options: RunOptions) -> &'static [&'static str] {
    match Plan::new(command, options).form {
        GuardForm::None => &[],
        GuardForm::Module => MODULE_FILES,
        GuardForm::Injected => INJECTED_FILES,
    }
}

/// The commands for every shell. `log_name` is a plain file name; see [`LOG_NAME`].
pub fn kit(command: &RunCommand, options: RunOptions, log_name: &str) -> Vec<KitEntry> {
    let plan = Plan::new(command, options);
    Shell::ALL
        .into_iter()
        .map(|shell| plan.entry(shell, log_name))
        .collect()
}

/// What is run, whatever the shell.
struct Plan {
    words: Vec<String>,
    /// Variables that are set, `PYTHONPATH` left out.
    variables: Vec<(&'static str, String)>,
    form: GuardForm,
    cpu: bool,
    checks: bool,
    /// Python's option that keeps the guard out.
    isolated: Option<char>,
}

impl Plan {
    fn new(command: &RunCommand, options: RunOptions) -> Self {
        let mut words = vec![command.program.to_string_lossy().into_owned()];
        words.extend(
            command
                .arguments
                .iter()
                .map(|argument| argument.to_string_lossy().into_owned()),
        );
        // A script alone is run by Python.
        if words.first().is_some_and(|program| is_script(program)) {
            words.insert(0, "python".to_owned());
        }
        let mut variables = vec![
            ("PYTHONUNBUFFERED", "1".to_owned()),
            ("PYTHONIOENCODING", "utf-8".to_owned()),
        ];
        if options.sync {
            variables.push(("CUDA_LAUNCH_BLOCKING", "1".to_owned()));
        }
        let mut form = GuardForm::None;
        let mut isolated = None;
        if options.needs_guard_file() {
            let kept_out = |letters: &str| isolation(&words).find(|flag| letters.contains(*flag));
            // Run as a module it always checks values; it must lie where Python looks for modules.
            let guarded =
                with_module(&words, options).filter(|_| options.guard && kept_out("IP").is_none());
            if let Some(guarded) = guarded {
                words = guarded;
                form = GuardForm::Module;
            } else if let Some(flag) = kept_out("IES") {
                isolated = Some(flag);
            } else {
                form = GuardForm::Injected;
                if options.guard {
                    variables.push(("ASSERT_DOCTOR_GUARD", "1".to_owned()));
                }
                if options.cpu {
                    variables.push(("ASSERT_DOCTOR_CPU", "1".to_owned()));
                }
                if let Some(workers) = options.workers {
                    variables.push(("ASSERT_DOCTOR_WORKERS", workers.to_string()));
                }
            }
        }
        Self {
            words,
            variables,
            form,
            cpu: options.cpu,
            checks: options.guard,
            isolated,
        }
    }

    fn entry(&self, shell: Shell, log_name: &str) -> KitEntry {
        // `cmd.exe` ends a command at a line break, in quotes or not; PowerShell's form goes through it.
        let through_cmd = matches!(shell, Shell::PowerShell | Shell::Cmd);
        let breaks = through_cmd && self.words.iter().any(|word| word.contains(['\n', '\r']));
        let problem = self
            .isolated
            .map(KitProblem::Isolated)
            .or(breaks.then_some(KitProblem::LineBreak));
        if problem.is_some() {
            return KitEntry {
                shell,
                text: String::new(),
                log_name: log_name.to_owned(),
                problem,
            };
        }
        let log_name = if shell == Shell::Slurm {
            let stem = log_name.strip_suffix(".log").unwrap_or(log_name);
            format!("{stem}-%j.log")
        } else {
            log_name.to_owned()
        };
        let text = match shell {
            Shell::PowerShell => self.powershell(&log_name),
            Shell::Cmd => self.cmd(&log_name),
            Shell::Bash => self.bash(&log_name),
            Shell::Notebook => self.notebook(&log_name),
            Shell::Slurm => self.slurm(&log_name),
        };
        KitEntry {
            shell,
            text,
            log_name,
            problem: None,
        }
    }

    /// The reminder of the guard's files, as a comment behind `mark`.
    fn reminder(&self, mark: &str) -> Option<String> {
        let files = match self.form {
            GuardForm::None => return None,
            GuardForm::Module => MODULE_FILES.join(""),
            GuardForm::Injected => INJECTED_FILES.join(" and "),
        };
        Some(format!("{mark} Needs {files} in this folder."))
    }

    /// `PowerShell` 5.1 writes UTF-16 and turns what a program says on standard error into error records; 5.1 and 7 pass quotes on
    /// in different ways. Through `cmd.exe` neither happens: both pass it one text as it stands, and it redirects bytes.
    fn powershell(&self, log: &str) -> String {
        let mut lines: Vec<String> = self.reminder("#").into_iter().collect();
        for (name, value) in &self.variables {
            lines.push(format!("$env:{name} = '{value}'"));
        }
        if self.form == GuardForm::Injected {
            lines.push("$env:PYTHONPATH = \"$PWD;$env:PYTHONPATH\".TrimEnd(';')".to_owned());
        }
        let command = format!("{} > {} 2>&1", self.joined(quote::cmd), quote::cmd(log));
        lines.push(format!(
            "cmd /d /v:off /s /c {}",
            quote::powershell(&command)
        ));
        lines.push(format!(
            "$said = \"exit code: $LASTEXITCODE\"; $said; Add-Content -Encoding Ascii -LiteralPath {} -Value $said",
            quote::powershell(log)
        ));
        finished(&lines)
    }

    /// A prompt of its own, so that variables are gone afterwards and exclamation marks are what they are.
    fn cmd(&self, log: &str) -> String {
        let mut lines = vec!["cmd /d /v:off".to_owned()];
        lines.extend(self.reminder("rem"));
        for (name, value) in &self.variables {
            lines.push(format!("set {name}={value}"));
        }
        if self.form == GuardForm::Injected {
            lines.push(
                "if defined PYTHONPATH (set \"PYTHONPATH=%CD%;%PYTHONPATH%\") else (set \"PYTHONPATH=%CD%\")"
                    .to_owned(),
            );
        }
        let log = quote::cmd(log);
        lines.push(format!("{} > {log} 2>&1", self.joined(quote::cmd)));
        lines.push(format!(">> {log} echo exit code: %errorlevel%"));
        lines.push("echo exit code: %errorlevel%".to_owned());
        lines.push("exit".to_owned());
        finished(&lines)
    }

    /// In a subshell, so that variables and `pipefail` are gone afterwards.
    fn bash(&self, log: &str) -> String {
        let log = quote::posix_path(log);
        let mut lines = vec!["(".to_owned()];
        lines.extend(self.reminder("  #"));
        lines.push("  set -o pipefail".to_owned());
        lines.extend(self.exports().into_iter().map(|line| format!("  {line}")));
        lines.push(format!("  {} 2>&1 | tee {log}", self.posix_command()));
        lines.push(format!("  echo \"exit code: $?\" | tee -a {log}"));
        lines.push(")".to_owned());
        finished(&lines)
    }

    fn slurm(&self, log: &str) -> String {
        let stem = log.strip_suffix("-%j.log").unwrap_or(log);
        let mut lines = vec![
            "#!/bin/bash".to_owned(),
            format!("# Save as {stem}.sbatch, then: sbatch {stem}.sbatch"),
            "# Add the partition, account and time that your cluster asks for.".to_owned(),
            "#SBATCH --job-name=assert-doctor".to_owned(),
            // Without --error both streams go here.
            format!("#SBATCH --output={log}"),
        ];
        if !self.cpu {
            lines.push("#SBATCH --gres=gpu:1".to_owned());
        }
        lines.push(String::new());
        lines.extend(self.reminder("#"));
        lines.extend(self.exports());
        let command = self.posix_command();
        let launched = self.words.first().is_some_and(|word| word == "srun");
        lines.push(if launched {
            command
        } else {
            format!("srun --unbuffered {command}")
        });
        lines.extend([
            "code=$?".to_owned(),
            "echo \"exit code: $code\"".to_owned(),
            "exit \"$code\"".to_owned(),
        ]);
        finished(&lines)
    }

    /// Two cells; one after the other in a single cell works as well.
    fn notebook(&self, log: &str) -> String {
        let mut lines = vec![
            "# %% Cell 1: restart the kernel, then run this before anything imports torch"
                .to_owned(),
        ];
        lines.extend(self.reminder("#"));
        lines.push("import os".to_owned());
        for (name, value) in &self.variables {
            lines.push(format!("os.environ[\"{name}\"] = {}", python_text(value)));
        }
        lines.push(
            "folder = \"/content\" if os.path.isdir(\"/content\") else os.getcwd()  # Colab, or here"
                .to_owned(),
        );
        if self.form != GuardForm::None {
            lines.push(
                "os.environ[\"PYTHONPATH\"] = os.pathsep.join(filter(None, [os.getcwd(), folder, os.environ.get(\"PYTHONPATH\")]))"
                    .to_owned(),
            );
            lines.push(format!(
                "# To train in cells of this notebook: import assert_doctor_guard; assert_doctor_guard.install({})",
                match (self.cpu, self.checks) {
                    (true, true) => "cpu=True",
                    (true, false) => "cpu=True, check=False",
                    (false, true) => "",
                    (false, false) => "check=False",
                }
            ));
        }
        lines.push(String::new());
        lines.push("# %% Cell 2: run the script".to_owned());
        lines.push("import subprocess, sys".to_owned());
        let words: Vec<String> = self
            .words
            .iter()
            .enumerate()
            .map(|(at, word)| match at {
                // The notebook's own Python has the packages.
                0 if is_python(word) && !is_launcher(word) => "sys.executable".to_owned(),
                _ => python_text(word),
            })
            .collect();
        lines.push(format!("command = [{}]", words.join(", ")));
        lines.push(format!(
            "log_path = os.path.join(folder, {})",
            python_text(log)
        ));
        lines.extend(
            [
                "with open(log_path, \"wb\") as log:",
                "    run = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)",
                "    for line in run.stdout:",
                "        log.write(line)",
                "        print(line.decode(\"utf-8\", \"replace\"), end=\"\")",
                "    log.write(b\"exit code: %d\\n\" % run.wait())",
                "print(\"exit code:\", run.returncode, \"log:\", log_path)",
            ]
            .map(str::to_owned),
        );
        finished(&lines)
    }

    fn joined(&self, quote: fn(&str) -> String) -> String {
        let words: Vec<String> = self.words.iter().map(|word| quote(word)).collect();
        words.join(" ")
    }

    fn posix_command(&self) -> String {
        let words: Vec<String> = self
            .words
            .iter()
            .enumerate()
            .map(|(at, word)| match at {
                0 => quote::posix_program(word),
                _ => quote::posix(word),
            })
            .collect();
        words.join(" ")
    }

    /// `export …`, in a line or two.
    fn exports(&self) -> Vec<String> {
        let set: Vec<String> = self
            .variables
            .iter()
            .map(|(name, value)| format!("{name}={value}"))
            .collect();
        let mut lines = vec![format!("export {}", set.join(" "))];
        if self.form == GuardForm::Injected {
            lines.push("export PYTHONPATH=\"$PWD${PYTHONPATH:+:$PYTHONPATH}\"".to_owned());
        }
        lines
    }
}

fn finished(lines: &[String]) -> String {
    lines.join("\n") + "\n"
}
