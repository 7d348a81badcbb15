//! Tests of the verb.

use super::*;
use crate::testing::{Folder, run};

#[test]
fn the_most_frequent_come_first_with_what_the_others_have() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log");
    std::fs::write(&log, "a\nb\na\nc\na\nb\n").unwrap();
    let (report, _) = run::<Top>(&[log.to_str().unwrap(), "-k", "2"]).unwrap();
    let AllOrGroups::All(report) = report else { panic!("{report:?}") };
    let items: Vec<_> = report.hitters.iter().map(|it| (&it.item[..], it.count.value())).collect();
    assert_eq!(items, [(&b"a"[..], 3.0), (b"b", 2.0)]);
    assert_eq!((report.items, report.others_most), (6, Some(1.0)));
    assert!(run::<Top>(&[log.to_str().unwrap(), "-k", "0"]).is_err());
}

/// Seven of 20 items, with three counters; then the whole of it from a saved sketch.
#[test]
fn every_kind_keeps_its_bounds() {
    let text: String = (0..20).map(|i| if i % 3 == 0 { "a\n".into() } else { format!("{i}\n") }).collect();
    let folder = Folder::with(&[
        ("in", &text),
        ("votes", "ann\nbob\nann\ncid\nann\n"),
        ("all", "ann\nann\nann\nann\nbob\n"),
        ("tie", "ann\nbob\n"),
    ]);
    for kind in ["misra-gries", "space-saving"] {
        let line = format!("@in --kind {kind} --error 0.3 --save @{kind}.crv");
        let AllOrGroups::All(report) = folder.report::<Top>(&line) else { panic!("{kind}") };
        assert!(report.hitters.len() <= 4 && report.others_most.unwrap() <= 6.0, "{report:?}");
        let first = &report.hitters[0];
        assert!(first.item == b"a" && first.count.contains(7.0), "{report:?}");
        let again = folder.printed::<Top>(&format!("--from @{kind}.crv"));
        assert_eq!(again, folder.printed::<Top>(&format!("@in --kind {kind} --error 0.3")));
    }
    let AllOrGroups::All(report) = folder.report::<Top>("@votes --kind majority --save @m.crv") else {
        panic!()
    };
    let [ann] = &report.hitters[..] else { panic!("{report:?}") };
    assert_eq!((&ann.item[..], ann.count.lower(), ann.count.upper()), (&b"ann"[..], 1.0, 3.0));
    assert_eq!((report.others_most, ann.is_rank_guaranteed), (Some(2.0), false));
    for (votes, verdict) in [
        ("--from @m.crv", "it may have more than half of all; 'crivo count"),
        ("@all --kind majority", "it has more than half of all"),
        ("@tie --kind majority", "no item has more than half of all"),
    ] {
        let printed = folder.printed::<Top>(votes);
        assert!(printed.contains(verdict), "{printed}");
    }
    let error = folder.error::<Top>("@votes --kind majority --error 0.1");
    assert!(error.contains("neither --error nor --memory"), "{error}");
}
