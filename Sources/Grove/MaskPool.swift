/// Reusable memory for the masks of one drawing.
///
/// A mask of a whole picture is 3 MB, and a drawing has twenty: with fresh memory each time, page
/// faults would cost more than the work itself.
final class MaskPool {
  private let count: Int
  private var free: [UnsafeMutablePointer<UInt32>] = []

  /// Creates memory for masks of `count` pixels.
  init(count: Int) {
    self.count = count
  }

  deinit {
    for values in free { values.deallocate() }
  }

  /// Returns zeroed memory.
  func take() -> UnsafeMutablePointer<UInt32> {
    let values = free.popLast() ?? .allocate(capacity: count)
    values.initialize(repeating: 0, count: count)
    return values
  }

  func recycle(_ values: UnsafeMutablePointer<UInt32>) {
    free.append(values)
  }
}
