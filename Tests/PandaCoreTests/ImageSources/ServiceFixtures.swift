import Foundation
import PandaTestSupport
import Pantry

@testable import Grove
@testable import PandaCore
@testable import PictureCodecs

/// A server that imitates the public services, each at its path.
///
/// The replies have the documented shape, with the members that matter.
final class ServiceServer: Sendable {
  let server: LoopbackServer
  let client = HTTPClient.forTests()

  init() throws {
    server = try LoopbackServer()
    for name in ["a", "b", "c", "d", "e", "f"] { try serve(picture: "/pictures/\(name).png") }
  }

  func stop() async {
    await client.close()
    server.stop()
  }

  /// Serves a picture that no other path serves.
  func serve(picture path: String) throws {
    let seed = path.utf8.reduce(7) { ($0 &* 31 &+ UInt64($1)) % 1_000_003 }
    let bytes = try BambooGrove.drawing(seed: seed, size: PixelSize(width: 64, height: 48))
      .pngData()
    server.serve(path, LoopbackResponse(fields: [("Content-Type", "image/png")], body: bytes))
  }

  /// Serves JSON; `BASE` stands for the server's address.
  func serve(_ path: String, json: String) {
    server.serve(path) { [unowned self] _ in self.response(json) }
  }

  func response(_ json: String) -> LoopbackResponse {
    LoopbackResponse(
      fields: [("Content-Type", "application/json; charset=utf-8")],
      body: json.replacing("BASE", with: "http://127.0.0.1:\(server.port)"))
  }

  /// A built-in description whose addresses lead to this server, with their paths and queries.
  func description(_ name: String) throws -> SourceDescription {
    guard let description = SourceDescription.named(name) else {
      throw TestFailure("\(name) is not built in")
    }
    func here(_ address: URL) -> URL {
      let parts = URLComponents(url: address, resolvingAgainstBaseURL: false)!
      return server.url(
        parts.percentEncodedPath + (parts.percentEncodedQuery.map { "?\($0)" } ?? ""))
    }
    var local = description.at(
      description.addresses.map(here), fallback: description.fallback.map(here))
    // A test asks in seconds what a user asks in an hour.
    local.limits.requestsPerMinute = 600
    return local
  }

  /// The paths that were asked for, without their queries.
  var paths: [String] { server.requests.map(\.path) }
}

/// Runs a test on a server, and stops that whatever happens.
@MainActor
func withServer(_ body: (ServiceServer) async throws -> Void) async throws {
  let server = try ServiceServer()
  do {
    try await body(server)
  } catch {
    await server.stop()
    throw error
  }
  await server.stop()
}

/// Answers in the shapes of the services.
enum ServiceAnswers {
  /// Wikimedia Commons, `formatversion=2`.
  static func commons(_ pages: [String], more: Bool = false) -> String {
    let next = #""continue": {"gcmcontinue": "file|50|7", "continue": "gcmcontinue||"}, "#
    return "{\(more ? next : "")\"query\": {\"pages\": [\(pages.joined(separator: ","))]}}"
  }

  static func commonsPage(
    _ name: String, mime: String = "image/png", license: String = "CC BY-SA 4.0",
    artist: String = "Zoë"
  ) -> String {
    """
    {"pageid": \(name.utf8.reduce(0) { $0 * 31 + Int($1) }), "ns": 6, "title": "File:Red Panda (\(name)).png", "imagerepository": "local",
     "imageinfo": [{"size": 4211837, "width": 4000, "height": 3000,
       "thumburl": "BASE/pictures/\(name).png", "thumbwidth": 1280, "thumbheight": 960,
       "mime": "\(mime)", "url": "BASE/originals/\(name).png",
       "descriptionurl": "https://commons.wikimedia.org/wiki/File:Red_Panda_(\(name)).png",
       "extmetadata": {
         "Artist": {"value": "<a href=\\"//commons.wikimedia.org/wiki/User:Zoë\\">\(artist) &amp; X</a>",
           "source": "commons-desc-page"},
         "ImageDescription": {"value": "<div class=\\"description en\\" lang=\\"en\\"><span class=\\"language en\\" title=\\"English\\"><b>English: </b></span>A <i>red panda</i>, asleep</div><div class=\\"description de\\" lang=\\"de\\"><span class=\\"language de\\"><b>Deutsch: </b></span>Ein <div>Kleiner</div> Panda schläft</div>"},
         "ObjectName": {"value": "Red Panda (\(name))"},
         "LicenseShortName": {"value": "\(license)"},
         "LicenseUrl": {"value": "https://creativecommons.org/licenses/by-sa/4.0"}}}]}
    """
  }

  /// iNaturalist: an observation with photos, of which some are not for us.
  static let inaturalist = """
    {"total_results": 2345, "page": 1, "per_page": 15, "results": [
      {"id": 1, "species_guess": "Red Panda", "uri": "https://www.inaturalist.org/observations/1", "place_guess": "Sikkim",
       "user": {"login": "ada77", "name": "Ada"},
       "quality_grade": "casual", "photos": [
        {"id": 2, "license_code": "cc-by", "attribution": "(c) Ada, some rights reserved (CC BY)",
         "url": "BASE/photos/2/square.png", "original_dimensions": {"width": 2048, "height": 1365}},
        {"id": 3, "license_code": null, "attribution": "(c) Ada, all rights reserved",
         "url": "BASE/photos/3/square.png"},
        {"id": 4, "license_code": "cc-by-nc", "attribution": "(c) Ada",
         "url": "BASE/photos/4/square.png"}]},
      {"id": 5, "uri": null, "photos": []},
      {"id": 6, "uri": "https://www.inaturalist.org/observations/6"}]}
    """

  /// Openverse.
  static func openverse(_ names: [String]) -> String {
    let results = names.map { name in
      """
      {"id": "\(name)", "title": "Red panda \(name)", "creator": "Grace", "license": "by",
       "license_version": "2.0", "license_url": "https://creativecommons.org/licenses/by/2.0/",
       "url": "BASE/pictures/\(name).png", "thumbnail": "BASE/thumb/",
       "foreign_landing_url": "https://www.flickr.com/photos/x/\(name)", "width": 1024,
       "height": 683, "filetype": null, "mature": false}
      """
    }
    return """
      {"result_count": 240, "page_count": 12, "page_size": 20, "page": 1,
       "results": [\(results.joined(separator: ","))]}
      """
  }
}

/// A library in memory, or on a directory, with the sources of a test.
@MainActor
struct SourceBench {
  let library: ImageLibrary

  init(_ directory: TemporaryDirectory? = nil) {
    library =
      directory.map { ImageLibrary(in: StorageDirectory(url: $0.url.appending(path: "data"))) }
      ?? ImageLibrary(favorites: .images(on: MemoryStorageEngine()))
  }

  /// A source that takes candidates in the order of the answer.
  ///
  /// - Parameter client: one that knows of no waits, instead of the server's.
  func source(
    _ description: SourceDescription, _ server: ServiceServer, client: HTTPClient? = nil
  ) -> DescribedSource {
    DescribedSource(
      description, shelf: CandidateShelf(library) { $0.lowerBound },
      client: client ?? server.client,
      timer: MonotonicTimer(ContinuousClock()))
  }
}

/// Creates the source of an address alone, as `--source` does.
@MainActor
func guessed(_ endpoint: URL, client: HTTPClient = .forTests()) -> DescribedSource {
  DescribedSource(
    SourceDescription(guessedFor: endpoint), library: SourceBench().library, client: client)
}
