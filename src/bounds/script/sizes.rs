//! Sizes in a script: counts under their usual names, last layers, embeddings, lists of class names, ignore values.

use std::collections::HashSet;
use std::sync::Arc;

use ruff_python_ast::visitor::{Visitor, walk_expr, walk_stmt};
use ruff_python_ast::{Arguments, Expr, ExprCall, Stmt};
use ruff_text_size::{Ranged, TextRange, TextSize};

use super::constants::{Constants, Whole, option};
use super::names::{is_class_list, is_head, is_ignore, names_of, role_of_name};
use super::{Source, last_name};
use crate::bounds::{Bound, BoundSource, BoundsFound};
use crate::knowledge::Certainty;
use crate::labels::{ClassList, ListSource, Role};

/// Statements of one script that are kept.
const MOST_STATEMENTS: usize = 1_000;

/// Adds what a script states of sizes and ignore values.
pub(super) fn collect<'a>(
    body: &'a [Stmt],
    constants: &Constants<'a>,
    source: &Source<'_>,
    found: &mut BoundsFound,
) {
    let mut collector = Collector {
        constants,
        source,
        classes: Vec::new(),
        named_embeddings: HashSet::new(),
        stated: Vec::new(),
        found,
        // Without a loss over classes a last layer's width is no number of classes.
        has_loss: [
            "cross_entropy",
            "CrossEntropy",
            "NLLLoss",
            "nll_loss",
            "FocalLoss",
            "ForTokenClassification",
        ]
        .iter()
        .any(|word| source.text.contains(word)),
    };
    collector.visit_body(body);
    let stated = std::mem::take(&mut collector.stated);
    for role in [Role::Class, Role::Token, Role::Position, Role::TokenType] {
        let of_role = stated.iter().filter(|one| one.bound.role == role).collect();
        found.bounds.extend(settled(of_role));
    }
}

/// A statement of a size.
struct Stated {
    bound: Bound,
    kind: Kind,
}

/// What kind of statement it is; a layer yields to a name.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Named,
    Layer,
}

/// Each size once, names before layers. Names that differ leave only guesses; so do layers, and a layer that differs from
/// the names is one.
fn settled(mut stated: Vec<&Stated>) -> Vec<Bound> {
    stated.sort_by_key(|one| (std::cmp::Reverse(one.bound.certainty), one.kind));
    let mut kept: Vec<(Kind, Bound)> = Vec::new();
    for one in stated {
        if !kept.iter().any(|(_, bound)| bound.same_range(&one.bound)) {
            kept.push((one.kind, one.bound.clone()));
        }
    }
    for kind in [Kind::Named, Kind::Layer] {
        let sure =
            |(of, bound): &(Kind, Bound)| *of <= kind && bound.certainty != Certainty::Possible;
        if kept.iter().filter(|one| sure(one)).count() > 1 {
            for (_, bound) in kept.iter_mut().filter(|(of, _)| *of == kind) {
                bound.certainty = Certainty::Possible;
            }
        }
    }
    kept.into_iter().map(|(_, bound)| bound).collect()
}

struct Collector<'a, 's> {
    constants: &'s Constants<'a>,
    source: &'s Source<'s>,
    /// Of each class definition that is open: its layers so far.
    classes: Vec<Vec<LastLayer<'a>>>,
    /// Where embeddings stand that were told with their names.
    named_embeddings: HashSet<TextSize>,
    stated: Vec<Stated>,
    found: &'s mut BoundsFound,
    has_loss: bool,
}

/// A layer that is assigned to a name, or the last one of a `Sequential` that is.
#[derive(Clone, Copy)]
struct LastLayer<'a> {
    /// The field or name.
    name: &'a str,
    call: &'a ExprCall,
}

impl<'a> Collector<'a, '_> {
    fn state(&mut self, role: Role, size: Whole, range: TextRange, kind: Kind, sure: bool) {
        let certainty = if sure && !size.default {
            Certainty::Likely
        } else {
            Certainty::Possible
        };
        let Ok(value) = u64::try_from(size.value) else {
            return;
        };
        // One class is a regression or a binary output, where no class index is checked.
        if self.stated.len() >= MOST_STATEMENTS || (role == Role::Class && value < 2) {
            return;
        }
        let bound = Bound::of_size(
            role,
            value,
            BoundSource::Script,
            Some(self.source.path),
            self.source.words(range),
            certainty,
        );
        if let Some(bound) = bound {
            let bound = bound.at_line(Some(self.source.line(range)));
            self.stated.push(Stated { bound, kind });
        }
    }

    /// A name with a value: `NUM_CLASSES = 10`, `num_classes=10`.
    fn named(&mut self, name: &str, value: &'a Expr, range: TextRange) {
        let key = name.trim_matches('_').to_ascii_lowercase();
        if is_ignore(&key) {
            self.ignored(value, range);
        }
        let counted = role_of_name(&key).zip(self.constants.whole(value));
        if let Some(((role, sure), size)) = counted {
            // A name that gets another value elsewhere states nothing for sure.
            let stays = self
                .constants
                .named(name)
                .is_none_or(|all| all.value == size.value);
            let known = self.constants.named(name).is_some() || hands_on(value, name);
            self.state(role, size, range, Kind::Named, sure && stays && known);
        } else {
            self.class_names(name, &key, value, range);
        }
    }

    fn ignored(&mut self, value: &'a Expr, range: TextRange) {
        if let Some(value) = self.constants.whole(value) {
            let ignore = &mut self.found.ignore;
            if !ignore.iter().any(|(known, _)| *known == value.value) {
                ignore.push((value.value, self.source.words(range)));
            }
        }
    }

    /// A list of class names, or `id2label`.
    fn class_names(&mut self, name: &str, key: &str, value: &'a Expr, range: TextRange) {
        let Some(sure) = is_class_list(key) else {
            return;
        };
        let Some(names) = names_of(value).filter(|names| names.len() > 1) else {
            return;
        };
        let count = names.len();
        let line = self.source.line(range);
        let list = Arc::new(ClassList {
            names,
            source: ListSource {
                path: Some(Arc::clone(self.source.path)),
                line: Some(line),
                what: name.to_owned(),
            },
            ..ClassList::default()
        });
        let bound = Bound::of_size(
            Role::Class,
            count as u64,
            BoundSource::Script,
            Some(self.source.path),
            format!("{name} ({count})"),
            if sure {
                Certainty::Likely
            } else {
                Certainty::Possible
            },
        );
        if let Some(bound) = bound {
            let mut bound = bound.at_line(Some(line));
            bound.names = Some(Arc::clone(&list));
            self.stated.push(Stated {
                bound,
                kind: Kind::Named,
            });
            self.found.lists.push(list);
        }
    }

    /// Layers that are assigned to a name or field.
    fn layers(&mut self, target: &'a Expr, value: &'a Expr, range: TextRange) {
        let Some(name) = last_name(target) else {
            return;
        };
        if let Some(call) = embedding(value) {
            self.embedding(name, call, range);
            return;
        }
        let Some(call) = last_layer(value) else {
            return;
        };
        let layer = LastLayer { name, call };
        let own_field = match target {
            Expr::Attribute(attribute) => {
                matches!(&*attribute.value, Expr::Name(name) if name.id.as_str() == "self")
            }
            _ => false,
        };
        match self.classes.last_mut() {
            Some(layers) if own_field => layers.push(layer),
            // `model.fc = nn.Linear(512, 10)` replaces the head of a finished model: that is meant.
            _ if matches!(target, Expr::Attribute(_) | Expr::Subscript(_)) && is_head(name) => {
                self.width(layer, Kind::Named, true);
            }
            _ => {
                let key = name.to_ascii_lowercase();
                let whole =
                    ["model", "net", "network", "classifier", "clf"].contains(&key.as_str());
                self.width(layer, Kind::Layer, whole || is_head(name));
            }
        }
    }

    /// The width of a last layer.
    fn width(&mut self, layer: LastLayer<'_>, kind: Kind, sure: bool) {
        let arguments = &layer.call.arguments;
        let is_linear = is_call_of(layer.call, LINEAR);
        let lazy = is_call_of(layer.call, &["LazyLinear", "LazyConv2d"]);
        let (keyword, position) = match (is_linear, lazy) {
            (true, false) => ("out_features", 1),
            (true, true) => ("out_features", 0),
            (false, false) => ("out_channels", 1),
            (false, true) => ("out_channels", 0),
        };
        if !is_linear {
            let kernel = argument(arguments, "kernel_size", position + 1);
            let one = |expr: &Expr| self.constants.whole(expr).is_some_and(|k| k.value == 1);
            let is_one = match kernel {
                Some(Expr::Tuple(sizes)) => sizes.elts.iter().all(one),
                Some(size) => one(size),
                None => false,
            };
            if !is_one {
                return;
            }
        }
        if let Some(size) =
            argument(arguments, keyword, position).and_then(|size| self.constants.whole(size))
        {
            let sure = sure && self.has_loss;
            self.state(Role::Class, size, layer.call.range(), kind, sure);
        }
    }

    /// An embedding; `name` is empty where it has none.
    fn embedding(&mut self, name: &str, call: &'a ExprCall, range: TextRange) {
        if !self.named_embeddings.insert(call.start()) {
            return;
        }
        let Some(size) = argument(&call.arguments, "num_embeddings", 0)
            .and_then(|size| self.constants.whole(size))
        else {
            return;
        };
        let key = name.to_ascii_lowercase();
        let has = |words: &[&str]| words.iter().any(|word| key.contains(word));
        let role = if has(&["pos", "wpe"]) {
            Role::Position
        } else if has(&["type", "segment", "seg_"]) {
            Role::TokenType
        } else if has(&["label", "class", "cls"]) {
            Role::Class
        } else {
            Role::Token
        };
        self.state(role, size, range, Kind::Layer, true);
    }

    fn end_of_class(&mut self, layers: &[LastLayer<'a>]) {
        let head = layers.iter().rfind(|layer| is_head(layer.name));
        if let Some(layer) = head.or_else(|| layers.last()) {
            let is_last = layers
                .last()
                .is_some_and(|last| last.call.range() == layer.call.range());
            self.width(*layer, Kind::Layer, is_head(layer.name) && is_last);
        }
    }
}

impl<'a> Visitor<'a> for Collector<'a, '_> {
    fn visit_stmt(&mut self, stmt: &'a Stmt) {
        match stmt {
            Stmt::ClassDef(_) => {
                self.classes.push(Vec::new());
                walk_stmt(self, stmt);
                let layers = self.classes.pop().unwrap_or_default();
                self.end_of_class(&layers);
                return;
            }
            Stmt::Assign(assign) => {
                for target in &assign.targets {
                    self.assigned(target, &assign.value, assign.range);
                }
            }
            Stmt::AnnAssign(assign) => {
                if let Some(value) = &assign.value {
                    self.assigned(&assign.target, value, assign.range);
                }
            }
            Stmt::FunctionDef(function) => {
                let parameters = &function.parameters;
                for parameter in parameters.args.iter().chain(&parameters.kwonlyargs) {
                    if let Some(value) = &parameter.default {
                        let name = parameter.parameter.name.as_str();
                        self.default(name, value, parameter.range);
                    }
                }
            }
            _ => {}
        }
        walk_stmt(self, stmt);
    }

    fn visit_expr(&mut self, expr: &'a Expr) {
        match expr {
            Expr::Call(call) => {
                if let Some((name, value)) = option(call) {
                    self.default(&name, value, call.range());
                } else if let Some(call) = embedding(expr) {
                    self.embedding("", call, call.range());
                } else {
                    for keyword in &call.arguments.keywords {
                        if let Some(name) = &keyword.arg {
                            self.kept(name.as_str(), &keyword.value, keyword.range);
                        }
                    }
                }
            }
            Expr::Dict(dict) => {
                for item in &dict.items {
                    if let Some(Expr::StringLiteral(key)) = &item.key {
                        let range = TextRange::new(key.start(), item.value.end());
                        self.kept(key.value.to_str(), &item.value, range);
                    }
                }
            }
            _ => {}
        }
        walk_expr(self, expr);
    }
}

impl<'a> Collector<'a, '_> {
    fn assigned(&mut self, target: &'a Expr, value: &'a Expr, range: TextRange) {
        match (target, value) {
            (Expr::Tuple(targets), Expr::Tuple(values))
                if targets.elts.len() == values.elts.len() =>
            {
                for (target, value) in targets.elts.iter().zip(&values.elts) {
                    self.assigned(target, value, range);
                }
            }
            (Expr::Subscript(subscript), _) => {
                if let Expr::StringLiteral(key) = &*subscript.slice {
                    self.named(key.value.to_str(), value, range);
                } else {
                    self.layers(target, value, range);
                }
            }
            (Expr::Name(_) | Expr::Attribute(_), _) => {
                if let Some(name) = last_name(target) {
                    self.named(name, value, range);
                }
                self.layers(target, value, range);
            }
            _ => {}
        }
    }

    /// A keyword argument or a dict's item: a size, or an embedding of a `ModuleDict`.
    fn kept(&mut self, name: &str, value: &'a Expr, range: TextRange) {
        if let Some(call) = embedding(value) {
            self.embedding(name, call, range);
        } else {
            self.named(name, value, range);
        }
    }

    /// A default that a command line or a call may replace.
    fn default(&mut self, name: &str, value: &'a Expr, range: TextRange) {
        let key = name.trim_matches('_').to_ascii_lowercase();
        if let Some((role, _)) = role_of_name(&key) {
            if let Some(size) = self.constants.whole(value) {
                self.state(role, size, range, Kind::Named, false);
            }
        } else if is_ignore(&key) {
            self.ignored(value, range);
        }
    }
}

/// Whether a value is the very name it is given to (`num_classes=num_classes`).
fn hands_on(value: &Expr, name: &str) -> bool {
    last_name(value) == Some(name)
}

const LINEAR: &[&str] = &["Linear", "LazyLinear"];
const LAYERS: &[&str] = &[
    "Linear",
    "LazyLinear",
    "Conv2d",
    "LazyConv2d",
    "Conv1d",
    "Conv3d",
];

fn is_call_of(call: &ExprCall, names: &[&str]) -> bool {
    last_name(&call.func).is_some_and(|name| names.contains(&name))
}

/// The `nn.Embedding(…)` that a value is.
fn embedding(value: &Expr) -> Option<&ExprCall> {
    match value {
        Expr::Call(call) if is_call_of(call, &["Embedding", "EmbeddingBag"]) => Some(call),
        _ => None,
    }
}

/// The last layer in a value: the value itself, or the last one in the arguments of a `Sequential`.
fn last_layer(value: &Expr) -> Option<&ExprCall> {
    struct Last<'a>(Option<&'a ExprCall>);
    impl<'a> Visitor<'a> for Last<'a> {
        fn visit_expr(&mut self, expr: &'a Expr) {
            if let Expr::Call(call) = expr
                && is_call_of(call, LAYERS)
            {
                let later = self
                    .0
                    .is_none_or(|before| before.range().start() < call.range().start());
                if later {
                    self.0 = Some(call);
                }
            }
            walk_expr(self, expr);
        }
        // A nested function is no part of the value.
        fn visit_stmt(&mut self, _: &'a Stmt) {}
    }
    let Expr::Call(call) = value else {
        return None;
    };
    if is_call_of(call, LAYERS) {
        return Some(call);
    }
    if !is_call_of(
        call,
        &[
            "Sequential",
            "ModuleDict",
            "OrderedDict",
            "to",
            "cuda",
            "DataParallel",
        ],
    ) {
        return None;
    }
    let mut last = Last(None);
    last.visit_expr(value);
    last.0
}

/// An argument by keyword, else by position.
fn argument<'a>(arguments: &'a Arguments, keyword: &str, position: usize) -> Option<&'a Expr> {
    arguments
        .find_keyword(keyword)
        .map(|keyword| &keyword.value)
        .or_else(|| {
            let positional = arguments.args.get(position)?;
            // After `*args` positions are not known.
            let spread = arguments
                .args
                .iter()
                .take(position)
                .any(|arg| matches!(arg, Expr::Starred(_)));
            (!spread).then_some(positional)
        })
}
