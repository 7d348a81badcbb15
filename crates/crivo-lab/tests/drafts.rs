//! What was begun is removed when the program must end. A process of its own: drafts are those of the whole program.

use crivo_lab::{Draft, Existing, remove_drafts, write_whole_with};
use std::fs;
use std::io::{self, Write};

#[test]
fn drafts_are_removed_and_whole_files_stay() {
    let dir = tempfile::tempdir().unwrap();
    let names = || fs::read_dir(dir.path()).unwrap().count();
    let path = dir.path().join("file");
    write_whole_with(&path, Existing::Keep, |file| file.write_all(b"whole")).unwrap();
    remove_drafts();
    assert_eq!(names(), 1, "it is no draft any more");
    let written = write_whole_with(&path, Existing::Replace, |file| -> io::Result<()> {
        file.write_all(b"half")?;
        assert_eq!(names(), 2);
        remove_drafts();
        assert_eq!(names(), 1);
        Ok(())
    });
    assert!(written.is_err());
    assert_eq!(fs::read(&path).unwrap(), b"whole");
    let folder = dir.path().join("folder");
    fs::create_dir(&folder).unwrap();
    fs::write(folder.join("part"), b"half").unwrap();
    let draft = Draft::at(&folder);
    remove_drafts();
    assert!(!folder.exists());
    drop(draft);
}
