import Foundation
import PandaTestSupport
import Testing

@testable import Pantry

/// Databases that are mounted, alone or with their directory: fault 86.
@MainActor
@Suite(.enabled(if: PrivateMounts.areAllowed)) struct MountedFileTests {
  let directory = TemporaryDirectory()

  /// What `PantryLiveProbe look` prints of a database of one note, which `script` mounts from $1
  /// to $2.
  private func look(_ kind: String, _ script: String) async throws -> [String] {
    try await Store<Note>(storage: directory.engine()).add(Note(id: "a"))
    try await directory.leaveLog()
    try FileManager.default.createDirectory(
      atPath: directory.path("mounted"), withIntermediateDirectories: false)
    let (isWell, output) = PrivateMounts.run(
      script + #"; "$3" look "$2" "$4" < /dev/null"#,
      [
        directory.storage.url.path, directory.path("mounted"),
        try BuildProducts.path(of: "PantryLiveProbe"), kind,
      ])
    #expect(isWell)
    return output.split(separator: "\n").map(String.init)
  }

  @Test(arguments: ["sqlite", "sqlite-readonly"])
  func `fault 86: a bind-mounted file is refused`(_ kind: String) async throws {
    let lines = try await look(
      kind, #"touch "$2/pantry.sqlite"; mount --bind "$1/pantry.sqlite" "$2/pantry.sqlite""#)
    let path = directory.path("mounted/pantry.sqlite")
    #expect(lines == ["\(StorageError.mountedAlone(path: path))"])
    let names = try FileManager.default.contentsOfDirectory(atPath: directory.path("mounted"))
    #expect(Set(names).isSubset(of: ["pantry.sqlite", "pantry.sqlite-notify"]), "\(names)")
  }

  @Test func `a mounted directory opens`() async throws {
    #expect(try await look("sqlite", #"mount --bind "$1" "$2""#) == ["a", "saved", "a,new"])
  }

  @Test(
    .enabled(
      if: PrivateMounts.run(
        """
        cd /mnt; mount -t tmpfs tmpfs /mnt; mkdir lower upper work all
        mount -t overlay overlay -o lowerdir=lower,upperdir=upper,workdir=work all
        """
      ).isWell))
  func `a database on overlayfs opens`() async throws {
    let script = #"""
      mount -t tmpfs tmpfs /mnt; mkdir /mnt/upper /mnt/work
      mount -t overlay overlay -o lowerdir="$1",upperdir=/mnt/upper,workdir=/mnt/work "$2"
      """#
    #expect(try await look("sqlite", script) == ["a", "saved", "a,new"])
  }
}
