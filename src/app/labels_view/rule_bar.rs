//! The rule, as a sentence that can be edited: what the values are, what is allowed and who says so, what is skipped.

use super::Basis;
use crate::bounds::Bound;
use crate::case::shown;
use crate::check::CheckOptions;
use crate::findings::RuleUsed;
use crate::knowledge::Certainty;
use crate::labels::Role;
use crate::range_check::{DeviceChoice, DeviceUse, GpuKind, Number};
use crate::words::{
    Arg, Words, bound_source, certainty_word, device_choice, device_use, role_name,
};

/// Roles that can be chosen.
pub const ROLES: [Role; 8] = [
    Role::Class,
    Role::Token,
    Role::Position,
    Role::TokenType,
    Role::Index,
    Role::MultiLabel,
    Role::Probability,
    Role::Logits,
];

/// The rule bar.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RuleBar {
    /// There is a rule, or the user said something about one.
    pub is_shown: bool,
    /// The rules, where there are several.
    pub rules: Vec<String>,
    /// Which of them is shown.
    pub rule: usize,
    /// What the values are used as: `None` for "as found", with that in brackets.
    pub roles: Vec<Choice<Option<Role>>>,
    /// The chosen one; the one that was found where none was chosen.
    pub chosen_role: Option<Role>,
    /// Its name.
    pub role: String,
    /// Smallest allowed value; empty: none.
    pub lo: String,
    /// Largest allowed value; empty: not known.
    pub hi: String,
    /// What states the range.
    pub stated: Option<Pill>,
    /// The user typed the range, so there is one to go back to.
    pub typed: bool,
    /// Values that are skipped.
    pub ignored: Vec<Ignored>,
    /// Who can check: by themselves, the CPU, each GPU.
    pub devices: Vec<Choice<DeviceChoice>>,
    /// Who is to.
    pub chosen_device: DeviceChoice,
    /// Its name.
    pub device: String,
    /// "checked in 0.3 s on 2 CPU cores: no array for a GPU".
    pub timing: String,
    /// The same in full, and which GPUs could not be used.
    pub timing_tooltip: String,
}

/// Something to choose.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice<T> {
    /// What is chosen.
    pub value: T,
    /// Its name.
    pub name: String,
}

/// A text in a rounded box, with more in its tooltip.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pill {
    /// "data.yaml: nc = 80".
    pub text: String,
    /// The whole path and line.
    pub tooltip: String,
    /// It is not sure.
    pub warning: bool,
}

/// A value that is skipped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ignored {
    /// The value.
    pub value: Number,
    /// As it is written.
    pub text: String,
}

pub(super) fn of(of: Basis<'_>) -> RuleBar {
    let (checked, words) = (of.checked, of.words);
    let material = &checked.material;
    let index = of.looking.rule.min(material.rules.len().saturating_sub(1));
    let used = material.rules.get(index);
    let found = used.map(|used| used.role);
    let as_found = of.options.role.is_none();
    let role = of.options.role.or(found);
    let mut roles: Vec<_> = ROLES
        .iter()
        .map(|&role| Choice {
            value: Some(role),
            name: role_name(role, words),
        })
        .collect();
    if !as_found {
        roles.insert(
            0,
            Choice {
                value: None,
                name: words.text("labels-role-as-found"),
            },
        );
    }
    let ignored = of
        .options
        .ignore
        .clone()
        .or_else(|| used.map(|used| used.rule.ignore.clone()))
        .unwrap_or_default();
    let (lo, hi) = match of.options.range {
        Some((lo, hi)) => (Some(lo), Some(hi)),
        None => used.map_or((None, None), |used| (used.rule.lo, used.rule.hi)),
    };
    let written = |end: Option<Number>| end.map(|n| n.to_string()).unwrap_or_default();
    let typed = of.options.range.is_some();
    RuleBar {
        is_shown: used.is_some() || *of.options != CheckOptions::default(),
        rules: if material.rules.len() > 1 {
            material
                .rules
                .iter()
                .map(|used| rule_name(used, words))
                .collect()
        } else {
            Vec::new()
        },
        rule: index,
        roles,
        chosen_role: role,
        role: role.map_or_else(
            || words.text("labels-role-as-found"),
            |role| role_name(role, words),
        ),
        lo: written(lo),
        hi: written(hi),
        stated: stated(of, used, typed),
        typed,
        ignored: ignored
            .into_iter()
            .map(|value| Ignored {
                value,
                text: value.to_string(),
            })
            .collect(),
        devices: devices(of),
        chosen_device: of.options.device,
        device: device_choice(of.options.device, of.gpus, words),
        timing: timing(of),
        timing_tooltip: timing_tooltip(&checked.device, words),
    }
}

/// Software that plays a GPU is left out: it is no faster than the CPU that it runs on.
fn devices(of: Basis<'_>) -> Vec<Choice<DeviceChoice>> {
    let gpus = of.gpus.iter().filter(|gpu| gpu.kind != GpuKind::Software);
    let mut all = vec![DeviceChoice::Auto, DeviceChoice::Cpu];
    all.extend(gpus.map(|gpu| DeviceChoice::Gpu(Some(gpu.number))));
    if !all.contains(&of.options.device) {
        all.push(of.options.device);
    }
    all.into_iter()
        .map(|value| Choice {
            value,
            name: device_choice(value, of.gpus, of.words),
        })
        .collect()
}

fn stated(of: Basis<'_>, used: Option<&RuleUsed>, typed: bool) -> Option<Pill> {
    let words = of.words;
    if typed {
        return Some(Pill {
            text: words.text("finding-bound-user"),
            ..Pill::default()
        });
    }
    let used = used?;
    let Some(bound) = used
        .bound
        .and_then(|index| of.checked.material.bounds.get(index))
    else {
        return used.rule.hi.is_none().then(|| Pill {
            text: words.text("labels-bound-none"),
            tooltip: words.text("labels-bound-none-tooltip"),
            warning: true,
        });
    };
    Some(Pill {
        text: bound_source(bound, words),
        tooltip: bound_tooltip(bound, words),
        warning: bound.certainty == Certainty::Possible,
    })
}

fn bound_tooltip(bound: &Bound, words: Words) -> String {
    let mut text = certainty_word(bound.certainty, words);
    if let Some(path) = &bound.path {
        text.push_str(" · ");
        text.push_str(&shown(&path.to_string_lossy()));
    }
    if let Some(line) = bound.line {
        text.push_str(" · ");
        text.push_str(&words.with("labels-line", &[("line", Arg::Number(line))]));
    }
    text
}

fn rule_name(used: &RuleUsed, words: Words) -> String {
    if used.name.is_empty() {
        role_name(used.role, words)
    } else {
        shown(&used.name)
    }
}

/// "checked in 0.3 s on 2 CPU cores: no array for a GPU".
fn timing(of: Basis<'_>) -> String {
    let words = of.words;
    let seconds = of.checked.elapsed.as_secs_f64();
    let seconds = if seconds < 0.095 {
        format!("{seconds:.2}")
    } else if seconds < 9.95 {
        format!("{seconds:.1}")
    } else {
        format!("{seconds:.0}")
    };
    let used = &of.checked.device;
    let seconds = ("seconds", Arg::Text(&seconds));
    let texts = device_use(used, words);
    let gpu = used.gpu.as_ref().filter(|_| texts.on_gpu);
    let timing = match gpu {
        Some(gpu) => {
            let name = shown(&gpu.name);
            words.with("labels-timing-gpu", &[seconds, ("gpu", Arg::Text(&name))])
        }
        None => words.with(
            "labels-timing",
            &[seconds, ("count", Arg::Number(of.cores as u64))],
        ),
    };
    match texts.short {
        Some(why) => words.with(
            "labels-timing-why",
            &[("timing", Arg::Text(&timing)), ("why", Arg::Text(&why))],
        ),
        None => timing,
    }
}

fn timing_tooltip(used: &DeviceUse, words: Words) -> String {
    let texts = device_use(used, words);
    let mut lines = vec![texts.text];
    lines.extend(texts.remarks);
    lines.join("\n")
}
