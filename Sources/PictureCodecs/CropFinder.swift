/// Finds pictures that are a part of another one.
///
/// A part may lack up to a tenth of the width or height at each edge. Two parts of a picture are a
/// pair only if one of them is a part of the other. Most pairs are told apart by their sketches;
/// the others are laid over each other, and the cut is refined until they agree best.
package struct CropFinder: Sendable {
  /// The least correlation of a picture with a part of another one that looks the same.
  ///
  /// Of 499,500 pairs of different drawings, of which many share pose, season and weather, the
  /// nearest have 0.964 and 0.956; no pair of 55 photos has 0.9. So many parts are found, as JPEG
  /// files of half the size with a quality of 60 to 80:
  ///
  /// | cut off | at all edges | at one edge | at two edges |
  /// | --- | --- | --- | --- |
  /// | 1 percent of drawings | 60 of 60 | 240 of 240 | 360 of 360 |
  /// | 3 percent | 60 of 60 | 239 of 240 | 360 of 360 |
  /// | 5 percent | 59 of 60 | 240 of 240 | 358 of 360 |
  /// | 10 percent | 49 of 60 | 229 of 240 | 326 of 360 |
  /// | 1 percent of photos | 48 of 55 | 201 of 220 | 290 of 330 |
  /// | 3 percent | 37 of 55 | 177 of 220 | 240 of 330 |
  /// | 5 percent | 35 of 55 | 180 of 220 | 239 of 330 |
  /// | 10 percent | 22 of 55 | 160 of 220 | 188 of 330 |
  ///
  /// Most that are missed are of photos of grass, gravel and the like.
  static let leastCorrelation: Float = 0.965

  /// With so many pictures to compare with, a table of the near words pays.
  private static let leastForTable = 256

  private let shapes: [PictureShape]
  private let sketches: [CropSketch]

  /// Prepares to compare pictures.
  ///
  /// - Complexity: O(n), about 8 microseconds a picture.
  package init(_ shapes: [PictureShape]) {
    self.shapes = shapes
    sketches = shapes.map { CropSketch($0.levels) }
  }

  /// Returns the pairs of pictures of which one is a part of the other.
  ///
  /// - Parameter first: leaves out pairs of which both pictures are before this index.
  /// - Complexity: O(n) for each picture from `first` on. All of 10,000 that are unlike each other
  ///   take 2.4 s; all of 1,000 drawings, many of them alike, 0.3 s, and one of them a millisecond.
  package func pairs(since first: Int = 0) -> [(whole: Int, part: Int)] {
    matches(since: first).map { ($0.whole, $0.part) }
  }

  /// Returns the pairs that correlate at least so much, and how much.
  func matches(
    since first: Int = 0, atLeast least: Float = leastCorrelation
  ) -> [(whole: Int, part: Int, correlation: Float)] {
    var matches: [(whole: Int, part: Int, correlation: Float)] = []
    var near = NearWords()
    for whole in shapes.indices {
      let parts = whole < first ? first..<shapes.count : 0..<shapes.count
      let usesTable = parts.count >= Self.leastForTable
      if usesTable { near.fill(sketches[whole]) }
      var grid: CropGrid?
      for part in parts where part != whole {
        let sketch = sketches[part].whole
        if usesTable, !near.contains(sketch) { continue }
        guard let cut = sketches[whole].cut(nearestTo: sketch) else { continue }
        let cropped = grid ?? CropGrid(shapes[whole].levels)
        grid = cropped
        let steps = CropGrid(shapes[part].levels).steps(within: Cut())
        let correlation = cropped.correlation(with: steps, near: cut)
        if correlation >= least { matches.append((whole, part, correlation)) }
      }
    }
    return matches
  }
}

/// How much of the width or height is cut off at each edge.
struct Cut {
  var left: Float = 0
  var top: Float = 0
  var right: Float = 0
  var bottom: Float = 0
}
