import CSimulatedDisk

/// A fault of a coming call of one process to the disk.
struct PlannedFault {
  enum Kind: Hashable {
    /// The process dies at the call, before, after or in the middle of it.
    case kill(Int32)
    /// The call fails with a result code of SQLite's.
    case failure(Int32)
  }

  let kind: Kind
  /// The calls that it may concern; nil for any.
  let call: simulated_call?
  let file: simulated_file?
  /// The number of such calls before it.
  var skipped: Int
  /// The number of times that it happens.
  var repeats = 1

  func concerns(_ call: simulated_call, _ file: simulated_file) -> Bool {
    (self.call == nil || self.call == call) && (self.file == nil || self.file == file)
  }

  func repeated() -> PlannedFault {
    var fault = self
    fault.repeats -= 1
    return fault
  }
}

/// Result codes of SQLite (https://sqlite.org/rescode.html).
enum SQLiteCode {
  static let busy: Int32 = 5
  static let full: Int32 = 13
  static let readError: Int32 = 266
  static let writeError: Int32 = 778
  static let syncError: Int32 = 1_034
}
