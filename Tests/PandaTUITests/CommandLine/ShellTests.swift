internal import Foundation
internal import PandaTestSupport
internal import TerminalKit
internal import Testing

@testable import PandaShell

/// The completions, run by the shells that they are for.
struct ShellTests {
  let directory = TemporaryDirectory()

  /// A line without its last word's end, and what may follow; all must be offered, and nothing
  /// else.
  static let cases: [(line: String, offers: [String])] = [
    ("panda d", ["doctor"]),
    ("panda ", CommandLineTable.panda.names),
    ("panda --source grove s", ["show", "slideshow", "sources", "stats"]),
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

  /// Expects that each line of the cases is completed as given, by one shell, which ends each with
  /// a line of dots.
  private func expect(_ lines: [String], sourceLocation: SourceLocation = #_sourceLocation) {
    let answers = lines.split(separator: "...", omittingEmptySubsequences: false).dropLast()
    #expect(answers.count == Self.cases.count, sourceLocation: sourceLocation)
    for (answer, (line, offers)) in zip(answers, Self.cases) {
      #expect(answer.sorted() == offers.sorted(), "\(line)", sourceLocation: sourceLocation)
    }
  }

  @Test("bash completes commands, options, words and files, also after an equals sign")
  func bash() throws {
    let script = try prepare(.bash)
    // compopt works within a completion alone: here it has nothing to do.
    expect(
      try lines(
        [
          "bash", "--norc", "-c",
          """
          cd "$HOME"; compopt() { :; }; source "$0"
          for line; do
            read -ra COMP_WORDS <<<"$line"; [[ $line == *' ' ]] && COMP_WORDS+=("")
            COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); COMPREPLY=(); _panda
            ((${#COMPREPLY[@]})) && printf '%s\\n' "${COMPREPLY[@]}"; echo ...
          done
          """, script,
        ] + Self.cases.map(\.line)))
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
    .enabled(if: SearchPath(nil).program("fish") != nil, "fish is not installed"))
  func fish() throws {
    let script = try prepare(.fish)
    let completions = Self.cases.map { "complete -C \(Shell.quoted($0.line)); echo ..." }
    let found = try lines([
      "fish", "--no-config", "-c",
      "cd $HOME; source completions; \(completions.joined(separator: "; ")) # \(script)",
    ])
    // A candidate, a tab, its description. fish ends directories with a slash.
    expect(
      found.map { line in
        String(line.prefix { $0 != "\t" }.drop { $0 == "\"" })
      }.map { $0.hasSuffix("/") ? String($0.dropLast()) : $0 })
  }

  @Test("bash completes at its prompt")
  func bashPrompt() async throws {
    let script = try prepare(.bash)
    try await type(
      [("--graphics=kitty docto\t--ch\t", "--graphics=kitty doctor --check ")],
      to: ["bash", "--norc", "--noprofile", "-i"],
      first: """
        cd "$HOME"; source '\(script)'; bind -x '"\\C-t": echo "<$READLINE_LINE>"'
        """)
  }

  @Test(
    "zsh completes at its prompt",
    .enabled(if: SearchPath(nil).program("zsh") != nil, "zsh is not installed"))
  func zshPrompt() async throws {
    let script = try prepare(.zsh)
    try await type(
      [
        ("docto\t--\t", "doctor --"), ("docto\t--ch\t", "doctor --check "),
        ("doctor --so\t", "doctor --so"), ("doctor --graphics=ki\t", "doctor --graphics=kitty "),
        ("--graphics=ki\tdoct\t", "--graphics=kitty doctor "),
        ("show --si\t", "show --size="), ("completions fi\t", "completions fish "),
        ("manual panda-\t", "manual panda-config "),
        ("show picture\\ \t", "show picture\\ one.jpg "),
        ("--data-dir pi\t", "--data-dir pictures/"), ("--source gr\tsho\t", "--source grove show "),
      ], to: ["zsh", "-f", "-i"],
      first: """
        cd "$HOME"; autoload -U compinit; compinit -u -d "$HOME/dump"; source '\(script)'; \
        tell() { print -r -- "<$BUFFER>" }; zle -N tell; bindkey '^T' tell
        """)
  }

  /// Types lines at a shell's prompt, and waits until each reads as expected.
  private func type(
    _ lines: [(typed: String, completed: String)], to shell: [String], first: String
  ) async throws {
    let terminal = try PseudoTerminal(
      try #require(SearchPath(nil).program(shell[0])), Array(shell.dropFirst()),
      environment: environment("TERM=dumb", "PS1=ready> ", "HISTFILE=/dev/null"), columns: 200,
      rows: 24)
    try await terminal.waitForOutput(containing: "ready> ")
    try terminal.write(first + "; PS1='go''> '\r")
    try await terminal.waitForOutput(containing: "go> ")
    for (typed, completed) in lines {
      let start = terminal.outputCount
      // Ctrl-T prints the line, whatever the shell has drawn of it; Ctrl-U clears it.
      try terminal.write("panda \(typed)\u{14}")
      try await terminal.waitForOutput(containing: "<panda \(completed)>", from: start)
      try terminal.write("\u{15}")
    }
    // Ctrl-D at an empty line leaves.
    try terminal.write("\u{04}")
    _ = try await terminal.waitForExit()
  }
}
