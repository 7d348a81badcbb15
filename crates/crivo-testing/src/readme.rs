//! What a document shows is what happens.

use std::path::Path;
use std::process::Command;

/// What was found in a document.
#[derive(Clone, Copy, Debug)]
pub struct Shown {
    /// Lines of shell that begin with the name of the program.
    pub ran: usize,
    /// Blocks of output.
    pub compared: usize,
}

/// Runs the shell blocks of a document in order, in `directory`. A text block that follows shows what its commands print.
#[track_caller]
pub fn prints_what_it_shows(document: &str, program: &Path, directory: &Path) -> Shown {
    let name = format!("{} ", program.file_stem().unwrap().to_str().unwrap());
    let (mut ran, mut compared, mut printed) = (0, 0, String::new());
    // Between fences: prose, block, prose, block, …
    for block in document.split("```").skip(1).step_by(2) {
        let (language, content) = block.split_once('\n').unwrap();
        match language {
            "sh" => {
                // Building and testing what is being tested would never end.
                let commands: Vec<&str> =
                    content.lines().filter(|line| !line.starts_with("cargo ")).collect();
                ran += commands.iter().filter(|line| line.starts_with(&name)).count();
                printed = commands.iter().map(|line| run(line, program, directory)).collect();
            }
            "text" => {
                assert_eq!(content, printed, "the document shows something else than its commands print");
                compared += 1;
            }
            _ => {}
        }
    }
    Shown { ran, compared }
}

/// What a line of shell prints.
#[track_caller]
fn run(line: &str, program: &Path, directory: &Path) -> String {
    let path = format!("{}:{}", program.parent().unwrap().display(), std::env::var("PATH").unwrap());
    let mut command = Command::new("sh");
    command.arg("-c").arg(line).current_dir(directory).env("PATH", &path);
    // Tables fit the width and the letters of the terminal.
    let output = command.env("COLUMNS", "80").env("LC_ALL", "C.UTF-8").output().unwrap();
    assert!(output.status.success(), "{line}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}
