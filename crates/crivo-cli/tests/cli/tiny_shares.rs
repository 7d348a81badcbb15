//! Shares so small that one more changes nothing: whatever a verb makes of them, it ends.

use crate::support::Dir;
use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant};

/// Every flag that takes a share, `{}` being the share. A new one needs a line.
const LINES: &[&str] = &[
    "profile table.csv --error {}",
    "distinct table.csv --error {}",
    "count table.csv --key n1 --error {}",
    "count table.csv --key n1 --delta {}",
    "top table.csv --error {}",
    "quantiles table.csv --column number --error {}",
    "histogram table.csv --column number --error {}",
    "range 0 50 table.csv --column number --error {}",
    "seen table.csv --fpr {}",
    "similar table.csv table.csv --error {}",
    "dups table.csv --column name --threshold {}",
    "dups table.csv --column name --recall {}",
    "graph build edges -o new.crv --force --fpr {}",
    "graph labels edges --false-positives {}",
    "graph labels edges --false-negatives {}",
    "filter build table.csv -o new.crv --force --fpr {}",
    "filter build table.csv -o new.crv --force --kind fuse --fpr {}",
    "filter build table.csv -o new.crv --force --kind cuckoo --fpr {}",
    "values build table.csv --key name --value number -o new.crv --force --distortion {}",
    "passwords add table.csv --column name --state new --secret-file key --error {}",
    "spell words --words words --fpr {}",
    "hyphenate words --fpr {}",
    "plan membership --items 1e6 --fpr {}",
    "plan cardinality --error {}",
    "plan frequency --error {}",
    "plan frequency --delta {}",
    "plan duplicates --items 1e6 --threshold {}",
    "plan duplicates --items 1e6 --recall {}",
    "plan graph --edges 1e6 --fpr {}",
    "plan kmers --kmers 1e8 --fpr {}",
    "plan profile --columns 20 --error {}",
    "plan quantiles --error {}",
    "plan sampling --error {}",
    "plan similarity --error {}",
    "plan values --items 1e6 --distortion {}",
];

const SHARES: &[&str] =
    &["1e-16", "1e-17", "1e-18", "1e-20", "1e-30", "1e-100", "1e-300", "2.2250738585072014e-308", "5e-324"];

/// No run takes so long, on whatever machine; one that never ends does.
const ENDLESS: Duration = Duration::from_secs(120);

#[test]
fn tiny_shares_end() {
    let dir = Dir::new();
    dir.write("table.csv", "name,number\nn1,1\nn2,2\nn3,3\n");
    dir.write("edges", "a b\nb c\n");
    dir.write("words", "one\ntwo\n");
    dir.write("key", "0123456789abcdef");
    for line in LINES {
        // All shares at once: most of the time is that of starting.
        let mut runs: Vec<_> = SHARES
            .iter()
            .map(|share| {
                let line = line.replace("{}", share);
                let mut command = dir.command(&line);
                let child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn();
                (line, child.unwrap())
            })
            .collect();
        let start = Instant::now();
        while let Some((line, mut child)) = runs.pop() {
            if child.try_wait().unwrap().is_none() {
                if start.elapsed() > ENDLESS {
                    runs.push((line.clone(), child));
                    for (_, child) in &mut runs {
                        drop(child.kill());
                    }
                    panic!("crivo {line} does not end");
                }
                thread::sleep(Duration::from_millis(5));
                runs.push((line, child));
                continue;
            }
            let output = child.wait_with_output().unwrap();
            let stderr = String::from_utf8_lossy(&output.stderr);
            assert!(matches!(output.status.code(), Some(0..=2)), "crivo {line}: {stderr}");
            // A flag that is not there would be refused whatever it says.
            assert!(!stderr.contains("unexpected argument"), "crivo {line}: {stderr}");
        }
    }
}
