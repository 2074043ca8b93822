/// The rows of a grid, in which each section begins a row of its own.
struct GridRows: Equatable {
  struct Section: Equatable {
    let title: String
    var count: Int
  }

  struct Row: Equatable {
    /// The title of the section that begins with this row.
    let title: String?
    let items: Range<Int>
  }

  let columns: Int
  let rows: [Row]

  /// Arranges favorites.
  ///
  /// - Parameters:
  ///   - sections: the sections in their order; empty for favorites without sections.
  /// - Complexity: O(n).
  init(count: Int, columns: Int, sections: [Section] = []) {
    self.columns = max(1, columns)
    var rows: [Row] = []
    var start = 0
    let parts = sections.isEmpty ? [(nil, count)] : sections.map { ($0.title as String?, $0.count) }
    for (title, size) in parts {
      let end = min(count, start + size)
      for first in stride(from: start, to: end, by: self.columns) {
        rows.append(
          Row(
            title: first == start ? title : nil, items: first..<min(end, first + self.columns)))
      }
      start = end
    }
    self.rows = rows
  }

  /// Returns the number of the row with a favorite.
  ///
  /// - Complexity: O(log n).
  func row(with index: Int) -> Int {
    var (low, high) = (0, max(0, rows.count - 1))
    while low < high {
      let middle = (low + high + 1) / 2
      if rows[middle].items.lowerBound <= index { low = middle } else { high = middle - 1 }
    }
    return low
  }

  /// Returns the favorite that is a number of rows further down, in the same column.
  ///
  /// It stops in the first and the last row. A row that is too short has its last one.
  func index(of index: Int, movedBy count: Int) -> Int {
    guard !rows.isEmpty else { return index }
    let row = row(with: index)
    let column = index - rows[row].items.lowerBound
    let target = rows[max(0, min(rows.count - 1, row + count))].items
    return target.contains(index) ? index : min(target.lowerBound + column, target.upperBound - 1)
  }

  /// Returns the first row to show if `last` is to be the last one that is whole.
  ///
  /// The title of the first row is not in the grid, but above it.
  ///
  /// - Parameters:
  ///   - lines: the height of the view.
  ///   - rowLines: the height of a row without its title, which takes one more.
  func top(above last: Int, lines: Int, rowLines: Int) -> Int {
    guard rows.indices.contains(last) else { return 0 }
    var top = last
    var rest = lines - rowLines
    while top > 0 {
      rest -= rowLines + (rows[top].title == nil ? 0 : 1)
      guard rest >= 0 else { break }
      top -= 1
    }
    return top
  }
}
