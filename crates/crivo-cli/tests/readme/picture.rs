//! The picture at the top of the README: what commands print on a terminal, drawn as SVG for light and dark screens.

use crivo_testing::is_kept;
use std::fmt::Write;
use std::path::Path;
use std::process::Command;

const COMMANDS: [&str; 2] =
    ["crivo profile examples/sample/visits.csv", "crivo top examples/sample/visits.csv --column page -n 4"];
/// The width of the terminal, in letters.
const COLUMNS: usize = 120;
/// The size of a letter's cell, with a font of 14.
const CELL: [f64; 2] = [8.4, 20.0];
const MARGIN: f64 = 20.0;
const STYLE: &str = "\
text { font: 14px ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace; fill: #1f2328; white-space: pre }
.page { fill: #f6f8fa; stroke: #d1d9e0 }
.bold, .prompt { font-weight: bold }
.prompt, .dim { fill: #59636e }
.cyan { fill: #0a7f8f; shape-rendering: crispEdges }
@media (prefers-color-scheme: dark) {
  text { fill: #e6edf3 }
  .page { fill: #0d1117; stroke: #3d444d }
  .prompt, .dim { fill: #9198a1 }
  .cyan { fill: #39c5cf }
}
";

/// A picture of a terminal.
#[derive(Default)]
struct Terminal {
    body: String,
    line: usize,
}

impl Terminal {
    /// The left end of a column, and the upper end of the line.
    fn place(&self, column: usize) -> [f64; 2] {
        [MARGIN + column as f64 * CELL[0], MARGIN + self.line as f64 * CELL[1]]
    }

    /// Draws a line with its colours.
    fn print(&mut self, line: &str) {
        let mut column = 0;
        for (i, part) in line.split("\u{1b}[").enumerate() {
            let (code, text) = if i == 0 { ("0", part) } else { part.split_once('m').unwrap() };
            let class = match code {
                "0" => "",
                "1" => "bold",
                "2" => "dim",
                "36" => "cyan",
                _ => panic!("the picture has no colour {code}"),
            };
            self.write(text, class, column);
            column += text.chars().count();
        }
        self.line += 1;
    }

    /// Draws letters, words between wide gaps apart, so that columns stand below each other in every font; and blocks as shapes.
    fn write(&mut self, text: &str, class: &str, column: usize) {
        let letters: Vec<char> = text.chars().collect();
        let is_gap = |i: usize| letters[i] == ' ' && letters.get(i + 1).is_none_or(|&next| next == ' ');
        let mut i = 0;
        while i < letters.len() {
            if letters[i] == ' ' {
                i += 1;
            } else if is_block(letters[i]) {
                let end = (i..letters.len()).find(|&j| letters[j] != letters[i]).unwrap_or(letters.len());
                self.block(letters[i], end - i, class, column + i);
                i = end;
            } else {
                let ends = |&j: &usize| is_gap(j) || is_block(letters[j]);
                let end = (i..letters.len()).find(ends).unwrap_or(letters.len());
                let word: String = letters[i..end].iter().collect();
                let [x, y] = self.place(column + i);
                let word = word.trim_end().replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
                let class = if class.is_empty() { String::new() } else { format!(" class=\"{class}\"") };
                writeln!(self.body, "<text{class} x=\"{x:.1}\" y=\"{:.1}\">{word}</text>", y + 15.0).unwrap();
                i = end;
            }
        }
    }

    /// Draws the same block this many times: U+2581 to U+2588 grow upwards, those up to U+258F shrink to the left.
    fn block(&mut self, block: char, times: usize, class: &str, column: usize) {
        let eighths = |from: u32| f64::from(u32::from(block).abs_diff(from)) / 8.0;
        let is_left = block > '█';
        let width = if is_left { eighths(0x2590) } else { 1.0 } * CELL[0] * times as f64;
        let height = if is_left { 1.0 } else { eighths(0x2580) } * (CELL[1] - 4.0);
        let [x, y] = self.place(column);
        let y = y + CELL[1] - 2.0 - height;
        let shape = format!("x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\"");
        writeln!(self.body, "<rect class=\"{class}\" {shape}/>").unwrap();
    }

    /// The whole file.
    fn picture(&self, title: &str) -> String {
        let [width, height] = [self.place(COLUMNS)[0] + MARGIN, self.place(0)[1] + MARGIN];
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" width=\"{width:.0}\" \
             height=\"{height:.0}\" role=\"img\" aria-labelledby=\"title\">\n<title id=\"title\">{title}</title>\n\
             <style>\n{STYLE}</style>\n<rect class=\"page\" x=\"0.5\" y=\"0.5\" width=\"{:.0}\" height=\"{:.0}\" rx=\"8\"/>\n\
             {}</svg>\n",
            width - 1.0,
            height - 1.0,
            self.body
        )
    }
}

fn is_block(letter: char) -> bool {
    ('▁'..='▏').contains(&letter)
}

/// Says when the picture is stale. With `CRIVO_WRITE_SNAPSHOTS` it is drawn anew.
#[test]
fn the_picture_shows_what_the_commands_print() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut terminal = Terminal::default();
    for (i, line) in COMMANDS.iter().enumerate() {
        terminal.line += usize::from(i > 0);
        terminal.write("$", "prompt", 0);
        terminal.write(line, "bold", 2);
        terminal.line += 1;
        let mut command = Command::new(env!("CARGO_BIN_EXE_crivo"));
        command.args(line.split(' ').skip(1)).args(["--color", "always"]).current_dir(&root);
        let output = command.env("COLUMNS", COLUMNS.to_string()).env("LC_ALL", "C.UTF-8").output().unwrap();
        assert!(output.status.success(), "{line}: {}", String::from_utf8_lossy(&output.stderr));
        for line in String::from_utf8(output.stdout).unwrap().lines() {
            terminal.print(line);
        }
    }
    let picture = terminal.picture(&format!("A terminal with the output of {}", COMMANDS.join(" and ")));
    is_kept(&root.join("docs/terminal.svg"), &picture);
}
