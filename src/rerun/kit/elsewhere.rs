//! A command without what only this machine has.

use std::ffi::OsString;
use std::path::Path;

use super::super::RunCommand;
use super::{is_launcher, is_python};

/// A command of this machine as it is run on another: the interpreter by its name, files by their way from the folder in which
/// it is started.
pub fn elsewhere(command: &RunCommand) -> RunCommand {
    let program = Path::new(&command.program);
    let name = command.program.to_string_lossy();
    let relative = |argument: &OsString| {
        let path = Path::new(argument);
        let inside = path.strip_prefix(&command.directory).ok();
        inside
            .filter(|inside| path.is_absolute() && !inside.as_os_str().is_empty())
            .map_or_else(|| argument.clone(), |inside| inside.as_os_str().to_owned())
    };
    let program = match program.file_name().filter(|_| program.is_absolute()) {
        // Which version it is, is the other machine's business.
        Some(_) if is_python(&name) && !is_launcher(&name) => "python".into(),
        // `torchrun` and its like lie beside the interpreter.
        Some(file) if beside_python(program) => file.to_owned(),
        _ => relative(&command.program),
    };
    RunCommand {
        program,
        arguments: command.arguments.iter().map(relative).collect(),
        directory: command.directory.clone(),
    }
}

fn beside_python(program: &Path) -> bool {
    let names = ["python", "python3", "python.exe"];
    (program.parent()).is_some_and(|folder| names.iter().any(|name| folder.join(name).is_file()))
}
