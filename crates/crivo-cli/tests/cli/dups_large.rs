//! `crivo dups` on more documents: threads, pipes, little memory, real data.

use crate::support::{Dir, Run, data};
use crivo::rng::Rng;
use serde_json::Value;
use std::collections::BTreeSet;
use std::io::Read;
use std::process::Stdio;

/// Documents of 120 words, of which each third is one before with a few words changed: as JSON Lines of about 2 MB.
fn documents(number: u32) -> String {
    let mut rng = Rng::new(7);
    let mut all: Vec<Vec<u64>> = Vec::new();
    for place in 0..number {
        let words = if place % 3 == 2 {
            let mut copy = all[all.len() - 1 - rng.below(2) as usize].clone();
            for _ in 0..rng.below(5) {
                let changed = rng.below(120) as usize;
                copy[changed] = rng.below(5_000);
            }
            copy
        } else {
            (0..120).map(|_| rng.below(5_000)).collect()
        };
        all.push(words);
    }
    all.iter()
        .map(|words| {
            let text: String = words.iter().map(|word| format!("word{word} ")).collect();
            format!("{{\"text\":\"{text}\"}}\n")
        })
        .collect()
}

#[test]
fn neither_threads_nor_memory_change_the_answer() {
    let dir = Dir::new();
    dir.write("in.jsonl", documents(2_000));
    for what in ["pairs", "groups --keep longest", "stream"] {
        let line = format!("dups in.jsonl -c text -q --print {what}");
        let expected = dir.run(&line).text();
        assert!(expected.lines().count() > 500, "{what}: {expected}");
        for flags in ["--jobs 1", "--jobs 2", "--jobs 5"] {
            assert_eq!(dir.run(&format!("{line} {flags}")).text(), expected, "{what} {flags}");
        }
        // The sets alone take 1.9 MB.
        assert_eq!(dir.run(&format!("{line} --max-memory 1800000")).text(), expected, "{what}");
    }
    let run = dir.run("dups in.jsonl -c text --max-memory 1800000");
    assert!(run.code == Some(0) && run.stderr.contains("read again"), "{run:?}");
    let input = dir.read("in.jsonl");
    let piped = dir.run_with("dups --format jsonl -c text -q --max-memory 1800000", &input);
    assert_eq!(piped.text(), dir.run("dups in.jsonl -c text -q").text());
    dir.run("dups in.jsonl -c text --max-memory 800000 -q")
        .fails_with(&["--max-memory", "--verify signature"]);
    dir.run("dups in.jsonl -c text --max-memory 100000 -q").fails_with(&["--max-memory"]);
}

#[test]
fn signatures_of_groups_count_as_memory() {
    let dir = Dir::new();
    // The rows take less than 0.5 MB, the signatures more.
    let rows: String = (0..5_000).map(|i| format!("g{i},{i}\n")).collect();
    dir.write("in.csv", format!("group,item\n{rows}"));
    let line = "dups in.csv --group group --item item -q --max-memory";
    assert_eq!(dir.run(&format!("{line} 4000000")).text(), "");
    dir.run(&format!("{line} 1000000")).fails_with(&["the sets of 5,000 groups", "--max-memory"]);
}

#[test]
fn a_closed_pipe_is_a_quiet_end() {
    let dir = Dir::new();
    dir.write("in.jsonl", documents(2_000).repeat(8));
    for what in ["pairs", "stream"] {
        let line = format!("dups in.jsonl -c text -q --print {what}");
        let mut command = dir.command(&line);
        let child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
        let mut child = child.unwrap();
        let mut stdout = child.stdout.take().unwrap();
        stdout.read_exact(&mut [0; 10]).unwrap();
        drop(stdout);
        let run = Run::new(&line, child.wait_with_output().unwrap());
        assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{what}");
    }
}

/// Words as `[a-z0-9]+` in small letters, and all runs of three.
fn runs(text: &str) -> BTreeSet<String> {
    let lower = text.to_lowercase();
    let is_word = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit();
    let words: Vec<&str> = lower.split(|c| !is_word(c)).filter(|word| !word.is_empty()).collect();
    words.windows(3).map(|run| run.join(" ")).collect()
}

/// All pairs of 728 texts, compared one by one.
#[test]
fn licences() {
    let Some(path) = data("licences/spdx-licences.jsonl.gz") else { return };
    let mut lines = String::new();
    flate2::read::MultiGzDecoder::new(std::fs::File::open(&path).unwrap())
        .read_to_string(&mut lines)
        .unwrap();
    let texts: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let sets: Vec<BTreeSet<String>> = texts.iter().map(|row| runs(row["text"].as_str().unwrap())).collect();
    let mut alike = BTreeSet::new();
    for (b, second) in sets.iter().enumerate() {
        for (a, first) in sets[..b].iter().enumerate() {
            let (small, large) = (first.len().min(second.len()), first.len().max(second.len()));
            if 5 * small >= 4 * large {
                let common = first.intersection(second).count();
                if 5 * common >= 4 * (small + large - common) {
                    alike.insert((a as u64, b as u64));
                }
            }
        }
    }
    assert_eq!(alike.len(), 454);
    let dir = Dir::new();
    let run =
        dir.run(&format!("dups {path} --column text --threshold 0.8 --shingle words:3 --print pairs -q"));
    let pair = |pair: &Value| (pair["a"].as_u64().unwrap(), pair["b"].as_u64().unwrap());
    let found: BTreeSet<(u64, u64)> = run.json().iter().map(pair).collect();
    assert!(found.is_subset(&alike), "precision 1: {:?}", found.difference(&alike));
    assert!(found.len() >= 450, "recall 0.99: {}", found.len());
}
