//! Which of the arrays of a file are labels.

use super::dtype::Kind;
use super::names::{Told, is_weight, last, tell};
use crate::labels::{LabelError, Role, Wanted};
use crate::range_check::ElementType;

/// What is known of an array before its values are read.
#[derive(Clone, Debug)]
pub(super) struct Described<'a> {
    /// The name that tells what it is: its keys, its field, or the file's own name.
    pub name: &'a str,
    /// Keys that lead to it.
    pub path: &'a str,
    /// Field of a record.
    pub column: Option<&'a str>,
    pub content: Content,
    pub shape: Vec<u64>,
    /// A Python list rather than an array.
    pub listed: bool,
}

/// What its elements are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Content {
    /// Whole numbers; the type, where there is one.
    Integer(Option<ElementType>),
    Float,
    Bool,
    Texts,
    /// Numbers by key (`{"a.png": 3}`).
    Mapping,
    /// Nothing that labels are.
    Other,
}

impl Content {
    pub fn of(kind: &Kind) -> Self {
        match kind {
            Kind::Number(ElementType::Bool) => Self::Bool,
            Kind::Number(element) if element.is_float() => Self::Float,
            Kind::Number(element) => Self::Integer(Some(*element)),
            Kind::Text { .. } => Self::Texts,
            Kind::Objects | Kind::Fields(_) | Kind::Other(_) => Self::Other,
        }
    }

    fn is_whole(self) -> bool {
        matches!(self, Self::Integer(_) | Self::Bool | Self::Mapping)
    }
}

/// One array that was chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Chosen {
    pub index: usize,
    pub role: Option<Role>,
    /// No name told; nothing looked more like labels.
    pub guessed: bool,
    /// Only this column of a table.
    pub slice: Option<u64>,
    /// Only where its floats are all whole.
    pub if_whole: bool,
    /// Rows of 0 and 1 may be one-hot.
    pub rows: bool,
}

impl Chosen {
    fn told(index: usize, role: Role) -> Self {
        Self {
            index,
            role: Some(role),
            guessed: false,
            slice: None,
            if_whole: false,
            rows: role == Role::Class,
        }
    }

    fn guessed(index: usize) -> Self {
        Self {
            role: None,
            guessed: true,
            ..Self::told(index, Role::Class)
        }
    }
}

/// Names for a message: what there is.
pub(super) fn found_names(all: &[Described<'_>]) -> Vec<String> {
    const MOST: usize = 50;
    let name = |one: &Described<'_>| {
        let name = match one.column {
            Some(column) if one.path.is_empty() => column.to_owned(),
            Some(column) => format!("{}.{column}", one.path),
            None => one.path.to_owned(),
        };
        if name.is_empty() {
            one.name.to_owned()
        } else {
            name
        }
    };
    all.iter()
        .take(MOST)
        .map(name)
        .filter(|name| !name.is_empty())
        .collect()
}

/// Chooses. Nothing chosen is an empty list. `alone`: the file is a single array, whose name is no key.
///
/// # Errors
/// Where the user named something that is not there.
pub(super) fn choose(
    all: &[Described<'_>],
    wanted: &Wanted,
    alone: bool,
) -> Result<Vec<Chosen>, LabelError> {
    if let Some(column) = &wanted.column {
        let named = by_name(all, column);
        if !named.is_empty() {
            return Ok(named);
        }
        let unnamed = alone
            || all
                .iter()
                .all(|one| one.path.is_empty() && one.column.is_none());
        let table = column
            .parse()
            .ok()
            .zip(all.iter().position(|one| one.shape.len() == 2));
        match table {
            Some((n, index))
                if all.len() == 1 && all[index].shape.get(1).is_some_and(|&c| n < c) =>
            {
                return Ok(vec![Chosen {
                    slice: Some(n),
                    rows: false,
                    ..Chosen::told(index, Role::Class)
                }]);
            }
            _ if unnamed && !all.is_empty() => {}
            _ => {
                return Err(LabelError::NoSuchColumn {
                    wanted: column.clone(),
                    found: found_names(all),
                });
            }
        }
    }
    let told = by_told(all);
    if !told.is_empty() {
        return Ok(told);
    }
    Ok(by_content(all, wanted.role))
}

fn by_name(all: &[Described<'_>], column: &str) -> Vec<Chosen> {
    let exact = |one: &Described<'_>| {
        one.path == column
            || one.column.is_some_and(|field| field == column)
            || one
                .column
                .is_some_and(|field| column == format!("{}.{field}", one.path))
    };
    let close = |one: &Described<'_>| {
        last(one.path).eq_ignore_ascii_case(column)
            || one
                .column
                .is_some_and(|field| field.eq_ignore_ascii_case(column))
            || one.path == format!("[{column}]")
    };
    let pick = |test: &dyn Fn(&Described<'_>) -> bool| -> Vec<Chosen> {
        let picked = all.iter().enumerate().filter(|(_, one)| test(one));
        picked
            .map(|(index, one)| match role_of(one) {
                Some(role) => Chosen::told(index, role),
                None => Chosen::told(index, Role::Class),
            })
            .collect()
    };
    let named = pick(&exact);
    if named.is_empty() {
        pick(&close)
    } else {
        named
    }
}

/// The role that a name tells, where its content goes with it.
fn role_of(one: &Described<'_>) -> Option<Role> {
    let name = one.column.unwrap_or_else(|| last(one.name));
    match (tell(name), one.content) {
        (_, Content::Other) => None,
        (Told::Label | Told::Mask, _) | (Told::Output(_), Content::Integer(_)) => Some(Role::Class),
        (Told::Role(role) | Told::Perhaps(role), Content::Integer(_) | Content::Bool)
        | (Told::Output(role), Content::Float) => Some(role),
        _ => None,
    }
}

fn by_told(all: &[Described<'_>]) -> Vec<Chosen> {
    let mut sure = Vec::new();
    let mut perhaps = Vec::new();
    let weights = is_weights(all);
    for (index, one) in all.iter().enumerate() {
        if is_weight(one.path) {
            continue;
        }
        let name = one.column.unwrap_or_else(|| last(one.name));
        let told = tell(name);
        let Some(role) = role_of(one) else { continue };
        // Among weights only whole numbers under a label's own name are labels: layers are called `class_embedding`, too.
        let whole_labels =
            told == Told::Label && one.content != Content::Float && !one.shape.is_empty();
        if weights && !whole_labels {
            continue;
        }
        if told == Told::Mask && one.content == Content::Bool {
            continue;
        }
        let chosen = Chosen {
            rows: role == Role::Class && told != Told::Mask && !one.listed,
            ..Chosen::told(index, role)
        };
        if matches!(told, Told::Perhaps(_)) {
            perhaps.push(chosen);
        } else {
            sure.push(chosen);
        }
    }
    if sure.is_empty() {
        return perhaps;
    }
    // Beside labels, one score a row is only worth reading where it is all there is.
    let output = |one: &Chosen| {
        let one = &all[one.index];
        let name = one.column.unwrap_or_else(|| last(one.name));
        matches!(tell(name), Told::Output(_)) && one.shape.len() < 2
    };
    if !sure.iter().all(output) {
        sure.retain(|one| !output(one));
    }
    sure
}

fn by_content(all: &[Described<'_>], role: Option<Role>) -> Vec<Chosen> {
    if is_weights(all) {
        return Vec::new();
    }
    let only = all
        .iter()
        .filter(|one| one.content != Content::Other)
        .count()
        == 1;
    let told = |one: &Described<'_>| tell(one.column.unwrap_or_else(|| last(one.name)));
    // The user's word for what the values are makes any single array labels.
    let any_number = role.is_some() && only;
    let fits = |one: &Described<'_>| {
        let by_use = told(one) != Told::Other || only && one.shape.len() <= 2;
        any_number && one.content != Content::Other
            || one.content.is_whole()
                && by_use
                && !is_picture(one)
                && !(one.listed && one.shape.is_empty())
    };
    let mut chosen: Vec<usize> = (0..all.len()).filter(|&i| fits(&all[i])).collect();
    // A mapping of names to numbers is labels only where nothing else is; flags, too.
    for weaker in [Content::Mapping, Content::Bool] {
        if chosen.iter().any(|&i| all[i].content != weaker) {
            chosen.retain(|&i| all[i].content != weaker);
        }
    }
    // Of things without names, as a tuple has them, the targets are those with one number a row.
    let unnamed = |i: &usize| last(all[*i].name).is_empty();
    if chosen.iter().all(unnamed) && chosen.iter().any(|&i| all[i].shape.len() <= 1) {
        chosen.retain(|&i| all[i].shape.len() <= 1);
    }
    if !chosen.is_empty() {
        return chosen
            .into_iter()
            .map(|i| Chosen {
                rows: !all[i].listed,
                ..Chosen::guessed(i)
            })
            .collect();
    }
    let floats = all.iter().enumerate().filter(|(_, one)| {
        one.content == Content::Float
            && told(one) != Told::Other
            && !(one.listed && one.shape.is_empty())
    });
    let floats: Vec<Chosen> = floats
        .map(|(index, one)| Chosen {
            if_whole: !(only && one.shape.len() <= 1),
            rows: !one.listed,
            ..Chosen::guessed(index)
        })
        .collect();
    if !floats.is_empty() {
        return floats;
    }
    let texts = all
        .iter()
        .position(|one| one.content == Content::Texts && told(one) != Told::Other);
    texts
        .filter(|_| only)
        .map(Chosen::guessed)
        .into_iter()
        .collect()
}

/// Pictures: bytes on three axes or more, whose rows and columns are those of pictures or whose last axis is colours.
fn is_picture(one: &Described<'_>) -> bool {
    let bytes = one.content == Content::Integer(Some(ElementType::U8));
    let [.., rows, columns] = one.shape.as_slice() else {
        return false;
    };
    let colours = matches!(columns, 1 | 3 | 4) && *rows >= 8;
    bytes
        && one.shape.len() >= 3
        && (one.shape.len() >= 4 || colours || (*rows >= 8 && *columns >= 8))
}

/// Whether there are whole numbers under a label's own name, as no weights are.
pub(super) fn names_labels(all: &[Described<'_>]) -> bool {
    all.iter().any(|one| {
        let name = one.column.unwrap_or_else(|| last(one.name));
        matches!(one.content, Content::Integer(_) | Content::Bool)
            && !one.shape.is_empty()
            && !is_weight(one.path)
            && tell(name) == Told::Label
    })
}

/// Whether these are the weights of a model, with nothing in them that is labels.
pub(super) fn is_weights(all: &[Described<'_>]) -> bool {
    let weights = all
        .iter()
        .filter(|one| one.content == Content::Float && is_weight(one.path))
        .count();
    let floats = all
        .iter()
        .filter(|one| one.content == Content::Float)
        .count();
    weights > 0 && weights * 2 >= floats
}
