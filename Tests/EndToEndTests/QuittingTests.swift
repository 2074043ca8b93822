import Foundation
import PandaTestSupport
import Testing

/// The real program, left with q while a picture is fetched and party mode changes its colors.
@Suite(.timeLimit(.minutes(60))) struct QuittingTests {
  /// The places of the fetch in flight: a drawing, a list, and a picture that never ends.
  enum Flight: CaseIterable {
    case drawing, list, picture
  }

  @Test(arguments: Flight.allCases)
  func `q with party mode on and fetches in flight ends with status 0`(_ flight: Flight)
    async throws
  {
    let directory = TemporaryDirectory(inMemory: true)
    let server = try LoopbackServer()
    defer { server.stop() }
    let half = "HTTP/1.1 200 OK\r\nContent-Length: 9000\r\n\r\n"
    for path in ["/never", "/picture.jpg"] {
      server.serveRaw(path) { _, connection in
        connection.send(half)
        connection.waitUntilClosed()
      }
    }
    server.serve("/list", LoopbackResponse(body: #"{"url": "/picture.jpg"}"#))
    let source =
      switch flight {
      case .drawing: "grove"
      case .list: server.url("/never").absoluteString
      case .picture: server.url("/list").absoluteString
      }
    for round in 0..<Torture.rounds(2, orTorture: 340) {
      let panda = try PseudoTerminal(
        BuildProducts.path(of: "panda"),
        ["--source", source, "--data-dir", directory.path("data")],
        environment: [
          "TERM=xterm-256color", "LANG=C.UTF-8", "PATH=/usr/bin:/bin",
          "HOME=\(directory.path("home"))", "SWIFT_BACKTRACE=enable=no",
        ], columns: 100, rows: 30)
      try await panda.waitForOutput(containing: Sentence.invitation)
      // One favorite would take that text away; odd rounds end party mode again.
      try panda.write(String(repeating: "pnnn", count: round % 7 + 1) + "q")
      let exit = try await panda.waitForExit()
      #expect(exit == .exited(0), "\(flight) \(round): \(panda.readableOutput.suffix(2_000))")
      #expect(try panda.modes == panda.modesBefore)
    }
  }
}
