import Foundation
import PandaTestSupport
import Testing

@testable import Pantry
@testable import PantryFaultProbe

/// One value that many processes change at once.
@Suite(.timeLimit(.minutes(30))) struct ValueProcessTests {
  let directory = TemporaryDirectory(inMemory: true)

  @Test(arguments: ["stored", "async"])
  func `twenty processes that add one fifty times lose none`(_ kind: String) async throws {
    let place = directory.storage
    let probes = try (0..<20).map { _ in
      try ProbeProcess(
        "PantryLiveProbe", ["add", place.url.path(percentEncoded: false), kind, "50"])
    }
    for probe in probes {
      #expect(await probe.line() == "done")
      #expect(await probe.hasSucceeded())
    }
    let sum: Int
    if kind == "stored" {
      sum = StoredValue(wrappedValue: 0, key: "count", directory: place).wrappedValue
    } else {
      let engine = try SQLiteStorageEngine(directory: place, namespace: "values")
      let value = AsyncStoredValue(wrappedValue: 0, key: "count", storage: engine)
      try await value.valueHasLoaded()
      sum = value.wrappedValue
    }
    #expect(sum == 1_000)
  }

  @Test(arguments: 3...10)
  func `no value is lost where too few files can be opened`(_ limit: Int) async throws {
    let result = try Subprocess.run(
      [
        "sh", "-ec", #""$0" "$@" 0 2; ulimit -n \#(limit); exec "$0" "$@" 2 2"#,
        BuildProducts.path(of: "PantryFaultProbe"), "values",
        directory.storage.url.path(percentEncoded: false),
      ], environment: ["PATH=/usr/bin:/bin", "SWIFT_BACKTRACE=enable=no"])
    let lines = result.output.split(separator: "\n").map(String.init)
    try #require(lines.contains("done 1"))
    let found = try await FaultProbe.Kind.values.checkedContent(of: directory)
    #expect(PossibleContent(.values, after: lines).contents.contains(found), "\(lines)")
  }

  @Test func `changes of two processes are made one on top of the other`() async throws {
    let home = ValueHome()
    let (here, there) = (ValueRegistry(), ValueRegistry())
    let (one, other) = (home.value([0], registry: here), home.value([0], registry: there))
    one.append(1)
    #expect(one.wrappedValue == [0, 1])
    try await one.flush()
    other.append(2)
    // It shows at once: on what is in memory, until the file has it.
    #expect(other.wrappedValue.last == 2)
    try await other.flush()
    #expect(other.wrappedValue == [0, 1, 2])
    one.togglePresence(0)
    one.append(3)
    try await one.flush()
    #expect(one.wrappedValue == [1, 2, 3])
    other.set([9])
    try await other.flush()
    let relaunched = home.value([0], registry: ValueRegistry())
    #expect(relaunched.wrappedValue == [9])
  }

  @Test func `two keys that are equal strings with other bytes are two values`() async throws {
    let registry = ValueRegistry()
    let home = ValueHome()
    for (number, key) in ["\u{e9}", "e\u{301}"].enumerated() {
      let place = StorageDirectory(url: home.storage.url.appending(path: key))
      let value = StoredValue(wrappedValue: -1, key: key, directory: place, registry: registry)
      #expect(value.wrappedValue == -1)
      value.set(number)
      try await value.flush()
      #expect(value.wrappedValue == number)
    }
  }
}
