import Foundation
import PandaTestSupport
import Testing

/// The real program where the system gives it little: fault 107.
@Suite(.timeLimit(.minutes(15))) struct ShortageTests {
  private let directory = TemporaryDirectory()

  /// Runs a script in which `panda` is the program, on a library with one favorite.
  private func shell(_ script: String, environment: [String] = []) throws -> Subprocess.Result {
    let panda = try BuildProducts.path(of: "panda")
    return try Subprocess.run(
      [
        "bash", "-c",
        "panda() { '\(panda)' --data-dir '\(directory.path("data"))' \"$@\"; }; \(script)",
      ],
      environment: ["PATH=/usr/bin:/bin", "LC_ALL=C.UTF-8", "SWIFT_BACKTRACE=enable=no"]
        + environment)
  }

  @Test(.enabled(if: Faults.arePossible))
  func `fault 107: without a further thread, a command ends in words or with its answer`() throws {
    let ids = try shell("panda fetch --source grove --keep >&2; panda list --ids").output
    let id = try #require(ids.split(separator: "\n").last)
    let library = try Faults.library()
    defer { withExtendedLifetime(library) {} }
    // All at a time, since each waits for seconds.
    let output = try shell(
      """
      for count in {1..9}; do
        { answer=$(FAULTS_THREADS=$count LD_PRELOAD=\(library.path) \
          timeout -s KILL 60 '\(try BuildProducts.path(of: "panda"))' list --ids \
          --data-dir '\(directory.path("data"))' 2>&1); echo "$count $? ${answer//$'\\n'/ }"; } &
      done; wait
      """
    ).output
    let lines = output.split(separator: "\n")
    #expect(lines.count == 9)
    for line in lines {
      let isAnswer = line.hasSuffix(" 0 \(id)")
      // Also where no thread was left for the end after the answer.
      let words = "panda: No more threads can be started"
      #expect(isAnswer || line.contains(" 1 ") && line.contains(words), "\(line)")
    }
  }

  @Test func `fault 107: with six descriptors, a command says why it cannot begin`() throws {
    let output = try shell(
      "ulimit -n 6; for number in {1..20}; do { panda list; echo $?; } & done; wait"
    ).output
    let lines = output.split(separator: "\n")
    #expect(lines.count { $0 == "1" } == 20, "\(output)")
    #expect(lines.count { $0.contains("Too few files may be open") } == 20)
  }
}
