//! Tests with columns that keep all their values.

use super::layout::Places;
use super::*;
use crate::{Columns, Missing, Progress, Source, SourceFormat, Syntax, Unwatched, Watch};
use crivo_report::Interrupted;
use std::io::Write;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use tempfile::NamedTempFile;

#[derive(Clone, Debug, Default, PartialEq)]
struct All(Vec<Option<String>>);

impl Column for All {
    fn add(&mut self, text: &[u8], hash: u64) {
        assert_eq!(hash, HashSpec::default().hash_bytes(text));
        self.0.push(Some(String::from_utf8_lossy(text).into_owned()));
    }

    fn add_missing(&mut self, rows: u64) {
        self.0.extend((0..rows).map(|_| None));
    }

    fn memory_bytes(&self) -> usize {
        self.0.len()
    }
}

const ROOM: Room = Room { memory: u64::MAX, groups: 1000 };
const CSV: Syntax = Syntax::Table { delimiter: b',', header: true };

fn input(sources: Vec<Source>, columns: &[&str], jobs: usize) -> Input {
    Input {
        sources,
        columns: Columns {
            values: columns.iter().map(|&name| name.to_owned()).collect(),
            ..Columns::default()
        },
        missing: Missing::named(&["NA"]),
        jobs,
        max_memory: u64::MAX,
        watch: Arc::new(Unwatched),
        prints: false,
        wake: None,
        needs_values: false,
        answers_early: false,
        hides_data: false,
        skips_invalid: false,
    }
}

/// Creates files, which exist as long as the returned handles.
fn sources(files: &[(Syntax, &str)]) -> (Vec<NamedTempFile>, Vec<Source>) {
    let kept: Vec<NamedTempFile> = files.iter().map(|_| NamedTempFile::new().unwrap()).collect();
    let sources = files.iter().zip(&kept).map(|(&(syntax, text), mut file)| {
        file.write_all(text.as_bytes()).unwrap();
        let format = SourceFormat { syntax, any_bytes: false, json_by_name: false, keeps_mark: false };
        Source::file(file.path(), || Ok(format)).unwrap()
    });
    let sources = sources.collect();
    (kept, sources)
}

fn read(files: &[(Syntax, &str)], columns: &[&str], jobs: usize, memory: u64) -> Result<Vec<Table<All>>> {
    let (_kept, sources) = sources(files);
    let input = input(sources, columns, jobs);
    input.read_tables(HashSpec::default(), Room { memory, ..ROOM }, All::default, None, |_| Ok(()))
}

/// Ends the input at the fourth call of `is_end_of_input`.
#[derive(Debug)]
struct Impatient {
    asked: AtomicU64,
    part: Mutex<Option<Interrupted>>,
}

impl Watch for Impatient {
    fn remark(&self, _text: &str) {}

    fn begin(&self, _total: Option<u64>, _prints: bool) -> Box<dyn Progress> {
        Box::new(Unwatched)
    }

    fn will_answer(&self) {}

    fn is_end_of_input(&self) -> bool {
        self.asked.fetch_add(1, Ordering::SeqCst) == 3
    }

    fn interrupted(&self, part: Interrupted) {
        *self.part.lock().unwrap() = Some(part);
    }
}

#[test]
fn an_interrupt_tells_which_part_was_read() {
    let mut file = NamedTempFile::new().unwrap();
    file.write_all("0123456789abcde\n".repeat(1 << 18).as_bytes()).unwrap();
    let syntax = Syntax::Lines { end: b'\n' };
    let format = SourceFormat { syntax, any_bytes: false, json_by_name: false, keeps_mark: false };
    let source = Source::file(file.path(), || Ok(format)).unwrap();
    for jobs in [1, 3] {
        let watch = Arc::new(Impatient { asked: AtomicU64::new(0), part: Mutex::default() });
        let input = Input { watch: Arc::clone(&watch) as _, ..input(vec![source.clone()], &[], jobs) };
        let tables = input.read_tables(HashSpec::default(), ROOM, All::default, None, |_| Ok(())).unwrap();
        let part = watch.part.lock().unwrap().unwrap();
        assert_eq!(part.rows, tables[0].rows);
        let (share, exact) = (part.share.unwrap(), part.rows as f64 / f64::from(1 << 18));
        assert!(part.rows > 0 && share < 1.0 && (share - exact).abs() < 1e-4, "{part:?}");
    }
}

fn check(table: &Table<All>, expected: &[(&str, &[&str])]) {
    let found: Vec<&str> = table.columns.iter().map(|column| &column.name[..]).collect();
    assert!(expected.iter().map(|(name, _)| *name).eq(found.iter().copied()), "{found:?}");
    for (column, (name, values)) in table.columns.iter().zip(expected) {
        let values = values.iter().map(|&value| (!value.is_empty()).then(|| value.to_owned()));
        assert_eq!(column.states[0].0, values.collect::<Vec<_>>(), "{name}");
    }
}

#[test]
fn every_value_goes_to_its_column() {
    let text = "a,b,a\n1,x,\n2,\"y\"\"\n\",NA\n3\n4,z,5,6\n";
    let tables = read(&[(CSV, text)], &[], 2, 1000).unwrap();
    check(
        &tables[0],
        &[("a", &["1", "2", "3", "4"]), ("b", &["x", "y\"\n", "", "z"]), ("a (3)", &["", "", "", "5"])],
    );
    let Table { rows, short_rows, long_rows, .. } = tables[0];
    assert_eq!((rows, short_rows, long_rows), (4, 1, 1));
    assert_eq!(tables[0].columns.iter().map(|column| column.replaced).collect::<Vec<_>>(), [0, 0, 1]);
    let tables = read(&[(CSV, text)], &["b"], 1, 1000).unwrap();
    check(&tables[0], &[("b", &["x", "y\"\n", "", "z"])]);
}

#[test]
fn files_of_the_same_columns_are_one_table() {
    let files =
        [(CSV, "a,b\n1,2\n"), (CSV, "c\n5\n"), (CSV, "a,b\n3,4\n"), (Syntax::Lines { end: b'\n' }, "7\n")];
    let tables = read(&files, &[], 2, 1000).unwrap();
    assert_eq!(
        tables.iter().map(|table| (table.parts, table.rows)).collect::<Vec<_>>(),
        [(2, 2), (1, 1), (1, 1)]
    );
    check(&tables[0], &[("a", &["1", "3"]), ("b", &["2", "4"])]);
    check(&tables[1], &[("c", &["5"])]);
    check(&tables[2], &[("line", &["7"])]);
}

#[test]
fn files_may_have_their_columns_in_another_order() {
    let files = [(CSV, "a,b,c\n1,2,3\n"), (CSV, "c,a,b\n6,4,5\n"), (CSV, "a,d\n9,9\n")];
    let tables = read(&files, &[], 2, 1000).unwrap();
    check(&tables[0], &[("a", &["1", "4"]), ("b", &["2", "5"]), ("c", &["3", "6"])]);
    let tables = read(&files, &["b", "a", "2"], 2, 1000);
    assert!(tables.unwrap_err().to_string().contains("no column 'b'"), "the third file has none");
    let tables = read(&files[..2], &["c", "a", "a"], 2, 1000).unwrap();
    check(&tables[0], &[("c", &["3", "6"]), ("a", &["1", "4"])]);
    let tables = read(&files, &["a"], 2, 1000).unwrap();
    assert_eq!(tables.len(), 2, "another table stays another, whatever is chosen of it");
}

/// A piece with this many names would take gigabytes if each row had a cell for each name.
#[test]
fn many_names_take_little() {
    let lines: Vec<String> = (0..20_000).map(|n| format!("{{\"k{n}\":1,\"n\":{n}}}\n")).collect();
    let tables = read(&[(Syntax::JsonLines, &lines.concat())], &["n"], 1, u64::MAX).unwrap();
    assert_eq!(tables[0].rows, 20_000);
    let mut cells = Cells::new(HashSpec::default(), &Arc::new(input(Vec::new(), &[], 1)));
    cells.cut(lines.concat().as_bytes(), Syntax::JsonLines, &Places::default()).unwrap();
    assert!((0..=20_000).all(|place| cells.column(place).0.len() <= 20_000));
    assert!((2..=20_000).all(|place| cells.column(place).0.len() <= 3));
}

/// The columns of each file are found among the columns of its table. The time limit is generous: a linear search
/// for each name would take minutes.
#[test]
fn wide_tables_of_many_files() {
    let row = (0..60_000).map(|column| format!("c{column}")).collect::<Vec<_>>().join(",");
    let file = format!("{row}\n{row}\n");
    let begin = Instant::now();
    let tables = read(&[(CSV, &file[..]); 15], &[], 2, u64::MAX).unwrap();
    assert!(begin.elapsed() < Duration::from_secs(60), "{:?}", begin.elapsed());
    assert_eq!((tables.len(), tables[0].columns.len(), tables[0].rows), (1, 60_000, 15));
}

#[test]
fn names_of_json_may_come_late() {
    let json = "{\"a\":1}\n\n{\"a\":\"x\\ny\",\"b\":{\"c\":true}}\n{\"d\":[1, 2],\"a\":null,\"a\":4}\n";
    let tables = read(&[(Syntax::JsonLines, json)], &[], 2, 1000).unwrap();
    check(&tables[0], &[("a", &["1", "x\ny", "4"]), ("b.c", &["", "true", ""]), ("d", &["", "", "[1,2]"])]);
    let tables = read(&[(Syntax::JsonLines, json)], &["b.c", "e"], 2, 1000).unwrap();
    check(&tables[0], &[("b.c", &["", "true", ""]), ("e", &["", "", ""])]);
}

/// The order of the values is the order of the rows, with many pieces and any number of threads.
#[test]
fn the_order_is_that_of_the_rows() {
    let rows = 100_000;
    let csv: String =
        std::iter::once("n,m\n".into()).chain((0..rows).map(|n| format!("{n},{}\n", n % 7))).collect();
    // The second half has one more name.
    let json: String = (0..rows)
        .map(|n| {
            if n < rows / 2 { format!("{{\"n\":{n}}}\n") } else { format!("{{\"m\":{},\"n\":{n}}}\n", n % 7) }
        })
        .collect();
    for jobs in [1, 2, 5] {
        let tables = read(&[(CSV, &csv), (Syntax::JsonLines, &json)], &[], jobs, u64::MAX).unwrap();
        let numbers = |rows: std::ops::Range<u64>| rows.map(|n| Some(n.to_string())).collect::<Vec<_>>();
        for table in &tables {
            assert_eq!(table.columns[0].states[0].0, numbers(0..rows));
        }
        let late = &tables[1].columns[1].states[0].0;
        assert!(late[..rows as usize / 2].iter().all(Option::is_none));
        assert!(
            late[rows as usize / 2..].iter().eq(tables[0].columns[1].states[0].0[rows as usize / 2..].iter())
        );
    }
}

#[test]
fn the_first_fault_is_told_with_its_line() {
    let rows = 50_000;
    let lines: Vec<String> = (0..rows).map(|n| format!("{{\"n\":{n}}}\n")).collect();
    let mut json = lines.concat();
    json.push_str("{\"n\":\nx\n");
    json.push_str(&json.clone());
    for jobs in [1, 3] {
        let told = read(&[(Syntax::JsonLines, &json)], &[], jobs, u64::MAX).unwrap_err().to_string();
        assert!(told.contains(": line 50001: not a JSON value"), "{told}");
        let told = read(&[(CSV, "a\n1\n2\n")], &[], jobs, 1).unwrap_err().to_string();
        assert!(told.contains("--max-memory"), "{told}");
        let told = read(&[(CSV, "a\n1\n2\n")], &["b"], jobs, 100).unwrap_err().to_string();
        assert!(told.contains("no column 'b'"), "{told}");
    }
}

/// A column that panics when it receives a value.
#[derive(Clone, Debug, Default)]
struct Panics;

impl Column for Panics {
    fn add(&mut self, text: &[u8], _hash: u64) {
        assert!(text != b"30000", "this one");
    }

    fn add_missing(&mut self, _rows: u64) {}

    fn memory_bytes(&self) -> usize {
        0
    }
}

#[test]
fn nobody_waits_for_a_thread_that_is_gone() {
    let lines: Vec<String> = (0..60_000).map(|n| format!("{n}\n")).collect();
    let mut file = NamedTempFile::new().unwrap();
    file.write_all(lines.concat().as_bytes()).unwrap();
    let syntax = Syntax::Lines { end: b'\n' };
    let format = SourceFormat { syntax, any_bytes: false, json_by_name: false, keeps_mark: false };
    for jobs in [1, 3] {
        let source = Source::file(file.path(), || Ok(format)).unwrap();
        let input = input(vec![source], &[], jobs);
        let read = || input.read_tables(HashSpec::default(), ROOM, Panics::default, None, |_| Ok(()));
        let told = std::panic::catch_unwind(std::panic::AssertUnwindSafe(read));
        assert_eq!(told.unwrap_err().downcast_ref::<&str>(), Some(&"this one"), "{jobs}");
    }
}

/// The values of each column in each group.
type ByGroup = Vec<(Option<String>, u64, Vec<Vec<Option<String>>>)>;

fn by_group(table: &Table<All>) -> ByGroup {
    let text = |name: &[u8]| String::from_utf8_lossy(name).into_owned();
    let groups = table.groups.iter().enumerate().map(|(place, group)| {
        let columns = table.columns.iter().map(|column| column.states[place].0.clone()).collect();
        (group.name.as_deref().map(text), group.rows, columns)
    });
    groups.collect()
}

fn read_groups(files: &[(Syntax, &str)], columns: &[&str], jobs: usize, most: usize) -> Result<Table<All>> {
    let (_kept, sources) = sources(files);
    let mut input = input(sources, columns, jobs);
    input.columns.by = Some("g".into());
    let room = Room { groups: most, ..ROOM };
    let mut tables = input.read_tables(HashSpec::default(), room, All::default, None, |_| Ok(()))?;
    Ok(tables.remove(0))
}

#[test]
fn rows_go_to_their_groups() {
    let csv = "g,n\na,1\nb,2\n,3\na,\nNA,5\nc\n";
    let json = r#"{"g":"a","n":1}
{"n":2,"g":"b"}
{"g":null,"n":3}
{"g":"a"}
{"n":5}
{"g":"c"}
"#;
    let texts = |values: &[&str]| -> Vec<Option<String>> {
        values.iter().map(|&value| (!value.is_empty()).then(|| value.to_owned())).collect()
    };
    let group = |name: Option<&str>, values: &[&str]| {
        (name.map(str::to_owned), values.len() as u64, vec![texts(values)])
    };
    let apart = [
        group(Some("a"), &["1", ""]),
        group(Some("b"), &["2"]),
        group(Some(""), &["3", "5"]),
        group(Some("c"), &[""]),
    ];
    for file in [(CSV, csv), (Syntax::JsonLines, json)] {
        for (columns, most) in [(&[][..], 4), (&["n"], 1000)] {
            let table = read_groups(&[file], columns, 2, most).unwrap();
            assert_eq!((table.columns.len(), &table.columns[0].name[..]), (1, "n"));
            assert_eq!(by_group(&table), apart);
        }
        let table = read_groups(&[file], &[], 2, 2).unwrap();
        let others = [apart[0].clone(), apart[1].clone(), group(None, &["3", "5", ""])];
        assert_eq!(by_group(&table), others, "the first groups are kept");
    }
    let table = read_groups(&[(CSV, csv)], &["n", "g"], 2, 9).unwrap();
    assert_eq!(table.columns[1].states[0].0, texts(&["a", "a"]), "a column that is asked for is read");
    assert!(read_groups(&[(CSV, "n\n1\n")], &[], 2, 9).unwrap_err().to_string().contains("no column 'g'"));
}

/// Many pieces on any number of threads. A JSON name appears late, when groups already have rows.
#[test]
fn groups_see_their_rows_in_order() {
    let rows = 60_000;
    let groups = 700;
    let line = |n: u64| {
        let late = if n < rows / 2 { String::new() } else { format!(",\"m\":{n}") };
        format!("{{\"g\":{},\"n\":{n}{late}}}\n", n * n % groups)
    };
    let json = (0..rows).map(line).collect::<Vec<_>>().concat();
    for (jobs, most) in [(1, 50), (3, 50), (8, 50), (3, 1000)] {
        let table = read_groups(&[(Syntax::JsonLines, &json)], &[], jobs, most).unwrap();
        let mut expected: Vec<(Option<String>, Vec<u64>)> = Vec::new();
        for n in 0..rows {
            let name = (n * n % groups).to_string();
            let known = expected.iter().position(|(known, _)| known.as_ref() == Some(&name));
            let place = known.unwrap_or(expected.len().min(most));
            if place == expected.len() {
                expected.push(((place < most).then_some(name), Vec::new()));
            }
            expected[place].1.push(n);
        }
        let texts = |rows: &[u64], from: u64| -> Vec<Option<String>> {
            rows.iter().map(|&n| (n >= from).then(|| n.to_string())).collect()
        };
        for (found, (name, expected)) in by_group(&table).into_iter().zip(&expected) {
            let columns = vec![texts(expected, 0), texts(expected, rows / 2)];
            assert!(found == (name.clone(), expected.len() as u64, columns), "{jobs} {most} {name:?}");
        }
        assert_eq!(table.groups.len(), expected.len());
    }
}

#[test]
fn groups_that_take_too_much_are_a_fault() {
    let csv: String = std::iter::once("g,n\n".into()).chain((0..999).map(|n| format!("{n},1\n"))).collect();
    let (_kept, sources) = sources(&[(CSV, &csv)]);
    let mut input = input(sources, &[], 2);
    input.columns.by = Some("g".into());
    let room = Room { memory: 998, groups: 5000 };
    let told = input.read_tables(HashSpec::default(), room, All::default, None, |_| Ok(())).unwrap_err();
    assert!(told.to_string().contains("999 groups take 999 bytes, more than --max-memory"), "{told}");
}
