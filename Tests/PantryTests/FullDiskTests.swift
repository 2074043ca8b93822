import Foundation
import PandaTestSupport
import Testing

@testable import Pantry

/// A real file system without room: a tmpfs of three megabytes, in a namespace of its own.
@Suite struct FullDiskTests {
  @Test(.enabled(if: PrivateMounts.areAllowed))
  func `removing works on a full disk, and makes room for the next addition`() async throws {
    let directory = TemporaryDirectory()
    let (isWell, output) = PrivateMounts.run(
      "mount -t tmpfs -o size=3m tmpfs $1; exec $2 fill $1 Note",
      [directory.url.path, try BuildProducts.path(of: "PantryLiveProbe")])
    #expect(output.split(separator: "\n") == ["full", "removed", "emptied"])
    #expect(isWell)
  }
}
