//! Shares so small that one more changes nothing: whatever a verb makes of them, it ends.

use crate::testing::{Folder, answer};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

/// Every flag that takes a share, `{}` being the share. A new one needs a line.
const LINES: &[&str] = &[
    "profile @table.csv --error {}",
    "distinct @table.csv --error {}",
    "count @table.csv --key n1 --error {}",
    "count @table.csv --key n1 --delta {}",
    "top @table.csv --error {}",
    "quantiles @table.csv --column number --error {}",
    "quantiles @table.csv --column number --relative {}",
    "histogram @table.csv --column number --error {}",
    "range 0 50 @table.csv --column number --error {}",
    "seen @table.csv --fpr {}",
    "similar @table.csv @table.csv --error {}",
    "dups @table.csv --column name --threshold {}",
    "dups @table.csv --column name --recall {}",
    "graph build @edges -o @new.crv --force --fpr {}",
    "graph labels @edges --false-positives {}",
    "graph labels @edges --false-negatives {}",
    "filter build @table.csv -o @new.crv --force --fpr {}",
    "filter build @table.csv -o @new.crv --force --kind fuse --fpr {}",
    "filter build @table.csv -o @new.crv --force --kind cuckoo --fpr {}",
    "values build @table.csv --key name --value number -o @new.crv --force --distortion {}",
    "passwords add @table.csv --column name --state @new --secret-file @key --error {}",
    "spell @words --words @words --fpr {}",
    "hyphenate @words --fpr {}",
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

/// Around the rounding of 1, where squares vanish, and the smallest number.
const SHARES: &[&str] = &["1e-16", "1e-17", "1e-30", "1e-300", "5e-324"];

/// No run takes so long, on whatever machine; one that never ends does.
const ENDLESS: Duration = Duration::from_secs(120);

#[test]
fn tiny_shares_end() {
    for line in LINES {
        for share in SHARES {
            let line = line.replace("{}", share);
            let (sender, ended) = channel();
            let run = line.clone();
            let runs = thread::spawn(move || {
                let folder = Folder::with(&[
                    ("table.csv", "name,number\nn1,1\nn2,2\nn3,3\n"),
                    ("edges", "a b\nb c\n"),
                    ("words", "one\ntwo\n"),
                    ("key", "0123456789abcdef"),
                ]);
                let answered = answer(&folder.words(&run)).map_err(|error| error.to_string());
                sender.send(answered).unwrap();
            });
            match ended.recv_timeout(ENDLESS) {
                // A flag that is not there would be refused whatever it says.
                Ok(Err(refused)) => {
                    assert!(!refused.contains("unexpected argument"), "crivo {line}: {refused}");
                }
                Ok(Ok(code)) => assert!(code <= 1, "crivo {line}: {code}"),
                Err(RecvTimeoutError::Disconnected) => runs.join().unwrap(),
                Err(RecvTimeoutError::Timeout) => panic!("crivo {line} does not end"),
            }
        }
    }
}
