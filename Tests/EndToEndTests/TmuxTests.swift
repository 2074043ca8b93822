internal import Glibc
internal import PandaTestSupport
internal import Testing

/// The tmux driver itself, and the guard in a real terminal with a real shell.
@Suite(.timeLimit(.minutes(15)))
struct TmuxTests {
  @Test("Text, colors and wide characters come out in their cells; keys, sizes and ends are seen")
  func cells() async throws {
    let tmux = try Tmux(
      "/bin/sh",
      [
        "-c",
        #"printf '\033[1;31mred\033[0m \033[38;2;1;2;3;48;5;200m小\033[0m|e\314\201'"#
          + #"'\r\n\033(0lqk\033(B é\r\n'; read x; printf '<%s>' "$x"; read y; exit 7"#,
      ],
      columns: 40, rows: 6)
    let screen = try await tmux.expect(text: "┌─┐ é")
    #expect(screen.lines == ["red 小|e\u{301}", "┌─┐ é", "", "", "", ""])
    #expect(screen.cells.allSatisfy { $0.count == 40 })
    let row = screen.cells[0]
    #expect(row[0] == ScreenText.Cell(text: "r", foreground: .indexed(1), attributes: [1]))
    #expect(row[3] == .blank)
    #expect(row[4].foreground == .rgb(red: 1, green: 2, blue: 3))
    #expect(row[4].background == .indexed(200))
    #expect(row[5].text.isEmpty && row[6].text == "|" && row[7].text == "e\u{301}")
    #expect(screen.position(of: "é").map { [$0.row, $0.column] } == [0, 7])
    // A condition that never holds fails with the last screen.
    let error = try await #require(throws: TestFailure.self) {
      try await tmux.expect("nothing", deadline: .milliseconds(20)) { _ in false }
    }
    #expect(error.description.contains("nothing") && error.description.contains("red"))
    try tmux.resize(columns: 100, rows: 30)
    #expect(try tmux.cells().count == 30 && tmux.cells()[0].count == 100)
    try tmux.type("小熊猫; -x")
    try tmux.press("a", .space, ";", .enter)
    try await tmux.expect(text: "<小熊猫; -xa ;>")
    #expect(try tmux.exit() == nil)
    try tmux.press(.enter)
    #expect(try await tmux.waitForExit() == .exited(7))
    try await tmux.expect(text: "<小熊猫; -xa ;>")
    let killed = try Tmux("/bin/cat", [])
    try killed.kill()
    #expect(try await killed.waitForExit() == .signalled(SIGKILL))
  }

  @Test("Below a shell, Ctrl-Z's signal gives the shell its screen back, and fg the program's")
  func shell() async throws {
    let tmux = try Tmux("/bin/bash", ["--norc", "--noprofile"], environment: ["PS1=shell> "])
    try await tmux.expect(text: "shell>")
    try tmux.type("'\(try BuildProducts.path(of: "TerminalGuardProbe"))' wait\n")
    try await tmux.expect(text: "<ready>")
    #expect(try tmux.ask("#{alternate_on} #{cursor_flag} #{mouse_any_flag}") == "1 0 1")

    let job = try await jobOf(tmux)
    kill(job, SIGTSTP)
    try await tmux.expect(text: "Stopped")
    try await tmux.expect("the shell's own screen") { _ in
      try tmux.ask("#{alternate_on} #{cursor_flag} #{mouse_any_flag}") == "0 1 0"
    }
    try tmux.type("fg\n")
    try await tmux.expect(text: "<resumed>")
    #expect(try tmux.ask("#{alternate_on}") == "1")

    kill(job, SIGTERM)
    try await tmux.expect(text: "Terminated")
    try tmux.type("echo $?\n")
    try await tmux.expect(text: "143")
    #expect(try tmux.ask("#{alternate_on} #{cursor_flag} #{mouse_any_flag}") == "0 1 0")
  }

  /// The process id of the shell's only child.
  private func jobOf(_ tmux: Tmux) async throws -> Int32 {
    let shell = try tmux.processIdentifier()
    let file = try #require(fopen("/proc/\(shell)/task/\(shell)/children", "r"))
    defer { fclose(file) }
    var job: Int32 = 0
    var digit = fgetc(file)
    while (48...57).contains(digit) {
      job = job * 10 + digit - 48
      digit = fgetc(file)
    }
    return job
  }
}
