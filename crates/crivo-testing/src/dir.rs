//! A scratch directory, and a program run in it.

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

/// A scratch directory, removed at the end, and the program that is run in it.
#[derive(Debug)]
pub struct Dir {
    dir: TempDir,
    program: PathBuf,
}

impl Dir {
    /// For the program of this path.
    pub fn of(program: impl Into<PathBuf>) -> Self {
        Self { dir: TempDir::new().unwrap(), program: program.into() }
    }

    /// The path of a file in it.
    pub fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    /// Writes a file.
    pub fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        fs::write(self.path(name), bytes).unwrap();
    }

    /// A secret key, for its owner alone.
    pub fn write_key(&self, name: &str, bytes: impl AsRef<[u8]>) {
        self.write(name, bytes);
        #[cfg(unix)]
        fs::set_permissions(self.path(name), std::os::unix::fs::PermissionsExt::from_mode(0o600)).unwrap();
    }

    /// The content of a file.
    pub fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap()
    }

    /// The names of all files, hidden ones too, sorted.
    pub fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.dir.path()).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    /// The program, to be started in this directory.
    pub fn command(&self, line: &str) -> Command {
        let mut command = Command::new(&self.program);
        command.current_dir(self.dir.path()).args(line.split_whitespace());
        command
    }

    /// Runs the program with these words, which may hold anything, and no input.
    pub fn run_words(&self, words: &[&str]) -> Run {
        let output = self.command("").args(words).stdin(Stdio::null()).output().unwrap();
        Run::new(&words.join(" "), output)
    }

    /// Runs the program with the words of `line` and no input.
    pub fn run(&self, line: &str) -> Run {
        self.run_with(line, b"")
    }

    /// Runs the program with the words of `line` and this standard input.
    pub fn run_with(&self, line: &str, stdin: &[u8]) -> Run {
        let mut command = self.command(line);
        let mut child =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut pipe = child.stdin.take().unwrap();
        let stdin = stdin.to_vec();
        let writer = std::thread::spawn(move || {
            // The program may stop reading before the end.
            let _ = pipe.write_all(&stdin);
        });
        let output = child.wait_with_output().unwrap();
        writer.join().unwrap();
        Run::new(line, output)
    }
}

/// What the program said.
#[derive(Debug)]
pub struct Run {
    line: String,
    /// Its exit code; none if a signal ended it.
    pub code: Option<i32>,
    /// Its answer.
    pub stdout: Vec<u8>,
    /// Its messages.
    pub stderr: String,
}

impl Run {
    /// From the output of a program with the words of `line`; that it did not panic is tested.
    pub fn new(line: &str, output: Output) -> Self {
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert!(!stderr.contains("panicked"), "{line}: {stderr}");
        Self { line: line.into(), code: output.status.code(), stdout: output.stdout, stderr }
    }

    /// The output of a run that must succeed without a word on standard error.
    #[track_caller]
    pub fn text(&self) -> String {
        assert_eq!((self.code, self.stderr.as_str()), (Some(0), ""), "{}", self.line);
        String::from_utf8(self.stdout.clone()).unwrap()
    }

    /// The objects of a run with `--json` that must succeed.
    #[track_caller]
    pub fn json(&self) -> Vec<serde_json::Value> {
        self.text().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    /// A run that must fail with code 2, say all of `words`, and print nothing.
    #[track_caller]
    pub fn fails_with(&self, words: &[&str]) {
        assert_eq!(self.code, Some(2), "{}: {self:?}", self.line);
        for word in words {
            assert!(self.stderr.contains(word), "{}: no '{word}' in: {}", self.line, self.stderr);
        }
        assert!(self.stdout.is_empty(), "{}: {self:?}", self.line);
    }
}
