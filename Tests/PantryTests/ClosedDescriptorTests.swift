import Foundation
import PandaTestSupport
import Testing

@testable import Pantry
@testable import PantryFaultProbe

/// Programs that are started without their standard descriptors: fault 88.
@Suite struct ClosedDescriptorTests {
  let directory = TemporaryDirectory()

  /// Has the probe store something with descriptors closed; what is printed must be in no file.
  private func store(
    _ kind: FaultProbe.Kind, closing closed: String, options: [String] = [],
    environment: [String] = ["PATH=/usr/bin:/bin"]
  ) throws {
    let place = directory.url.appending(path: UUID().uuidString)
    let result = try Subprocess.run(
      [
        "/bin/sh", "-c", #"exec "$0" "$@" \#(closed)"#, BuildProducts.path(of: "PantryFaultProbe"),
        kind.rawValue, place.path, "0", "3",
      ] + options, environment: environment)
    #expect(result.status == 0)
    let names = try FileManager.default.subpathsOfDirectory(atPath: place.path)
    #expect(!names.isEmpty)
    for name in names {
      let bytes = FileManager.default.contents(atPath: place.appending(path: name).path)
      #expect(bytes?.firstRange(of: Data("printed".utf8)) == nil, "\(name)")
    }
  }

  @Test(
    .enabled(if: Faults.arePossible), arguments: FaultProbe.Kind.allCases,
    [">&-", "<&- >&- 2>&-"])
  func `fault 88: what is printed reaches no file, at whatever moment it is opened`(
    _ kind: FaultProbe.Kind, _ closed: String
  ) throws {
    let (library, home) = (try Faults.library(), TemporaryDirectory())
    try store(
      kind, closing: closed,
      environment: Faults.printing.environment(
        library, directory: directory.url, journal: home.path("journal")))
    withExtendedLifetime((library, home)) {}
  }

  @Test(arguments: FaultProbe.Kind.allCases)
  func `fault 88: what another thread prints reaches no file`(_ kind: FaultProbe.Kind) throws {
    for _ in 0..<Torture.rounds(1, orTorture: 200) {
      try store(kind, closing: ">&-", options: ["printing"])
    }
  }
}
