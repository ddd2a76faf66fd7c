//! The console program.

use std::process::ExitCode;

fn main() -> ExitCode {
    // Started by ourselves to look after a run.
    if let Some(code) = assert_doctor::rerun::supervisor(std::env::args_os().skip(1)) {
        return code;
    }
    let (mut stdin, mut stdout, mut stderr) =
        (std::io::stdin(), std::io::stdout(), std::io::stderr());
    assert_doctor::cli::run(
        std::env::args_os().skip(1),
        &mut stdin,
        &mut stdout,
        &mut stderr,
    )
}
