internal import FoundationEssentials

/// How much of the machine the coding of many items takes.
struct CodingPace: Sendable {
  /// How many items one task codes.
  let chunkSize: Int
  /// How many tasks there are at a time.
  let tasks: Int

  /// All cores, for somebody waits.
  ///
  /// A chunk is worth a task, and every core gets some.
  static let fast = CodingPace(chunkSize: 512, tasks: .max)

  /// All cores but one, in chunks of a millisecond or two, for there is an excerpt on the screen.
  ///
  /// What shows it, pictures above all, must not wait in the line behind thousands of items.
  static let gentle = CodingPace(
    chunkSize: 128, tasks: max(1, ProcessInfo.processInfo.activeProcessorCount - 1))
}
