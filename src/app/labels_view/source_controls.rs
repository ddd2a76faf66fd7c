//! What can be said about a source: its format, split, column, and what its values are used as.

use super::rule_bar::ROLES;
use super::sources::name_of;
use super::{Basis, Choice};
use crate::case::shown;
use crate::check::{Source, SourceKind};
use crate::labels::{LabelFormat, Role};
use crate::words::{Arg, format_name, role_name, split_name};

/// What the user can say about what a source was given with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceControls {
    /// Index of what was given.
    pub given: usize,
    /// Formats to choose from; the first is "as found".
    pub formats: Vec<Choice<Option<LabelFormat>>>,
    /// The chosen format.
    pub chosen_format: Option<LabelFormat>,
    /// The chosen format's name.
    pub format: String,
    /// Splits to choose from; the first is "as found".
    pub splits: Vec<Choice<Option<String>>>,
    /// The chosen split.
    pub chosen_split: Option<String>,
    /// The chosen split's name.
    pub split: String,
    /// Column, key or field; empty: as found.
    pub column: String,
    /// The one that was found, as a hint.
    pub column_hint: String,
    /// Roles to choose from; the first is "as found".
    pub roles: Vec<Choice<Option<Role>>>,
    /// The chosen role.
    pub chosen_role: Option<Role>,
    /// The chosen role's name.
    pub role: String,
    /// "For all of retail-80", where several sources were given together.
    pub scope: Option<String>,
}

const FORMATS: [LabelFormat; 16] = [
    LabelFormat::Table,
    LabelFormat::PathList,
    LabelFormat::Json,
    LabelFormat::JsonLines,
    LabelFormat::Coco,
    LabelFormat::Yolo,
    LabelFormat::Voc,
    LabelFormat::ImageFolder,
    LabelFormat::Mask,
    LabelFormat::Npy,
    LabelFormat::Npz,
    LabelFormat::Torch,
    LabelFormat::Pickle,
    LabelFormat::SafeTensors,
    LabelFormat::Idx,
    LabelFormat::Tokens,
];
const SPLITS: [&str; 3] = ["train", "val", "test"];

pub(super) fn controls(of: Basis<'_>, index: usize, source: &Source) -> Option<SourceControls> {
    let SourceKind::Labels { format, .. } = &source.kind else {
        return None;
    };
    let words = of.words;
    let given = of.given.get(source.given)?;
    let group = of
        .checked
        .material
        .groups
        .iter()
        .find(|group| group.source == index);
    let as_found = |found: &str| words.with("labels-as-found", &[("found", Arg::Text(found))]);
    let found_format = format_name(*format, words);
    let mut formats = vec![Choice {
        value: None,
        name: as_found(&found_format),
    }];
    formats.extend(FORMATS.iter().map(|&format| Choice {
        value: Some(format),
        name: format_name(format, words),
    }));
    let none = words.text("labels-split-none");
    let split_of = |split: &str| split_name(split, words);
    let found_split = source.split.as_deref().map_or(none, split_of);
    let mut splits = vec![Choice {
        value: None,
        name: as_found(&found_split),
    }];
    splits.extend(SPLITS.iter().map(|&split| Choice {
        value: Some(split.to_owned()),
        name: split_of(split),
    }));
    let rule = group.and_then(|group| of.checked.material.rules.get(group.rule));
    let found_role = rule
        .map(|used| role_name(used.role, words))
        .unwrap_or_default();
    let mut roles = vec![Choice {
        value: None,
        name: as_found(&found_role),
    }];
    roles.extend(ROLES.iter().map(|&role| Choice {
        value: Some(role),
        name: role_name(role, words),
    }));
    let found_column = group
        .and_then(|group| {
            let stream = &group.stream;
            stream.column.as_deref().or(stream.key.as_deref())
        })
        .map(shown)
        .unwrap_or_default();
    let together = of
        .checked
        .sources
        .iter()
        .filter(|other| {
            other.given == source.given && matches!(other.kind, SourceKind::Labels { .. })
        })
        .count();
    Some(SourceControls {
        given: source.given,
        chosen_format: given.format,
        chosen_split: given.split.clone(),
        chosen_role: given.role,
        format: given
            .format
            .map_or(found_format, |format| format_name(format, words)),
        formats,
        split: given.split.as_deref().map_or(found_split, split_of),
        splits,
        column: given.column.clone().unwrap_or_default(),
        column_hint: found_column,
        role: given.role.map_or(found_role, |role| role_name(role, words)),
        roles,
        scope: (together > 1).then(|| {
            let name = name_of(&given.path);
            words.with("labels-scope", &[("name", Arg::Text(&name))])
        }),
    })
}
