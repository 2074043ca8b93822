/// The memory of one drawing's masks, used again by the next when one has gone.
///
/// A mask of a whole picture is 3 MB, and a drawing has twenty: fresh from the system each time, its
/// pages would cost more than what is done with them.
final class MaskRoom {
  private let count: Int
  private var free: [UnsafeMutablePointer<UInt32>] = []

  /// Makes room for masks of `count` pixels.
  init(count: Int) {
    self.count = count
  }

  deinit {
    for values in free { values.deallocate() }
  }

  /// Returns memory that is all 0.
  func take() -> UnsafeMutablePointer<UInt32> {
    let values = free.popLast() ?? .allocate(capacity: count)
    values.initialize(repeating: 0, count: count)
    return values
  }

  /// Takes back what is no longer used.
  func giveBack(_ values: UnsafeMutablePointer<UInt32>) {
    free.append(values)
  }
}
