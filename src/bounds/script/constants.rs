//! Names of a script that stand for one whole number throughout, or for one list of names.

use std::borrow::Cow;
use std::cell::Cell;
use std::collections::HashMap;

use ruff_python_ast::visitor::{Visitor, walk_expr, walk_stmt};
use ruff_python_ast::{Expr, ExprCall, Number, Operator, Stmt, UnaryOp};

use super::last_name;

/// Everything that is bound to a name, a field or a key, wherever it stands: `num_classes` is the same thing as
/// `self.num_classes`, `args.num_classes` and `config["num_classes"]`. A name with two values has none.
pub(super) struct Constants<'a> {
    bindings: HashMap<Cow<'a, str>, Vec<Binding<'a>>>,
    /// Steps left; a script made to take long is given up.
    steps: Cell<u32>,
}

#[derive(Clone, Copy)]
struct Binding<'a> {
    /// `None` where a value is bound that no text states (a loop variable, `+=`).
    value: Option<&'a Expr>,
    strength: Strength,
    /// Only a default, which a command line or a call may replace.
    default: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Strength {
    Parameter,
    Argument,
    Assigned,
}

/// A whole number that a script states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Whole {
    pub value: i64,
    /// It comes from a default that a command line or a call may replace.
    pub default: bool,
}

/// How far names are followed.
const MOST_HOPS: u32 = 16;
/// Steps of evaluation for a whole script.
const MOST_STEPS: u32 = 200_000;

impl<'a> Constants<'a> {
    pub fn of(body: &'a [Stmt]) -> Self {
        let mut constants = Self {
            bindings: HashMap::new(),
            steps: Cell::new(MOST_STEPS),
        };
        let mut collector = Collector {
            constants: &mut constants,
        };
        collector.visit_body(body);
        constants
    }

    /// The number that an expression stands for.
    pub fn whole(&self, expr: &Expr) -> Option<Whole> {
        self.evaluate(expr, MOST_HOPS)
    }

    /// The number that a name stands for throughout.
    pub fn named(&self, name: &str) -> Option<Whole> {
        self.look_up(name, MOST_HOPS)
    }

    fn list_named(&self, name: &str) -> Option<&'a Expr> {
        match self.bindings.get(name)?.as_slice() {
            [
                Binding {
                    value:
                        Some(list @ (Expr::List(_) | Expr::Tuple(_) | Expr::Set(_) | Expr::Dict(_))),
                    ..
                },
            ] => Some(list),
            _ => None,
        }
    }

    fn evaluate(&self, expr: &Expr, hops: u32) -> Option<Whole> {
        let steps = self.steps.get().checked_sub(1)?;
        self.steps.set(steps);
        match expr {
            Expr::NumberLiteral(number) => match &number.value {
                Number::Int(n) => Some(Whole {
                    value: n.as_i64()?,
                    default: false,
                }),
                _ => None,
            },
            Expr::UnaryOp(unary) => {
                let operand = self.evaluate(&unary.operand, hops)?;
                let value = match unary.op {
                    UnaryOp::USub => operand.value.checked_neg()?,
                    UnaryOp::UAdd => operand.value,
                    _ => return None,
                };
                Some(Whole { value, ..operand })
            }
            Expr::BinOp(binary) => {
                let left = self.evaluate(&binary.left, hops)?;
                let right = self.evaluate(&binary.right, hops)?;
                Some(Whole {
                    value: calculate(left.value, binary.op, right.value)?,
                    default: left.default || right.default,
                })
            }
            Expr::Name(_) | Expr::Attribute(_) => self.look_up(last_name(expr)?, hops),
            Expr::Subscript(subscript) => match &*subscript.slice {
                Expr::StringLiteral(key) => self.look_up(key.value.to_str(), hops),
                _ => None,
            },
            Expr::Call(call) => self.of_call(call, hops),
            _ => None,
        }
    }

    /// `len(CLASSES)`, `int(x)`
    fn of_call(&self, call: &ExprCall, hops: u32) -> Option<Whole> {
        let Expr::Name(function) = &*call.func else {
            return None;
        };
        let [argument] = &*call.arguments.args else {
            return None;
        };
        match function.id.as_str() {
            "int" => self.evaluate(argument, hops),
            "len" => {
                let count = if let Some(count) = count_of(argument) {
                    count
                } else {
                    count_of(self.list_named(last_name(argument)?)?)?
                };
                Some(Whole {
                    value: i64::try_from(count).ok()?,
                    default: false,
                })
            }
            _ => None,
        }
    }

    fn look_up(&self, name: &str, hops: u32) -> Option<Whole> {
        let hops = hops.checked_sub(1)?;
        let bindings = self.bindings.get(name)?;
        let strongest = bindings.iter().map(|binding| binding.strength).max()?;
        let mut found: Option<Whole> = None;
        for binding in bindings.iter().filter(|b| b.strength == strongest) {
            let mut whole = self.evaluate(binding.value?, hops)?;
            whole.default |= binding.default;
            match &mut found {
                Some(before) if before.value != whole.value => return None,
                Some(before) => before.default &= whole.default,
                None => found = Some(whole),
            }
        }
        found
    }

    fn bind(
        &mut self,
        name: impl Into<Cow<'a, str>>,
        value: Option<&'a Expr>,
        strength: Strength,
        default: bool,
    ) {
        let name = name.into();
        // `num_classes=args.num_classes` hands on; it states nothing.
        let hands_on = value.is_some_and(|value| {
            let key = match value {
                Expr::Subscript(subscript) => match &*subscript.slice {
                    Expr::StringLiteral(key) => Some(key.value.to_str()),
                    _ => None,
                },
                _ => last_name(value),
            };
            key == Some(&*name)
        });
        let nothing = value.is_some_and(|value| matches!(value, Expr::NoneLiteral(_)));
        if !hands_on && !nothing {
            self.bindings.entry(name).or_default().push(Binding {
                value,
                strength,
                default,
            });
        }
    }
}

fn calculate(left: i64, operator: Operator, right: i64) -> Option<i64> {
    match operator {
        Operator::Add => left.checked_add(right),
        Operator::Sub => left.checked_sub(right),
        Operator::Mult => left.checked_mul(right),
        Operator::FloorDiv => left.checked_div_euclid(right).filter(|_| right > 0),
        Operator::Pow => left.checked_pow(u32::try_from(right).ok()?),
        Operator::LShift => {
            let factor = 2_i64.checked_pow(u32::try_from(right).ok()?)?;
            left.checked_mul(factor)
        }
        _ => None,
    }
}

/// How many elements a literal has; `None` where an element stands for several.
fn count_of(list: &Expr) -> Option<usize> {
    let elements = match list {
        Expr::List(list) => &list.elts,
        Expr::Tuple(tuple) => &tuple.elts,
        Expr::Set(set) => &set.elts,
        Expr::Dict(dict) => {
            let plain = dict.items.iter().all(|item| item.key.is_some());
            return plain.then_some(dict.items.len());
        }
        _ => return None,
    };
    let plain = !elements
        .iter()
        .any(|element| matches!(element, Expr::Starred(_)));
    plain.then_some(elements.len())
}

struct Collector<'a, 'c> {
    constants: &'c mut Constants<'a>,
}

impl<'a> Collector<'a, '_> {
    fn assign(&mut self, target: &'a Expr, value: Option<&'a Expr>) {
        match (target, value) {
            (Expr::Tuple(targets), Some(Expr::Tuple(values)))
                if targets.elts.len() == values.elts.len() =>
            {
                for (target, value) in targets.elts.iter().zip(&values.elts) {
                    self.assign(target, Some(value));
                }
            }
            (Expr::Tuple(targets), _) => {
                for target in &targets.elts {
                    self.assign(target, None);
                }
            }
            (Expr::Subscript(subscript), _) => {
                // `config["num_classes"] = 10`; `model.classifier[6] = …` binds no name.
                if let Expr::StringLiteral(key) = &*subscript.slice {
                    let key = key.value.to_str();
                    self.constants.bind(key, value, Strength::Assigned, false);
                }
            }
            _ => {
                if let Some(name) = last_name(target) {
                    self.constants.bind(name, value, Strength::Assigned, false);
                }
            }
        }
    }
}

impl<'a> Visitor<'a> for Collector<'a, '_> {
    fn visit_stmt(&mut self, stmt: &'a Stmt) {
        match stmt {
            Stmt::Assign(assign) => {
                for target in &assign.targets {
                    self.assign(target, Some(&assign.value));
                }
            }
            Stmt::AnnAssign(assign) => {
                if let Some(value) = &assign.value {
                    self.assign(&assign.target, Some(value));
                }
            }
            Stmt::AugAssign(assign) => self.assign(&assign.target, None),
            Stmt::For(each) => self.assign(&each.target, None),
            Stmt::FunctionDef(function) => {
                let parameters = &function.parameters;
                for parameter in parameters
                    .posonlyargs
                    .iter()
                    .chain(&parameters.args)
                    .chain(&parameters.kwonlyargs)
                {
                    if let Some(value) = &parameter.default {
                        let name = parameter.parameter.name.as_str();
                        self.constants
                            .bind(name, Some(value), Strength::Parameter, true);
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
                if let Some((name, default)) = option(call) {
                    self.constants
                        .bind(name, Some(default), Strength::Argument, true);
                } else {
                    for keyword in &call.arguments.keywords {
                        if let Some(name) = &keyword.arg {
                            let value = Some(&keyword.value);
                            self.constants
                                .bind(name.as_str(), value, Strength::Argument, false);
                        }
                    }
                }
            }
            Expr::Dict(dict) => {
                for item in &dict.items {
                    if let Some(Expr::StringLiteral(key)) = &item.key {
                        let key = key.value.to_str();
                        self.constants
                            .bind(key, Some(&item.value), Strength::Assigned, false);
                    }
                }
            }
            Expr::Named(named) => self.assign(&named.target, Some(&named.value)),
            _ => {}
        }
        walk_expr(self, expr);
    }
}

/// Name and default of a command line option: `add_argument("--num-classes", default=10)`, click's `option`, absl's
/// `DEFINE_integer("num_classes", 10, …)`.
pub(super) fn option(call: &ExprCall) -> Option<(Cow<'_, str>, &Expr)> {
    let arguments = &call.arguments;
    match last_name(&call.func)? {
        "add_argument" | "option" => {
            let default = arguments.find_keyword("default")?;
            let dest = arguments
                .find_keyword("dest")
                .and_then(|dest| text(&dest.value));
            let long = || {
                arguments
                    .args
                    .iter()
                    .filter_map(text)
                    .find(|name| name.starts_with("--") || !name.starts_with('-'))
            };
            let name = dest.or_else(long)?.trim_start_matches('-');
            let name = if name.contains('-') {
                Cow::Owned(name.replace('-', "_"))
            } else {
                Cow::Borrowed(name)
            };
            Some((name, &default.value))
        }
        "DEFINE_integer" => match &*arguments.args {
            [name, default, ..] => Some((Cow::Borrowed(text(name)?), default)),
            _ => None,
        },
        _ => None,
    }
}

/// What a string literal holds.
fn text(expr: &Expr) -> Option<&str> {
    match expr {
        Expr::StringLiteral(literal) => Some(literal.value.to_str()),
        _ => None,
    }
}
