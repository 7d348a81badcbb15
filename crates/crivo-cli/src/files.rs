//! Which files are read and which will be written. No file is both where the input would be gone, and no file that is read,
//! changed and replaced loses what another command has changed meanwhile: such a file is locked from when it is read, and
//! looked at again before it is replaced, since not all who write keep to locks.

use anyhow::{Context, Result, bail};
use crivo_program::remark;
use crivo_program::{folder_of, stdin_is_closed};
use std::fs::{self, File, Metadata};
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::{Duration, Instant, SystemTime};

/// The files of this command.
#[derive(Debug, Default)]
pub(crate) struct Files {
    stdin_is_taken: bool,
    read: Vec<Read>,
    written: Vec<Written>,
    held: Vec<Held>,
}

/// A file of data.
#[derive(Debug)]
struct Read {
    /// Nothing for standard input.
    path: PathBuf,
    mark: Mark,
}

/// A file that is there and will be replaced.
#[derive(Debug)]
struct Written {
    path: PathBuf,
    identity: Identity,
    /// Whether what takes its place is made of it.
    even_input: bool,
}

/// A file that is read, changed and replaced.
#[derive(Debug)]
struct Held {
    path: PathBuf,
    mark: Mark,
    /// None where the system has no locks. The lock on the file that it replaced is kept as well: a command that waits for it must
    /// not get it before this one has its name.
    locks: [Option<File>; 2],
}

/// What tells a file from all others. Elsewhere than on Unix it is nothing, and paths have to do.
type Identity = Option<(u64, u64)>;

/// What tells a file from its successor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Mark {
    identity: Identity,
    bytes: u64,
    changed: Option<SystemTime>,
}

impl Mark {
    /// None if it is no file, but a pipe or a device, which nothing replaces.
    pub(crate) fn of(file: &Metadata) -> Option<Self> {
        #[cfg(unix)]
        let identity = {
            use std::os::unix::fs::MetadataExt;
            Some((file.dev(), file.ino()))
        };
        #[cfg(not(unix))]
        let identity = None;
        file.is_file().then(|| Self { identity, bytes: file.len(), changed: file.modified().ok() })
    }

    fn at(path: &Path) -> Option<Self> {
        Self::of(&fs::metadata(path).ok()?)
    }
}

const STDIN: &str = "standard input";
const REPLACED: &str = "is read and would be replaced; save to another file";

/// The path without links, of a file that may not be there yet and is no link.
fn whole_path(path: &Path) -> Result<PathBuf> {
    Ok(folder_of(path).canonicalize()?.join(path.file_name().unwrap_or_default()))
}

impl Written {
    fn is(&self, read: &Read) -> bool {
        (self.identity.is_some() && self.identity == read.mark.identity) || self.path == read.path
    }
}

impl Files {
    /// Notes that data will be read from here.
    pub(crate) fn will_read(&mut self, path: &Path) -> Result<()> {
        match Mark::at(path) {
            Some(mark) => self.note_read(Read { path: path.canonicalize()?, mark }),
            None => Ok(()),
        }
    }

    /// Notes that standard input will be read. What one reader has taken, no other can read.
    pub(crate) fn will_read_stdin(&mut self) -> Result<()> {
        if std::mem::replace(&mut self.stdin_is_taken, true) {
            bail!("{STDIN} can be read only once; use a file for one of the two");
        }
        if stdin_is_closed() {
            bail!("{STDIN} is closed; name a file, or /dev/null for no input");
        }
        self.note_stdin().context(STDIN)
    }

    #[cfg(unix)]
    fn note_stdin(&mut self) -> Result<()> {
        use std::os::fd::AsFd;
        let metadata =
            std::io::stdin().as_fd().try_clone_to_owned().and_then(|file| File::from(file).metadata());
        match metadata.ok().as_ref().and_then(Mark::of) {
            Some(mark) => self.note_read(Read { path: PathBuf::new(), mark }),
            None => Ok(()),
        }
    }

    #[cfg(not(unix))]
    #[expect(clippy::unnecessary_wraps, clippy::unused_self, reason = "the shape of the other")]
    fn note_stdin(&mut self) -> Result<()> {
        Ok(())
    }

    fn note_read(&mut self, read: Read) -> Result<()> {
        if let Some(written) = self.written.iter().find(|written| written.is(&read)) {
            if !written.even_input {
                bail!(REPLACED);
            }
            let path = written.path.clone();
            self.hold(path)?;
        }
        self.read.push(read);
        Ok(())
    }

    /// Notes that a sketch will be read from here, which may take the place of its file when it is changed. In that case,
    /// waits until no other command is doing the same.
    pub(crate) fn will_load(&mut self, path: &Path) -> Result<()> {
        let Some(mark) = Mark::at(path) else { return Ok(()) };
        let read = Read { path: path.canonicalize()?, mark };
        let written = self.written.iter().find(|written| written.is(&read));
        let Some(path) = written.map(|written| written.path.clone()) else { return Ok(()) };
        self.hold(path)
    }

    /// Notes that a file will be written here, which may be made of the input if `even_input`.
    pub(crate) fn will_write(&mut self, path: &Path, even_input: bool) -> Result<()> {
        let Some(mark) = Mark::at(path) else { return Ok(()) };
        let written = Written { path: whole_path(path)?, identity: mark.identity, even_input };
        if let Some(mark) = self.read.iter().find(|read| written.is(read)).map(|read| read.mark) {
            if !even_input {
                bail!(REPLACED);
            }
            self.hold(written.path.clone())?;
            self.expect(&written.path, mark);
        }
        self.written.push(written);
        Ok(())
    }

    /// Notes that `draft`, which is whole, takes the place of `path` now. Refuses if another has changed that since it was
    /// read, or since it was replaced last.
    pub(crate) fn will_replace(&mut self, path: &Path, draft: &File) -> Result<()> {
        let (present, next) = (Mark::at(path), Mark::of(&draft.metadata()?));
        let path = whole_path(path)?;
        if let Some(held) = self.held.iter().find(|held| held.path == path)
            && present.is_some_and(|present| present != held.mark)
        {
            bail!("was changed meanwhile, by another command; not saved; run the command again");
        }
        if let Some(mark) = next {
            let old = self.held.iter().position(|held| held.path == path).map(|at| self.held.swap_remove(at));
            let old_lock = old.and_then(|held| held.locks.into_iter().next().flatten());
            // Who waits for the old file finds the new one locked.
            let lock = try_lock(draft.try_clone()?).ok().flatten();
            self.held.push(Held { path, mark, locks: [lock, old_lock] });
        }
        Ok(())
    }

    /// Locks a file, once, and notes what it is now.
    fn hold(&mut self, path: PathBuf) -> Result<()> {
        if self.held.iter().any(|held| held.path == path) {
            return Ok(());
        }
        let lock = lock(&path)?;
        let Some(mark) = Mark::at(&path) else {
            bail!("was removed meanwhile; run the command again");
        };
        self.held.push(Held { path, mark, locks: [lock, None] });
        Ok(())
    }

    /// It has been read already, when it was this.
    fn expect(&mut self, path: &Path, mark: Mark) {
        for held in self.held.iter_mut().filter(|held| held.path == path) {
            held.mark = mark;
        }
    }
}

/// The file at `path`, locked; none where there are no locks. Waits for another command, but not for ever: it may read a
/// pipe that never ends.
fn lock(path: &Path) -> Result<Option<File>> {
    const PATIENCE: Duration = Duration::from_secs(10);
    const SILENCE: Duration = Duration::from_secs(1);
    const PAUSE: Duration = Duration::from_millis(10);
    let (begin, mut is_told) = (Instant::now(), false);
    loop {
        let file = File::open(path).context("was removed meanwhile; run the command again")?;
        let opened = Mark::of(&file.metadata()?);
        match try_lock(file) {
            // Who held the lock may have put another file in its place.
            Ok(lock)
                if opened.is_some_and(|opened| {
                    Mark::at(path).is_some_and(|now| now.identity == opened.identity)
                }) =>
            {
                return Ok(lock);
            }
            Ok(_) => {}
            Err(IsLocked) if begin.elapsed() > PATIENCE => {
                bail!(
                    "another command is changing it, and has not ended within {} seconds; run the command again later",
                    PATIENCE.as_secs()
                )
            }
            Err(IsLocked) => {
                if begin.elapsed() > SILENCE && !is_told {
                    remark(&format!(
                        "{}: another command is changing it; waiting for its end",
                        path.display()
                    ));
                    is_told = true;
                }
                sleep(PAUSE);
            }
        }
    }
}

/// Another command has the lock.
struct IsLocked;

/// The lock goes with the file, or with the command.
#[cfg(unix)]
fn try_lock(file: File) -> Result<Option<File>, IsLocked> {
    match rustix::fs::flock(&file, rustix::fs::FlockOperation::NonBlockingLockExclusive) {
        Ok(()) => Ok(Some(file)),
        Err(rustix::io::Errno::WOULDBLOCK) => Err(IsLocked),
        Err(_) => Ok(None),
    }
}

/// A locked file could not be read here.
#[cfg(not(unix))]
#[expect(clippy::needless_pass_by_value, clippy::unnecessary_wraps, reason = "the shape of the other")]
fn try_lock(_file: File) -> Result<Option<File>, IsLocked> {
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_file_is_both() {
        let mut files = Files::default();
        let [one, other] = [(); 2].map(|()| tempfile::NamedTempFile::new().unwrap());
        files.will_read(one.path()).unwrap();
        files.will_read(one.path()).unwrap();
        assert!(files.will_write(one.path(), false).is_err());
        files.will_write(other.path(), false).unwrap();
        assert!(files.will_read(other.path()).is_err());
        files.will_write(Path::new("/dev/null"), false).unwrap();
        files.will_read(Path::new("/dev/null")).unwrap();
    }

    #[test]
    fn what_another_has_changed_is_not_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let [path, draft] = ["file", "draft"].map(|name| folder.path().join(name));
        for even_input in [false, true] {
            let mut files = Files::default();
            fs::write(&path, "old").unwrap();
            fs::write(&draft, "new").unwrap();
            let new = File::open(&draft).unwrap();
            if even_input {
                files.will_read(&path).unwrap();
                fs::write(&path, "older").unwrap();
            }
            files.will_write(&path, even_input).unwrap();
            files.will_load(&path).unwrap();
            if !even_input {
                files.will_replace(&path, &new).unwrap();
                fs::rename(&draft, &path).unwrap();
                fs::write(&draft, "newer").unwrap();
                files.will_replace(&path, &File::open(&draft).unwrap()).unwrap();
                fs::rename(&path, &draft).unwrap();
                fs::write(&path, "foreign").unwrap();
            }
            assert!(files.will_replace(&path, &new).is_err(), "{even_input}");
        }
    }
}
