//! What was begun is removed when the program must end. A process of its own: drafts are those of the whole program.

use crivo_program::{Draft, Existing, remove_drafts, write_whole_with};
use std::fs;
use std::io::{self, Write};
use std::sync::mpsc;
use std::thread;

#[test]
fn drafts_are_removed_and_whole_files_stay() {
    let dir = tempfile::tempdir().unwrap();
    let names = || fs::read_dir(dir.path()).unwrap().count();
    let path = dir.path().join("file");
    write_whole_with(&path, Existing::Keep, |file| file.write_all(b"whole")).unwrap();
    let (begun, is_begun) = mpsc::channel();
    let (target, folder) = (path.clone(), dir.path().join("folder"));
    // Once drafts are removed none can be finished or dropped, so this thread never ends.
    thread::spawn(move || {
        let mut draft = Draft::of_folder(&folder).unwrap();
        fs::write(draft.get_mut().path().join("part"), b"half").unwrap();
        write_whole_with(&target, Existing::Replace, |file| -> io::Result<()> {
            file.write_all(b"half")?;
            begun.send(()).unwrap();
            loop {
                thread::park();
            }
        })
    });
    is_begun.recv().unwrap();
    assert_eq!(names(), 3);
    assert!(!remove_drafts(|| true), "it is too late");
    assert_eq!(names(), 3, "all stays");
    assert!(remove_drafts(|| false));
    assert_eq!(names(), 1, "a whole file is no draft");
    assert_eq!(fs::read(&path).unwrap(), b"whole");
}
