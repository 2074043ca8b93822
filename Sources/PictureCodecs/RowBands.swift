internal import Dispatch

/// Divides the rows of a picture into bands, on which all cores work at the same time.
package enum RowBands {
  /// The fewest pixels of a band; with fewer, starting a thread would take longer than it saves.
  ///
  /// The tests set it.
  @TaskLocal package static var pixels = 1 << 16

  /// Calls `work` with the ranges of rows that make up all rows; returns when all are done.
  ///
  /// A small picture is one band, on the calling thread.
  ///
  /// - Parameters:
  ///   - rows: the number of rows.
  ///   - pixels: the number of pixels that all rows together stand for.
  ///   - work: does its work on some rows; called on several threads at the same time.
  package static func forEach(rows: Int, pixels: Int, _ work: @Sendable (Range<Int>) -> Void) {
    let count = max(1, min(rows, pixels / Self.pixels))
    guard count > 1 else { return work(0..<rows) }
    DispatchQueue.concurrentPerform(iterations: count) { band in
      work(rows * band / count..<rows * (band + 1) / count)
    }
  }
}
