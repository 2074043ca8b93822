import Foundation
import PandaCore
import PandaTestSupport
import Pantry
import Testing

@testable import PandaSession
@testable import PandaTUI
@testable import TerminalKit

/// What the log says of faults, each of which is provoked.
@MainActor
@Suite struct LogTests {
  private let directory = TemporaryDirectory()
  private let log: WrittenLog
  private let notAPicture = "not a picture"

  init() { log = WrittenLog(in: directory.url.appending(path: "log")) }

  private func start(
    _ source: (any ImageSource)? = nil, endpoint: URL? = nil, showsPictures: Bool = true
  ) throws -> AppDriver {
    var configuration = Configuration(autoAdvance: false)
    if let endpoint { configuration.source = .endpoint(endpoint) }
    return try AppDriver(
      directory, source: source, configuration: configuration, showsPictures: showsPictures,
      log: log)
  }

  // MARK: The network

  @Test func `a failed fetch has its host, its path and its status, and no secret`() async throws {
    let server = try PandaServer(pictures: [SmallSource.png(1)])
    defer { server.stop() }
    server.fail(with: LoopbackResponse(status: 503, body: "busy"))
    let endpoint = try #require(
      URL(string: "\(server.endpoint.absoluteString)?api_key=SECRET&user=SECRET#SECRET"))
    let panda = try start(endpoint: endpoint)
    let line = try await log.expect("error network", "GET ", "/random/json… failed", "status 503")
    #expect(line.contains("http://127.0.0.1:\(server.server.port)/random/json…"))
    try await log.expect("error network", "Fetching from 127.0.0.1", "Cause: ", "503")
    try await panda.quit()
    #expect(!log.lines.joined().contains("SECRET"))
  }

  @Test func `a proxy's password is not in the log, even if libcurl quotes it`() async throws {
    let client = HTTPClient(
      userAgent: "panda-tests",
      environment: ["all_proxy": "nonsense://user:SECRET@127.0.0.1:3128"], log: log.log)
    let url = try #require(URL(string: "https://zoo.example/wah?SECRET"))
    await #expect(throws: HTTPError.self) {
      try await client.get(HTTPRequest(url: url, byteLimit: 10))
    }
    await client.close()
    let line = try await log.expect("error network", "https://zoo.example/wah… failed", "curl ")
    #expect(!line.contains("SECRET"), "\(line)")
  }

  @Test func `a source that waits or is off says so`() async throws {
    let library = ImageLibrary(favorites: .loadingInBackground(storage: MemoryStorageEngine()))
    let server = try LoopbackServer()
    defer { server.stop() }
    server.serve("/403", LoopbackResponse(status: 403, body: "no"))
    server.serve(
      "/429", LoopbackResponse(status: 429, fields: [("Retry-After", "120")], body: "later"))
    server.serve("/html", LoopbackResponse(body: "<!DOCTYPE html><html></html>"))
    for (path, words) in [
      ("403", "Disabled until the next launch"), ("429", "It is not asked for 2 min"),
      ("html", ImageSourceError(.webPage, host: "").message),
    ] {
      let description = try #require(
        SourceDescription(guessedFor: server.url("/\(path)").absoluteString))
      // Each is another launch.
      let client = HTTPClient(userAgent: "panda-tests", log: log.log)
      let ring = SourceRing(
        services: [description], isChosen: true, library: library, client: client, log: log.log)
      await #expect(throws: (any Error).self) { try await ring.fetchImage { _ in } }
      await client.close()
      try await log.expect("error network", "gave no picture", words)
      ring.setEnabled(false, description.name)
    }
    try await log.expect("notice network", "is switched off")
    try await log.expect("error network", "Retry-After 120")
  }

  // MARK: Pictures

  @Test func `a truncated picture and a reply without one are logged`() async throws {
    let panda = try start(BrokenSource(percent: 40))
    try await log.expect("notice pictures", "https://broken.example/1 is incomplete")
    try await panda.quit()
    let second = try start(BrokenSource(percent: 0))
    try await log.expect("error pictures", "Fetching from broken.example failed", notAPicture)
    try await second.quit()
  }

  @Test func `fault 9: a picture of another declared type is shown, and logged`() async throws {
    let server = try LoopbackServer()
    defer { server.stop() }
    let type = [("Content-Type", "text/plain")]
    server.serve("/json", LoopbackResponse(body: #"{"url": "/wah.png"}"#))
    server.serve("/wah.png", LoopbackResponse(fields: type, body: try SmallSource.png(1)))
    let panda = try start(endpoint: server.url("/json"))
    try await log.expect("notice pictures", "/wah.png is declared as text/plain")
    try await panda.expectPicture()
    try await panda.quit()
  }

  @Test func `a stored picture that cannot be decoded has the decoder's reason`() async throws {
    let library = ImageLibrary(in: StorageDirectory(url: directory.url.appending(path: "data")))
    var bytes = try SmallSource.png(1)
    bytes[40] ^= 0xFF
    try await library.favorites.add([
      RemoteImage(
        createdAt: Date(), url: #require(URL(string: "https://zoo.example/bad?SECRET")),
        width: 64, height: 48, dataRepresentation: Attachment(bytes.prefix(60)), source: "zoo")
    ])
    await library.close()
    let panda = try start(SmallSource())
    try await log.expect("error pictures", "https://zoo.example/bad… cannot be shown: ")
    try await panda.quit()
  }

  // MARK: Storage

  @Test func `a damaged file has SQLite's words, and its recovery all counts`() async throws {
    let before = try AppDriver(directory)
    try await before.favorite(2)
    try await before.quit()
    let file = directory.url.appending(path: "data/favorites.sqlite")
    var data = try Data(contentsOf: file)
    data.replaceSubrange(0..<100, with: Data(repeating: 0xEE, count: 100))
    try data.write(to: file, options: .atomic)
    let panda = try start(SmallSource(first: 101))
    try await log.expect("error storage", "Cause: ", "file is not a database", file.path)
    try await log.expect(
      "notice storage", "RemoteImage 2 recovered, 0 of them from the backup, 0 lost", ".corrupt-")
    try await panda.expect(favorites: 2)
    try await panda.quit()
  }

  @Test func `a backup is named`() async throws {
    // Saved without the program, which might have made today's backup.
    let library = ImageLibrary(in: StorageDirectory(url: directory.url.appending(path: "data")))
    try await library.favorites.add([
      RemoteImage(
        createdAt: Date(), url: #require(URL(string: "https://zoo.example/1.png")),
        width: 64, height: 48, dataRepresentation: Attachment(SmallSource.png(1)), source: "zoo")
    ])
    await library.close()
    let panda = try start()
    try await log.expect("notice storage", "Backed up as ", "favorites.sqlite.backup-")
    try await panda.quit()
  }

  // MARK: The log itself

  @Test func `an unwritable log is reported once, and the program goes on`() async throws {
    try FileManager.default.createDirectory(
      atPath: log.file.path, withIntermediateDirectories: true)
    log.log.notice(.program, "begins")
    let panda = try start(SilentSource())
    try await panda.expect(text: directory.url.path.prefix(40).description)
    #expect(panda.app.context.model.trouble?.cause.hasSuffix("(errno \(EISDIR))") == true)
    log.log.notice(.program, "goes on")
    #expect(log.failures.count == 1)
    try await panda.open(.program(.problem), ProgramCommands.troubleTitle)
    try panda.press(.program(.problem))
    try await panda.quit()
  }

  // MARK: Plain mode
}
