import Foundation
import PandaTestSupport
import Testing

@testable import PandaSession
@testable import PandaTUI
@testable import Pantry

/// The lock on the favorites: of another program, and this one's own when it is stopped.
@MainActor
@Suite struct LockTests {
  private let directory = TemporaryDirectory()

  /// Another program's connection to the favorites.
  private func other() throws -> Database {
    try Database(path: directory.path("data/favorites.sqlite"), access: .writing)
  }

  private func start() async throws -> AppDriver {
    let panda = try AppDriver(directory, configuration: Configuration(autoAdvance: false))
    try await panda.expect(favorites: 0)
    try await panda.expect(text: "☆ Panda 1 ")
    return panda
  }

  @Test func `fault 44: a lock of another program stops no key; the favorite is saved after it`()
    async throws
  {
    let panda = try await start()
    let other = try other()
    try other.execute("BEGIN IMMEDIATE")
    try panda.press(.favorites(.favorite))
    try await panda.open(.program(.help), HelpDialog.prompt)
    try panda.press(.program(.cancel))
    try await panda.expect(favorites: 0)
    try other.execute("ROLLBACK")
    try await panda.expect(favorites: 1)
    try await panda.quit()
  }

  @Test func `fault 51: ctrl-z in a write stops the program after it, without a lock`()
    async throws
  {
    let panda = try await start()
    let other = try other()
    try other.execute("BEGIN IMMEDIATE")
    var found: Int64?
    panda.display.onSuspend = {
      do {
        // No patience: a lock that is held now is an error.
        try other.execute("PRAGMA busy_timeout = 0; BEGIN IMMEDIATE; ROLLBACK")
        found = try other.integer(
          """
          SELECT count(*) FROM item JOIN namespace ON namespace.id = item.namespace
          WHERE name = 'RemoteImage'
          """)
      } catch {
        Issue.record(error)
      }
    }
    try panda.press(.favorites(.favorite), .program(.suspend), .program(.suspend))
    #expect(panda.display.suspendCount == 0)
    try other.execute("ROLLBACK")
    try await eventually("the stop") { panda.display.suspendCount == 1 }
    #expect(found == 1)
    // It continues, and can be stopped again.
    try await panda.expect(favorites: 1)
    try panda.press(.program(.suspend))
    try await eventually("the second stop") { panda.display.suspendCount == 2 }
    try await panda.quit()
  }
}
