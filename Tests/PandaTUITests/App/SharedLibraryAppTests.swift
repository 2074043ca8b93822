import Foundation
import PandaCore
import PandaTestSupport
import Pantry
import Testing

@testable import PandaSession
@testable import PandaTUI
@testable import TerminalKit

/// Pandas on several machines, with their favorites on one real PostgreSQL server.
@MainActor
@Suite(.enabled(if: PostgresCluster.programs != nil, "\(PostgresCluster.advice)"))
struct SharedLibraryAppTests {
  /// Stands in the title while the server is away.
  private let cutOff = "cut off since"

  private let cluster: PostgresCluster
  private let database: String

  init() throws {
    cluster = try PostgresCluster.shared.get()
    database = try cluster.createDatabase()
  }

  private func panda(of author: String, first: Int = 1) throws -> AppDriver {
    try panda(
      of: author, at: cluster.uri(database: database, machine: author), first: first)
  }

  private func panda(
    of author: String, at uri: String, first: Int,
    in directory: TemporaryDirectory = TemporaryDirectory()
  ) throws -> AppDriver {
    func place(_ name: String) -> StorageDirectory {
      StorageDirectory(url: directory.url.appending(path: name))
    }
    let address = try #require(LibraryAddress(uri))
    let library = try ImageLibrary(
      at: address, author: author, in: place("data"),
      copies: SharedLibraryCopies(
        of: address.fileName, directory: place("rows"),
        pictures: PictureFileCache(directory: place("pictures"))))
    return try AppDriver(
      directory, library: library, source: SmallSource(first: first),
      configuration: Configuration())
  }

  @Test func `changes appear with their author, and each user undoes only their own`()
    async throws
  {
    let ada = try panda(of: "ada")
    let bo = try panda(of: "bo", first: 101)
    try await bo.expect(favorites: 0)
    try await ada.favorite(2)
    try await bo.expect(favorites: 2)
    try bo.press(.favorites(.undo))
    try await bo.expect(text: Sentence.refused(.nothingToUndo))
    try await bo.favorite(1, after: 2)
    try bo.press(.favorites(.filter))
    bo.enter("@ada")
    try await bo.expect(text: "Favorites (2 of 3)")
    try await bo.open(.picture(.details), "kept by")
    try await bo.expect(text: "ada")
    bo.press(key: .escape)
    try await bo.open(.favorites(.caption), "Caption")
    bo.enter("for you")
    try await bo.expect(text: Sentence.captioned)
    try ada.press(.favorites(.undo))
    try await ada.expect(text: "Not undone: bo has changed it since")
    try ada.press(.favorites(.undo))
    try await bo.expect(text: "Favorites (1 of 2)")
    try await ada.quit()
    try await bo.quit()
  }

  @Test func `a favorite shows before the server answers, and is rolled back if refused`()
    async throws
  {
    let panda = try panda(of: "ada")
    try await panda.expect(favorites: 0)
    try await panda.expect(text: "☆ Panda 1")
    try cluster.sql(
      """
      CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE EXCEPTION 'the wall is full'; END $$;
      CREATE TRIGGER refuse AFTER INSERT ON pantry.item FOR EACH ROW EXECUTE FUNCTION refuse()
      """, database: database)
    let session = try cluster.session(
      "BEGIN; LOCK TABLE pantry.item IN EXCLUSIVE MODE", database: database)
    try panda.press(.favorites(.favorite))
    try await panda.expect(favorites: 1)
    try await panda.expect(text: "★ Panda 1")
    session.end()
    try await panda.expect(text: "Not kept: The PostgreSQL server")
    try await panda.expect(favorites: 0)
    try await panda.expect(text: "☆ Panda 1")
    try cluster.sql("DROP TRIGGER refuse ON pantry.item", database: database)
    try await panda.favorite(1)
    try await panda.quit()
  }

  @Test func `quitting says what it waits for, and how to give up`() async throws {
    let panda = try panda(of: "ada")
    try await panda.expect(favorites: 0)
    try await panda.expect(text: "☆ Panda 1")
    let session = try cluster.session(
      "BEGIN; LOCK TABLE pantry.item IN EXCLUSIVE MODE", database: database)
    try panda.press(.favorites(.favorite))
    try await panda.expect(text: "★ Panda 1")
    try panda.press(.program(.quit))
    try await panda.expect("the end") { _ in panda.app.context.hasEnded }
    // Once the program waits, its time runs.
    try await eventually("it waits") { panda.clock.waitingCount > 0 }
    try await eventually("it says so") {
      panda.clock.advance(by: PandaApp.quietEnd)
      return panda.display.text.contains("Ctrl-C gives up")
    }
    session.end()
    await panda.end()
  }

  @Test func `without the server, favorites stay, writing says why, and it reconnects`()
    async throws
  {
    let network = try FaultyNetwork(to: cluster.directory.path(".s.PGSQL.5432"))
    defer { network.stop() }
    let uri = "postgresql://pantry@127.0.0.1:\(network.port)/\(database)?application_name=ada"
    let directory = TemporaryDirectory()
    let panda = try panda(of: "ada", at: uri, first: 1, in: directory)
    try await panda.favorite(2)
    network.turn(.down)
    try await panda.expect(text: cutOff)
    try await panda.expect(favorites: 2)
    try panda.press(.favorites(.favorite))
    try await panda.expect(text: "Not kept: The PostgreSQL server")
    // It is not lost from sight, nor is it shown as one.
    try await panda.expect(favorites: 2)
    try await panda.expect(text: "☆")
    network.turn(.fair)
    try await panda.expect(noText: cutOff)
    try await panda.favorite(1, after: 2)
    try await panda.quit()

    // The next start without the server shows the newest, and continues when it is back.
    network.turn(.down)
    let later = try self.panda(of: "ada", at: uri, first: 201, in: directory)
    try await later.expect(favorites: 3)
    try await later.expect(text: cutOff)
    try await later.expectPicture()
    network.turn(.fair)
    try await later.expect(noText: cutOff)
    try await later.favorite(1, after: 3)
    try await later.quit()
  }

  @Test func `when the first server dies, two Pandas go on with the promoted standby`()
    async throws
  {
    let pair = try PostgresPair()
    let ada = try panda(of: "ada", at: pair.uri(machine: "ada"), first: 1)
    let bo = try panda(of: "bo", at: pair.uri(machine: "bo"), first: 101)
    try await bo.expect(favorites: 0)
    try await ada.favorite(2)
    try await bo.expect(favorites: 2)
    try pair.killFirst()
    // The standby shows them until then.
    try await ada.expect(favorites: 2)
    try pair.promoteSecond()
    // No key is pressed.
    try await ada.expect(noText: cutOff)
    try await bo.expect(noText: cutOff)
    try await ada.expect(favorites: 2)
    try await bo.favorite(1, after: 2)
    try await ada.expect(favorites: 3)
    try await ada.quit()
    try await bo.quit()
  }
}
