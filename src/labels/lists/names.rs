//! Lists of class names.

use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;

use super::{MOST_NAMES, colours, json};
use crate::labels::{ClassList, LabelError, ListSource};

/// The name that `LabelMe` gives to shapes that no class is made of; its own tools number it -1.
const IGNORED: &str = "__ignore__";
/// The name that `LabelMe` gives to what no shape covers; its own tools number it 0.
const BACKGROUND: &str = "_background_";

/// The names of a list, in the order of their numbers.
pub(super) fn parse(text: &str, path: &Arc<Path>) -> Result<ClassList, LabelError> {
    let text = text.trim_start_matches('\u{feff}');
    let mut list = ClassList {
        source: ListSource {
            path: Some(Arc::clone(path)),
            line: None,
            what: "names".to_owned(),
        },
        ..ClassList::default()
    };
    if text.contains('\0') {
        return Err(LabelError::Malformed {
            said: "not a text".to_owned(),
            line: None,
            byte: None,
        });
    }
    if text.trim_start().starts_with(['{', '[']) {
        let numbered = json::names(text)?;
        set_numbered(&mut list, numbered);
        return Ok(list);
    }
    let lines: Vec<&str> = text.trim_end().lines().map(str::trim).collect();
    let said: Vec<&str> = lines
        .iter()
        .copied()
        .filter(|line| !line.is_empty() && !line.starts_with("# "))
        .collect();
    let (Some(_), true) = (said.first(), said.len() <= MOST_NAMES) else {
        return Err(LabelError::NoLabels { found: Vec::new() });
    };
    if let Some(named) = colours::of_lines(text) {
        list.names = named.into_iter().map(|(_, name)| name).collect();
    } else if let Some(numbered) = numbered(&said) {
        set_numbered(&mut list, numbered);
    } else {
        list.names = lines
            .into_iter()
            .skip_while(|line| line.is_empty())
            .map(str::to_owned)
            .collect();
    }
    for special in [IGNORED, BACKGROUND] {
        if list.names.iter().any(|name| name == special) {
            list.special.push(special.to_owned());
        }
    }
    list.names.retain(|name| name != IGNORED);
    Ok(list)
}

/// Names with their numbers; the ids are kept where they are not 0, 1, 2….
fn set_numbered(list: &mut ClassList, mut numbered: Vec<(i64, String)>) {
    numbered.sort_by_key(|(id, _)| *id);
    let plain = numbered.iter().zip(0..).all(|((id, _), rank)| *id == rank);
    list.ids = (!plain).then(|| numbered.iter().map(|(id, _)| *id).collect());
    list.names = numbered.into_iter().map(|(_, name)| name).collect();
}

/// Reads a line that states a number and a name.
type Form = fn(&str) -> Option<(i64, String)>;

/// Lists that state the numbers, too: `0 cat`, `0: cat`, `0,cat`, `cat 0`, `cat,0`; the comma-separated ones with or without a header.
fn numbered(lines: &[&str]) -> Option<Vec<(i64, String)>> {
    let forms = [number_first as Form, number_last];
    forms.into_iter().find_map(|form| {
        let rows: Option<Vec<_>> = lines.iter().map(|line| form(line)).collect();
        let rows = rows.or_else(|| {
            // A header has no number in it.
            let (header, rest) = lines.split_first()?;
            let separates = header.contains(',') && !rest.is_empty();
            separates.then(|| rest.iter().map(|line| form(line)).collect::<Option<_>>())?
        })?;
        distinct(&rows).then_some(rows)
    })
}

/// Whether each number and each name occurs once, and the numbers run from 0 or 1 with few gaps. Else they belong to something else.
fn distinct(rows: &[(i64, String)]) -> bool {
    let ids: HashSet<i64> = rows.iter().map(|(id, _)| *id).collect();
    let names: HashSet<&str> = rows.iter().map(|(_, name)| name.as_str()).collect();
    let (Some(least), Some(most)) = (ids.iter().min(), ids.iter().max()) else {
        return false;
    };
    ids.len() == rows.len()
        && names.len() == rows.len()
        && matches!(least, 0 | 1)
        && *most <= 2 * rows.len() as i64 + 8
}

fn number_first(line: &str) -> Option<(i64, String)> {
    let (number, name) = line.split_once([' ', '\t', ',', ':', ';'])?;
    pair(number, name)
}

fn number_last(line: &str) -> Option<(i64, String)> {
    let (name, number) = line.rsplit_once([' ', '\t', ',', ':', ';'])?;
    pair(number, name)
}

fn pair(number: &str, name: &str) -> Option<(i64, String)> {
    let number = number.trim();
    if number.is_empty() || !number.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let name = name
        .trim()
        .trim_matches([':', ',', ';', '='])
        .trim()
        .trim_matches(['"', '\'']);
    (!name.is_empty()).then(|| Some((number.parse().ok()?, name.to_owned())))?
}
