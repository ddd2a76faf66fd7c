//! What a walk keeps: numbers, texts and arrays that stand at places of one kind make one column.

use std::rc::Rc;
use std::sync::Arc;

use super::super::array::Array;
use super::super::found::{Content, Entry, Found, Numbers, SmallNumber};
use super::super::names::{Told, last, tell};
use super::super::pickle::Item;
use super::{MOST_NUMBERS, Walker};

impl Walker<'_, '_> {
    pub(super) fn lone_number(&mut self, path: &Rc<str>, value: SmallNumber, float: bool) {
        // Sizes, epochs and rates are many; a lone number is a label only where it is called one.
        if tell(last(path)) == Told::Label || path.is_empty() {
            let entry = Entry {
                row: 0,
                position: u32::MAX,
                value: Some(value),
                float,
            };
            let list = Numbers {
                entries: vec![entry],
                keys: Vec::new(),
                alone: true,
            };
            self.out
                .found
                .push(Found::new(path.to_string(), Content::Numbers(list)));
        }
    }

    pub(super) fn number_list(&mut self, items: &[Item], path: &Rc<str>, row: Option<u32>) {
        for (i, &item) in (0_u32..).zip(items) {
            if self.numbers > MOST_NUMBERS {
                self.out.limited = true;
                return;
            }
            let (value, float) = match self.view.number(item) {
                Some((value, float)) => (Some(value), float),
                None => (None, false),
            };
            match row {
                Some(row) => self.number_in(path, row, Some(i), value, float),
                None => self.number_in(path, i, None, value, float),
            }
        }
    }

    pub(super) fn text_list(&mut self, items: &[Item], path: &Rc<str>) {
        let texts: Vec<String> = items
            .iter()
            .filter_map(|&item| Some(self.view.text(item)?.into_owned()))
            .collect();
        let name = last(path);
        let is_list = matches!(
            name,
            "classes"
                | "class_names"
                | "label_names"
                | "fine_label_names"
                | "names"
                | "categories"
                | "labels_names"
                | "CLASSES"
        );
        if is_list {
            self.out.names.push((path.to_string(), texts));
            return;
        }
        for (row, text) in (0_u32..).zip(texts) {
            self.text_in(path, row, &text);
        }
    }

    fn column(&mut self, path: &Rc<str>, kind: u8, new: fn() -> Content) -> Option<&mut Content> {
        let next = self.out.found.len();
        let index = *self.columns.entry((Rc::clone(path), kind)).or_insert(next);
        if index == next {
            self.out.found.push(Found::new(path.to_string(), new()));
        }
        self.out
            .found
            .get_mut(index)
            .map(|found| &mut found.content)
    }

    pub(super) fn number_in(
        &mut self,
        path: &Rc<str>,
        row: u32,
        position: Option<u32>,
        value: Option<SmallNumber>,
        float: bool,
    ) {
        self.numbers += 1;
        if let Some(Content::Numbers(numbers)) =
            self.column(path, 0, || Content::Numbers(Numbers::default()))
        {
            numbers.entries.push(Entry {
                row,
                position: position.unwrap_or(u32::MAX),
                value,
                float,
            });
        }
    }

    pub(super) fn text_in(&mut self, path: &Rc<str>, row: u32, text: &str) {
        self.numbers += 1;
        let text: Arc<str> = text.chars().take(1024).collect::<String>().into();
        if let Some(Content::Texts(texts)) = self.column(path, 1, || Content::Texts(Vec::new())) {
            texts.push((row.into(), text));
        }
    }

    pub(super) fn part_in(&mut self, path: &Rc<str>, row: u32, array: Array) {
        self.numbers += 1;
        if let Some(Content::Parts(parts)) = self.column(path, 2, || Content::Parts(Vec::new())) {
            parts.push((row.into(), array));
        }
    }
}
