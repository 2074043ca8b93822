/// The size of the grid's thumbnails, in steps.
package struct GridSize: Equatable {
  /// The least columns of a thumbnail for each step.
  private static let steps = [8, 12, 16, 22, 30, 42, 60, 84]

  package static let standard = GridSize(step: 2)
  /// All sizes, the smallest first.
  package static let all = steps.indices.map { GridSize(step: $0) }

  package let step: Int

  /// - Parameter step: the number of the step; the nearest one is taken.
  package init(step: Int) { self.step = max(0, min(Self.steps.count - 1, step)) }

  /// The least columns of a thumbnail.
  package var columns: Int { Self.steps[step] }

  /// Returns the size that is a number of steps larger; nil if there is none.
  package func larger(by count: Int) -> GridSize? {
    let size = GridSize(step: step + count)
    return size == self ? nil : size
  }
}
