//! Error lines: which family a text belongs to.
//!
//! A text is judged with what stands before it: the same words inside advice, a comment or a quotation are no error. The words
//! of hints never are ("to enable device-side assertions").

use super::cuda_errors::{cuda_code, cuda_code_printed, cuda_error, cut_off_error};
use super::error_lexicon::{self, Rows};
use super::error_numbers::leading_int;
use super::error_table::DEATHS;
use super::{ErrorFamily, ErrorRole, hints};

/// What a text turned out to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Classified {
    /// The family.
    pub family: ErrorFamily,
    /// The status or code named.
    pub status: Option<String>,
    /// The class before the message.
    pub class: Option<String>,
}

/// Judges the final line of a traceback: always an error, [`ErrorFamily::PythonException`] where no family fits.
pub(super) fn exception(text: &str) -> Classified {
    let text = before_hints(text).trim();
    let class = exception_class(text).map(str::to_owned);
    match class.as_deref() {
        Some(name @ ("KeyboardInterrupt" | "SystemExit")) => {
            return Classified {
                family: ErrorFamily::PythonException,
                status: Some(name.to_owned()),
                class,
            };
        }
        Some("MemoryError" | "numpy.core._exceptions.MemoryError") => {
            return Classified {
                family: ErrorFamily::HostMemory,
                status: None,
                class,
            };
        }
        _ => {}
    }
    // A console or a collector cut the text off right there.
    let message = class.as_deref().and_then(|class| text.get(class.len()..));
    let message = message.unwrap_or_default().trim_start_matches([':', ' ']);
    if message.len() >= "CUDA".len() && "CUDA error:".starts_with(message) {
        return Classified {
            family: ErrorFamily::OtherCuda,
            status: None,
            class,
        };
    }
    let (family, status) =
        family(text, true).unwrap_or((ErrorFamily::PythonException, windows_error(text)));
    Classified {
        family,
        status,
        class,
    }
}

/// A message that a console broke in the middle: only both lines together are a known error, neither of them alone.
pub(super) fn goes_on(message: &str, next: &str) -> Option<(String, Classified)> {
    let known = |text: &str| {
        let judged = exception(text);
        (judged.family != ErrorFamily::PythonException).then_some(judged)
    };
    let alone = known(&format!("RuntimeError: {next}"));
    // The rest of a sentence may be telling enough by itself; a line of its own begins otherwise.
    let is_rest = next.starts_with(char::is_lowercase);
    if exception_class(next).is_some_and(is_exception_name) || (alone.is_some() && !is_rest) {
        return None;
    }
    ["", " "].iter().find_map(|between| {
        let joined = format!("{message}{between}{next}");
        known(&joined).map(|judged| (joined, judged))
    })
}

/// Judges a line outside any traceback; `None` where it is no error line.
pub(super) fn logged(text: &str) -> Option<(Classified, ErrorRole)> {
    let text = before_hints(text).trim();
    if text.is_empty() || is_source_code(text) {
        return None;
    }
    let class = embedded_class(text);
    if class.is_some_and(|c| c.ends_with("Warning"))
        || text.contains("Warning: ")
        || text.starts_with("warning: ")
        || is_glog_warning(text)
    {
        // Of warnings only the one that names a build without this card's code is a failure foretold.
        let (family, status) = family(text, false)?;
        return (family == ErrorFamily::NoKernelImage).then_some((
            Classified {
                family,
                status,
                class: None,
            },
            ErrorRole::Logged,
        ));
    }
    let class = class.map(str::to_owned);
    let role =
        if text.starts_with("what():") || text.starts_with("[F]") || text.contains("F tensorflow/")
        {
            ErrorRole::Terminate
        } else {
            ErrorRole::Logged
        };
    if let Some((family, status)) = family(text, false) {
        return Some((
            Classified {
                family,
                status,
                class,
            },
            role,
        ));
    }
    let (status, role) = death(text)?;
    Some((
        Classified {
            family: ErrorFamily::ProcessDied,
            status,
            class: None,
        },
        role,
    ))
}

/// The class at the start of `Class: message` or of a line that is nothing but a class; parentheses as in
/// `RayTaskError(RuntimeError)` included.
pub(super) fn exception_class(text: &str) -> Option<&str> {
    let end = text
        .find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '.'))
        .unwrap_or(text.len());
    let mut class = text.get(..end)?;
    let mut rest = text.get(end..)?;
    if let Some(inner) = rest.strip_prefix('(')
        && let Some(close) = inner.find(')')
        && inner
            .get(..close)?
            .chars()
            .all(|c| c.is_alphanumeric() || c == '_' || c == '.')
    {
        class = text.get(..end + close + 2)?;
        rest = text.get(end + close + 2..)?;
    }
    let starts_well = class
        .chars()
        .next()
        .is_some_and(|c| c.is_alphabetic() || c == '_');
    let well_formed = !class.ends_with('.') && !class.contains("..");
    let followed_well = rest.is_empty() || rest == ":" || rest.starts_with(": ");
    (starts_well && well_formed && followed_well).then_some(class)
}

/// A class whose name says that it is an exception.
pub(super) fn is_exception_name(class: &str) -> bool {
    let last = class.rsplit('.').next().unwrap_or(class);
    let last = last.split('(').next().unwrap_or(last);
    let upper = last.chars().next().is_some_and(char::is_uppercase);
    upper
        && [
            "Error",
            "Exception",
            "Interrupt",
            "Exit",
            "Iteration",
            "Group",
            "Failed",
            "Failure",
            "Timeout",
            "Empty",
            "Full",
            "Abort",
            "Aborted",
            "Killed",
            "OutOfMemory",
            "NotFound",
            "Fault",
            "Warning",
        ]
        .iter()
        .any(|ending| last.ends_with(ending))
        && !matches!(
            last,
            "Error" | "Failed" | "Failure" | "Timeout" | "Group" | "Empty" | "Full" | "Warning"
        )
}

/// The exception class in a log line: at its start or after a logger's words (`ERROR: ValueError: …`).
fn embedded_class(text: &str) -> Option<&str> {
    if let Some(class) = exception_class(text).filter(|c| is_exception_name(c)) {
        return Some(class);
    }
    text.match_indices(": ").take(8).find_map(|(at, _)| {
        let before = text.get(..at)?;
        let start = before
            .rfind(|c: char| !(c.is_alphanumeric() || c == '_' || c == '.'))
            .map_or(0, |i| {
                i + before
                    .get(i..)
                    .and_then(|s| s.chars().next())
                    .map_or(1, char::len_utf8)
            });
        before.get(start..).filter(|c| is_exception_name(c))
    })
}

fn before_hints(text: &str) -> &str {
    hints::begins(text)
        .and_then(|at| text.get(..at))
        .unwrap_or(text)
}

fn is_source_code(text: &str) -> bool {
    let text = text
        .trim_start_matches([' ', '│', '|', '>', '❱'])
        .trim_start_matches(|c: char| c.is_ascii_digit() || c == ' ');
    [
        "raise ",
        "#",
        "//",
        "print(",
        "except ",
        "if ",
        "elif ",
        "assert ",
        "TORCH_CHECK",
        "def ",
        "\"\"\"",
    ]
    .iter()
    .any(|start| text.starts_with(start))
}

/// The family of a text and the status it names. `is_exception` drops the doubt about what stands before.
fn family(text: &str, is_exception: bool) -> Option<(ErrorFamily, Option<String>)> {
    // Paddle's line after an error names CUDA's error again.
    if text.starts_with("[Hint:") {
        return None;
    }
    let reading = error_lexicon::read(text)?;
    let believed = |at: usize| is_exception || !is_prose(text.get(..at).unwrap_or(""));
    if reading.other_framework().is_some_and(believed) {
        return Some((ErrorFamily::OtherFramework, paddle_code(text)));
    }
    if is_tensorflow_log(text) {
        // TensorFlow complains of CUDA whenever TensorBoard imports it; that a kernel failed is news, and its own.
        let (error, _) = cuda_error(text)?;
        let kernel_failed = matches!(
            error.family,
            ErrorFamily::DeviceAssert | ErrorFamily::IllegalAddress | ErrorFamily::LaunchFailure
        );
        return kernel_failed.then(|| (ErrorFamily::OtherFramework, Some(error.code.to_string())));
    }
    let has_class = is_exception || embedded_class(text).is_some();
    if let Some(family) = reading.row(Rows::Wrapping, has_class, believed) {
        return Some((family, status(family, text)));
    }
    if reading.names_cuda_error()
        && let Some((error, at)) = cuda_error(text)
        && believed(at)
    {
        return Some((error.family, cuda_code(text, error)));
    }
    if let Some(at) = reading.unknown_cuda_error().filter(|at| believed(*at)) {
        if let Some(error) = text.get(at..).and_then(cut_off_error) {
            return Some((error.family, cuda_code(text, error)));
        }
        return Some((ErrorFamily::OtherCuda, cuda_code_printed(text)));
    }
    let mut family = reading.row(Rows::Other, has_class, believed)?;
    if family == ErrorFamily::CpuIndex
        && text.contains(" is out of bounds for dim")
        && !text.contains("IndexError")
        && !text.contains("index_copy_")
    {
        // Advanced indexing raises IndexError, gather and scatter raise RuntimeError, with the same words.
        family = ErrorFamily::CpuGather;
    }
    Some((family, status(family, text)))
}

/// `[W CUDAGuardImpl.h:46] …`, `[W1012 09:00:01.1 socket.cpp:601] …`. Only the abort handler warns of its own death.
fn is_glog_warning(text: &str) -> bool {
    text.strip_prefix("[W")
        .is_some_and(|rest| rest.starts_with(|c: char| c == ' ' || c.is_ascii_digit()))
        && !text.contains("AbortHandler.h")
}

/// A line of TensorFlow's own logger: `…: E tensorflow/stream_executor/cuda/cuda_event.cc:29] …`.
fn is_tensorflow_log(text: &str) -> bool {
    ["tensorflow/", "external/local_xla/", "xla/stream_executor/"]
        .iter()
        .filter_map(|folder| text.split_once(folder))
        .any(|(before, after)| {
            let logged = before.len() < 60 && (before.is_empty() || before.ends_with([' ', '/']));
            logged && after.contains(".cc:") && after.contains("] ")
        })
}

/// What stands before makes it advice, a comment or a quotation, not an error of this run.
fn is_prose(before: &str) -> bool {
    let lower = before.to_lowercase();
    if [
        "if you ",
        "when you ",
        "in case ",
        "to avoid",
        "to debug",
        "to fix",
        "you may ",
        "you might ",
        "may cause",
        "can cause",
        "might cause",
        "may lead",
        "can lead",
        "for example",
        "such as",
        "e.g.",
        "like \"",
        "usually ",
        "sometimes",
        "often ",
        "tip:",
        "hint:",
        "faq",
        "how to ",
        "errors like",
        "error like",
        "prevent",
        "instead of",
        "known issue",
        "workaround",
        "如果",
        "避免",
        "可能",
        "报错：“",
        "遇到",
        "解决",
    ]
    .iter()
    .any(|phrase| lower.contains(phrase))
    {
        return true;
    }
    if before.trim_start().starts_with(['#', '*', '>']) && !before.trim_start().starts_with("***") {
        return true;
    }
    let quoted = before.ends_with(['"', '`', '“', '‘', '「'])
        && !before.ends_with("(\"")
        && !before.ends_with("=\"")
        && !before.ends_with("= \"");
    let clause = before
        .rsplit([':', ']', ')', '|', '-', '>'])
        .find(|part| !part.trim().is_empty())
        .unwrap_or("");
    let glued = before
        .trim_end()
        .ends_with([':', ']', ')', '|', '-', '>', '(', '\'']);
    quoted || (!glued && clause.split_whitespace().count() > 7)
}

fn paddle_code(text: &str) -> Option<String> {
    let at = text.find(" error(")? + " error(".len();
    leading_int(text.get(at..)?).map(|code| code.to_string())
}

fn status(family: ErrorFamily, text: &str) -> Option<String> {
    match family {
        ErrorFamily::Cublas | ErrorFamily::CublasAlloc => word_from(
            text,
            &["CUBLAS_STATUS_", "HIPBLAS_STATUS_", "rocblas_status_"],
        ),
        ErrorFamily::Cudnn => word_from(
            text,
            &[
                "CUDNN_STATUS_",
                "CUDNN_BACKEND_",
                "CUSOLVER_STATUS_",
                "CUFFT_",
                "CUSPARSE_STATUS_",
                "CURAND_STATUS_",
                "miopenStatus",
            ],
        ),
        // Of what they quote: the code of the CUDA error inside tells a watchdog that saw an assert from one that timed out.
        ErrorFamily::Nccl | ErrorFamily::NcclWatchdog => cuda_error(text)
            .map(|(error, _)| error.code.to_string())
            .or_else(|| {
                word_from(
                    text,
                    &[
                        "ncclUnhandled",
                        "ncclSystem",
                        "ncclInternal",
                        "ncclRemote",
                        "ncclInvalid",
                    ],
                )
            }),
        ErrorFamily::ChildFailed | ErrorFamily::WorkerExited => word_from(
            text,
            &[
                "SIGABRT", "SIGSEGV", "SIGKILL", "SIGBUS", "SIGTERM", "SIGILL", "SIGFPE",
            ],
        )
        .or_else(|| {
            let at = text.find("killed by signal: ")? + "killed by signal: ".len();
            text.get(at..)?.split(['.', ' ']).next().map(str::to_owned)
        }),
        ErrorFamily::WorkerMemory | ErrorFamily::HostMemory => windows_error(text).or_else(|| {
            let at = text.find("error code: <")? + "error code: <".len();
            leading_int(text.get(at..)?).map(|code| code.to_string())
        }),
        _ => None,
    }
}

/// `WinError 126` of `[WinError 126] …`, whatever language the sentence after it has.
fn windows_error(text: &str) -> Option<String> {
    let at = text.find("WinError ")? + "WinError ".len();
    leading_int(text.get(at..)?).map(|code| format!("WinError {code}"))
}

fn word_from(text: &str, starts: &[&str]) -> Option<String> {
    let at = starts.iter().find_map(|start| text.find(start))?;
    let word = text.get(at..)?;
    let end = word
        .find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))
        .unwrap_or(word.len());
    word.get(..end).map(str::to_owned)
}

/// The process ended without an exception.
fn death(text: &str) -> Option<(Option<String>, ErrorRole)> {
    if is_host_assertion(text) {
        return Some((Some("SIGABRT".to_owned()), ErrorRole::Logged));
    }
    let whole_line = DEATHS.iter().find(|d| d.whole_line && text == d.needle);
    let death = whole_line.or_else(|| {
        error_lexicon::read(text)?.death(|at| !is_prose(text.get(..at).unwrap_or("")))
    })?;
    let role = if death.needle.contains("AbortHandler")
        || death.needle.starts_with("terminate")
        || death.needle.starts_with("Fatal")
        || death.needle.starts_with("Windows fatal")
    {
        ErrorRole::Terminate
    } else {
        ErrorRole::Logged
    };
    let status = (!death.status.is_empty()).then(|| death.status.to_owned());
    Some((status, role))
}

/// The C library's own assertion, `program: file.c:12: function: Assertion …`: no device, no block and thread.
fn is_host_assertion(text: &str) -> bool {
    let c_library = text.find(": Assertion `").is_some_and(|at| {
        text.get(at..)
            .is_some_and(|rest| rest.ends_with("' failed."))
    });
    let microsoft = text.starts_with("Assertion failed: ")
        && text.contains(", file ")
        && text.contains(", line ");
    (c_library || microsoft)
        && !text.contains("block: [")
        && !text.contains("Device-side assertion")
}

#[cfg(test)]
mod tests;
