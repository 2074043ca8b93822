import Foundation
import PandaTestSupport
import Testing

@testable import Pantry

/// The room that is made in a write-ahead log, and given back.
@Suite struct SQLiteLogRoomTests {
  let directory = TemporaryDirectory()

  /// A connection to a database of its own, with frames in its log.
  private func connection(_ filename: String) throws -> SQLiteConnection {
    try SQLiteConnection(SQLiteLocation(filename, in: directory.storage).open())
  }

  private func logSize(_ connection: SQLiteConnection) throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(
      atPath: connection.database.path + "-wal")
    return attributes[.size] as? Int ?? 0
  }

  @Test func `room in the log is preallocated, and given back`() throws {
    let own = try connection("own.sqlite")
    let room = SQLiteLogRoom(path: own.database.path)
    let size = try logSize(own)
    #expect(try room.extend(own))
    #expect(try logSize(own) > size)
    try room.giveBack(own)
    #expect(try logSize(own) == size)
  }

  @Test func `the log of another database is neither extended nor cut`() throws {
    let own = try connection("own.sqlite")
    let other = try connection("other.sqlite")
    // As if it had come to the path after the path was checked.
    let mistaken = SQLiteLogRoom(path: other.database.path)
    let size = try logSize(other)
    #expect(try !mistaken.extend(own))
    #expect(try logSize(other) == size)
    #expect(try SQLiteLogRoom(path: other.database.path).extend(other))
    let extended = try logSize(other)
    try mistaken.giveBack(own)
    #expect(try logSize(other) == extended)
  }
}
