//! The options of `check`.

use std::ffi::OsString;
use std::path::PathBuf;

use super::args::{Fault, Source};
use crate::check::{CheckOptions, Given};
use crate::labels::Role;
use crate::range_check::{DeviceChoice, Number};

/// What `check` was told.
#[derive(Debug, Default, PartialEq)]
pub(super) struct CheckArgs {
    pub given: Vec<Given>,
    pub options: CheckOptions,
    /// A log whose sizes count (`--log`).
    pub log: Option<PathBuf>,
    /// Where all offenders are written (`--offenders`).
    pub offenders: Option<PathBuf>,
    splits: Vec<Given>,
    range: Option<(Number, Number)>,
    /// `--kind index`: negative values count from the end.
    from_the_end: bool,
    /// The first option that only `check` knows, for a complaint.
    first: Option<String>,
    /// The same, but `--device`, which `gpus` knows, too.
    first_but_device: Option<String>,
    has_device: bool,
}

impl Eq for CheckArgs {}

impl CheckArgs {
    /// Whether an option belongs to `check`.
    pub(super) fn knows(name: &str) -> bool {
        [
            "log",
            "classes",
            "max",
            "range",
            "kind",
            "ignore",
            "column",
            "split",
            "device",
            "offenders",
        ]
        .contains(&name)
    }

    pub(super) fn first_option(&self) -> Option<&str> {
        self.first.as_deref()
    }

    /// The first option that `gpus` does not know.
    pub(super) fn first_but_device(&self) -> Option<&str> {
        self.first_but_device.as_deref()
    }

    /// The device, where one was named.
    pub(super) fn named_device(&self) -> Option<DeviceChoice> {
        self.has_device.then_some(self.options.device)
    }

    /// Takes one option with its value.
    pub(super) fn take(&mut self, option: &str, value: OsString) -> Result<(), Fault> {
        self.first.get_or_insert_with(|| option.to_owned());
        if option != "--device" {
            self.first_but_device
                .get_or_insert_with(|| option.to_owned());
        }
        let text = value.to_string_lossy().into_owned();
        match option {
            "--log" => self.log = Some(value.into()),
            "--offenders" => self.offenders = Some(value.into()),
            "--column" => self.options.column = Some(text),
            "--classes" => {
                let count = number(option, &text)?;
                let hi = count.as_int().filter(|&count| count > 0).map(|n| n - 1);
                let hi = hi.ok_or_else(|| bad_number(option, &text))?;
                self.set_range(Number::from(0_u8), Number::from(hi))?;
            }
            "--max" => {
                let hi = number(option, &text)?;
                self.set_range(Number::from(0_u8), hi)?;
            }
            "--range" => {
                let bad = || Fault::BadRange(text.clone());
                let (lo, hi) = text.split_once("..").ok_or_else(bad)?;
                let hi = hi.strip_prefix('=').unwrap_or(hi);
                let (Ok(lo), Ok(hi)) = (number(option, lo), number(option, hi)) else {
                    return Err(bad());
                };
                if lo > hi {
                    return Err(bad());
                }
                self.set_range(lo, hi)?;
            }
            "--kind" => {
                self.from_the_end = text == "index";
                self.options.role = Some(match text.as_str() {
                    "class" => Role::Class,
                    "embedding" => Role::Token,
                    "gather" | "index" => Role::Index,
                    "probability" => Role::Probability,
                    _ => return Err(Fault::BadKind(text)),
                });
            }
            "--ignore" => {
                let value = number(option, &text)?;
                self.options.ignore.get_or_insert_default().push(value);
            }
            "--split" => match text.split_once('=') {
                Some((name, path)) if !name.is_empty() && !path.is_empty() => {
                    self.splits.push(Given {
                        split: Some(name.to_owned()),
                        ..Given::path(path)
                    });
                }
                _ => return Err(Fault::BadSplit(text)),
            },
            "--device" => {
                self.options.device = device(&text).ok_or(Fault::BadDevice(text))?;
                self.has_device = true;
            }
            _ => return Err(Fault::UnknownOption(option.to_owned())),
        }
        Ok(())
    }

    fn set_range(&mut self, lo: Number, hi: Number) -> Result<(), Fault> {
        match self.range.replace((lo, hi)) {
            Some(_) => Err(Fault::TwoRanges),
            None => Ok(()),
        }
    }

    /// Everything together, once all arguments were read.
    pub(super) fn finish(mut self, sources: Vec<Source>) -> Result<Self, Fault> {
        for source in sources {
            // Labels are read by position and more than once: there is no piping them in.
            let Source::Path(path) = source else {
                return Err(Fault::NoCheckPath);
            };
            let given = Given::path(path);
            if !self.given.contains(&given) {
                self.given.push(given);
            }
        }
        self.given.append(&mut self.splits);
        if self.given.is_empty() {
            return Err(Fault::NoCheckPath);
        }
        self.options.range = self.range.map(|(lo, hi)| match hi.as_int() {
            // tensor[index] takes -size..size-1.
            Some(last) if self.from_the_end && lo == Number::from(0_u8) => {
                (Number::from(-(last + 1)), hi)
            }
            _ => (lo, hi),
        });
        Ok(self)
    }
}

/// `auto`, `cpu`, `gpu` or `gpu:2`.
fn device(text: &str) -> Option<DeviceChoice> {
    match text {
        "auto" => Some(DeviceChoice::Auto),
        "cpu" => Some(DeviceChoice::Cpu),
        "gpu" => Some(DeviceChoice::Gpu(None)),
        _ => {
            let number: usize = text.strip_prefix("gpu:")?.parse().ok()?;
            (number > 0).then_some(DeviceChoice::Gpu(Some(number)))
        }
    }
}

fn number(option: &str, text: &str) -> Result<Number, Fault> {
    let text = text.trim();
    let whole = text.parse::<i128>().ok().map(Number::from);
    let float = || text.parse::<f64>().ok().map(Number::from);
    whole
        .or_else(float)
        .filter(|n| !n.is_nan())
        .ok_or_else(|| bad_number(option, text))
}

fn bad_number(option: &str, value: &str) -> Fault {
    Fault::BadNumber {
        option: option.to_owned(),
        value: value.to_owned(),
    }
}
