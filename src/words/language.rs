//! Languages and the lookup of texts by id, in the Fluent files of `assets/locales`.

use std::borrow::Cow;
use std::sync::LazyLock;

use fluent_bundle::concurrent::FluentBundle;
use fluent_bundle::{FluentArgs, FluentResource, FluentValue};
use serde::{Deserialize, Serialize};

/// A language of the interface.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Language {
    /// English.
    #[default]
    #[serde(rename = "en")]
    En,
    /// Simplified Chinese.
    #[serde(rename = "zh-CN")]
    ZhCn,
}

impl Language {
    /// All languages, in the order of the switch.
    pub const ALL: [Self; 2] = [Self::En, Self::ZhCn];

    /// Its tag, as in `--lang`.
    pub fn tag(self) -> &'static str {
        match self {
            Self::En => "en",
            Self::ZhCn => "zh-CN",
        }
    }

    /// The language of a tag or locale name (`zh_CN.UTF-8`, `zh-Hans`, `en-GB`); `None` for any other language.
    pub fn from_tag(tag: &str) -> Option<Self> {
        let lower = tag.to_ascii_lowercase();
        if lower.starts_with("zh") {
            Some(Self::ZhCn)
        } else if lower.starts_with("en") {
            Some(Self::En)
        } else {
            None
        }
    }

    /// The system's language; English where it is neither.
    pub fn of_system() -> Self {
        sys_locale::get_locale()
            .and_then(|tag| Self::from_tag(&tag))
            .unwrap_or_default()
    }
}

/// Texts in one language. Cheap to copy; the texts are parsed once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Words {
    /// The language.
    pub language: Language,
}

/// An argument of a text.
#[derive(Clone, Debug, PartialEq)]
pub enum Arg<'a> {
    /// A text, set as it is.
    Text(&'a str),
    /// A number, set with the language's thousands separator; chooses the plural.
    Number(u64),
}

impl Words {
    /// Texts in a language.
    pub fn new(language: Language) -> Self {
        Self { language }
    }

    /// The text with an id; the id itself where there is none (a test makes sure that there is).
    pub fn text(self, id: &str) -> String {
        self.with(id, &[])
    }

    /// What stands between two sentences.
    pub(super) fn gap(self) -> &'static str {
        match self.language {
            Language::En => " ",
            Language::ZhCn => "",
        }
    }

    /// Whether there is a text with this id.
    pub(super) fn has(self, id: &str) -> bool {
        self.bundle().has_message(id)
    }

    /// The text with an id and named arguments.
    pub fn with(self, id: &str, args: &[(&str, Arg<'_>)]) -> String {
        let bundle = self.bundle();
        let Some(pattern) = bundle.get_message(id).and_then(|message| message.value()) else {
            log::error!("no text with the id {id}");
            return id.to_owned();
        };
        let mut fluent_args = FluentArgs::with_capacity(args.len());
        for (name, arg) in args {
            let value = match arg {
                Arg::Text(text) => FluentValue::String(Cow::Borrowed(*text)),
                Arg::Number(n) => FluentValue::from(*n),
            };
            fluent_args.set(*name, value);
        }
        let mut errors = Vec::new();
        let text = bundle.format_pattern(pattern, Some(&fluent_args), &mut errors);
        for error in errors {
            log::error!("text {id}: {error}");
        }
        text.into_owned()
    }

    /// A number with the thousands separator.
    pub fn number(self, n: u64) -> String {
        grouped(n)
    }

    fn bundle(self) -> &'static Bundle {
        match self.language {
            Language::En => &EN,
            Language::ZhCn => &ZH_CN,
        }
    }
}

type Bundle = FluentBundle<FluentResource>;

/// The Fluent files, in both languages; a file a layer that speaks.
const FILES: &[(&str, &str)] = &[
    (
        include_str!("../../assets/locales/verdict.en.ftl"),
        include_str!("../../assets/locales/verdict.zh-CN.ftl"),
    ),
    (
        include_str!("../../assets/locales/compare.en.ftl"),
        include_str!("../../assets/locales/compare.zh-CN.ftl"),
    ),
    (
        include_str!("../../assets/locales/cli.en.ftl"),
        include_str!("../../assets/locales/cli.zh-CN.ftl"),
    ),
    (
        include_str!("../../assets/locales/ui.en.ftl"),
        include_str!("../../assets/locales/ui.zh-CN.ftl"),
    ),
    (
        include_str!("../../assets/locales/app.en.ftl"),
        include_str!("../../assets/locales/app.zh-CN.ftl"),
    ),
    (
        include_str!("../../assets/locales/findings.en.ftl"),
        include_str!("../../assets/locales/findings.zh-CN.ftl"),
    ),
    (
        include_str!("../../assets/locales/check.en.ftl"),
        include_str!("../../assets/locales/check.zh-CN.ftl"),
    ),
    (
        include_str!("../../assets/locales/labels.en.ftl"),
        include_str!("../../assets/locales/labels.zh-CN.ftl"),
    ),
    (
        include_str!("../../assets/locales/rerun.en.ftl"),
        include_str!("../../assets/locales/rerun.zh-CN.ftl"),
    ),
    (
        include_str!("../../assets/locales/reproduction.en.ftl"),
        include_str!("../../assets/locales/reproduction.zh-CN.ftl"),
    ),
    (
        include_str!("../../assets/locales/kit.en.ftl"),
        include_str!("../../assets/locales/kit.zh-CN.ftl"),
    ),
    (
        include_str!("../../assets/locales/run.en.ftl"),
        include_str!("../../assets/locales/run.zh-CN.ftl"),
    ),
    (
        include_str!("../../assets/locales/device.en.ftl"),
        include_str!("../../assets/locales/device.zh-CN.ftl"),
    ),
];

static EN: LazyLock<Bundle> = LazyLock::new(|| bundle(Language::En, FILES.iter().map(|f| f.0)));
static ZH_CN: LazyLock<Bundle> =
    LazyLock::new(|| bundle(Language::ZhCn, FILES.iter().map(|f| f.1)));

fn bundle(language: Language, files: impl Iterator<Item = &'static str>) -> Bundle {
    let tag = language.tag().parse().unwrap_or_default();
    let mut bundle = Bundle::new_concurrent(vec![tag]);
    // Isolation marks would show as boxes and would not survive copying into a chat.
    bundle.set_use_isolating(false);
    bundle.set_formatter(Some(|value, _| match value {
        FluentValue::Number(n) if n.value >= 0.0 => Some(grouped(n.value as u64)),
        _ => None,
    }));
    for file in files {
        let resource = match FluentResource::try_new(file.to_owned()) {
            Ok(resource) => resource,
            Err((resource, errors)) => {
                log::error!("{}: {errors:?}", language.tag());
                resource
            }
        };
        if let Err(errors) = bundle.add_resource(resource) {
            log::error!("{}: {errors:?}", language.tag());
        }
    }
    bundle
}

/// Thousands have a comma in both languages.
fn grouped(n: u64) -> String {
    let digits = n.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    /// Ids with the names of their arguments.
    fn ids(file: &str) -> BTreeMap<String, std::collections::BTreeSet<String>> {
        let resource = FluentResource::try_new(file.to_owned()).expect("valid Fluent");
        let mut out = BTreeMap::new();
        for entry in resource.entries() {
            if let fluent_syntax::ast::Entry::Message(message) = entry {
                let text = format!("{:?}", message.value);
                let args = text
                    .split("VariableReference { id: Identifier { name: \"")
                    .skip(1)
                    .filter_map(|rest| rest.split('"').next())
                    .map(str::to_owned)
                    .collect();
                let twice = out.insert(message.id.name.to_owned(), args);
                assert!(twice.is_none(), "{} stands twice", message.id.name);
            }
        }
        out
    }

    #[test]
    fn both_languages_have_the_same_ids_and_arguments() {
        for (en, zh) in FILES {
            let (en, zh) = (ids(en), ids(zh));
            assert!(!en.is_empty());
            assert_eq!(en, zh);
        }
    }

    /// The words of a pattern, without its arguments.
    fn spoken(pattern: &fluent_syntax::ast::Pattern<&str>) -> String {
        use fluent_syntax::ast::{Expression, PatternElement};
        let mut out = String::new();
        for element in &pattern.elements {
            match element {
                PatternElement::TextElement { value } => out.push_str(value),
                PatternElement::Placeable {
                    expression: Expression::Select { variants, .. },
                } => variants
                    .iter()
                    .for_each(|variant| out.push_str(&spoken(&variant.value))),
                PatternElement::Placeable { .. } => {}
            }
        }
        out
    }

    #[test]
    fn chinese_texts_are_chinese() {
        for (_, zh) in FILES {
            let resource = FluentResource::try_new((*zh).to_owned()).expect("valid Fluent");
            for entry in resource.entries() {
                if let fluent_syntax::ast::Entry::Message(message) = entry {
                    let text = message.value.as_ref().map(spoken).unwrap_or_default();
                    let latin = text.chars().any(|c| c.is_ascii_alphabetic());
                    let han = text.chars().any(|c| ('\u{4e00}'..='\u{9fff}').contains(&c));
                    // Names of languages and programs are the same in both.
                    let name = message.id.name.ends_with("-name") || text.trim() == "English";
                    assert!(han || !latin || name, "{}: {text}", message.id.name);
                }
            }
        }
    }

    #[test]
    fn numbers_are_grouped() {
        for (n, expected) in [
            (0, "0"),
            (999, "999"),
            (1_000, "1,000"),
            (12_345_678, "12,345,678"),
        ] {
            assert_eq!(Words::new(Language::En).number(n), expected);
        }
    }

    #[test]
    fn tags_of_many_systems_are_understood() {
        for (tag, expected) in [
            ("zh_CN.UTF-8", Some(Language::ZhCn)),
            ("zh-Hans-CN", Some(Language::ZhCn)),
            ("en-GB", Some(Language::En)),
            ("de-DE", None),
        ] {
            assert_eq!(Language::from_tag(tag), expected, "{tag}");
        }
    }
}
