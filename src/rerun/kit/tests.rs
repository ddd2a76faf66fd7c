//! Exact texts for plain and nasty arguments, and what a shell makes of them.

use std::ffi::OsString;
use std::path::PathBuf;

use super::*;

fn command(words: &[&str]) -> RunCommand {
    let (program, arguments) = words.split_first().unwrap();
    RunCommand {
        program: OsString::from(program),
        arguments: arguments.iter().map(OsString::from).collect(),
        directory: PathBuf::new(),
    }
}

const PLAIN: RunOptions = RunOptions {
    sync: false,
    cpu: false,
    guard: false,
    workers: None,
};

#[track_caller]
fn check(words: &[&str], options: RunOptions, shell: Shell, expected: &str) {
    let entries = kit(&command(words), options, LOG_NAME);
    let entry = entries.iter().find(|entry| entry.shell == shell).unwrap();
    assert_eq!(entry.problem, None);
    assert_eq!(entry.text, expected, "{}", entry.text);
}

#[test]
fn plain_commands() {
    let words = &["python", "train.py", "--lr=0.1", "--name", "run a"];
    let sync = RunOptions {
        sync: true,
        ..PLAIN
    };
    check(
        words,
        sync,
        Shell::PowerShell,
        "$env:PYTHONUNBUFFERED = '1'
$env:PYTHONIOENCODING = 'utf-8'
$env:CUDA_LAUNCH_BLOCKING = '1'
cmd /d /v:off /s /c 'python train.py \"--lr=0.1\" --name \"run a\" > assert-doctor-run2.log 2>&1'
$said = \"exit code: $LASTEXITCODE\"; $said; Add-Content -Encoding Ascii -LiteralPath 'assert-doctor-run2.log' -Value $said
",
    );
    check(
        words,
        sync,
        Shell::Cmd,
        "cmd /d /v:off
set PYTHONUNBUFFERED=1
set PYTHONIOENCODING=utf-8
set CUDA_LAUNCH_BLOCKING=1
python train.py \"--lr=0.1\" --name \"run a\" > assert-doctor-run2.log 2>&1
>> assert-doctor-run2.log echo exit code: %errorlevel%
echo exit code: %errorlevel%
exit
",
    );
    check(
        words,
        sync,
        Shell::Bash,
        "(
  set -o pipefail
  export PYTHONUNBUFFERED=1 PYTHONIOENCODING=utf-8 CUDA_LAUNCH_BLOCKING=1
  python train.py --lr=0.1 --name 'run a' 2>&1 | tee assert-doctor-run2.log
  echo \"exit code: $?\" | tee -a assert-doctor-run2.log
)
",
    );
    check(
        words,
        sync,
        Shell::Notebook,
        "# %% Cell 1: restart the kernel, then run this before anything imports torch
import os
os.environ[\"PYTHONUNBUFFERED\"] = \"1\"
os.environ[\"PYTHONIOENCODING\"] = \"utf-8\"
os.environ[\"CUDA_LAUNCH_BLOCKING\"] = \"1\"
folder = \"/content\" if os.path.isdir(\"/content\") else os.getcwd()  # Colab, or here

# %% Cell 2: run the script
import subprocess, sys
command = [sys.executable, \"train.py\", \"--lr=0.1\", \"--name\", \"run a\"]
log_path = os.path.join(folder, \"assert-doctor-run2.log\")
with open(log_path, \"wb\") as log:
    run = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    for line in run.stdout:
        log.write(line)
        print(line.decode(\"utf-8\", \"replace\"), end=\"\")
    log.write(b\"exit code: %d\\n\" % run.wait())
print(\"exit code:\", run.returncode, \"log:\", log_path)
",
    );
    check(
        words,
        sync,
        Shell::Slurm,
        "#!/bin/bash
# Save as assert-doctor-run2.sbatch, then: sbatch assert-doctor-run2.sbatch
# Add the partition, account and time that your cluster asks for.
#SBATCH --job-name=assert-doctor
#SBATCH --output=assert-doctor-run2-%j.log
#SBATCH --gres=gpu:1

export PYTHONUNBUFFERED=1 PYTHONIOENCODING=utf-8 CUDA_LAUNCH_BLOCKING=1
srun --unbuffered python train.py --lr=0.1 --name 'run a'
code=$?
echo \"exit code: $code\"
exit \"$code\"
",
    );
}

#[test]
fn the_guard_goes_before_the_script() {
    let all = RunOptions {
        sync: false,
        cpu: true,
        guard: true,
        workers: Some(0),
    };
    check(
        &["python3", "-u", "train.py", "-m", "x"],
        all,
        Shell::Bash,
        "(
  # Needs assert_doctor_guard.py in this folder.
  set -o pipefail
  export PYTHONUNBUFFERED=1 PYTHONIOENCODING=utf-8
  python3 -u -m assert_doctor_guard --cpu --workers 0 train.py -m x 2>&1 | tee assert-doctor-run2.log
  echo \"exit code: $?\" | tee -a assert-doctor-run2.log
)
",
    );
    // A launcher is no Python: the guard comes by the environment.
    check(
        &["torchrun", "--nproc_per_node=2", "train.py"],
        all,
        Shell::Bash,
        "(
  # Needs assert_doctor_guard.py and sitecustomize.py in this folder.
  set -o pipefail
  export PYTHONUNBUFFERED=1 PYTHONIOENCODING=utf-8 ASSERT_DOCTOR_GUARD=1 ASSERT_DOCTOR_CPU=1 ASSERT_DOCTOR_WORKERS=0
  export PYTHONPATH=\"$PWD${PYTHONPATH:+:$PYTHONPATH}\"
  torchrun --nproc_per_node=2 train.py 2>&1 | tee assert-doctor-run2.log
  echo \"exit code: $?\" | tee -a assert-doctor-run2.log
)
",
    );
    check(
        &["accelerate", "launch", "train.py"],
        RunOptions {
            guard: true,
            ..PLAIN
        },
        Shell::Cmd,
        "cmd /d /v:off
rem Needs assert_doctor_guard.py and sitecustomize.py in this folder.
set PYTHONUNBUFFERED=1
set PYTHONIOENCODING=utf-8
set ASSERT_DOCTOR_GUARD=1
if defined PYTHONPATH (set \"PYTHONPATH=%CD%;%PYTHONPATH%\") else (set \"PYTHONPATH=%CD%\")
accelerate launch train.py > assert-doctor-run2.log 2>&1
>> assert-doctor-run2.log echo exit code: %errorlevel%
echo exit code: %errorlevel%
exit
",
    );
}

#[track_caller]
fn guarded(words: &[&str], expected: Option<&[&str]>) {
    let words: Vec<String> = words.iter().map(|&word| word.to_owned()).collect();
    let options = RunOptions {
        guard: true,
        ..PLAIN
    };
    let made = with_module(&words, options);
    let made: Option<Vec<&str>> = made
        .as_ref()
        .map(|made| made.iter().map(String::as_str).collect());
    assert_eq!(made.as_deref(), expected, "{words:?}");
}

#[test]
fn pythons_own_options_stay_pythons() {
    let guard = "assert_doctor_guard";
    guarded(&["python", "a.py"], Some(&["python", "-m", guard, "a.py"]));
    guarded(
        &[
            "python", "-W", "ignore", "-Xdev", "-X", "utf8", "a.py", "-c",
        ],
        Some(&[
            "python", "-W", "ignore", "-Xdev", "-X", "utf8", "-m", guard, "a.py", "-c",
        ]),
    );
    guarded(
        &["python", "-m", "pkg.train", "--lr", "1"],
        Some(&["python", "-m", guard, "-m", "pkg.train", "--lr", "1"]),
    );
    guarded(
        &["python", "-um", "pkg"],
        Some(&["python", "-u", "-m", guard, "-m", "pkg"]),
    );
    guarded(
        &["python", "-mpkg", "x"],
        Some(&["python", "-m", guard, "-m", "pkg", "x"]),
    );
    guarded(
        &[r"C:\Python 3\PYTHON.EXE", "a.py"],
        Some(&[r"C:\Python 3\PYTHON.EXE", "-m", guard, "a.py"]),
    );
    guarded(
        &["py", "-3.11", "a.py"],
        Some(&["py", "-3.11", "-m", guard, "a.py"]),
    );
    guarded(
        &["python3.11", "a.py"],
        Some(&["python3.11", "-m", guard, "a.py"]),
    );
    for words in [
        &["python", "-c", "import x"][..],
        &["python", "-"],
        &["python"],
        &["python", "-m"],
        &["pythonista", "a.py"],
        &["torchrun", "a.py"],
    ] {
        guarded(words, None);
    }
}

#[test]
fn a_script_alone_is_run_by_python() {
    let plan = Plan::new(&command(&["my train.py", "x"]), PLAIN);
    assert_eq!(plan.words, ["python", "my train.py", "x"]);
    let options = RunOptions {
        guard: true,
        ..PLAIN
    };
    assert_eq!(guard_files(&command(&["a.py"]), options), MODULE_FILES);
    assert_eq!(
        guard_files(&command(&["torchrun"]), options),
        INJECTED_FILES
    );
    assert!(guard_files(&command(&["a.py"]), PLAIN).is_empty());
}

#[test]
fn slurm_asks_for_a_gpu_where_one_is_used() {
    let cpu = RunOptions { cpu: true, ..PLAIN };
    for (words, options, has, lacks) in [
        (&["python", "a.py"][..], PLAIN, "--gres=gpu:1", "srun srun"),
        (
            &["python", "a.py"],
            cpu,
            "srun --unbuffered python",
            "--gres",
        ),
        (
            &["srun", "-n2", "python", "a.py"],
            PLAIN,
            "\nsrun -n2 python a.py\n",
            "--unbuffered",
        ),
    ] {
        let entries = kit(&command(words), options, LOG_NAME);
        let slurm = entries.last().unwrap();
        assert!(
            slurm.text.contains(has) && !slurm.text.contains(lacks),
            "{}",
            slurm.text
        );
        assert_eq!(slurm.log_name, "assert-doctor-run2-%j.log");
    }
}

/// Arguments that a shell reads in its own way where it is let.
const NASTY: &[&str] = &[
    "",
    " ",
    "a b",
    "a  b\t",
    "it's",
    "say \"hi\"",
    "\"",
    "'",
    "`id`",
    "$HOME",
    "${x}",
    "$(id)",
    "100%",
    "%PATH%",
    "%PATH:a=b%",
    "a%b c%d",
    "!",
    "hi!there",
    "!x!",
    "^caret^",
    "a&b",
    "a|b",
    "<in>",
    "(x)",
    "a;b",
    "*.py",
    "[ab]",
    "{a,b}",
    "~",
    "#x",
    "--",
    "-x",
    "--path=a b",
    "=x",
    "C:\\data\\",
    "C:\\my data\\",
    "\\\\server\\share",
    "a\\\\\"b",
    "\\\"",
    "数据 集",
    "训练.py",
    "“quoted”",
    "it’s",
    "100% \"sure\" & more",
];

#[test]
fn what_the_shells_are_given_for_nasty_arguments() {
    for (argument, posix, cmd, powershell) in [
        ("a b", "'a b'", "\"a b\"", "'a b'"),
        ("it's", r"'it'\''s'", "\"it's\"", "'it''s'"),
        ("it’s", "'it’s'", "it’s", "'it’’s'"),
        (
            "say \"hi\"",
            "'say \"hi\"'",
            r#"^"say \^"hi\^"^""#,
            "'say \"hi\"'",
        ),
        ("$HOME", "'$HOME'", "\"$HOME\"", "'$HOME'"),
        ("`id`", "'`id`'", "\"`id`\"", "'`id`'"),
        ("%PATH%", "'%PATH%'", "^\"^%PATH^%^\"", "'%PATH%'"),
        ("hi!", "'hi!'", "\"hi!\"", "'hi!'"),
        ("a&b", "'a&b'", "\"a&b\"", "'a&b'"),
        (
            "C:\\my data\\",
            r"'C:\my data\'",
            r#""C:\my data\\""#,
            r"'C:\my data\'",
        ),
        ("C:\\data\\", r"'C:\data\'", r"C:\data\", r"'C:\data\'"),
        ("-x", "-x", "-x", "'-x'"),
        ("训练.py", "'训练.py'", "训练.py", "'训练.py'"),
        ("", "''", "\"\"", "''"),
    ] {
        assert_eq!(quote::posix(argument), posix);
        assert_eq!(quote::cmd(argument), cmd);
        assert_eq!(quote::powershell(argument), powershell);
    }
    assert_eq!(quote::posix_program("A=b"), "'A=b'");
    assert_eq!(quote::posix_program("time"), "'time'");
    assert_eq!(quote::posix_path("-log"), "./-log");
}

/// What `cmd.exe` passes on of a line, delayed expansion off: carets outside of quotes are taken away.
///
/// Variables are looked up before carets are read; here none may be found.
fn through_cmd(line: &str) -> String {
    let named: Vec<&str> = line.split('%').collect();
    for name in named.iter().skip(1).take(named.len().saturating_sub(2)) {
        let name = name.split(':').next().unwrap_or(name);
        assert!(
            name.ends_with('^') || name.contains(' '),
            "looks up {name:?} in {line}"
        );
    }
    let mut out = String::new();
    let mut quoted = false;
    let mut chars = line.chars();
    while let Some(c) = chars.next() {
        match c {
            '^' if !quoted => out.extend(chars.next()),
            '"' => {
                quoted = !quoted;
                out.push(c);
            }
            _ => {
                assert!(quoted || !"&|<>()".contains(c), "{c} is read in {line}");
                out.push(c);
            }
        }
    }
    assert!(!quoted, "{line}");
    out
}

/// What a program of Windows makes of its command line, by the documented rules of the C runtime.
fn arguments_of(line: &str) -> Vec<String> {
    let mut out = Vec::new();
    let mut current: Option<String> = None;
    let mut quoted = false;
    let mut backslashes = 0;
    for c in line.chars() {
        if c == '\\' {
            backslashes += 1;
            continue;
        }
        if c == '"' {
            let word = current.get_or_insert_default();
            word.push_str(&"\\".repeat(backslashes / 2));
            if backslashes % 2 == 1 {
                word.push('"');
            } else {
                quoted = !quoted;
            }
            backslashes = 0;
            continue;
        }
        if backslashes > 0 {
            current
                .get_or_insert_default()
                .push_str(&"\\".repeat(backslashes));
            backslashes = 0;
        }
        if !quoted && (c == ' ' || c == '\t') {
            out.extend(current.take());
        } else {
            current.get_or_insert_default().push(c);
        }
    }
    if backslashes > 0 {
        current
            .get_or_insert_default()
            .push_str(&"\\".repeat(backslashes));
    }
    out.extend(current);
    out
}

#[test]
fn windows_programs_get_what_was_meant() {
    let line: Vec<String> = NASTY.iter().map(|argument| quote::cmd(argument)).collect();
    assert_eq!(arguments_of(&through_cmd(&line.join(" "))), NASTY);
    for argument in NASTY {
        assert_eq!(
            arguments_of(&through_cmd(&quote::cmd(argument))),
            [*argument]
        );
    }
}

#[test]
fn a_line_break_stays_out_of_cmd() {
    for entry in kit(&command(&["python", "a.py", "x\ny"]), PLAIN, LOG_NAME) {
        let cannot = matches!(entry.shell, Shell::PowerShell | Shell::Cmd);
        assert_eq!(entry.problem, cannot.then_some(KitProblem::LineBreak));
        assert_eq!(entry.text.is_empty(), cannot);
    }
}

#[test]
fn notebook_cells_are_valid_python() {
    let mut words = vec!["python", "train.py"];
    words.extend(NASTY);
    words.push("x\ny");
    for options in [
        PLAIN,
        RunOptions {
            guard: true,
            cpu: true,
            ..PLAIN
        },
    ] {
        let entries = kit(&command(&words), options, LOG_NAME);
        let notebook = entries
            .iter()
            .find(|entry| entry.shell == Shell::Notebook)
            .unwrap();
        let parsed = ruff_python_parser::parse_module(&notebook.text);
        assert!(parsed.is_ok(), "{:?}\n{}", parsed.err(), notebook.text);
    }
}

/// Writes the texts for a program that prints its arguments to the folder that the environment names, to be tried in a real
/// `cmd.exe` and `PowerShell`.
#[test]
fn texts_can_be_written_out() {
    let Some(folder) = std::env::var_os("ASSERT_DOCTOR_KIT") else {
        return;
    };
    let folder = PathBuf::from(folder);
    std::fs::create_dir_all(&folder).unwrap();
    let mut words = vec!["args.exe"];
    words.extend(NASTY);
    for entry in kit(&command(&words), PLAIN, LOG_NAME) {
        std::fs::write(folder.join(entry.shell.id()), entry.text).unwrap();
    }
    std::fs::write(folder.join("arguments"), NASTY.join("\0")).unwrap();
}

#[cfg(unix)]
mod with_a_shell {
    use std::process::{Command, Stdio};

    use super::*;

    #[test]
    fn a_posix_shell_reads_what_was_meant() {
        let mut words = NASTY.to_vec();
        words.push("two\nlines");
        let quoted: Vec<String> = words.iter().map(|word| quote::posix(word)).collect();
        let line = format!("printf '%s\\0' {}", quoted.join(" "));
        let output = Command::new("/bin/sh")
            .arg("-c")
            .arg(line)
            .output()
            .unwrap();
        let read = String::from_utf8(output.stdout).unwrap();
        let read: Vec<&str> = read.trim_end_matches('\0').split('\0').collect();
        assert_eq!(read, words);
    }

    /// Runs a text with bash in a new folder; what it printed, and the log.
    fn with_bash(name: &str, words: &[&str], shell: Shell) -> Option<(String, String)> {
        let there = Command::new("bash")
            .arg("--version")
            .stdout(Stdio::null())
            .status();
        if !there.is_ok_and(|status| status.success()) {
            return None;
        }
        let folder =
            std::env::temp_dir().join(format!("assert-doctor-kit-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let entries = kit(&command(words), PLAIN, LOG_NAME);
        let entry = entries.iter().find(|entry| entry.shell == shell).unwrap();
        let file = folder.join("kit.sh");
        std::fs::write(&file, entry.text.replace("srun --unbuffered ", "")).unwrap();
        let output = Command::new("bash")
            .arg(&file)
            .current_dir(&folder)
            .output()
            .unwrap();
        let log = std::fs::read_to_string(folder.join(LOG_NAME)).unwrap_or_default();
        std::fs::remove_dir_all(&folder).unwrap();
        Some((String::from_utf8(output.stdout).unwrap(), log))
    }

    #[test]
    fn bash_writes_the_log_and_the_exit_code() {
        // A program that says both, and fails.
        let script = "printf '<%s>' \"$@\"; echo told >&2; exit 3";
        let mut words = vec!["sh", "-c", script, "sh"];
        words.extend(NASTY);
        let expected = format!("<{}>", NASTY.join("><"));
        if let Some((shown, log)) = with_bash("run", &words, Shell::Bash) {
            assert_eq!(log, format!("{expected}told\nexit code: 3\n"));
            assert_eq!(shown, log);
        }
        if let Some((shown, _)) = with_bash("slurm", &words, Shell::Slurm) {
            assert!(
                shown.starts_with(&expected) && shown.ends_with("exit code: 3\n"),
                "{shown}"
            );
        }
    }
}

#[test]
fn what_only_this_machine_has_is_left_out_of_the_commands() {
    let root = if cfg!(windows) { "C:\\" } else { "/" };
    let place = |parts: &[&str]| {
        let mut path = PathBuf::from(root);
        path.extend(parts);
        path.into_os_string()
    };
    let here = RunCommand {
        program: place(&["u", "seg", ".venv", "bin", "python3.11"]),
        arguments: vec![
            place(&["u", "seg", "tools", "train.py"]),
            "--data".into(),
            place(&["data", "coco"]),
            "--lr=0.1".into(),
        ],
        directory: place(&["u", "seg"]).into(),
    };
    let there = elsewhere(&here);
    assert_eq!(there.program, "python");
    let script: PathBuf = ["tools", "train.py"].iter().collect();
    // Data that lies elsewhere lies where the user says.
    let expected = [
        script.into_os_string(),
        "--data".into(),
        place(&["data", "coco"]),
        "--lr=0.1".into(),
    ];
    assert_eq!(there.arguments, expected);
    let typed = command(&["py", "-3.11", "train.py"]);
    assert_eq!(elsewhere(&typed), typed);
}

#[test]
fn a_python_that_would_not_load_the_guard_is_told() {
    let guard = RunOptions {
        guard: true,
        ..RunOptions::default()
    };
    let cpu = RunOptions {
        cpu: true,
        ..RunOptions::default()
    };
    let problem = |options, arguments: &[&str]| {
        let command = RunCommand {
            program: "python".into(),
            arguments: arguments.iter().map(Into::into).collect(),
            ..RunCommand::default()
        };
        let entries = kit(&command, options, LOG_NAME);
        assert!(
            entries
                .iter()
                .all(|entry| entry.problem == entries[0].problem)
        );
        assert_eq!(entries[0].problem.is_some(), entries[0].text.is_empty());
        entries[0].problem
    };
    let isolated = |flag| Some(KitProblem::Isolated(flag));
    assert_eq!(problem(guard, &["-I", "x.py"]), isolated('I'));
    assert_eq!(problem(guard, &["-uI", "-m", "x"]), isolated('I'));
    // As a module it is found all the same.
    assert_eq!(problem(guard, &["-E", "x.py"]), None);
    assert_eq!(problem(cpu, &["-E", "x.py"]), isolated('E'));
    assert_eq!(problem(cpu, &["-S", "-c", "pass"]), isolated('S'));
    // A value, and the script's own.
    assert_eq!(problem(guard, &["-W", "-I", "x.py", "-I"]), None);
    assert_eq!(problem(RunOptions::default(), &["-I", "x.py"]), None);
}

#[test]
fn the_cpu_alone_turns_no_checks_on() {
    let cpu = RunOptions {
        cpu: true,
        ..RunOptions::default()
    };
    let command = RunCommand {
        program: "python".into(),
        arguments: vec!["x.py".into()],
        ..RunCommand::default()
    };
    for entry in kit(&command, cpu, LOG_NAME) {
        assert!(entry.text.contains("ASSERT_DOCTOR_CPU"), "{}", entry.text);
        assert!(
            !entry.text.contains("ASSERT_DOCTOR_GUARD"),
            "{}",
            entry.text
        );
        assert!(
            !entry.text.contains("-m assert_doctor_guard"),
            "{}",
            entry.text
        );
        assert!(!entry.text.contains("install(cpu=True)"), "{}", entry.text);
    }
}
