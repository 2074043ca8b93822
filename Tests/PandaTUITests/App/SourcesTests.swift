import Foundation
import PandaTestSupport
import Testing

@testable import PandaSession
@testable import TerminalKit

/// Sources in the program: a service that the configuration file describes, and a directory.
@MainActor
@Suite struct SourcesTests {
  private let directory = TemporaryDirectory()

  /// A server with a list of twelve pictures, and a configuration that describes it as `zoo`.
  private func zoo() throws -> (server: LoopbackServer, configuration: Configuration) {
    let server = try LoopbackServer()
    for number in 0..<12 {
      server.serve("/picture/\(number)", LoopbackResponse(body: try SmallSource.png(number)))
    }
    let entries = (0..<12).map {
      """
      {"file": "/picture/\($0)", "name": "Wah number \($0)", "by": "Ada", "terms": "cc-by-4.0",
       "page": "https://zoo.example/wah/\($0)"}
      """
    }
    server.serve(
      "/list", LoopbackResponse(body: "{\"photos\": [\(entries.joined(separator: ","))]}"))
    let (configuration, problems) = Configuration.read(
      text: """
        {
          sources: [{
            name: "zoo", label: "The Zoo", address: "\(server.url("/list"))", list: "/photos",
            picture: "/file", relative: true, title: "/name", credit: "/by", license: "/terms",
            page: "/page",
          }],
        }
        """)
    #expect(problems.isEmpty)
    return (server, configuration)
  }

  @Test func `the card says where a picture came from; a relaunch asks for no other list`()
    async throws
  {
    var (server, configuration) = try zoo()
    defer { server.stop() }
    configuration.source = .services(["zoo"])
    for _ in 0..<2 {
      let panda = try AppDriver(directory, configuration: configuration)
      try await panda.expect(text: "☆ Wah number")
      try await panda.expect(text: "· The Zoo")
      try await panda.open(.picture(.details), "https://zoo.example/wah/")
      for words in ["CC BY 4.0", "Ada"] { try await panda.expect(text: words) }
      try panda.press(.picture(.details))
      try await panda.expect(noText: "https://zoo.example/wah/")
      try await panda.quit()
    }
    #expect(server.requests.count { $0.path == "/list" } == 1)
  }

  @Test func `S lists the sources, switches one off and tests one`() async throws {
    var (server, configuration) = try zoo()
    defer { server.stop() }
    configuration.source = .services(["zoo", "grove"])
    let panda = try AppDriver(directory, configuration: configuration)
    try await panda.expect(text: "☆")
    try await panda.open(.card(.sources), "[x] The Zoo")
    try await panda.expect(text: "[x] Bamboo Grove")
    panda.type(" ")
    try await panda.expect(text: "[ ] The Zoo")
    try await panda.expect(text: "switched off")
    panda.press(key: .down)
    panda.type("t")
    try await panda.expect(text: "Bamboo Grove sent a picture")
    try panda.press(.card(.sources))
    try await panda.expect(noText: "[ ] The Zoo")
    try await panda.quit()
  }
}
