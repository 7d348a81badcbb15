//! What a document shows is what happens.

use std::fs;
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

/// Runs the shell blocks of a document in order, in `directory`, where `call` stands for the name of the program. A text block
/// that follows shows what the commands print. With `CRIVO_WRITE_SNAPSHOTS` it is written anew.
#[track_caller]
pub fn prints_what_it_shows(document: &Path, call: &str, program: &Path, directory: &Path) -> Shown {
    let (path, text) = (document.display(), fs::read_to_string(document).unwrap());
    let name = format!("{} ", program.file_stem().unwrap().to_str().unwrap());
    let (mut ran, mut compared, mut printed) = (0, 0, String::new());
    let is_written = std::env::var_os("CRIVO_WRITE_SNAPSHOTS").is_some();
    let mut written: Vec<String> = Vec::new();
    // Between fences: prose, block, prose, block, …
    for (i, part) in text.split("```").enumerate() {
        let (language, content) = if i % 2 == 1 { part.split_once('\n').unwrap() } else { ("", part) };
        match language {
            "sh" => {
                let commands = content.replace(call, &name);
                // Building and testing what is being tested would never end.
                let commands: Vec<&str> =
                    commands.lines().filter(|line| !line.starts_with("cargo ")).collect();
                ran += commands.iter().filter(|line| line.starts_with(&name)).count();
                printed = commands.iter().map(|line| run(line, program, directory)).collect();
            }
            "text" => {
                compared += 1;
                if is_written {
                    written.push(format!("text\n{printed}"));
                    continue;
                }
                assert_eq!(content, printed, "{path} shows something else than its commands print");
            }
            _ => {}
        }
        written.push(part.into());
    }
    if is_written {
        fs::write(document, written.join("```")).unwrap();
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
