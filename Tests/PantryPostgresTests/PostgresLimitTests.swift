import Foundation
import PandaTestSupport
import Pantry
import PantryTesting
import SystemSupport
import Testing

@testable import PantryPostgres

/// Rows, attachments and answers that are larger than what is read.
@Suite(.enabled(if: PostgresCluster.programs != nil, "\(PostgresCluster.advice)"))
struct PostgresLimitTests {
  private func key(_ name: String) -> CacheKey { CacheKey(verbatim: name) }

  @Test func `fault 96: a row that is too large is reported, and the others are read`()
    async throws
  {
    let cluster = try PostgresCluster.shared.get()
    let database = try cluster.createDatabase()
    let engine = try PostgresStorageEngine(
      cluster.address(database: database), namespace: "notes")
    try await engine.write([(key("a"), Data("1".utf8)), (key("c"), Data("3".utf8))])
    let follower = StorageFollower(onConnection: { _ in }, onChange: {})
    engine.add(follower)
    _ = try await engine.rows(for: follower)
    try cluster.sql(
      """
      INSERT INTO pantry.item (namespace, key, data, digest)
      SELECT 1, 'large', convert_to(repeat('x', 17 << 20), 'UTF8'), '';
      INSERT INTO pantry.item (namespace, key, data, digest)
      SELECT 1, convert_to(repeat('k', 17 << 20), 'UTF8'), 'long', ''
      """, database: database)
    // As a change, and in a reading of everything.
    let news = try await engine.changes(for: follower).rows
    let all = try await engine.rows(for: follower)
    for rows in [news, all] {
      let found = rows.suffix(2).map { ($0.reason ?? "", $0.data.count, $0.key.bytes.count) }
      #expect(found.map(\.0) == ["The row has 17 MB; at most 16 are read.", ""])
      #expect(found.map(\.1) == [0, 4])
      #expect(found.map(\.2) == [5, 1_024])
    }
    let error = await #expect(throws: PostgresError.self) { try await engine.readAllDataAndKeys() }
    #expect(error?.kind == .tooLarge)
    let words = error?.description ?? ""
    #expect(words.contains("is too large: The row has 17 MB"), "\(words)")
    #expect(try await engine.read(key: key("c")) == Data("3".utf8))
  }

  @Test func `fault 96: a row too large to be read again is not written`() async throws {
    let cluster = try PostgresCluster.shared.get()
    let engine = try PostgresStorageEngine(try cluster.newDatabase(), namespace: "notes")
    try await engine.write(Data("1".utf8), key: key("a"))
    let error = await #expect(throws: PostgresError.self) {
      try await engine.write(Data(count: (16 << 20) + 1), key: key("a"))
    }
    #expect(error?.kind == .tooLarge)
    #expect(try await engine.read(key: key("a")) == Data("1".utf8))
  }

  @Test func `many large rows come in several answers, each once and in their order`()
    async throws
  {
    let cluster = try PostgresCluster.shared.get()
    let engine = try PostgresStorageEngine(try cluster.newDatabase(), namespace: "notes")
    let sizes = [9, 9, 9, 16, 1, 15, 2, 16, 16].map { $0 << 20 }
    for (number, size) in sizes.enumerated() {
      try await engine.write(Data(repeating: UInt8(number), count: size), key: key("\(number)"))
    }
    let all = try await engine.readAllDataAndKeys()
    #expect(all.map(\.key.rawValue) == sizes.indices.map(String.init))
    #expect(all.map(\.data.count) == sizes)
    let page = try await engine.readDataAndKeys(after: key("1"), limit: 3)
    #expect(page.map(\.key.rawValue) == ["2", "3", "4"])
    let some = try await engine.readDataAndKeys(keys: [key("8"), key("0"), key("x"), key("5")])
    #expect(some.map(\.key.rawValue) == ["8", "0", "5"])
    let reader = try await LiveReader(engine)
    #expect(reader.known.map(\.data.count) == sizes)
  }

  @Test
  func `fault 96: an attachment comes in pieces, and one that is too large is refused in words`()
    async throws
  {
    let cluster = try PostgresCluster.shared.get()
    let database = try cluster.createDatabase()
    let engine = try PostgresStorageEngine(
      cluster.address(database: database), namespace: "notes")
    for size in [0, 1, 1 << 20, (1 << 20) + 1, 5_000_000] {
      let bytes = Data((0..<size).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 3) })
      let picture = Attachment(bytes)
      try await engine.commit([.write(Data(), key: key("\(size)"), attachments: [picture])])
      #expect(try await engine.attachmentData(for: picture.digest) == bytes)
    }
    let digest = ContentDigest(of: Data("large".utf8))
    let hexadecimal = digest.bytes.map { String(format: "%02x", $0) }.joined()
    try cluster.sql(
      "INSERT INTO pantry.attachment SELECT '\\x\(hexadecimal)', convert_to(repeat('x', 129 << 20), 'UTF8')",
      database: database)
    let error = await #expect(throws: PostgresError.self) {
      try await engine.attachmentData(for: digest)
    }
    let words = error?.description ?? ""
    #expect(words.contains("the attachment has 129 MB; at most 100 are read"), "\(words)")
  }

  @Test func `fault 96: a server that sends without an end is left`() async throws {
    let (listener, port) = try Sockets.listen(at: "127.0.0.1", backlog: 4)
    let sent = Lock(0)
    let thread = try PosixThread {
      // A parameter of 16 KB that never ends the start of a session, as long as it is taken.
      let client = Sockets.accept(from: listener)
      guard client >= 0 else { return }
      var start = [UInt8](repeating: 0, count: 4_096)
      _ = recv(client, &start, start.count, 0)
      let head: [UInt8] = [UInt8(ascii: "R"), 0, 0, 0, 8, 0, 0, 0, 0]
      _ = head.withUnsafeBytes { send(client, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      let parameter: [UInt8] =
        [UInt8(ascii: "S"), 0, 0, 0x40, 0] + Array(repeating: UInt8(ascii: "x"), count: 0x3F00)
        + [0] + Array(repeating: UInt8(ascii: "y"), count: 0x4000 - 4 - 0x3F00 - 2) + [0]
      while sent.withLock(\.self) < 512 << 20 {
        let count = parameter.withUnsafeBytes {
          send(client, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
        guard count > 0 else { break }
        sent.withLock { $0 += count }
      }
      close(client)
    }
    let engine = try PostgresStorageEngine(
      "host=127.0.0.1 port=\(port) user=pantry sslmode=disable gssencmode=disable",
      namespace: "notes")
    let error = await #expect(throws: PostgresError.self) { try await engine.keyCount() }
    #expect(error?.kind == .cutOff)
    thread.join()
    close(listener)
    // What was sent is what was taken, and what is in the sockets.
    #expect(sent.withLock(\.self) < 128 << 20)
  }
}
