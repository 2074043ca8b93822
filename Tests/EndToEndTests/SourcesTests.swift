import Foundation
import PandaTestSupport
import Testing

/// `panda sources`, with a service that the configuration file describes.
@Suite struct SourcesTests {
  let directory = TemporaryDirectory()

  /// A server with a list of twelve pictures, described in the configuration file as `zoo`.
  private func zoo() throws -> LoopbackServer {
    let server = try LoopbackServer()
    let pictures = try ServedPictures.all()
    for number in 0..<12 {
      server.serve("/picture/\(number)", LoopbackResponse(body: pictures[number % pictures.count]))
    }
    let entries = (0..<12).map {
      """
      {"file": "/picture/\($0)", "name": "Wah number \($0)", "by": "Ada", "terms": "cc-by-4.0",
       "page": "https://zoo.example/wah/\($0)"}
      """
    }
    server.serve(
      "/list", LoopbackResponse(body: "{\"photos\": [\(entries.joined(separator: ","))]}"))
    try PandaDriver.configure(
      directory,
      """
      {
        sources: [{
          name: "zoo", label: "The Zoo", address: "\(server.url("/list"))", list: "/photos",
          picture: "/file", relative: true, title: "/name", credit: "/by", license: "/terms",
          page: "/page",
        }],
      }
      """)
    return server
  }

  private func run(_ arguments: String...) throws -> Subprocess.Result { try run(arguments) }

  private func run(_ arguments: [String]) throws -> Subprocess.Result {
    let environment = [
      "HOME=\(directory.url.path)", "XDG_CONFIG_HOME=\(directory.path("config"))",
      "XDG_STATE_HOME=\(directory.path("state"))", "PATH=/usr/bin:/bin",
    ]
    return try Subprocess.run(
      [BuildProducts.path(of: "panda")] + arguments + ["--data-dir", directory.path("data")],
      environment: environment)
  }

  @Test func `fault 102: ten commands in a row are one request to a host that asks to wait`()
    throws
  {
    let server = try LoopbackServer()
    defer { server.stop() }
    server.serve("/json", LoopbackResponse(status: 429, fields: [("Retry-After", "600")]))
    for number in 0..<10 {
      let result = try run("fetch", "--source", server.url("/json").absoluteString)
      #expect(result.status == 3)
      #expect(result.output.contains(number == 0 ? "429" : "asked for a pause"), "\(result.output)")
    }
    // Nor is it asked for a test, or for a picture.
    #expect(try run("sources", "test", server.url("/json").absoluteString).status == 3)
    #expect(try run("add", server.url("/other").absoluteString).status == 3)
    #expect(server.counts.requests == 1)
  }

  @Test func `fault 105: a directory alone is the source, whatever its name`() throws {
    let folder = directory.url.appending(path: "Red Pandas/below")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try ServedPictures.all()[0].write(to: folder.appending(path: "snow.png"))
    for arguments in [
      ["--source", directory.path("Red Pandas")], ["--source", directory.path("Red Pandas/")],
    ] {
      let result = try run(["fetch"] + arguments)
      #expect(result.status == 0 && result.output.contains("snow"), "\(result)")
    }
    let inside = try Subprocess.run(
      [
        "env", "-C", directory.url.path, try BuildProducts.path(of: "panda"), "--plain",
        "Red Pandas",
      ],
      environment: ["HOME=\(directory.url.path)", "PATH=/usr/bin:/bin"])
    #expect(inside.status == 0, "\(inside)")
  }

  @Test func `sources lists every source, and tests one`() throws {
    let server = try zoo()
    defer { server.stop() }
    let list = try run("sources")
    #expect(list.status == 0)
    let lines = list.output.split(separator: "\n")
    #expect(lines.count == 8)
    #expect(lines[0].hasPrefix("zoo") && lines[0].contains("not asked yet"))
    #expect(lines[1].hasPrefix("commons") && lines[4].contains("no license"))
    let json = try run("sources", "--json")
    let objects = json.output.split(separator: "\n")
    #expect(objects.count == 8 && objects.allSatisfy { $0.contains(#""schema":1"#) })
    let first = try #require(objects.first)
    let object = try JSONSerialization.jsonObject(with: Data(first.utf8)) as? [String: Any]
    #expect(object?["name"] as? String == "zoo" && object?["kept"] as? Int == 0)
    let test = try run("sources", "test", "zoo")
    #expect(test.status == 0)
    for words in [
      "entries  12, of which 12 can be shown", "title    /name  Wah number 0", "credit   /by  Ada",
      "page     /page  https://zoo.example/wah/0", "/picture/0: ", " pixels",
    ] {
      #expect(test.output.contains(words), "\(words) in \(test.output)")
    }
    let bare = try run("sources", "test", "\(server.url("/picture/0"))")
    #expect(bare.status == 1 && bare.output.contains("not JSON"), "\(bare)")
    let unknown = try run("sources", "test", "nowhere")
    #expect(unknown.status == 5)
  }
}
