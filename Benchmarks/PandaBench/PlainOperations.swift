internal import Foundation

/// The operations through ``PlainSQLite``, on the same bytes, encoded before the clock starts.
struct PlainOperations<Note: BenchmarkNote> {
  let directory: URL

  private static var middle: Int { StoreOperation.many / 2 }
  private static var insert: String { "INSERT INTO item (key, data) VALUES (?1, ?2)" }
  private static var update: String { "UPDATE item SET data = ?2 WHERE key = ?1" }
  private static var insertPicture: String { "INSERT INTO picture (key, bytes) VALUES (?1, ?2)" }
  private static var select: String { "SELECT key, data FROM item ORDER BY id" }
  private static var selectPictures: String { "SELECT key, bytes FROM picture ORDER BY id" }

  func fill(_ contents: StoreOperation.Contents) throws {
    let database = open()
    switch contents {
    case .nothing: break
    case .notes(let count):
      let rows = try Self.rows(Note.notes(count, from: 0))
      let insert = database.prepare(Self.insert)
      database.transaction {
        for row in rows { database.run(insert, key: row.key, text: row.data) }
      }
    case .pictures: try writePictures(database, PictureRows())
    }
  }

  @MainActor
  func run(_ operation: StoreOperation) async throws -> Double {
    switch operation {
    case .writeOne: try add(from: 0)
    case .addToMany, .addToFew, .addToAHundredThousand: try add(from: 200_000)
    case .writeMany: try write(StoreOperation.many, from: 0, Self.insert)
    case .addTogether: try write(StoreOperation.together, from: 200_000, Self.insert)
    case .updateTogether: try write(StoreOperation.together, from: Self.middle, Self.update)
    case .loadMany, .loadAHundredThousand: timedLoad(open(), [Self.select])
    case .updateOne: try updateOne()
    case .removeOne: try removeOne()
    case .removeAll: removeAll()
    case .writePictures: try writePictures(open(), PictureRows())
    case .loadPictures: timedLoad(open(), [Self.select])
    case .readPictures: timedLoad(open(), [Self.select, Self.selectPictures])
    case .mainActorDuringLoad: try await mainActorTurns().elapsed
    case .mainActorWorkDuringLoad: try await mainActorTurns().computed
    }
  }

  /// Measures the machine's noise: the ticker's result while another thread does the load.
  @MainActor
  private func mainActorTurns() async throws -> MainActorTicker.Longest {
    try await MainActorTicker.longestTurns {
      await Task.detached { _ = timedLoad(open(), [Self.select]) }.value
    }
  }

  private func add(from first: Int) throws -> Double {
    let database = open()
    let insert = database.prepare(Self.insert)
    let rows = try Self.rows(Note.notes(StoreOperation.writeOne.repetitions, from: first))
    return medianAfterFirst(
      rows.enumerated().map { index, row in
        if index == 1 { database.makeRoomInLog() }
        return milliseconds {
          database.transaction { database.run(insert, key: row.key, text: row.data) }
        }
      })
  }

  private func updateOne() throws -> Double {
    let database = open()
    let update = database.prepare(Self.update)
    let rows = try Self.rows(Note.notes(StoreOperation.updateOne.repetitions, from: Self.middle))
    return medianAfterFirst(
      rows.enumerated().map { index, row in
        if index == 1 { database.makeRoomInLog() }
        return milliseconds {
          database.transaction { database.run(update, key: row.key, text: row.data + [0x20]) }
        }
      })
  }

  /// Writes notes in one transaction.
  private func write(_ count: Int, from first: Int, _ query: String) throws -> Double {
    let database = open()
    let rows = try Self.rows(
      Note.notes(count, from: first).map { note in
        var note = note
        note.edit()
        return note
      })
    return milliseconds {
      let statement = database.prepare(query)
      database.transaction {
        for row in rows { database.run(statement, key: row.key, text: row.data) }
      }
    }
  }

  private func removeOne() throws -> Double {
    let database = open()
    let delete = database.prepare("DELETE FROM item WHERE key = ?1")
    let rows = try Self.rows(Note.notes(StoreOperation.removeOne.repetitions, from: Self.middle))
    return medianAfterFirst(
      rows.enumerated().map { index, row in
        if index == 1 { database.makeRoomInLog() }
        return milliseconds { database.transaction { database.run(delete, key: row.key) } }
      })
  }

  private func removeAll() -> Double {
    let database = open()
    return milliseconds {
      let delete = database.prepare("DELETE FROM item")
      database.transaction { database.run(delete) }
    }
  }

  @discardableResult
  private func writePictures(_ database: PlainSQLite, _ pictures: PictureRows) throws -> Double {
    milliseconds {
      let insert = database.prepare(Self.insert)
      let insertPicture = database.prepare(Self.insertPicture)
      database.transaction {
        for row in pictures.rows { database.run(insert, key: row.key, text: row.data) }
        for row in pictures.bytes { database.run(insertPicture, key: row.key, blob: row.data) }
      }
    }
  }

  /// Times a load including opening the file, as for a new Store.
  private func timedLoad(_ database: @autoclosure () -> PlainSQLite, _ queries: [String])
    -> Double
  {
    milliseconds {
      let database = database()
      for query in queries { _ = database.copyRows(database.prepare(query)) }
    }
  }

  private func open() -> PlainSQLite {
    PlainSQLite(path: directory.appending(path: "plain.sqlite").path(percentEncoded: false))
  }

  private static func rows(_ notes: [Note]) throws -> [PlainSQLite.Row] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.withoutEscapingSlashes]
    return try notes.map { (Array($0.id.utf8), try encoder.encode($0)) }
  }

  /// The rows of pictures: the JSON that Pantry stores, and the bytes.
  private struct PictureRows {
    let rows: [PlainSQLite.Row]
    let bytes: [PlainSQLite.Row]

    init() {
      let digest = String(repeating: "0", count: 64)
      rows = (0..<StoreOperation.pictures).map { number in
        let json =
          #"{"id":"picture-\#(number)","image":{"sha256":"\#(digest)","byteCount":200000}}"#
        return (Array("picture-\(number)".utf8), Data(json.utf8))
      }
      bytes = (0..<StoreOperation.pictures).map { (Array("picture-\($0)".utf8), Picture.bytes($0)) }
    }
  }
}
