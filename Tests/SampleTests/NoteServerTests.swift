import Foundation
import PandaTestSupport
import Testing

/// The server sample, for real: a process, and connections over loopback.
@Suite struct NoteServerTests {
  private let home = TemporaryDirectory()
  private var directory: URL { home.url.appending(path: "notes") }

  private func launch() async throws -> (server: ProbeProcess, port: String) {
    let server = try ProbeProcess(
      path: BuildProducts.path(of: "note-server"), [directory.path], home: home)
    let address = try #require(await server.line())
    return (server, try #require(URL(string: address)?.port.map(String.init)))
  }

  /// Sends bytes, and returns the whole answer.
  private func answer(_ port: String, _ request: String) throws -> String {
    let result = try Subprocess.run(
      [
        "bash", "-c", #"exec 3<>"/dev/tcp/127.0.0.1/$1" && printf %s "$2" >&3 && cat <&3"#, "bash",
        port, request,
      ], environment: ["PATH=/usr/bin:/bin"])
    #expect(result.status == 0, "\(result.output)")
    return result.output
  }

  private func put(_ port: String, _ id: String, _ text: String) throws -> String {
    try answer(
      port, "PUT /notes/\(id) HTTP/1.1\r\nContent-Length: \(text.utf8.count)\r\n\r\n\(text)")
  }

  @Test func `an answered note outlives the process`() async throws {
    let first = try await launch()
    #expect(try put(first.port, "1", "Buy bamboo").hasPrefix("HTTP/1.1 204 "))
    #expect(try put(first.port, "1", "Buy 竹").hasPrefix("HTTP/1.1 204 "))
    #expect(try put(first.port, "2", "Sleep").hasPrefix("HTTP/1.1 204 "))
    first.server.kill()
    #expect(await first.server.hasSucceeded() == false)

    let second = try await launch()
    let list = try answer(second.port, "GET /notes HTTP/1.1\r\n\r\n")
    #expect(list.hasPrefix("HTTP/1.1 200 "))
    struct Note: Decodable, Equatable { var id, text: String }
    let body = try #require(list.components(separatedBy: "\r\n\r\n").last)
    let notes = try JSONDecoder().decode([Note].self, from: Data(body.utf8))
    #expect(notes == [Note(id: "1", text: "Buy 竹"), Note(id: "2", text: "Sleep")])
    #expect(try answer(second.port, "DELETE /notes/1 HTTP/1.1\r\n\r\n").hasPrefix("HTTP/1.1 204 "))
    #expect(try answer(second.port, "DELETE /notes/1 HTTP/1.1\r\n\r\n").hasPrefix("HTTP/1.1 404 "))
  }

  @Test func `asked to end, it leaves one whole file`() async throws {
    let (server, port) = try await launch()
    #expect(try put(port, "1", "Sleep").hasPrefix("HTTP/1.1 204 "))
    server.terminate()
    #expect(await server.hasSucceeded())
    let files = try FileManager.default.contentsOfDirectory(atPath: directory.path)
    #expect(files.contains { $0.hasSuffix(".sqlite") })
    #expect(!files.contains { $0.hasSuffix("-wal") }, "\(files)")
  }

  @Test func `impossible actions are refused`() async throws {
    let (server, port) = try await launch()
    for (request, status) in [
      ("GET /pandas HTTP/1.1\r\n\r\n", 404), ("POST /notes HTTP/1.1\r\n\r\n", 405),
      ("GET /notes/1/2 HTTP/1.1\r\n\r\n", 404), ("PUT /notes/1 HTTP/1.1\r\n\r\n", 400),
      ("PUT /notes/1 HTTP/1.1\r\nContent-Length: -1\r\n\r\n", 400),
      ("PUT /notes/1 HTTP/1.1\r\nContent-Length: many\r\n\r\n", 400),
      ("\r\n\r\n", 400), (": \r\n:\r\n\r\n", 400),
    ] {
      let text = try answer(port, request)
      #expect(text.hasPrefix("HTTP/1.1 \(status) "), "\(request): \(text)")
    }
    // A note that cannot be kept: the file is gone.
    try FileManager.default.moveItem(at: directory, to: home.url.appending(path: "gone"))
    #expect(try put(port, "1", "Sleep").hasPrefix("HTTP/1.1 500 "))
    server.kill()
  }

  @Test func `without a directory it says how to start it`() throws {
    let result = try Subprocess.run([BuildProducts.path(of: "note-server")], environment: [])
    #expect(result.status == 64 && result.output.contains("usage: note-server DIRECTORY"))
  }
}
