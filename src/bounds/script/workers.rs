//! DataLoader workers, and whether they are started where a worker's own import of the script would start them again.
//!
//! Windows and macOS start workers by importing the script anew, so a loop over a loader at the top level, outside
//! `if __name__ == "__main__":`, starts workers in every worker (PyTorch's notes for Windows).

use std::collections::{HashMap, HashSet};

use ruff_python_ast::visitor::{Visitor, walk_expr, walk_stmt};
use ruff_python_ast::{Expr, ExprCall, Stmt};
use ruff_text_size::Ranged;

use super::constants::Constants;
use super::{Source, last_name};
use crate::bounds::ScriptRemark;

/// Remarks of one kind that are kept.
const MOST_REMARKS: usize = 50;
/// How far calls are followed from the top level.
const MOST_CALLS: usize = 1_000;

/// Adds what a script does with DataLoader workers.
pub(super) fn collect<'a>(
    body: &'a [Stmt],
    constants: &Constants<'a>,
    source: &Source<'_>,
    remarks: &mut Vec<ScriptRemark>,
) {
    let mut loaders = Loaders {
        constants,
        source,
        made: Vec::new(),
        named: HashSet::new(),
    };
    loaders.visit_body(body);
    let counted = loaders.made.iter().take(MOST_REMARKS);
    remarks.extend(counted.map(|made| ScriptRemark::Workers {
        count: made.count,
        line: made.line,
    }));
    if !loaders.made.iter().any(|made| made.count > 0) {
        return;
    }

    let mut functions = HashMap::new();
    let mut top = Vec::new();
    for stmt in body {
        top_level(stmt, &mut functions, &mut top);
    }
    // What runs on import, and what that calls.
    let mut started: Option<u64> = None;
    let mut waiting: Vec<&Stmt> = top;
    let mut seen: HashSet<&str> = HashSet::new();
    while let Some(stmt) = waiting.pop() {
        let mut uses = Uses {
            loaders: &loaders,
            started: None,
            calls: Vec::new(),
        };
        uses.visit_stmt(stmt);
        if let Some(line) = uses.started {
            started = Some(started.map_or(line, |before| before.min(line)));
        }
        for name in uses.calls {
            if seen.len() < MOST_CALLS
                && let Some(&function) = functions.get(name)
                && seen.insert(name)
            {
                waiting.extend(function);
            }
        }
    }
    if let Some(line) = started {
        remarks.push(ScriptRemark::NoMainGuard { line });
    }
}

/// Sorts what stands at the top level into functions and statements that run on import.
fn top_level<'a>(
    stmt: &'a Stmt,
    functions: &mut HashMap<&'a str, &'a [Stmt]>,
    top: &mut Vec<&'a Stmt>,
) {
    match stmt {
        Stmt::FunctionDef(function) => {
            functions.insert(function.name.as_str(), &function.body);
        }
        Stmt::ClassDef(_) | Stmt::Import(_) | Stmt::ImportFrom(_) => {}
        Stmt::If(branch) if is_main_guard(&branch.test) => {
            // Functions that the guard defines run only below it.
        }
        Stmt::If(branch) => {
            for stmt in &branch.body {
                top_level(stmt, functions, top);
            }
            for clause in &branch.elif_else_clauses {
                for stmt in &clause.body {
                    top_level(stmt, functions, top);
                }
            }
        }
        Stmt::Try(attempt) => {
            for stmt in attempt.body.iter().chain(&attempt.orelse) {
                top_level(stmt, functions, top);
            }
        }
        _ => top.push(stmt),
    }
}

/// `__name__ == "__main__"`, either way round, alone or in an `and`.
fn is_main_guard(test: &Expr) -> bool {
    match test {
        Expr::Compare(compare) => {
            let mut sides = std::iter::once(&*compare.left).chain(&compare.comparators);
            sides.any(|side| matches!(side, Expr::Name(name) if name.id.as_str() == "__name__"))
        }
        Expr::BoolOp(both) => both.values.iter().any(is_main_guard),
        _ => false,
    }
}

/// A loader with workers.
struct Made {
    count: i64,
    line: u64,
}

struct Loaders<'a, 's> {
    constants: &'s Constants<'a>,
    source: &'s Source<'s>,
    made: Vec<Made>,
    /// Names that hold a loader with at least one worker.
    named: HashSet<&'a str>,
}

impl Loaders<'_, '_> {
    /// Workers of a call that makes a loader.
    fn workers(&self, call: &ExprCall) -> Option<i64> {
        let name = last_name(&call.func)?;
        let arguments = &call.arguments;
        // The Trainer of Transformers makes its loaders itself.
        if let Some(keyword) = arguments.find_keyword("dataloader_num_workers") {
            return Some(self.constants.whole(&keyword.value)?.value);
        }
        if !name.ends_with("Loader") && !name.ends_with("loader") {
            return None;
        }
        let count = match arguments.find_keyword("num_workers") {
            Some(keyword) => self.constants.whole(&keyword.value),
            // `**kwargs`, whose entries are names with values like all others.
            None if arguments.keywords.iter().any(|k| k.arg.is_none()) => {
                self.constants.named("num_workers")
            }
            None => None,
        };
        Some(count?.value)
    }

    fn starts(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Call(call) => self.workers(call).is_some_and(|count| count > 0),
            Expr::Dict(dict) => dict.items.iter().any(|item| self.starts(&item.value)),
            Expr::DictComp(comprehension) => self.starts(&comprehension.value),
            Expr::Tuple(tuple) => tuple.elts.iter().any(|value| self.starts(value)),
            Expr::List(list) => list.elts.iter().any(|value| self.starts(value)),
            _ => false,
        }
    }
}

impl<'a> Visitor<'a> for Loaders<'a, '_> {
    fn visit_stmt(&mut self, stmt: &'a Stmt) {
        if let Stmt::Assign(assign) = stmt
            && self.starts(&assign.value)
        {
            for target in &assign.targets {
                match target {
                    Expr::Tuple(targets) => {
                        self.named.extend(targets.elts.iter().filter_map(last_name));
                    }
                    _ => self.named.extend(last_name(target)),
                }
            }
        }
        walk_stmt(self, stmt);
    }

    fn visit_expr(&mut self, expr: &'a Expr) {
        if let Expr::Call(call) = expr
            && let Some(count) = self.workers(call)
        {
            let line = self.source.line(call.range());
            self.made.push(Made { count, line });
        }
        walk_expr(self, expr);
    }
}

/// What a statement does with loaders, and which functions it calls.
struct Uses<'a, 's> {
    loaders: &'s Loaders<'a, 's>,
    /// Line where workers are started.
    started: Option<u64>,
    calls: Vec<&'a str>,
}

impl Uses<'_, '_> {
    fn holds_loader(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Call(call) => {
                self.loaders.starts(expr)
                    || call.arguments.args.iter().any(|arg| self.holds_loader(arg))
            }
            Expr::Name(_) | Expr::Attribute(_) | Expr::Subscript(_) => {
                last_name(expr).is_some_and(|name| self.loaders.named.contains(name))
            }
            _ => false,
        }
    }

    fn starts_at(&mut self, at: impl Ranged) {
        let line = self.loaders.source.line(at);
        self.started = Some(self.started.map_or(line, |before| before.min(line)));
    }
}

/// Functions that take a loader without reading from it.
const HARMLESS: &[&str] = &[
    "len",
    "print",
    "type",
    "isinstance",
    "id",
    "repr",
    "str",
    "prepare",
];

impl<'a> Visitor<'a> for Uses<'a, '_> {
    fn visit_stmt(&mut self, stmt: &'a Stmt) {
        match stmt {
            // Only defined here; it runs where it is called.
            Stmt::FunctionDef(_) | Stmt::ClassDef(_) => return,
            Stmt::For(each) if self.holds_loader(&each.iter) => self.starts_at(&*each.iter),
            _ => {}
        }
        walk_stmt(self, stmt);
    }

    fn visit_expr(&mut self, expr: &'a Expr) {
        match expr {
            Expr::Call(call) => {
                if let Expr::Name(name) = &*call.func {
                    self.calls.push(name.id.as_str());
                }
                let name = last_name(&call.func).unwrap_or_default();
                let makes = self.loaders.workers(call).is_some();
                let takes = call
                    .arguments
                    .args
                    .iter()
                    .chain(call.arguments.keywords.iter().map(|keyword| &keyword.value))
                    .any(|argument| self.holds_loader(argument));
                if takes && !makes && !HARMLESS.contains(&name) {
                    self.starts_at(expr);
                }
            }
            Expr::ListComp(comprehension)
                if comprehension
                    .generators
                    .iter()
                    .any(|generator| self.holds_loader(&generator.iter)) =>
            {
                self.starts_at(expr);
            }
            _ => {}
        }
        walk_expr(self, expr);
    }
}
