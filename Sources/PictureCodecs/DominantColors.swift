/// Names the two or three dominant colors of a picture, for users who cannot see it.
///
/// The same pixels always produce the same words.
package struct DominantColors: Hashable, Sendable {
  /// The names in plain English, the most frequent first, such as "rust brown" and "dark green".
  ///
  /// At most three; one if it covers nearly the whole picture; none if the picture is transparent.
  package let names: [String]

  /// The size at which the picture is analyzed: hairs and leaves blend as they do from afar.
  private static let side = 48
  /// The minimum share of the picture for a second and a third color.
  private static let leastShare = 0.12

  /// Finds the colors of a picture.
  ///
  /// Central and colorful pixels weigh more, as they do for the eye: a panda in front of a gray
  /// wall is seen before the wall.
  ///
  /// - Complexity: O(pixels); a thumbnail has the same colors.
  package init(of bitmap: Bitmap) {
    let small = bitmap.scaled(to: PixelSize(width: Self.side, height: Self.side))
    var weights: [ColorWord.Family: [String: Double]] = [:]
    var total = 0.0
    for index in 0..<(Self.side * Self.side) {
      let pixel = small.pixels[(index * 4)..<(index * 4 + 4)]
      let start = pixel.startIndex
      guard pixel[start + 3] > 0 else { continue }
      let color = OklabColor(red: pixel[start], green: pixel[start + 1], blue: pixel[start + 2])
      let weight =
        Double(pixel[start + 3]) / 255 * (0.4 + 3.5 * min(0.2, color.chroma))
        * Self.nearness(column: index % Self.side, row: index / Self.side)
      let word = ColorWord.nearest(to: color)
      weights[word.family, default: [:]][word.name, default: 0] += weight
      total += weight
    }
    let families = weights.values.map { (names: $0, weight: $0.values.sorted().reduce(0, +)) }
    // The order of a dictionary differs in each process: names break ties between equal weights.
    let ranked = families.map { (name: Self.heaviest($0.names), weight: $0.weight) }
      .sorted { ($1.weight, $0.name) < ($0.weight, $1.name) }
    names = ranked.prefix(3).enumerated()
      .filter { $0.offset == 0 || $0.element.weight >= Self.leastShare * total }
      .map(\.element.name)
  }

  private static func heaviest(_ names: [String: Double]) -> String {
    names.min { ($1.value, $0.key) < ($0.value, $1.key) }?.key ?? ""
  }

  /// Returns the weight of a pixel by its position: 1.3 in the middle, 0.5 in the corners.
  private static func nearness(column: Int, row: Int) -> Double {
    let middle = Double(side - 1) / 2
    let (across, down) = (Double(column) - middle, Double(row) - middle)
    return 1.3 - 0.8 * ((across * across + down * down) / (2 * middle * middle)).squareRoot()
  }
}
