//! The command line of the window program.

use std::ffi::OsString;
use std::path::PathBuf;

use lexopt::Arg::{Long, Short, Value};
use lexopt::ValueExt as _;

use super::language_before_settings;
use super::messages::Messages;
use crate::settings::RendererChoice;
use crate::words::Language;

/// What the command line asks for.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Arguments {
    /// Files and folders to open.
    pub paths: Vec<PathBuf>,
    /// How to draw, where it was said.
    pub renderer: Option<RendererChoice>,
    /// The language, where it was said.
    pub language: Option<Language>,
    /// Print how long the first frame took, then close.
    pub measure_start: bool,
}

/// What is to be done about a command line.
#[derive(Debug, PartialEq)]
pub(super) enum Parsed {
    /// Open the window.
    Run(Arguments),
    /// Print this and end well.
    Answer(String),
    /// Print this and end with code 2.
    Refuse(String),
}

/// Reads a command line, the program's name first.
pub(super) fn parse(arguments: impl IntoIterator<Item = OsString>) -> Parsed {
    match read(arguments) {
        Ok(parsed) => parsed,
        Err(error) => Parsed::Refuse(format!(
            "assert-doctor: {error}\n{}",
            Messages::new(language_before_settings()).see_help()
        )),
    }
}

fn read(arguments: impl IntoIterator<Item = OsString>) -> Result<Parsed, lexopt::Error> {
    let mut found = Arguments::default();
    let mut parser = lexopt::Parser::from_iter(arguments);
    while let Some(argument) = parser.next()? {
        match argument {
            Value(path) => found.paths.push(path.into()),
            Long("renderer") => {
                found.renderer = Some(parser.value()?.parse_with(|word| {
                    RendererChoice::from_word(word)
                        .ok_or("expected auto, dx12, vulkan, gl or software")
                })?);
            }
            Long("lang") => {
                found.language = Some(
                    parser
                        .value()?
                        .parse_with(|tag| Language::from_tag(tag).ok_or("expected en or zh-CN"))?,
                );
            }
            Long("measure-start") => found.measure_start = true,
            Short('h') | Long("help") => {
                let language = found.language.unwrap_or_else(language_before_settings);
                return Ok(Parsed::Answer(Messages::new(language).help().to_owned()));
            }
            Short('V') | Long("version") => {
                return Ok(Parsed::Answer(format!(
                    "assert-doctor {}",
                    env!("CARGO_PKG_VERSION")
                )));
            }
            _ => return Err(argument.unexpected()),
        }
    }
    Ok(Parsed::Run(found))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::Renderer;

    fn parsed(line: &str) -> Parsed {
        parse(
            std::iter::once("assert-doctor")
                .chain(line.split_whitespace())
                .map(OsString::from),
        )
    }

    #[test]
    fn what_is_understood() {
        let check = |line: &str, expected: Arguments| {
            assert_eq!(parsed(line), Parsed::Run(expected), "{line}");
        };
        let none = Arguments::default;
        check("", none());
        check(
            "a.log 训练/b.log",
            Arguments {
                paths: vec!["a.log".into(), "训练/b.log".into()],
                ..none()
            },
        );
        check(
            "--renderer gl",
            Arguments {
                renderer: Some(RendererChoice::Only(Renderer::Gl)),
                ..none()
            },
        );
        check(
            "--renderer=DX12",
            Arguments {
                renderer: Some(RendererChoice::Only(Renderer::Dx12)),
                ..none()
            },
        );
        check(
            "--renderer auto --lang zh-CN",
            Arguments {
                renderer: Some(RendererChoice::Auto),
                language: Some(Language::ZhCn),
                ..none()
            },
        );
        check(
            "--measure-start -- --renderer",
            Arguments {
                paths: vec!["--renderer".into()],
                measure_start: true,
                ..none()
            },
        );
    }

    #[test]
    fn what_is_answered_or_refused() {
        for line in ["--help", "-h", "x.log --lang zh-CN --help"] {
            assert!(
                matches!(parsed(line), Parsed::Answer(text) if text.contains("--renderer")),
                "{line}"
            );
        }
        assert_eq!(
            parsed("-V"),
            Parsed::Answer(format!("assert-doctor {}", env!("CARGO_PKG_VERSION")))
        );
        for line in [
            "--renderer",
            "--renderer garbage",
            "--lang klingon",
            "--nonsense",
            "-x",
        ] {
            assert!(
                matches!(parsed(line), Parsed::Refuse(text) if text.starts_with("assert-doctor: ")),
                "{line}"
            );
        }
    }
}
