//! Finds what an assertion line means, from its file and its expression.
//!
//! Texts are compared without blanks, quotes and letters' width: logs come through consoles that break lines,
//! browsers that translate and people who copy. Line numbers are never looked at.

use super::Catalogue;
use super::schema::{AssertionEntry, Commonness, GENERATED_FILE, Pattern};
use super::source_path::{Owner, SourcePath};

/// What is known of an assertion line.
#[derive(Debug)]
pub enum AssertionMatch<'a> {
    /// File and expression are known.
    Known(&'a AssertionEntry),
    /// The expression points to this entry, the file does not: a guess, never certain.
    ByExpression(&'a AssertionEntry),
    /// PyTorch's own file, and a line that lost its expression: what that file's usual checks have in common.
    ByFile(&'a AssertionEntry),
    /// PyTorch's own code, but an expression that is not known.
    PytorchUnknown,
    /// Code outside PyTorch; the expression is that project's own.
    Custom {
        /// The library, where the path shows its name.
        library: Option<String>,
    },
    /// Another framework's code.
    OtherFramework {
        /// The framework.
        name: &'static str,
    },
    /// The line names no file, and the expression is not known.
    Unlocated,
}

impl Catalogue {
    /// What an assertion means, by its file as printed and its expression.
    pub fn assertion(&self, file: &str, expression: &str) -> AssertionMatch<'_> {
        let path = SourcePath::new(&ascii(file));
        let owner = path.owner();
        let text = expression_key(expression);
        // A generated file, one of no compiled language, or a line that names none: there only the text can tell.
        let generated = matches!(owner, Owner::Generated | Owner::Nowhere) || !path.is_compiled();
        if generated
            && let Some(entry) =
                generated_pattern(&text).and_then(|pattern| self.by_pattern(pattern))
        {
            return AssertionMatch::Known(entry);
        }
        if let Some(entry) = self.by_file(&path.key(), &text) {
            return AssertionMatch::Known(entry);
        }
        if owner == Owner::Generated {
            return self.in_generated(&text);
        }
        if let Owner::OtherFramework(name) = owner {
            return AssertionMatch::OtherFramework { name };
        }
        if text.is_empty()
            && owner == Owner::Pytorch
            && let Some(entry) = self.common_in_file(&path.key())
        {
            return AssertionMatch::ByFile(entry);
        }
        if let Some(entry) = self.by_expression(&path.key(), &text, &owner) {
            return AssertionMatch::ByExpression(entry);
        }
        match owner {
            Owner::Custom(library) => AssertionMatch::Custom { library },
            Owner::Nowhere => AssertionMatch::Unlocated,
            _ => AssertionMatch::PytorchUnknown,
        }
    }

    fn by_pattern(&self, pattern: Pattern) -> Option<&AssertionEntry> {
        self.assertions
            .iter()
            .find(|entry| entry.pattern == Some(pattern))
    }

    /// The entry of this file and text; in a file that prints its callers' texts, the entry of those.
    fn by_file(&self, path: &[String], text: &str) -> Option<&AssertionEntry> {
        let here = || self.indexed().filter(|(indexed, _)| indexed.is_in(path));
        let spelled = |(indexed, entry): (&IndexedAssertion, _)| {
            (indexed.text.as_deref() == Some(text)).then_some(entry)
        };
        let printed = if text.is_empty() {
            Pattern::Empty
        } else {
            Pattern::AnyText
        };
        here().find_map(spelled).or_else(|| {
            here()
                .map(|(_, entry)| entry)
                .find(|entry| entry.pattern == Some(printed))
        })
    }

    /// The usual check of a file, where all its usual checks mean the same.
    fn common_in_file(&self, path: &[String]) -> Option<&AssertionEntry> {
        let mut common = self
            .indexed()
            .filter(|(indexed, entry)| {
                entry.commonness == Commonness::Common && indexed.is_in(path)
            })
            .map(|(_, entry)| entry);
        let first = common.next()?;
        common
            .all(|entry| entry.cause == first.cause)
            .then_some(first)
    }

    /// Generated code runs checks that were written elsewhere: the compiler's own, its templates', the user's.
    fn in_generated(&self, text: &str) -> AssertionMatch<'_> {
        let compiler = self.indexed().find(|(indexed, entry)| {
            let from_compiler =
                entry.file == GENERATED_FILE || entry.file.starts_with("torch/_inductor/");
            from_compiler && indexed.text.as_deref() == Some(text)
        });
        if let Some((_, entry)) = compiler {
            return AssertionMatch::Known(entry);
        }
        if text.contains(INDEX_OUT_OF_BOUNDS) {
            return self
                .by_pattern(Pattern::InductorBoth)
                .map_or(AssertionMatch::Unlocated, AssertionMatch::ByExpression);
        }
        let any = self
            .assertions
            .iter()
            .find(|e| e.file == GENERATED_FILE && e.pattern == Some(Pattern::AnyText));
        any.map_or(AssertionMatch::Unlocated, AssertionMatch::Known)
    }

    /// A guess from the text: a check that moved to another file, was copied, or got a new spelling in its own.
    fn by_expression(&self, path: &[String], text: &str, owner: &Owner) -> Option<&AssertionEntry> {
        let spelled = || {
            self.indexed()
                .filter(|(indexed, _)| indexed.text.as_deref() == Some(text))
                .map(|(_, entry)| entry)
        };
        let file = path.last().map_or("", String::as_str);
        if spelled().any(|entry| entry.alone) {
            let per_pixel = file.contains("2d") || file.contains("spatial");
            let of_pixels = spelled().find(|entry| per_pixel && entry.topic == "class_label_pixel");
            return of_pixels.or_else(|| spelled().find(|entry| entry.alone));
        }
        if matches!(owner, Owner::Custom(_)) {
            return None;
        }
        let mut topics = self.topics.iter().filter(|topic| {
            topic
                .similar
                .iter()
                .any(|part| text.contains(&expression_key(part)))
                && self
                    .indexed()
                    .any(|(indexed, entry)| entry.topic == topic.id && indexed.is_in(path))
        });
        if let (Some(topic), None) = (topics.next(), topics.next()) {
            return self.assertions.iter().find(|entry| entry.topic == topic.id);
        }
        if text.contains(INDEX_OUT_OF_BOUNDS) {
            let topic = match file {
                _ if file.contains("gather") => "gather_scatter",
                _ if file.contains("scatter") => "scatter_destination",
                _ if file.contains("embedding") => "embedding_row",
                _ => "advanced_indexing",
            };
            return self.assertions.iter().find(|entry| entry.topic == topic);
        }
        // A moved check: its text is long enough to be no accident, and means one thing wherever it is known.
        let first = spelled().find(|_| text.len() >= TELLING_LENGTH)?;
        let one_cause =
            spelled().all(|entry| entry.cause == first.cause && !entry.file.starts_with("caffe2/"));
        one_cause.then_some(first)
    }

    fn indexed(&self) -> impl Iterator<Item = (&IndexedAssertion, &AssertionEntry)> {
        self.index.entries.iter().zip(&self.assertions)
    }
}

/// [`expression_key`] of the words that PyTorch's index checks share.
const INDEX_OUT_OF_BOUNDS: &str = "indexoutofbounds";

/// From this many characters (blanks left out) a text is not found in two places by accident; `index >= 0` is shorter.
const TELLING_LENGTH: usize = 11;

/// What is compared of each entry, in the order of the entries.
#[derive(Debug)]
pub(super) struct AssertionIndex {
    entries: Vec<IndexedAssertion>,
}

#[derive(Debug)]
struct IndexedAssertion {
    files: Vec<Vec<String>>,
    text: Option<String>,
}

impl AssertionIndex {
    pub(super) fn new(assertions: &[AssertionEntry]) -> Self {
        let entries = assertions.iter().map(|entry| IndexedAssertion {
            files: std::iter::once(&entry.file)
                .chain(&entry.also_files)
                .map(|file| SourcePath::new(file).key())
                .collect(),
            text: entry.expression.as_deref().map(expression_key),
        });
        Self {
            entries: entries.collect(),
        }
    }
}

impl IndexedAssertion {
    /// The printed path ends in the entry's, or is the rest of it where the log cut the line's start.
    fn is_in(&self, path: &[String]) -> bool {
        self.files.iter().any(|file| match path {
            [] => false,
            [only] => file.last() == Some(only),
            _ => path.ends_with(file) || file.join("/").ends_with(&path.join("/")),
        })
    }
}

/// The bound in a text of `torch.compile`, as in `index out of bounds: 0 <= tmp4 < 32000`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InductorBound {
    /// The size that the index must stay below, where it is a plain number.
    pub upper: Option<i64>,
    /// The bound as printed (`32000`, `ks0`, `1 + ks0`); empty where only the lower end is checked.
    pub text: String,
}

/// Reads the bound out of the text of a compiled index check; `None` where it is no such text.
pub fn inductor_bound(expression: &str) -> Option<InductorBound> {
    let expression = ascii(expression);
    let at = expression.rfind("index out of bounds:")?;
    let comparison = expression
        .get(at..)?
        .split_once(':')?
        .1
        .trim()
        .trim_matches(['"', '\'', '`', ')', ' ']);
    // The closing brackets may belong to the bound itself: `tmp4 < (ks0 + 1)`.
    let comparison = format!(
        "{comparison}{}",
        ")".repeat(
            comparison
                .matches('(')
                .count()
                .saturating_sub(comparison.matches(')').count())
        )
    );
    let upper = comparison
        .rsplit_once('<')
        .map(|(_, upper)| upper)
        .filter(|upper| !upper.starts_with('='));
    let Some(upper) = upper.map(str::trim) else {
        return comparison.contains("<=").then(|| InductorBound {
            upper: None,
            text: String::new(),
        });
    };
    let number = upper
        .trim_matches(['(', ')', ' '])
        .trim_end_matches(['L', 'l']);
    Some(InductorBound {
        upper: number.replace('_', "").parse().ok(),
        text: upper.to_owned(),
    })
}

/// The pattern of a text in generated code; `text` is an [`expression_key`].
fn generated_pattern(text: &str) -> Option<Pattern> {
    if let Some((_, comparison)) = text.rsplit_once("indexoutofbounds:") {
        let lower = comparison.contains("<=");
        let upper = comparison.replace("<=", "").contains('<');
        return match (lower, upper) {
            (true, true) => Some(Pattern::InductorBoth),
            (false, true) => Some(Pattern::InductorUpper),
            (true, false) => Some(Pattern::InductorLower),
            (false, false) => None,
        };
    }
    let overflow = text
        .strip_prefix("int")
        .or_else(|| text.strip_prefix("uint"))?;
    overflow
        .trim_start_matches(|c: char| c.is_ascii_digit())
        .starts_with("overflowdetectedforoperation")
        .then_some(Pattern::IntegerOverflow)
}

/// Whose `gather` and `scatter` are collectives: those run no index check.
const COLLECTIVES: &[&str] = &[
    "dist.",
    "distributed.",
    "comm.",
    "accelerator.",
    "fabric.",
    "hvd.",
];

/// Whether a source line, or the function it stands in, shows one of an operation's words.
///
/// A word must start where a name starts (`cross_entropy` is not found in `binary_cross_entropy`).
/// One that ends in `(` must be the whole name, any other may go on (`nll_loss` is found in `nll_loss_nd(`).
pub fn shows_operation(words: &[String], code: Option<&str>, function: Option<&str>) -> bool {
    words.iter().any(|word| {
        let in_code = code.is_some_and(|code| {
            code.match_indices(word.as_str()).any(|(at, _)| {
                let before = code.get(..at).unwrap_or_default();
                let starts_a_name = !before.ends_with(|c: char| c.is_alphanumeric() || c == '_');
                let of_collective = (word.starts_with("gather") || word.starts_with("scatter"))
                    && COLLECTIVES.iter().any(|owner| before.ends_with(owner));
                starts_a_name && !of_collective
            })
        });
        let is_function = function.is_some_and(|function| match word.strip_suffix('(') {
            Some(whole) => function == whole,
            None => function.starts_with(word.as_str()),
        });
        in_code || is_function
    })
}

/// What is compared of an expression: no blanks, no quotes, no line ends spelt `\n`, ASCII punctuation.
fn expression_key(expression: &str) -> String {
    let mut key = ascii(expression).replace("\\n", "");
    key.retain(|c| !c.is_whitespace() && !matches!(c, '"' | '\'' | '`'));
    key
}

/// Full-width letters and punctuation, curly quotes and comparison signs as a translating browser writes them, turned back.
fn ascii(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\u{ff01}'..='\u{ff5e}' => out.extend(char::from_u32(c as u32 - 0xfee0)),
            '\u{3000}' | '\u{a0}' => out.push(' '),
            '“' | '”' | '„' | '«' | '»' | '「' | '」' | '『' | '』' => out.push('"'),
            '‘' | '’' | '‚' | '′' => out.push('\''),
            '≤' => out.push_str("<="),
            '≥' => out.push_str(">="),
            '≠' => out.push_str("!="),
            '−' | '–' => out.push('-'),
            '、' => out.push(','),
            _ => out.push(c),
        }
    }
    out
}
