import Foundation
import PandaTestSupport
import Testing

@testable import Pantry

/// Systems on which no temporary file can be made: fault 94.
@MainActor
@Suite(
  .enabled(
    if: PrivateMounts.areAllowed && !TemporaryDirectory(inMemory: true).url.path.contains("/tmp/"),
    "it hides where temporary files belong, and with a small /dev/shm it would be there itself"))
struct NoTemporaryDirectoryTests {
  let directory = TemporaryDirectory(inMemory: true)

  /// Runs the probe where no temporary file can be made.
  private func run(_ action: String, count: Int = 0) throws -> String {
    let (isWell, output) = PrivateMounts.run(
      #"""
      cp "$1" "$2/probe"
      for place in /tmp /var/tmp /usr/tmp; do
        if [ -d $place ]; then mount -t tmpfs -o ro tmpfs $place; fi
      done
      export TMPDIR=/nowhere
      cd /var/tmp
      exec "$2/probe" \#(action) "$2/store" Note \#(count)
      """#, [try BuildProducts.path(of: "PantryLiveProbe"), directory.url.path], withErrors: true)
    #expect(isWell, "\(output)")
    return output
  }

  @Test func `fault 94: backups and compacting work without a temporary directory`() async throws {
    #expect(try run("compact", count: 4_000) == "done\n")
    #expect(try await Store<Note>(storage: directory.engine()).items.count == 2_000)
  }

  @Test func `fault 94: a large file is upgraded without a temporary directory`() async throws {
    _ = try directory.engine()
    try directory.database().execute(
      """
      WITH RECURSIVE number(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 20000)
      INSERT INTO item (namespace, key, data, createdAt, updatedAt)
        SELECT id, n || hex(randomblob(100)), '', 1, 1 FROM namespace, number;
      UPDATE item SET data = '{"id":"' || key || '","text":""}';
      ALTER TABLE namespace DROP COLUMN record;
      PRAGMA user_version = 5;
      """)
    #expect(try run("upgrade") == "done\n")
    #expect(try await directory.engine().keyCount() == 20_000)
  }
}
