import Foundation
import Glibc
import PandaTestSupport
import Testing

@testable import Pantry

/// The owner and the mode of files, and those that cannot be read: fault 89.
@MainActor
@Suite struct FileOwnerTests {
  let directory = TemporaryDirectory()

  /// The names, owners and modes of all that is below a directory.
  private func files(in path: String) throws -> [(name: String, owner: UInt32, mode: UInt32)] {
    try FileManager.default.subpathsOfDirectory(atPath: path).map { name in
      var status = stat()
      guard lstat(path + "/" + name, &status) == 0 else { throw TestFailure("\(name) is gone") }
      return (name, status.st_uid, status.st_mode & 0o777)
    }
  }

  /// Writes every kind of file that Pantry has.
  private func writeAll(in home: String) async throws {
    let place = { StorageDirectory(url: URL(filePath: home + "/share/" + $0)) }
    let engine = try SQLiteStorageEngine(directory: place("sqlite"), namespace: "Note")
    let store = try await Store<Note>(storage: engine)
    try await store.add([Note(id: "a"), Note(id: "b")])
    try await engine.backUpRows()
    try await engine.backup(to: URL(filePath: home + "/share/copy.sqlite"))
    let disk = try await Store<Note>(storage: DiskStorageEngine(directory: place("disk")))
    try await disk.add([Note(id: "a"), Note(id: "b")])
    let value = StoredValue(
      wrappedValue: 1, key: "key", directory: place("state"), registry: ValueRegistry())
    value.set(2)
    try await value.flush()
    #expect(try files(in: home).contains { $0.name.hasSuffix("-wal") })
  }

  @Test(.enabled(if: geteuid() == 0))
  func `fault 89: what root creates in a user's directory belongs to that user`() async throws {
    let home = directory.path("home")
    mkdir(home, 0o755)
    try #require(chown(home, 12_345, 12_345) == 0)
    try await writeAll(in: home)
    for file in try files(in: home) { #expect(file.owner == 12_345, "\(file.name)") }
  }

  @Test(.enabled(if: geteuid() == 0), arguments: [mode_t(0o1777), 0o777, 0o1755])
  func `files that root creates in a world-writable directory stay root's`(_ mode: mode_t)
    async throws
  {
    let home = directory.path("home")
    mkdir(home, 0o755)
    try #require(chmod(home, mode) == 0 && chown(home, 12_345, 12_345) == 0)
    try await writeAll(in: home)
    for file in try files(in: home) { #expect(file.owner == 0, "\(file.name)") }
  }

  @Test(arguments: ["0777", "0277", "0022", "0"])
  func `fault 89: whatever the umask, files are 0600 and directories 0700`(
    _ mask: String
  ) throws {
    let probes = try ["PantryLiveProbe", "PantryDefaultProbe"].map(BuildProducts.path)
    let run = try Subprocess.run(
      [
        "sh", "-ec",
        """
        umask \(mask)
        "$1" look "$3/new/sqlite" sqlite < /dev/null
        "$1" look "$3/new/disk" disk < /dev/null
        XDG_DATA_HOME=$3/new/data XDG_STATE_HOME=$3/new/state "$2"
        """, "sh", probes[0], probes[1], directory.url.path,
      ], environment: ["PATH=/usr/bin:/bin"])
    #expect(run.status == 0, "\(run.output)")
    for file in try files(in: directory.url.path) {
      let isDirectory =
        try FileManager.default.attributesOfItem(atPath: directory.path(file.name))[.type]
        as? FileAttributeType == .typeDirectory
      #expect(file.mode == (isDirectory ? 0o700 : 0o600), "\(file.name)")
    }
  }

  // MARK: Files that cannot be read

  /// Runs a script as a user to whom modes apply; $1 is the directory, $2 a program.
  private func run(_ script: String, _ program: String) throws -> [String] {
    let (isWell, output) = PrivateMounts.run(
      #"exec setpriv --bounding-set -dac_override,-dac_read_search sh -ec "$3" sh "$1" "$2""#,
      [directory.url.path, try BuildProducts.path(of: program), script])
    #expect(isWell)
    return output.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(
      String.init)
  }

  @Test(.enabled(if: PrivateMounts.areAllowed), arguments: ["", "-wal", "-shm"])
  func `fault 89: the error for an unreadable database names it`(
    _ suffix: String
  ) async throws {
    let store = try await Store<Note>(storage: directory.engine())
    try await store.add(Note(id: "a"))
    let lines = try run(
      #"cp -r "$1/store" "$1/copy"; chmod 0 "$1/copy/pantry.sqlite\#(suffix)"; "$2" look "$1/copy" sqlite"#,
      "PantryLiveProbe")
    let path = directory.path("copy/pantry.sqlite" + suffix)
    #expect(lines == ["\(StorageError.cannotOpen(path: path, reason: "permission denied"))"])
    withExtendedLifetime(store) {}
  }

  @Test(.enabled(if: PrivateMounts.areAllowed))
  func `fault 89: an item that may not be read is one issue, and can be replaced`() async throws {
    let place = directory.storage
    try await Store<Note>(storage: DiskStorageEngine(directory: place))
      .add([Note(id: "new"), Note(id: "b")])
    let name = DiskFileName.name(ofItem: ContentDigest(of: Data("new".utf8)))
    let lines = try run(
      #"chmod 0 "$1/store/\#(name)"; "$2" look "$1/store" disk < /dev/null"#, "PantryLiveProbe")
    #expect(lines.prefix(2) == ["b", "saved"])
    let store = try await Store<Note>(storage: DiskStorageEngine(directory: place))
    #expect(Set(store.items.map(\.id)) == ["b", "new"])
  }

  @Test(.enabled(if: PrivateMounts.areAllowed))
  func `fault 89: a value that may not be read can be set, and its file is kept`() throws {
    let lines = try run(
      #"""
      export XDG_DATA_HOME="$1/data" XDG_STATE_HOME="$1/state"
      "$2"; "$2"; chmod 0 "$1"/state/*/values.json.d/runs.json; "$2"; "$2"
      """#, "PantryDefaultProbe")
    #expect(lines.map { $0.suffix(1) } == ["0", "1", "0", "1"], "\(lines)")
    let names = try FileManager.default.subpathsOfDirectory(atPath: directory.path("state"))
    #expect(names.contains { $0.hasSuffix("runs.json.corrupt") })
  }
}
