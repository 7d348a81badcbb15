//! What people type by habit or by mistake, and the message that they get.

use crate::support::Dir;

/// The first line tells what was meant.
#[test]
fn slips_are_understood() {
    let dir = Dir::new();
    dir.write("t.csv", "origin,dest\nJFK,ORD\nLGA,ORD\n");
    dir.write("w", "a\nb\n");
    dir.run("filter build w -o w.crv").text();
    for (line, says) in [
        ("top t.csv --limit 3", "top has no --limit; did you mean --number?"),
        ("distinct t.csv --colunm dest", "distinct has no --colunm; did you mean --column?"),
        ("distinct t.csv -n 3", "distinct has no -n; did you mean --no-header?"),
        ("distinct t.csv -o d.crv", "distinct has no -o; did you mean --save?"),
        ("filter build w --save d.crv", "filter build has no --save; did you mean --output?"),
        ("distinct t.csv -column dest", "'-column' has one dash; did you mean --column?"),
        ("distinct t.csv -json", "'-json' has one dash; did you mean --json?"),
        ("percentils t.csv", "there is no verb 'percentils'; did you mean 'quantiles'?"),
        ("complet t.csv", "there is no verb 'complet'"),
        ("hlp", "there is no verb 'hlp'"),
        ("diff a b", "there is no verb 'diff'; for the changes between two tables use: crivo compare"),
        ("filter ask w.crv", "filter has no verb 'ask'"),
        ("distinct t.csv --window 1h", "--time <COLUMN> is missing"),
        ("filter build w", "--output <FILE.crv> is missing"),
        ("filter build w -o x.crv --kind blom", "did you mean 'bloom'?"),
        ("distinct t.csv --json --csv", "the argument '--json' cannot be used with '--csv'"),
        ("quantiles t.csv -c origin,dest", "a number stands in one column; give --column once"),
        ("distinct t.csv -c dest --by origin,dest", "several cannot stand here; name one"),
        ("distinct t.csv --error 0", "expected a number above 0 and below 1"),
    ] {
        let run = dir.run(line);
        run.fails_with(&[]);
        let first = run.stderr.lines().next().unwrap();
        assert!(first.starts_with("crivo: ") && first.contains(says), "{line}: {}", run.stderr);
        assert!(!run.stderr.contains("completions"), "{line}: {}", run.stderr);
    }
    let usage = dir.run("top t.csv --limit 3").stderr;
    assert!(
        usage.ends_with("\n\nUsage: crivo top [OPTIONS] [FILE]...\nHelp:  crivo top --help\n"),
        "{usage}"
    );
}

#[test]
fn other_names_of_verbs() {
    let dir = Dir::new();
    dir.write("in", "1\n2\n2\n");
    for (other, verb) in [
        ("uniq", "distinct"),
        ("unique", "distinct"),
        ("cardinality", "distinct"),
        ("hll", "distinct"),
        ("dedup", "seen"),
        ("deduplicate", "seen"),
        ("percentiles", "quantiles"),
        ("percentile", "quantiles"),
        ("stats", "profile"),
        ("describe", "profile"),
        ("summarize", "profile"),
        ("summary", "profile"),
        ("heavy-hitters", "top"),
        ("freq", "top"),
        ("frequency", "top"),
        ("hist", "histogram"),
        ("random --seed 1", "sample --seed 1"),
        ("shuf --seed 1", "sample --seed 1"),
    ] {
        assert_eq!(dir.run(&format!("{other} in")).text(), dir.run(&format!("{verb} in")).text(), "{other}");
    }
    for other in ["jaccard in in", "minhash in in", "bloom build in -o f.crv"] {
        dir.run(other).text();
    }
    let help = dir.run("--help").text();
    assert!(!help.contains(" dedup ") && !help.contains("hll"), "they are not listed");
}
