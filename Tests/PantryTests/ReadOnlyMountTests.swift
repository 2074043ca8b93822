import SystemSupport
import Foundation
import Glibc
import PandaTestSupport
import Testing

@testable import Pantry

/// Storages on a file system that is mounted read-only, and in a directory that cannot be written.
@MainActor
@Suite(.enabled(if: PrivateMounts.areAllowed)) struct ReadOnlyMountTests {
  let directory = TemporaryDirectory()

  /// How a storage is opened there.
  nonisolated static let kinds = ["", "-readonly"]

  /// Why it cannot be written.
  enum Place: CaseIterable {
    case mount, directory

    /// A script that puts the files of $2 on $1, and what then runs a program there.
    var script: (preparing: String, running: String) {
      let copying = #"mount -t tmpfs tmpfs "$1"; cp -a "$2"/. "$1"/; "#
      return switch self {
      case .mount: (copying + #"mount -o remount,bind,ro "$1""#, #""$3""#)
      case .directory:
        (
          copying + #"chmod 555 "$1""#,
          #"setpriv --bounding-set -dac_override,-dac_read_search "$3""#
        )
      }
    }
  }

  /// What `PantryLiveProbe look` prints there of the files in `source`.
  ///
  /// - Parameter event: a command, after which it looks again and prints more.
  private func look(
    _ source: String, _ kind: String, on place: Place = .mount, then event: String? = nil
  ) throws -> [String] {
    let target = TemporaryDirectory()
    let look = #"\#(place.script.running) look "$1" "$4""#
    let running =
      event.map { event in
        """
        mkfifo "$5"
        \(look) < "$5" | {
          exec 3> "$5"
          for line in 1 2 3; do read -r line; echo "$line"; done
          \(event); echo >&3; cat
        }
        """
      } ?? look
    let (isWell, output) = PrivateMounts.run(
      place.script.preparing + "\n" + running,
      [
        target.url.path, directory.path(source), try BuildProducts.path(of: "PantryLiveProbe"),
        kind, directory.path("fifo"),
      ])
    #expect(isWell)
    return output.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map {
      String($0).replacing(target.url.path, with: "/place")
    }
  }

  /// What lies beside a database.
  enum Beside: CaseIterable {
    case nothing, emptyLog, logAndIndex, logAlone
  }

  /// Makes a directory with a database of two notes.
  private func makeDatabase(_ name: String, _ beside: Beside) async throws {
    let engine = try directory.engine()
    let store = try await Store<Note>(storage: engine)
    try await store.add([Note(id: "a"), Note(id: "b")])
    if beside == .nothing || beside == .emptyLog { try await engine.close() }
    let suffixes =
      switch beside {
      case .nothing: [""]
      case .emptyLog: ["", "-notify"]
      case .logAlone: ["", "-wal", "-notify"]
      case .logAndIndex: ["", "-wal", "-shm", "-notify"]
      }
    try FileManager.default.createDirectory(
      atPath: directory.path(name), withIntermediateDirectories: false)
    for suffix in suffixes {
      try FileManager.default.copyItem(
        atPath: directory.path("store/pantry.sqlite" + suffix),
        toPath: directory.path("\(name)/pantry.sqlite" + suffix))
    }
    // As the end of a program leaves it that does not close the file.
    if beside == .emptyLog {
      try Data().write(to: URL(filePath: directory.path("\(name)/pantry.sqlite-wal")))
    }
  }

  @Test(arguments: [Beside.nothing, .emptyLog, .logAndIndex], kinds)
  func `a database on a read-only file system is shown, and writing throws`(
    _ beside: Beside, _ kind: String
  ) async throws {
    try await makeDatabase("copy", beside)
    let refusal = StorageError.readOnly(path: "/place/pantry.sqlite")
    #expect(try look("copy", "sqlite" + kind) == ["a,b", "\(refusal)", "a,b"])
  }

  @Test(arguments: kinds)
  func `a database whose log cannot be read there throws the reason`(_ kind: String) async throws {
    try await makeDatabase("copy", .logAlone)
    let lines = try look("copy", "sqlite" + kind)
    #expect(lines.count == 1)
    #expect(lines.first?.hasPrefix("/place/pantry.sqlite cannot be opened read-only") == true)
    #expect(lines.first?.contains("pantry.sqlite-wal") == true)
  }

  @Test(arguments: kinds)
  func `a database in a directory that cannot be written is shown`(_ kind: String) async throws {
    try await makeDatabase("copy", .nothing)
    let refusal = StorageError.readOnly(path: "/place/pantry.sqlite")
    #expect(
      try look("copy", "sqlite" + kind, on: .directory) == ["a,b", "\(refusal)", "a,b"])
  }

  @Test(arguments: kinds)
  func `the error of an older database there says what to do`(_ kind: String) throws {
    let release = TemporaryDirectory()
    try ReleasedPantry(release: "0.2.0").copy(to: release)
    try FileManager.default.copyItem(
      at: release.url.appending(path: "default-namespace/notes"),
      to: directory.url.appending(path: "old"))
    let lines = try look("old", "sqlite" + kind)
    #expect(lines.count == 1)
    #expect(lines.first?.contains("the older schema 5") == true)
  }

  @Test func `a missing storage is neither created nor shown as empty`() throws {
    let empty = directory.url.appending(path: "empty")
    try FileManager.default.createDirectory(at: empty, withIntermediateDirectories: false)
    #expect(
      try look("empty", "sqlite-readonly")
        == ["\(StorageError.nothingToRead(path: "/place/pantry.sqlite"))"])
    let lines = try look("empty", "sqlite")
    #expect(lines.count == 1)
    #expect(lines.first?.contains("the file system is read-only") == true)
  }

  @Test(arguments: ["sqlite", "disk"])
  func `a file system remounted for writing can be written`(_ kind: String) async throws {
    if kind == "sqlite" { try await makeDatabase("copy", .nothing) } else { try await makeFolder() }
    let source = kind == "sqlite" ? "copy" : "folder"
    let lines = try look(source, kind, then: #"mount -o remount,bind,rw "$1""#)
    #expect(Array(lines.dropFirst(3)) == ["a,b", "saved"])
  }

  @Test(arguments: kinds)
  func `writes by a process with more permissions are read`(_ suffix: String) async throws {
    try await makeDatabase("copy", .nothing)
    let event = #""$3" write "$1" n 1 > /dev/null"#
    let lines = try look("copy", "sqlite" + suffix, on: .directory, then: event)
    try #require(lines.count == 5)
    #expect(lines[3] == "a,b,n-0")
  }

  // MARK: Disk

  /// What else is in a directory of items.
  enum Leftover: CaseIterable {
    case nothing, temporaryFile
  }

  private func makeFolder() async throws {
    let place = StorageDirectory(url: directory.url.appending(path: "folder"))
    let store = try await Store<Note>(storage: DiskStorageEngine(directory: place))
    try await store.add([Note(id: "a"), Note(id: "b")])
  }

  @Test(arguments: Leftover.allCases, kinds)
  func `a directory of items on a read-only file system is shown`(
    _ leftover: Leftover, _ kind: String
  ) async throws {
    try await makeFolder()
    switch leftover {
    case .nothing: break
    case .temporaryFile:
      let name = DiskFileName.name(
        ofTemporary: ContentDigest(of: Data("c".utf8)), commit: 1)
      try Data("half".utf8).write(to: URL(filePath: directory.path("folder/\(name)")))
    }
    let refusal = StorageError.readOnly(path: "/place")
    #expect(try look("folder", "disk" + kind) == ["a,b", "\(refusal)", "a,b"])
    #expect(
      try look("folder", "disk" + kind, on: .directory) == ["a,b", "\(refusal)", "a,b"])
  }

  @Test(arguments: kinds)
  func `an interrupted commit there is not shown in part`(_ kind: String) async throws {
    try await makeFolder()
    // In a copy, which no engine has open.
    let place = StorageDirectory(url: directory.url.appending(path: "interrupted"))
    try FileManager.default.copyItem(atPath: directory.path("folder"), toPath: place.url.path)
    let journal = DiskJournal(commit: 1, write: [], remove: [ContentDigest(of: Data("a".utf8))])
    try journal.write(to: OpenFolder(place))
    let lines = try look("interrupted", "disk" + kind)
    #expect(lines.count == 1)
    #expect(
      lines.first?.hasPrefix("/place cannot be opened read-only: an interrupted commit") == true)
  }

  @Test func `an empty directory there has no items`() throws {
    let empty = directory.url.appending(path: "empty")
    try FileManager.default.createDirectory(at: empty, withIntermediateDirectories: false)
    let refusal = StorageError.readOnly(path: "/place")
    for kind in Self.kinds {
      #expect(try look("empty", "disk" + kind) == ["", "\(refusal)", ""])
    }
  }
}
