internal import Foundation
internal import PandaTestSupport
internal import TerminalKit
internal import Testing

@testable internal import PandaTUI

/// The completions, run by the shells that they are for.
struct ShellTests {
  let directory = TemporaryDirectory()

  /// A line without its last word's end, and what may follow; all must be offered, and nothing
  /// else.
  static let cases: [(line: String, offers: [String])] = [
    ("panda d", ["doctor"]),
    ("panda ", CommandLineTable.panda.subcommands.map(\.name.rawValue)),
    ("panda --source grove s", ["show", "sources", "stats"]),
    ("panda list --sort new", ["newest"]),
    ("panda fetch -o pict", ["picture one.jpg", "pictures"]),
    ("panda --vers", ["--version"]),
    ("panda --ver", ["--version", "--verbose"]),
    ("panda --graphics s", ["sixel", "symbols"]),
    ("panda doctor --", ["--check", "--help"]),
    ("panda stats --s", []),
    ("panda doctor --graphics s", ["sixel", "symbols"]),
    ("panda help to", ["today"]),
    ("panda show --si", ["--size"]),
    ("panda doctor --si", []),
    ("panda completions ", ["bash", "zsh", "fish"]),
    ("panda manual panda-", ["panda-config"]),
    ("panda show pict", ["picture one.jpg", "pictures"]),
    ("panda --data-dir pict", ["pictures"]),
  ]

  private func environment(_ more: String...) -> [String] {
    ["PATH=/usr/bin:/bin", "LC_ALL=C.UTF-8", "HOME=\(directory.url.path)"] + more
  }

  /// Writes the completions, and something to complete, into the directory.
  private func prepare(_ shell: Shell) throws -> String {
    let files = directory.url
    try Data().write(to: files.appending(path: "picture one.jpg"))
    try FileManager.default.createDirectory(
      at: files.appending(path: "pictures"), withIntermediateDirectories: true)
    let script = directory.path("completions")
    try shell.completions().write(toFile: script, atomically: true, encoding: .utf8)
    return script
  }

  /// Runs a script with `sh`-like arguments, and returns its lines.
  private func lines(_ arguments: [String]) throws -> [String] {
    let result = try Subprocess.run(arguments, environment: environment())
    #expect(result.status == 0, "\(result.output)")
    return result.output.split(separator: "\n").map(String.init)
  }

  @Test("bash completes commands, options, words and files", arguments: cases)
  func bash(_ line: String, offers: [String]) throws {
    let script = try prepare(.bash)
    // compopt works within a completion alone: here it has nothing to do.
    let found = try lines([
      "bash", "--norc", "-c",
      """
      cd "$HOME"; compopt() { :; }; source "$0"
      read -ra COMP_WORDS <<<"$1"; [[ $1 == *' ' ]] && COMP_WORDS+=("")
      COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _panda
      ((${#COMPREPLY[@]})) && printf '%s\\n' "${COMPREPLY[@]}"; true
      """, script, line,
    ])
    #expect(found.sorted() == offers.sorted())
  }

  @Test("bash completes what stands after an equals sign")
  func equalsSign() throws {
    let script = try prepare(.bash)
    let found = try lines([
      "bash", "--norc", "-c",
      """
      source "$0"
      COMP_WORDS=(panda --graphics = k); COMP_CWORD=3; _panda; printf '%s\\n' "${COMPREPLY[@]}"
      COMP_WORDS=(panda --source = grove m); COMP_CWORD=4; _panda; printf '%s\\n' "${COMPREPLY[@]}"
      """, script,
    ])
    #expect(found == ["kitty", "manual"])
  }

  @Test(
    "fish completes commands, options, words and files",
    .enabled(if: SearchPath(nil).program("fish") != nil, "fish is not installed"),
    arguments: cases)
  func fish(_ line: String, offers: [String]) throws {
    let script = try prepare(.fish)
    let found = try lines([
      "fish", "--no-config", "-c",
      "cd $HOME; source completions; complete -C \(Shell.quoted(line)); # \(script)",
    ])
    // A candidate, a tab, its description. fish ends directories with a slash.
    let words = found.map { line in
      String(line.prefix { $0 != "\t" }.drop { $0 == "\"" })
    }.map { $0.hasSuffix("/") ? String($0.dropLast()) : $0 }
    #expect(words.sorted() == offers.sorted())
  }

  @Test("bash completes at its prompt")
  func bashPrompt() async throws {
    let script = try prepare(.bash)
    try await type(
      "panda --graphics=kitty docto\t--ch\t",
      expecting: "panda --graphics=kitty doctor --check ",
      to: ["bash", "--norc", "--noprofile", "-i"],
      first: """
        cd "$HOME"; source '\(script)'; bind -x '"\\C-t": echo "<$READLINE_LINE>"'
        """)
  }

  @Test(
    "zsh completes at its prompt",
    .enabled(if: SearchPath(nil).program("zsh") != nil, "zsh is not installed"),
    arguments: [
      ("docto\t--\t", "doctor --"), ("docto\t--ch\t", "doctor --check "),
      ("doctor --so\t", "doctor --so"), ("doctor --graphics=ki\t", "doctor --graphics=kitty "),
      ("--graphics=ki\tdoct\t", "--graphics=kitty doctor "),
      ("show --si\t", "show --size="), ("completions fi\t", "completions fish "),
      ("manual panda-\t", "manual panda-config "), ("show picture\\ \t", "show picture\\ one.jpg "),
      ("--data-dir pi\t", "--data-dir pictures/"), ("--source gr\tsho\t", "--source grove show "),
    ])
  func zshPrompt(_ typed: String, completed: String) async throws {
    let script = try prepare(.zsh)
    try await type(
      "panda " + typed, expecting: "panda " + completed, to: ["zsh", "-f", "-i"],
      first: """
        cd "$HOME"; autoload -U compinit; compinit -u -d "$HOME/dump"; source '\(script)'; \
        tell() { print -r -- "<$BUFFER>" }; zle -N tell; bindkey '^T' tell
        """)
  }

  /// Types a line at a shell's prompt, and waits until it reads as expected.
  private func type(
    _ line: String, expecting completed: String, to shell: [String], first: String
  ) async throws {
    let terminal = try PseudoTerminal(
      try #require(SearchPath(nil).program(shell[0])), Array(shell.dropFirst()),
      environment: environment("TERM=dumb", "PS1=ready> ", "HISTFILE=/dev/null"), columns: 200,
      rows: 24)
    try await terminal.waitForOutput(containing: "ready> ")
    try terminal.write(first + "; PS1='go''> '\r")
    try await terminal.waitForOutput(containing: "go> ")
    // Ctrl-T prints the line, whatever the shell has drawn of it.
    try terminal.write(line + "\u{14}")
    try await terminal.waitForOutput(containing: "<\(completed)>")
    // Ctrl-U and Ctrl-D: leave without running the line.
    try terminal.write("\u{15}\u{04}")
    _ = try await terminal.waitForExit()
  }
}
