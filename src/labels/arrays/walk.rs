//! From the values of a pickle to what could be labels: arrays, lists, columns of records, each with the keys that lead there.

mod collect;

use std::collections::HashMap;
use std::rc::Rc;

use super::dtype::Kind;
use super::found::{Content, Entry, Found, Numbers};
use super::names::{Told, last, tell};
use super::objects::View;
use super::pickle::{Item, Object};

/// Deeper values are not looked at.
const MOST_DEPTH: u32 = 1000;
/// Values that are visited; what is shared is visited each time it is met, as loading it would show it.
const MOST_VISITS: u64 = 4 << 20;
/// Bytes of the keys that lead to a value.
const MOST_PATH: usize = 512;
/// Numbers of lists that are kept.
const MOST_NUMBERS: usize = 6 << 20;
/// Things that are found. Each may become a stream of some kilobytes.
const MOST_FOUND: usize = 40_000;
/// A dict of more arrays than this is a list of them: a stream for each would say no more.
const MOST_NAMED_ARRAYS: usize = 10_000;
/// A dict of more lists than this is one list a key, not a column each.
const MOST_COLUMNS: usize = 64;

/// What was found.
#[derive(Debug, Default)]
pub(super) struct Walked {
    pub found: Vec<Found>,
    /// Lists of class names, with the keys that lead to them.
    pub names: Vec<(String, Vec<String>)>,
    /// Nested too deep to be seen whole.
    pub too_deep: bool,
    /// A limit was passed.
    pub limited: bool,
    /// Objects of the user's own classes that hold nothing that can be seen.
    pub opaque: Vec<String>,
}

/// Looks at all values.
pub(super) fn walk(view: &View<'_>, stopped: &dyn Fn() -> bool) -> Walked {
    let mut walker = Walker {
        view,
        out: Walked::default(),
        tasks: Vec::new(),
        columns: HashMap::new(),
        numbers: 0,
    };
    walker.later(view.pickled.root, Rc::from(""), None, 0);
    let mut visits = 0_u64;
    while let Some(task) = walker.tasks.pop() {
        visits += 1;
        if visits > MOST_VISITS
            || walker.numbers > MOST_NUMBERS
            || walker.out.found.len() > MOST_FOUND
            || (visits.is_multiple_of(4096) && stopped())
        {
            walker.out.limited = true;
            break;
        }
        walker.visit(&task);
    }
    walker.out
}

struct Task {
    item: Item,
    path: Rc<str>,
    row: Option<u32>,
    depth: u32,
}

/// What an item is, for telling records from a tuple of different things.
#[derive(Clone, PartialEq)]
enum Shape {
    Number,
    Text,
    Array(Kind, usize),
    Sequence,
    Map,
    Else,
}

/// The path of a child. A path grows no longer than a reader would follow, or a dict in itself would cost its depth in text each time.
fn below(path: &Rc<str>, step: &str) -> Rc<str> {
    if path.len() > MOST_PATH {
        Rc::clone(path)
    } else {
        Rc::from(format!("{path}{step}"))
    }
}

struct Walker<'a, 'v> {
    view: &'a View<'v>,
    out: Walked,
    tasks: Vec<Task>,
    /// Where the columns of records are among what was found.
    columns: HashMap<(Rc<str>, u8), usize>,
    numbers: usize,
}

impl<'v> Walker<'_, 'v> {
    fn later(&mut self, item: Item, path: Rc<str>, row: Option<u32>, depth: u32) {
        self.tasks.push(Task {
            item,
            path,
            row,
            depth,
        });
    }

    /// Children in their order: the first is visited first.
    fn later_all(&mut self, children: Vec<(Item, Rc<str>, Option<u32>)>, depth: u32) {
        for (item, path, row) in children.into_iter().rev() {
            self.later(item, path, row, depth);
        }
    }

    fn visit(&mut self, task: &Task) {
        let Task {
            item,
            ref path,
            row,
            depth,
        } = *task;
        if depth > MOST_DEPTH {
            self.out.too_deep = true;
            return;
        }
        if let Some((value, float)) = self.view.number(item) {
            match row {
                Some(row) => self.number_in(path, row, None, Some(value), float),
                None => self.lone_number(path, value, float),
            }
        } else if let Some(text) = self.view.text(item) {
            if let Some(row) = row {
                self.text_in(path, row, &text);
            }
        } else if item == Item::None {
            if let Some(row) = row {
                self.number_in(path, row, None, None, false);
            }
        } else if let Some(array) = self.view.array(item) {
            match (array, row) {
                (Ok(array), Some(row)) => self.part_in(path, row, array),
                (Ok(array), None) => Found::array(&mut self.out.found, path.to_string(), array),
                (Err(error), _) => {
                    self.out
                        .found
                        .push(Found::new(path.to_string(), Content::Broken(error)));
                }
            }
        } else if let Some((items, is_tuple)) = self.sequence(item) {
            self.visit_items(items, is_tuple, task);
        } else if let Some(pairs) = self.pairs(item) {
            self.visit_pairs(&pairs, task);
        } else if let Some((name, made)) = self.view.made(item) {
            // An instance: what it was told to take for its state is what it holds.
            if made.state == Item::None {
                if super::pickle::use_of(name) == super::pickle::Use::Class {
                    self.opaque(name);
                }
            } else if let Some(Object::Tuple(both)) = self.view.object(made.state) {
                let children = both
                    .iter()
                    .map(|&one| (one, Rc::clone(path), row))
                    .collect();
                self.later_all(children, depth + 1);
            } else {
                self.later(made.state, Rc::clone(path), row, depth + 1);
            }
        }
    }

    fn opaque(&mut self, name: &str) {
        if self.out.opaque.len() < 20 && !self.out.opaque.iter().any(|one| one == name) {
            self.out.opaque.push(name.to_owned());
        }
    }

    /// Items of anything that is a sequence, and whether it is a tuple.
    fn sequence(&self, item: Item) -> Option<(&'v [Item], bool)> {
        match self.view.object(item)? {
            Object::List(items) | Object::Set(items) => Some((items, false)),
            Object::Tuple(items) => Some((items, true)),
            Object::Made(made) => {
                if let Some(items) = self.view.object_array(item) {
                    return Some((items, false));
                }
                if !made.items.is_empty() {
                    return Some((&made.items, false));
                }
                let name = self.view.global(made.maker)?;
                let last = name.rsplit('.').next().unwrap_or_default();
                if !matches!(
                    last,
                    "set" | "frozenset" | "list" | "tuple" | "deque" | "Size"
                ) {
                    return None;
                }
                let Object::Tuple(args) = self.view.object(made.args)? else {
                    return None;
                };
                match self.view.object(*args.first()?)? {
                    Object::List(items) => Some((items, last == "tuple")),
                    Object::Tuple(items) => Some((items, true)),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// Keys and values of anything that is a mapping.
    fn pairs(&self, item: Item) -> Option<Vec<(Item, Item)>> {
        match self.view.object(item)? {
            Object::Dict(pairs) => Some(pairs.clone()),
            Object::Made(made) => {
                if !made.pairs.is_empty() {
                    return Some(made.pairs.clone());
                }
                let name = self.view.global(made.maker)?;
                let last = name.rsplit('.').next().unwrap_or_default();
                if !matches!(last, "OrderedDict" | "dict" | "defaultdict" | "Counter") {
                    return None;
                }
                let Object::Tuple(args) = self.view.object(made.args)? else {
                    return None;
                };
                match self.view.object(*args.last()?)? {
                    Object::Dict(pairs) => Some(pairs.clone()),
                    // As Python 2 wrote ordered dicts: a list of pairs.
                    Object::List(items) => items
                        .iter()
                        .map(|&pair| match self.view.items(pair)? {
                            &[key, value] => Some((key, value)),
                            _ => None,
                        })
                        .collect(),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    fn shape_of(&self, item: Item) -> Shape {
        if self.view.number(item).is_some() || item == Item::None {
            Shape::Number
        } else if self.view.text(item).is_some() {
            Shape::Text
        } else if let Some(array) = self.view.array(item) {
            array.map_or(Shape::Else, |array| {
                Shape::Array(array.kind, array.shape.len())
            })
        } else if self.sequence(item).is_some() {
            Shape::Sequence
        } else if matches!(
            self.view.object(item),
            Some(Object::Dict(_) | Object::Made(_))
        ) {
            Shape::Map
        } else {
            Shape::Else
        }
    }

    fn visit_items(&mut self, items: &'v [Item], is_tuple: bool, task: &Task) {
        let (path, row, depth) = (&task.path, task.row, task.depth + 1);
        let Some(&first) = items.first() else {
            if row.is_none() && tell(last(path)) == Told::Label {
                let none = Content::Numbers(Numbers::default());
                self.out.found.push(Found::new(path.to_string(), none));
            }
            return;
        };
        let is_number = |item: &Item| *item == Item::None || self.view.number(*item).is_some();
        if items.iter().all(is_number) {
            self.number_list(items, path, row);
            return;
        }
        let shape = self.shape_of(first);
        let alike = items.iter().all(|&item| self.shape_of(item) == shape);
        if shape == Shape::Text && alike && row.is_none() {
            self.text_list(items, path);
            return;
        }
        let numbered = |(i, &item): (usize, &Item)| (item, below(path, &format!("[{i}]")), row);
        let few = items.len() <= MOST_COLUMNS;
        let children = match row {
            // A list of things of one kind is a list of records.
            None if alike && (!is_tuple || !few) => {
                let rows = (0_u32..).zip(items);
                rows.map(|(i, &item)| (item, Rc::clone(path), Some(i)))
                    .collect()
            }
            None if !few => {
                let rows = (0_u32..).zip(items);
                rows.map(|(i, &item)| (item, Rc::clone(path), Some(i)))
                    .collect()
            }
            // The graphs of PyTorch Geometric come with the bounds of each graph, under the same keys.
            None if is_tuple && self.is_sliced(items) => vec![(first, Rc::from("[0]"), None)],
            None => items.iter().enumerate().map(numbered).collect(),
            Some(_) if alike => items
                .iter()
                .map(|&item| (item, Rc::clone(path), row))
                .collect(),
            Some(_) => items
                .iter()
                .take(MOST_COLUMNS)
                .enumerate()
                .map(numbered)
                .collect(),
        };
        self.later_all(children, depth);
    }

    /// `(data, slices)`: every value of the second is a list of bounds, all of the same length.
    fn is_sliced(&self, items: &[Item]) -> bool {
        let &[data, slices, ref rest @ ..] = items else {
            return false;
        };
        if rest.len() > 1
            || !matches!(
                self.view.object(data),
                Some(Object::Made(_) | Object::Dict(_))
            )
        {
            return false;
        }
        let Some(pairs) = self
            .pairs(slices)
            .filter(|pairs| !pairs.is_empty() && pairs.len() <= 1000)
        else {
            return false;
        };
        let mut length = None;
        for (_, value) in pairs {
            let Some(Ok(array)) = self.view.array(value) else {
                return false;
            };
            let whole = array.element().is_some_and(|element| !element.is_float());
            if !whole || array.shape.len() != 1 || length.is_some_and(|n| n != array.count()) {
                return false;
            }
            // Bounds begin at 0 and never fall.
            let rising = array.count() <= 1 << 22
                && array.numbers(self.view.input).is_ok_and(|bounds| {
                    bounds
                        .first()
                        .is_some_and(|first| first.as_int() == Some(0))
                        && bounds.is_sorted()
                });
            if !rising {
                return false;
            }
            length = Some(array.count());
        }
        length.is_some_and(|n| n >= 2)
    }

    fn visit_pairs(&mut self, pairs: &[(Item, Item)], task: &Task) {
        let (path, row, depth) = (&task.path, task.row, task.depth + 1);
        let key_of = |key: Item| -> String {
            match key {
                Item::Int(n) => n.to_string(),
                Item::Bool(b) => b.to_string(),
                key => match self.view.text(key) {
                    Some(text) => text.chars().take(256).collect(),
                    None => "?".to_owned(),
                },
            }
        };
        let class_map = matches!(
            last(path),
            "class_to_idx"
                | "label2id"
                | "id2label"
                | "idx_to_class"
                | "label_map"
                | "class_names"
                | "names"
                | "stoi"
                | "itos"
        );
        if class_map && let Some(names) = self.class_map(pairs) {
            self.out.names.push((path.to_string(), names));
            return;
        }
        let numbers: Option<Vec<_>> = pairs
            .iter()
            .map(|(_, value)| self.view.number(*value))
            .collect();
        let telling = pairs.len() < 8
            || pairs
                .iter()
                .take(64)
                .any(|(key, _)| tell(&key_of(*key)) == Told::Label);
        if let Some(values) =
            numbers.filter(|_| row.is_none() && (!telling || tell(last(path)) == Told::Label))
        {
            let mut list = Numbers::default();
            for (i, ((key, _), (value, float))) in (0_u32..).zip(pairs.iter().zip(values)) {
                list.keys.push(key_of(*key).into());
                list.entries.push(Entry {
                    row: i,
                    position: u32::MAX,
                    value: Some(value),
                    float,
                });
            }
            self.numbers += list.entries.len();
            self.out
                .found
                .push(Found::new(path.to_string(), Content::Numbers(list)));
            return;
        }
        let alike = |most: usize, is: &dyn Fn(&Shape) -> bool| {
            pairs.len() > most
                && row.is_none()
                && pairs.iter().all(|(_, value)| is(&self.shape_of(*value)))
        };
        let lists = alike(MOST_COLUMNS, &|shape| *shape == Shape::Sequence)
            || alike(MOST_NAMED_ARRAYS, &|shape| {
                matches!(shape, Shape::Array(..))
            });
        let mut children = Vec::new();
        for (i, &(key, value)) in (0_u32..).zip(pairs) {
            if lists {
                children.push((value, Rc::clone(path), Some(i)));
                continue;
            }
            let key = key_of(key);
            let inner = matches!(key.as_str(), "_store" | "_mapping" | "__dict__");
            let path = match (inner, path.is_empty()) {
                (true, _) => Rc::clone(path),
                (false, true) => Rc::from(key),
                // A path that grows without end is shortened; its keys are only shown.
                (false, false) if path.len() > 2048 => Rc::clone(path),
                (false, false) => below(path, &format!(".{key}")),
            };
            children.push((value, path, row));
        }
        self.later_all(children, depth);
    }

    /// Names in order of their numbers, from a mapping either way round.
    fn class_map(&self, pairs: &[(Item, Item)]) -> Option<Vec<String>> {
        let mut names = Vec::new();
        for &(key, value) in pairs {
            let (n, name) = match (key, value) {
                (Item::Int(n), name) | (name, Item::Int(n)) => (n, self.view.text(name)?),
                (a, b) => (self.view.text(a)?.parse().ok()?, self.view.text(b)?),
            };
            names.push((n, name.into_owned()));
        }
        names.sort();
        let dense = (0..).zip(&names).all(|(i, (n, _))| *n == i);
        (dense && !names.is_empty()).then(|| names.into_iter().map(|(_, name)| name).collect())
    }
}
