//! A shell's command line: the command in it, and what only a shell does with it.

/// The command of a shell's line, and what only a shell does with it.
pub(super) fn without_shell(words: &[String]) -> (Vec<String>, Vec<String>) {
    let is_break = |word: &str| matches!(word, "&&" | "||" | "|" | "|&" | ";" | "&");
    let mut left_out = Vec::new();
    // `cd x; python train.py`: the sign hangs on the word before it.
    let words: Vec<String> = words
        .iter()
        .flat_map(|word| match word.strip_suffix(';') {
            Some(rest) if !rest.is_empty() => vec![rest.to_owned(), ";".to_owned()],
            _ => vec![word.clone()],
        })
        .collect();
    let parts: Vec<&[String]> = words.split(|word| is_break(word)).collect();
    // Of `cd x && python train.py | tee log` the program that trains is meant.
    let preparing = |part: &&[String]| {
        part.first().is_none_or(|program| {
            matches!(
                program.as_str(),
                "cd" | "export" | "set" | "source" | "." | "conda" | "activate" | "module" | "echo"
            )
        })
    };
    let chosen = parts
        .iter()
        .position(|part| !preparing(part))
        .unwrap_or_default();
    let mut command = Vec::new();
    for (at, part) in parts.iter().enumerate() {
        if at != chosen {
            if !part.is_empty() {
                left_out.push(part.join(" "));
            }
            continue;
        }
        let mut part = part.iter();
        while let Some(word) = part.next() {
            let is_prefix = matches!(word.as_str(), "nohup" | "time" | "exec" | "sudo");
            if is_prefix && command.is_empty() {
                left_out.push(word.clone());
                continue;
            }
            let sign = word.trim_start_matches(|c: char| c.is_ascii_digit() || c == '&');
            if sign.starts_with(['>', '<']) {
                let bare = sign.trim_start_matches(['>', '<']).is_empty();
                let file = if bare { part.next() } else { None };
                let whole = file.map_or_else(|| word.clone(), |file| format!("{word} {file}"));
                left_out.push(whole);
                continue;
            }
            command.push(word.clone());
        }
    }
    (command, left_out)
}

/// Variables that are set before the program, and the rest.
pub(super) fn without_assignments(mut words: Vec<String>) -> (Vec<String>, Vec<String>) {
    if words.first().is_some_and(|word| word == "env") {
        words.remove(0);
    }
    let is_assignment = |word: &String| {
        word.split_once('=').is_some_and(|(name, _)| {
            !name.is_empty()
                && !name.starts_with(|c: char| c.is_ascii_digit())
                && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        })
    };
    let rest = words.iter().take_while(|word| is_assignment(word)).count();
    let rest = words.split_off(rest);
    (words, rest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rerun::split::{Rules, split_by};

    #[track_caller]
    fn check_shell(text: &str, command: &[&str], left_out: &[&str]) {
        let words = split_by(text, Rules::Posix).unwrap();
        let (words, left) = without_shell(&words);
        assert_eq!(words, command, "{text}");
        assert_eq!(left, left_out, "{text}");
    }

    #[test]
    fn of_a_shells_line_the_command_is_taken() {
        check_shell(
            "python train.py --lr 1",
            &["python", "train.py", "--lr", "1"],
            &[],
        );
        check_shell(
            "nohup python train.py > log.txt 2>&1 &",
            &["python", "train.py"],
            &["nohup", "> log.txt", "2>&1"],
        );
        check_shell(
            "cd src && python train.py | tee log.txt",
            &["python", "train.py"],
            &["cd src", "tee log.txt"],
        );
        check_shell("python a.py 2>err.txt", &["python", "a.py"], &["2>err.txt"]);
        check_shell("cd x; python a.py;", &["python", "a.py"], &["cd x"]);
    }

    #[test]
    fn variables_before_the_program_are_told_apart() {
        let words = ["CUDA_VISIBLE_DEVICES=0", "A_1=", "python", "x=1"].map(str::to_owned);
        let (set, rest) = without_assignments(words.to_vec());
        assert_eq!(set, ["CUDA_VISIBLE_DEVICES=0", "A_1="]);
        assert_eq!(rest, ["python", "x=1"]);
    }
}
