import PandaCore
import Pantry
import Testing

@Suite struct LibraryConditionTests {
  private static let busy = StorageError.inUse(path: "/p")
  private static let damage = StorageError.damagedFile(path: "/p", reason: "r")
  private struct Other: Error {}

  /// Returns the notice and the action of each event, by their names.
  private func steps(
    retriesLocks: Bool = true, _ events: LibraryCondition.Event...
  ) -> [String] {
    var condition = LibraryCondition(retriesLocks: retriesLocks)
    return events.map { event in
      let (notice, action) = condition.handle(event)
      let name = notice.map { "\($0)".prefix { $0 != "(" } } ?? "-"
      return "\(name) \(action)"
    }
  }

  @Test func `a locked file is reported once and retried`() {
    #expect(
      steps(.failed(Self.busy), .failed(Self.busy), .read)
        == ["isLocked readLater", "- readLater", "isReadAgain none"])
  }

  @Test func `a command does not wait for a locked file`() {
    #expect(steps(retriesLocks: false, .failed(Self.busy)) == ["cannotBeRead none"])
  }

  @Test func `damage is recovered once, and then read`() {
    #expect(
      steps(.failed(Self.damage), .recovered(nil), .read)
        == ["isDamaged recover", "isWhole read", "- none"])
    #expect(
      steps(.failed(Self.damage), .recovered(nil), .failed(Self.damage), .failed(Self.damage))
        == ["isDamaged recover", "isWhole read", "wasNotRecovered none", "isDamaged recover"])
  }

  @Test func `rows that damage hid are read after the recovery`() {
    #expect(
      steps(.read, .failed(Self.damage), .recovered(nil), .read)
        == ["- none", "isDamaged recover", "isWhole read", "- none"])
  }

  @Test func `several reads that find damage share one recovery`() {
    #expect(
      steps(
        .read, .foundDamage, .foundDamage, .failed(Self.damage), .notRecovered(Other()),
        .foundDamage)
        == [
          "- none", "- recover", "- none", "- none", "wasNotRecovered none", "- recover",
        ])
  }

  @Test func `a lost server is reported once, and read again when it is back`() {
    #expect(
      steps(
        .cutOff(reason: "gone"), .cutOff(reason: "gone"), .failed(Other()), .connected, .read,
        .cutOff(reason: "gone"), .connected)
        == [
          "isCutOff none", "- none", "cannotBeReached none", "isConnected read",
          "isReadAgain none", "isCutOff none", "isConnected none",
        ])
  }

  @Test func `an uninterrupted connection reports nothing`() {
    #expect(steps(.connected) == ["- none"])
  }

  @Test func `any other error is reported with its reason`() {
    #expect(steps(.failed(Other())) == ["cannotBeRead none"])
  }
}
