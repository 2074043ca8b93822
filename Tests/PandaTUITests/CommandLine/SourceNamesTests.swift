import Foundation
import Grove
import PandaCore
import PandaTestSupport
import Pantry
import SystemSupport
import Testing

@testable import PandaSession
@testable import PictureCodecs

@MainActor
@Suite struct SourceNamesTests {
  private let library = ImageLibrary(
    favorites: .loadingInBackground(storage: MemoryStorageEngine()))
  private let client = HTTPClient(userAgent: UserAgent.text(contact: nil), environment: [:])

  private func sources(_ choice: SourceChoice, own: [SourceDescription] = []) throws
    -> PictureSources
  {
    var configuration = Configuration()
    configuration.sources = own
    configuration.source = choice
    return try PictureSources(configuration, library: library, client: client)
  }

  @Test func `the automatic choice lets all services take turns, those with credit first`() throws {
    let sources = try sources(.automatic)
    #expect(
      sources.ring?.statuses.map(\.id) == [
        "commons", "inaturalist", "openverse", "redpanda.club", "some-random-api", "animality",
        "tinyfox",
      ])
    #expect(sources.ring?.statuses.count { !$0.isReserve } == 3)
    #expect(SourceChoice.names == SourceDescription.builtIn.map(\.name) + ["grove"])
    #expect(sources.source.name == "the web" && sources.fallback?.name == "Bamboo Grove")
  }

  @Test func `named ones take turns, in the order in which they were named`() throws {
    let sources = try sources(.services(["tinyfox", "grove", "commons"]))
    #expect(sources.ring?.statuses.map(\.id) == ["tinyfox", "commons", "grove"])
    #expect(sources.ring?.statuses.contains { $0.isReserve } == false)
    #expect(try self.sources(.services(["inaturalist"])).source.name == "iNaturalist")
    #expect(try self.sources(.grove).fallback == nil)
  }

  @Test func `the user's own sources come first, and may replace built-in ones`() throws {
    let (configuration, problems) = Configuration.read(
      text: """
        {
          sources: [
            { name: "zoo", address: "http://127.0.0.1:9/list", list: "/a", picture: "/b" },
            { name: "commons", label: 'Mine', address: "https://example.org", picture: "/b", },
          ],
          source: "zoo,commons",
          contact: "me@example.org",
        }
        """)
    #expect(problems == [])
    #expect(configuration.sources.map(\.isNamedByUser) == [true, true])
    #expect(configuration.source == .services(["zoo", "commons"]))
    #expect(configuration.contact == "me@example.org")
    let ring = try sources(.automatic, own: configuration.sources).ring
    #expect(ring?.statuses.map(\.label).prefix(3) == ["zoo", "Mine", "iNaturalist"])
    #expect(ring?.statuses.count == 8)
  }

  @Test func `a problem in a source is reported with its line, and the others are used`() {
    let (configuration, problems) = Configuration.read(
      text: """
        { sources: [
          { name: "a", address: "https://a.example", picture: "/u" },
          {
            name: "b", address: "https://b.example",
            picture: "u",
          },
          { name: "a", address: "https://a.example", picture: "/u" },
        ] }
        """)
    #expect(configuration.sources.map(\.name) == ["a"])
    #expect(
      problems.map(\.description) == [
        #"config.json5 line 5: "sources": "picture" must be a JSON Pointer, such as "#
          + #""/photos/0/url" or "2/uri""#,
        #"config.json5 line 7: "sources": there is another source named "a""#,
      ])
  }

  @Test func `an unknown name is a usage error that lists the names, unless it is a directory`()
    throws
  {
    let error = try #require(throws: UsageError.self) {
      try SourceChoice.services(["inaturalst"]).resolved(own: [])
    }
    #expect(error.problem.hasSuffix("; did you mean inaturalist?"))
    let stranger = try #require(throws: UsageError.self) {
      try SourceChoice.services(["zzzzzzzz"]).resolved(own: [])
    }
    #expect(
      stranger.problem.hasSuffix(
        "there are commons, inaturalist, openverse, redpanda.club, "
          + "some-random-api, animality, tinyfox, grove"))
    let directory = TemporaryDirectory()
    #expect(try sources(.folder(directory.url.path)).ring == nil)
    #expect(throws: FileError.self) { try sources(.folder(directory.path("none"))) }
  }

  @Test func `requests name the program, its contact and its HTTP client`() async throws {
    let server = try PandaServer(pictures: ServedPicture.all)
    defer { server.stop() }
    for (contact, expected) in [(nil, Project.contact), ("me@example.org", "me@example.org")] {
      let client = HTTPClient(userAgent: UserAgent.text(contact: contact), environment: [:])
      _ = try await DescribedSource(
        SourceDescription(guessedFor: server.endpoint), library: library, client: client
      ).fetchImage { _ in }
      let agent = try #require(server.server.requests.last?["user-agent"])
      #expect(
        agent
          == "panda/\(Version.number) (\(expected)) libcurl/\(HTTPClient.libraryVersion)")
      await client.close()
    }
  }

  @Test func `the credit line has the title, the maker, the license and the page`() {
    func image(page: String?) -> RemoteImage {
      RemoteImage(
        createdAt: Date(timeIntervalSince1970: 1), url: URL(string: "https://cdn.example/1.jpg")!,
        width: 1, height: 1, dataRepresentation: Attachment(Data([1])), source: "Openverse",
        title: "Wah", credit: "Ada", license: "CC BY 2.0", page: page.flatMap { URL(string: $0) })
    }
    #expect(
      CreditLine(image(page: "https://photos.example/wah"), named: []).text
        == "Wah, Ada (CC BY 2.0), via Openverse: https://photos.example/wah")
    #expect(
      CreditLine(image(page: nil), named: []).text
        == "Wah, Ada (CC BY 2.0), via Openverse: https://cdn.example/1.jpg")
    #expect(
      CreditLine(image(page: "http://u:p@photos.example/"), named: []).text
        == "Wah, Ada (CC BY 2.0), via Openverse")
    let details = PictureDetails(
      image(page: "https://photos.example/wah"), source: nil, isFavorite: false, seen: nil,
      now: Date())
    #expect(
      details.lines.contains { $0 == (label: "page", text: "https://photos.example/wah") })
  }
}

/// A picture to serve.
private enum ServedPicture {
  static var all: [Data] {
    get throws {
      [try BambooGrove.drawing(seed: 1, size: PixelSize(width: 16, height: 12)).pngData()]
    }
  }
}
