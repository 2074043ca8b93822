import Foundation
import PandaTestSupport
import Pantry
import Testing

@testable import PantryPostgres

/// Tables of earlier versions, and several clients that make them at once.
@Suite(.enabled(if: PostgresCluster.programs != nil, "\(PostgresCluster.advice)"))
struct PostgresUpgradeTests {
  private let cluster: PostgresCluster
  private let database: String

  init() throws {
    cluster = try PostgresCluster.shared.get()
    database = try cluster.createDatabase()
  }

  private func engine(_ machine: Int) throws -> PostgresStorageEngine {
    try PostgresStorageEngine(
      cluster.address(database: database) + " application_name=m\(machine)", namespace: "notes")
  }

  private func version() throws -> String {
    try cluster.sql("SELECT version FROM pantry.library", database: database)
  }

  @Test func `tables of version 1 are upgraded with all rows, whichever client is first`()
    async throws
  {
    try cluster.sql(
      PostgresSchema.creation.joined(separator: ";\n") + """
        ;
        INSERT INTO pantry.namespace (name) VALUES ('notes');
        INSERT INTO pantry.item (namespace, digest, key, data) VALUES (1, '', 'a', 'one');
        INSERT INTO pantry.item (namespace, digest, key, data) VALUES (1, '', 'b', 'two');
        DELETE FROM pantry.item WHERE key = 'b';
        INSERT INTO pantry.attachment (digest, data) VALUES (sha256('picture'), 'picture');
        INSERT INTO pantry.reference SELECT id, sha256('picture') FROM pantry.item;
        -- What no longer may be, and is left as it is.
        INSERT INTO pantry.reference SELECT id, sha256('lost') FROM pantry.item
        """, database: database)
    #expect(try version() == "1")
    try await withThrowingTaskGroup { group in
      for machine in 1...5 {
        group.addTask {
          let engine = try engine(machine)
          #expect(try await engine.allKeys() == [CacheKey(verbatim: "a")])
          #expect(
            try await engine.attachmentData(for: ContentDigest(of: Data("picture".utf8)))
              == Data("picture".utf8))
        }
      }
      try await group.waitForAll()
    }
    #expect(try version() == "3")
    try await engine(1).write(Data("changed".utf8), key: CacheKey(verbatim: "a"))
    #expect(try await engine(2).read(key: CacheKey(verbatim: "a")) == Data("changed".utf8))
  }

  @Test func `clients that make the tables at once all succeed`() async throws {
    try await withThrowingTaskGroup { group in
      for machine in 1...8 {
        group.addTask {
          try await engine(machine).write(Data(), key: CacheKey(verbatim: "\(machine)"))
        }
      }
      try await group.waitForAll()
    }
    #expect(try await engine(1).keyCount() == 8)
    #expect(try version() == "3")
  }
}
