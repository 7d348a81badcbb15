//! What `crivo profile` shows: tables that fit, single columns, JSON, pages, and what changed.

use crate::support::{Dir, Run};
use serde_json::Value;
use std::collections::BTreeSet;

/// Flights and their aircraft, small: a key, a foreign key, equal columns, small numbers, a wrong value and wide letters.
fn tables(dir: &Dir) {
    let mut flights = String::from("flight,tail,hour,minute,fare,price,注釈,delay\n");
    for row in 0..2000 {
        let delay = if row == 7 { "late".into() } else { (row % 90).to_string() };
        let fare = f64::from(row % 300) / 4.0;
        flights += &format!(
            "{row},N{},{},{},{fare},{fare},遅れ{},{delay}\n",
            row % 120,
            row % 24,
            row % 60,
            row % 5
        );
    }
    dir.write("flights.csv", flights);
    let planes: String = (0..120).map(|plane| format!("N{plane},{}\n", 1980 + plane % 40)).collect();
    dir.write("planes.csv", format!("tail,year\n{planes}"));
}

pub(crate) fn at_width(dir: &Dir, line: &str, width: usize) -> String {
    let output = dir
        .command(line)
        .env("COLUMNS", width.to_string())
        .env_remove("LC_ALL")
        .env("LANG", "C.UTF-8")
        .output();
    Run::new(line, output.unwrap()).text()
}

#[test]
fn tables_fit_any_width_and_say_what_is_left_out() {
    let dir = Dir::new();
    tables(&dir);
    let mut shown = BTreeSet::new();
    for width in [20, 40, 60, 80, 120, 200] {
        let text = at_width(&dir, "profile flights.csv planes.csv", width);
        // Words are not broken, so that a long one may stand out of a very narrow terminal.
        for line in text.lines().filter(|_| width >= 60) {
            let taken = crivo_report::display_width(line);
            assert!(taken <= width, "{taken} of {width}: {line}");
        }
        let titles = text.lines().find(|line| line.starts_with("column")).unwrap();
        let fields: BTreeSet<&str> =
            ["type", "distinct", "minimum", "median", "deviation", "spread", "most frequent"]
                .into_iter()
                .filter(|title| titles.contains(title))
                .collect();
        for title in ["median", "deviation", "spread"] {
            let joined = text.replace("\n  ", " ");
            let left_out = joined.lines().any(|line| line.starts_with("no room for") && line.contains(title));
            assert!(width < 60 || left_out != fields.contains(title), "{width}: {title}\n{text}");
        }
        shown.insert(fields.len());
    }
    assert!(shown.len() >= 4 && shown.contains(&7), "wider terminals show more: {shown:?}");
    assert!(!at_width(&dir, "profile flights.csv", 200).contains("no room"));
}

#[test]
fn keys_pairs_and_odd_values_are_told() {
    let dir = Dir::new();
    tables(&dir);
    let text = at_width(&dir, "profile flights.csv planes.csv", 200);
    for line in [
        "key: flights.csv:flight, planes.csv:tail",
        "flights.csv:fare, flights.csv:price have the same value in every row",
        "joinable: flights.csv:tail and planes.csv:tail share 120 values, 100 % of the first and 100 % of the second",
        "flights.csv:delay: 1 of 2,000 values is text, most are integer: late",
    ] {
        assert!(text.contains(&format!("\n{line}\n")), "no '{line}' in\n{text}");
    }
    assert_eq!(text.matches("joinable").count(), 1, "hours are no minutes:\n{text}");
    assert_eq!((text.matches("same value").count(), text.matches("equal").count()), (1, 0), "{text}");
}

#[test]
fn a_single_column_has_a_page_of_its_own() {
    let dir = Dir::new();
    tables(&dir);
    let text = at_width(&dir, "profile flights.csv --column minute", 80);
    for line in [
        "flights.csv: minute, integer",
        "2,000 rows, none missing",
        "60 distinct  (exact)",
        "from 0 to 59",
        "quantiles",
        "  50 %  29",
        "most frequent",
        "  no other has more than 34",
    ] {
        assert!(text.lines().any(|it| it == line), "no '{line}' in\n{text}");
    }
    assert!(
        text.lines().any(|line| line.trim_start().starts_with("0 to 2 ")
            && line.contains("102")
            && line.contains('█')),
        "{text}"
    );
}

#[test]
fn numbers_that_are_not_exact_have_a_mark_and_a_legend() {
    let dir = Dir::new();
    let rows: String = (0..20_000).map(|row| format!("{row},{}\n", row % 7)).collect();
    dir.write("many.csv", format!("many,few\n{rows}"));
    let text = at_width(&dir, "profile many.csv", 200);
    let many = text.lines().find(|line| line.starts_with("many ")).unwrap();
    let few = text.lines().find(|line| line.starts_with("few ")).unwrap();
    assert!(many.contains(" ± ") && many.contains(" ~"), "{text}");
    assert!(!few.contains('±') && !few.contains('~'), "{text}");
    let rest = "unmarked numbers are exact, apart from rounding";
    assert!(text.contains(&format!("\n± half-width of a 95 % interval, ~ approximate; {rest}\n")), "{text}");
    let legend = |parts: &str| {
        let text = at_width(&dir, &format!("profile many.csv --only {parts}"), 200);
        text.lines().find(|line| line.ends_with(rest)).map(str::to_owned)
    };
    assert_eq!(legend("quantiles"), Some(format!("~ approximate; {rest}")));
    assert_eq!(legend("distinct"), Some(format!("± half-width of a 95 % interval; {rest}")));
    assert_eq!((legend("mean,range"), legend("key")), (None, None));
    dir.run("profile many.csv --html page.html").text();
    let page = String::from_utf8(dir.read("page.html")).unwrap();
    assert!(page.contains("<span class=\"point\">~") && page.contains(&format!("~ approximate; {rest}")));
}

#[test]
fn parts_without_a_field_are_told_elsewhere() {
    let dir = Dir::new();
    tables(&dir);
    let text = |parts: &str| at_width(&dir, &format!("profile flights.csv --only {parts}"), 200);
    let (keys, sample) = (text("pairs,key"), text("sample,lengths"));
    assert!(
        !keys.contains("column ") && keys.contains("key: flight\n") && !keys.contains("--json"),
        "{keys}"
    );
    assert!(
        !sample.contains("type") && sample.contains("--json, --html and --column show them\n"),
        "{sample}"
    );
    assert!(!text("distinct").contains("--json"));
    dir.write("one.csv", "a,b\n1,2\n");
    assert!(!at_width(&dir, "profile one.csv", 80).contains("key"), "one row tells nothing");
    let keys: Vec<String> = (0..20).map(|column| format!("k{column}")).collect();
    let row = |row: u32| (0..20).map(|column| (row * 100 + column).to_string()).collect::<Vec<_>>().join(",");
    dir.write("keys.csv", format!("{}\n{}\n{}\n", keys.join(","), row(1), row(2)));
    let text = at_width(&dir, "profile keys.csv --only key", 200);
    assert!(text.contains("key: k0, k1, k2, k3, k4, k5, k6, k7 and 12 more\n"), "{text}");
}

#[test]
fn long_values_are_cut_between_characters_and_say_so() {
    let dir = Dir::new();
    // The bytes 127 and 128 are the first of a character of three.
    let long = format!("a{}", "語".repeat(60));
    let kept = format!("a{}", "語".repeat(42));
    dir.write("long.csv", format!("text,other\n{long},1\n{long},2\nb,3\n"));
    let lines = dir.run("profile long.csv --json").json();
    let text = &lines[0];
    assert_eq!((&text["minimum"], &text["top"][0]["value"]), (&kept.as_str().into(), &kept.as_str().into()));
    assert!(text["sample"].as_array().unwrap().contains(&kept.as_str().into()), "{text}");
    let page = at_width(&dir, "profile long.csv --column text", 400);
    assert!(page.contains(&format!("from {kept}… to b\n")) && !page.contains("\\x"), "{page}");
    for width in 1..12 {
        at_width(&dir, "profile long.csv --column text", width);
    }
    dir.run("profile long.csv --html page.html").text();
    assert!(!String::from_utf8(dir.read("page.html")).unwrap().contains("\\x"));
}

#[test]
fn times_and_large_numbers_have_all_that_tells_them_apart() {
    let dir = Dir::new();
    let rows: String = (0..10)
        .map(|row| format!("1969-12-31 23:59:59.{row},{},{}\n", 1e9 + 0.1 * f64::from(row), row % 2))
        .collect();
    dir.write("fine.csv", format!("time,large,x\n{rows}"));
    let lines = dir.run("profile fine.csv --json").json();
    assert_eq!(lines[0]["quantiles"][0]["quantile"]["value"], "1969-12-31T23:59:59");
    assert_eq!(lines[0]["quantiles"][3]["quantile"]["value"], "1969-12-31T23:59:59.4");
    let text = at_width(&dir, "profile fine.csv --column large", 120);
    assert!(text.contains("mean 1000000000.5, ") && text.contains("  50 %  1000000000.4\n"), "{text}");
    let bins: Vec<&str> =
        text.lines().filter(|line| line.contains(" to 1000000000.")).map(str::trim_start).collect();
    let edges: BTreeSet<&str> = bins.iter().filter_map(|line| line.split(' ').next()).collect();
    assert!(bins.len() > 5 && edges.len() == bins.len(), "{text}");
}

#[test]
fn the_spread_is_drawn_only_where_it_can_be_seen() {
    let dir = Dir::new();
    tables(&dir);
    let output =
        dir.command("profile flights.csv").env("COLUMNS", "200").env("LC_ALL", "C").output().unwrap();
    let text = Run::new("profile", output).text();
    assert!(!text.contains("spread") && !text.contains('▁'), "{text}");
}

#[test]
fn json_has_a_line_for_each_column_pair_and_table() {
    let dir = Dir::new();
    tables(&dir);
    let lines = dir.run("profile flights.csv planes.csv --json").json();
    let name = |line: &Value| line.get("data_type").unwrap_or(&line["type"]).as_str().unwrap().to_owned();
    let (warnings, lines): (Vec<Value>, Vec<Value>) =
        lines.into_iter().partition(|line| line["type"] == "warning");
    let types: Vec<String> = lines.iter().map(name).collect();
    let expected = [
        "integer",
        "text",
        "integer",
        "integer",
        "float",
        "float",
        "text",
        "text",
        "text",
        "integer",
        "column_group",
        "column_pair",
        "table",
        "table",
    ];
    assert_eq!(types, expected);
    let minute = &lines[3];
    assert_eq!((minute["column"].as_str(), minute["table"].as_str()), (Some("minute"), Some("flights.csv")));
    let exact = |value: Value| serde_json::json!({"value": value, "lower": value, "upper": value, "exact": true, "guarantee": "certain", "confidence": 1});
    assert_eq!(minute["distinct"], exact(60.into()));
    assert_eq!(minute["top_share"], exact(0.017.into()));
    assert_eq!((&minute["rows"], &minute["missing"]), (&2000.into(), &0.into()));
    assert_eq!((&minute["type"], &minute["data_type"]), (&"column".into(), &"integer".into()));
    assert_eq!((&minute["minimum"], &minute["maximum"]), (&0.into(), &59.into()));
    assert_eq!(minute["quantiles"][3]["q"], 0.5);
    assert_eq!(minute["quantiles"][3]["quantile"]["value"], 29);
    assert_eq!(minute["top"][0]["count"], exact(34.into()));
    assert_eq!(minute["sample"].as_array().unwrap().len(), 20);
    assert_eq!((&lines[0]["key"], &minute["key"]), (&"certain".into(), &"no".into()));
    let sum: f64 = minute["histogram"]
        .as_array()
        .unwrap()
        .iter()
        .map(|bin| bin["count"]["value"].as_f64().unwrap())
        .sum();
    assert_eq!(sum, 2000.0);
    assert_eq!(lines[10]["relation"], "equal");
    assert_eq!(lines[10]["columns"][1], serde_json::json!({"table": "flights.csv", "column": "price"}));
    assert_eq!(lines[11]["a"], serde_json::json!({"table": "flights.csv", "column": "tail"}));
    assert_eq!(lines[11]["jaccard"]["value"], 1);
    let found: Vec<_> = warnings.iter().map(|it| (it["warning"].as_str().unwrap(), &it["columns"])).collect();
    let (delay, fares) = (serde_json::json!(["delay"]), serde_json::json!(["fare", "price"]));
    assert_eq!(found, [("mixed_types", &delay), ("equal_columns", &fares)]);
    assert_eq!((&warnings[0]["rows"], &warnings[0]["values"][0]), (&exact(1.into()), &"late".into()));
    assert_eq!((&warnings[0]["chance"], &warnings[0]["table"]), (&0.into(), &"flights.csv".into()));
}

#[test]
fn only_what_is_asked_for_is_told() {
    let dir = Dir::new();
    tables(&dir);
    let fields = |line: &Value| line.as_object().unwrap().keys().cloned().collect::<BTreeSet<_>>();
    let lines = dir.run("profile flights.csv --only distinct,top --json").json();
    let always = ["type", "column", "data_type", "table", "rows", "exact"];
    let asked = ["distinct", "top", "top_share", "others_most"];
    assert_eq!(fields(&lines[0]), always.iter().chain(&asked).map(|&name| name.to_owned()).collect());
    assert!(lines.iter().all(|line| line["type"] != "column_pair"), "no pairs");
    let text = at_width(&dir, "profile flights.csv --only distinct,top", 200);
    let titles = text.lines().nth(1).unwrap().split_whitespace().collect::<Vec<_>>();
    assert_eq!(titles, ["column", "type", "distinct", "most", "frequent"]);
    dir.run("profile flights.csv --only mean --html page.html").text();
    let page = String::from_utf8(dir.read("page.html")).unwrap();
    assert!(
        page.contains("standard deviation</dt>")
            && !page.contains("<svg")
            && !page.contains("quantiles</h3>")
    );
    dir.run("profile flights.csv --only colour").fails_with(&["colour", "distinct", "pairs"]);
}

#[test]
fn a_page_is_whole_and_harmless() {
    let dir = Dir::new();
    dir.write("evil.csv", "a,<b>&\"\n<script>alert(1)</script>,'\n\"</style><img onerror=x>\",1\n");
    dir.run("profile evil.csv --html page.html").text();
    let page = String::from_utf8(dir.read("page.html")).unwrap();
    assert!(page.starts_with("<!DOCTYPE html>") && page.ends_with("</html>\n"));
    for (bad, escaped) in [
        ("<script", "&lt;script&gt;"),
        ("<img", "&lt;/style&gt;&lt;img onerror=x&gt;"),
        ("<b>", "&lt;b&gt;&amp;&quot;"),
    ] {
        assert!(!page.contains(bad) && page.contains(escaped), "{bad}");
    }
    assert!(
        !page.contains("http://") && !page.contains("https://") && !page.contains("src="),
        "nothing is fetched"
    );
    dir.run("profile evil.csv --html page.html").fails_with(&["page.html", "--force"]);
    assert_eq!(dir.names(), ["evil.csv", "page.html"], "no half of a page is left behind");
}

#[test]
fn what_changed_is_told_and_what_did_not_is_silent() {
    let dir = Dir::new();
    tables(&dir);
    let flights = String::from_utf8(dir.read("flights.csv")).unwrap();
    dir.run("profile flights.csv --save old.crv").text();
    let same = dir.run("compare old.crv flights.csv");
    let text = same.text();
    assert!(
        text.starts_with("2,000 → 2,000 rows\nnothing changed beyond the error bars\n")
            && text.contains("comparisons"),
        "{text}"
    );
    assert!(
        text.contains("comparisons of figures; all together, at most about 5 % for a false alarm"),
        "{text}"
    );
    dir.write("further.csv", format!("{flights}0,N1,1,1,-2.5,900,遅れ1,1\n"));
    let further = dir.run("compare old.crv further.csv").text();
    let ends = "beyond the old range, where more rows may lie: fare minimum -2.5 (was 0), price maximum 900 (was 74.75)";
    assert!(further.starts_with("2,000 → 2,001 rows\n"), "{further}");
    assert!(further.replace("\n  ", " ").contains(ends), "{further}");
    let line = dir.run("compare old.crv further.csv --json").json().pop().unwrap();
    assert_eq!((&line["changed"], &line["new_rows"]), (&false.into(), &2001.into()));
    let end = serde_json::json!({"column": "price", "end": "maximum", "old": "74.75", "new": "900"});
    assert_eq!(line["new_ends"][1], end);
    let other = dir.run("compare old.crv planes.csv --column year");
    let other = String::from_utf8(other.stdout).unwrap();
    assert!(other.ends_with("no figures could be compared\n") && !other.contains("5 %"), "{other}");
    let later: String = flights.lines().map(|line| line.replace("遅れ0", "遅れ9") + "\n").collect();
    dir.write("new.csv", later.replace("hour", "stunde").replace(",late", ",1"));
    let changed = dir.run("compare old.crv new.csv");
    assert_eq!((changed.code, changed.stderr.as_str()), (Some(1), ""));
    let text = String::from_utf8(changed.stdout).unwrap();
    for words in [
        "new columns: stunde\n",
        "columns that are gone: hour\n",
        "delay   type",
        "注釈    share of 遅れ",
        "share of 遅れ0",
        "share of 遅れ9",
    ] {
        assert!(text.contains(words), "no '{words}' in\n{text}");
    }
    assert!(!text.contains("minute") && !text.contains("fare"), "these are as they were:\n{text}");
    let lines: Vec<Value> = {
        let run = dir.run("compare old.crv new.csv --json");
        assert_eq!(run.code, Some(1));
        String::from_utf8(run.stdout)
            .unwrap()
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    };
    let drift = lines.last().unwrap();
    assert_eq!((&drift["type"], &drift["changed"]), (&"drift".into(), &true.into()));
    assert_eq!(drift["types"][0], serde_json::json!({"column": "delay", "old": "text", "new": "integer"}));
    assert_eq!(drift["comparisons"], lines.len() as u64 - 1);
    let significant: BTreeSet<&str> = lines
        .iter()
        .filter(|line| line["significant"] == true)
        .map(|line| line["column"].as_str().unwrap())
        .collect();
    assert_eq!(significant, BTreeSet::from(["注釈"]));
}
