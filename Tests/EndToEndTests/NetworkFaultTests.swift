import Foundation
import PandaCore
import PandaTestSupport
import Testing

/// Servers that mean no good, and the real program.
@Suite(.timeLimit(.minutes(15))) struct NetworkFaultTests {
  let directory = TemporaryDirectory()

  /// Starts `panda --plain` in a terminal, where it stays until it is told to quit.
  private func start(source: URL) throws -> PseudoTerminal {
    try PseudoTerminal(
      BuildProducts.path(of: "panda"),
      ["--plain", "--source", source.absoluteString, "--data-dir", directory.path("data")],
      environment: ["TERM=dumb", "LC_ALL=C.UTF-8"], columns: 100, rows: 24)
  }

  /// The most memory that a program has had, in megabytes.
  private func greatestMemory(of process: Int32) throws -> Int {
    let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
    let kilobytes = status.firstMatch(of: /VmHWM:\s+(\d+) kB/).flatMap { Int($0.1) }
    return try #require(kilobytes) / 1_024
  }

  @Test func `fault 16: a bomb as JSON and as a picture is refused within 100 MB`() async throws {
    let bomb = directory.path("bomb.gz")
    // 100 MB of spaces in 100 KB.
    let made = try Subprocess.run(
      ["sh", "-c", "head -c 100000000 /dev/zero | tr '\\0' ' ' | gzip > \"$1\"", "sh", bomb],
      environment: ["PATH=/usr/bin:/bin"])
    try #require(made.status == 0, "\(made.output)")
    let bytes = try Data(contentsOf: URL(filePath: bomb))
    let server = try LoopbackServer()
    defer { server.stop() }
    let encoding = ("Content-Encoding", "gzip")
    server.serve(
      "/json",
      LoopbackResponse(fields: [encoding, ("Content-Type", "application/json")], body: bytes))
    server.serve("/random", LoopbackResponse(body: #"{"url": "/picture.png"}"#))
    server.serveRaw("/picture.png") { _, connection in
      connection.send(
        "HTTP/1.1 200 OK\r\nContent-Type: image/png\r\nContent-Encoding: gzip\r\n\r\n")
      while connection.send(bytes) {}
    }
    for (path, words) in [("/json", "more than 1 MB"), ("/random", "more than 20 MB")] {
      let panda = try start(source: server.url(path))
      try await panda.waitForOutput(containing: "panda> ")
      try panda.write("fetch\nproblem\n")
      try await panda.waitForOutput(containing: words)
      let memory = try greatestMemory(of: await panda.processIdentifier())
      // A sanitizer's shadow memory counts as the program's.
      #expect(memory < 100 || Sanitizer.isOn, "\(path): \(memory) MB")
      try panda.write("quit\n")
      #expect(try await panda.waitForExit() == .exited(0))
    }
  }

  @Test func `fault 27: netrc is not read`() throws {
    let server = try PandaServer(pictures: ServedPictures.all())
    defer { server.stop() }
    let home = directory.url.appending(path: "home")
    try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
    let netrc = home.appending(path: ".netrc")
    try Data("machine 127.0.0.1 login me password secret\n".utf8).write(to: netrc)
    let result = try Subprocess.run(
      [
        "sh", "-c", "printf 'fetch\n' | \"$@\"", "sh", BuildProducts.path(of: "panda"), "--plain",
        "--source", server.endpoint.absoluteString, "--data-dir", directory.path("data"),
      ],
      environment: [
        "PATH=/usr/bin:/bin", "HOME=\(home.path(percentEncoded: false))",
        "NETRC=\(netrc.path(percentEncoded: false))", "LC_ALL=C.UTF-8",
      ])
    #expect(result.output.contains(Sentence.described(from: "127.0.0.1")), "\(result.output)")
    #expect(server.server.requests.allSatisfy { $0["authorization"] == nil })
  }

  /// Runs the program on a server whose authority the system trusts, and returns what it prints.
  private func fetch(from server: TLSServer) throws -> String {
    try server.serve("random.json", Data(#"{"url": "\#(server.url("panda.png"))"}"#.utf8))
    try server.serve("panda.png", ServedPictures.all()[1])
    let script = """
      mount --bind "$1" /etc/ssl/certs/ca-certificates.crt
      export HOME="$4" LC_ALL=C.UTF-8
      printf 'fetch\nproblem\n' | "$2" --plain --source "$3" --data-dir "$4/data" 2>&1 || true
      """
    let (isWell, output) = PrivateMounts.run(
      script,
      [
        server.authority, try BuildProducts.path(of: "panda"),
        server.url("random.json").absoluteString, directory.path("home"),
      ])
    #expect(isWell, "\(output)")
    return output
  }

  @Test(
    .enabled(if: PrivateMounts.areAllowed && TLSServer.isAvailable),
    arguments: [
      (TLSServer.Flaw.none, ""), (.expired, "expired"), (.wrongHost, "host name"),
      (.selfSigned, "self"),
    ])
  func `fault 20: an expired, foreign or self-signed certificate is refused with its reason`(
    _ flaw: TLSServer.Flaw, _ reason: String
  ) throws {
    let output = try fetch(from: TLSServer(flaw))
    guard flaw != .none else {
      #expect(output.contains(Sentence.described(from: "localhost")), "\(output)")
      #expect(!output.contains("certificate"), "\(output)")
      return
    }
    // The host has a port, and is named twice before the reason.
    let words = String(HTTPError(.untrusted, host: "").message.drop { $0 != "(" })
    #expect(output.contains(words), "\(output)")
    let cause = output.split(separator: "\n").first { $0.hasPrefix("The cause: ") } ?? ""
    #expect(cause.contains(reason), "\(output)")
    #expect(!output.contains(Sentence.described(from: "localhost")))
  }
}
