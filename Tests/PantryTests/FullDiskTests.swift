import Foundation
import PandaTestSupport
import Testing

@testable import Pantry
@testable import PantryFaultProbe

/// A real file system without room: a tmpfs of three megabytes, in a namespace of its own.
@Suite struct FullDiskTests {
  @Test(.enabled(if: PrivateMounts.areAllowed), arguments: FaultProbe.Kind.allCases)
  func `fault 40: a full disk throws, and writing resumes once there is room`(
    _ kind: FaultProbe.Kind
  ) async throws {
    let mount = TemporaryDirectory()
    let copy = TemporaryDirectory()
    // Commits, checkpoints and copies of the file: with room, without any, and with room again.
    let (isWell, output) = PrivateMounts.run(
      """
      mount -t tmpfs -o size=4m tmpfs "$1"
      "$2" "$3" "$1/store" 0 2
      head -c 8m /dev/zero > "$1/filler" || true
      # SQLite opens no log without room for its index.
      truncate -s "-$5" "$1/filler"
      "$2" "$3" "$1/store" 2 10
      rm "$1/filler"
      "$2" "$3" "$1/store" 12 12
      cp -a "$1/store" "$4/store"
      """,
      [
        mount.url.path, try BuildProducts.path(of: "PantryFaultProbe"), kind.rawValue,
        copy.url.path, kind == .sqlite ? "64K" : "0",
      ])
    #expect(isWell)
    let lines = output.split(separator: "\n").map(String.init)
    let refusals = lines.filter { $0.hasPrefix("failed") }
    #expect(!refusals.isEmpty)
    #expect(refusals.allSatisfy { $0.contains("full") || $0.contains("no room") }, "\(refusals)")
    #expect(lines.filter { $0.hasPrefix("done ") }.count == 24 - refusals.count, "\(lines)")
    let found = try await kind.checkedContent(of: copy)
    #expect(PossibleContent(kind, after: lines).contents.contains(found), "\(lines)")
    // The last twelve steps had room.
    let last = try #require(lines.lastIndex { $0.hasPrefix("failed") })
    #expect(lines[last...].contains("begin 12"), "\(lines)")
  }

  @Test(.enabled(if: PrivateMounts.areAllowed))
  func `fault 40: a database opens on a full disk, and saving says why it fails`() async throws {
    let directory = TemporaryDirectory()
    let engine = try directory.engine()
    let store = try await Store<Note>(storage: engine)
    try await store.add([Note(id: "a"), Note(id: "b")])
    try await engine.close()
    let mount = TemporaryDirectory()
    let (isWell, output) = PrivateMounts.run(
      """
      mount -t tmpfs -o size=1m tmpfs "$1"
      mkdir "$1/store"
      cp "$2/pantry.sqlite" "$1/store/"
      head -c 2m /dev/zero > "$1/filler" || true
      echo | "$3" look "$1/store" sqlite
      """,
      [
        mount.url.path, directory.storage.url.path,
        try BuildProducts.path(of: "PantryLiveProbe"),
      ])
    #expect(isWell)
    let path = mount.path("store/pantry.sqlite")
    let refusal = "\(SQLiteError.diskFull(path: path))"
    #expect(
      output.split(separator: "\n").map(String.init) == ["a,b", refusal, "a,b", "a,b", refusal])
  }
}
