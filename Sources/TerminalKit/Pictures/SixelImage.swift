internal import PictureCodecs

/// An image as sixels that can be divided into bands, images of their own with the same colors.
struct SixelImage {
  /// A band and its first row of pixels.
  typealias Band = (row: Int, bytes: [UInt8])

  /// The rows of pixels in a row of sixels.
  static let sixel = 6

  /// The bytes before the raster attributes, `ESC P 0;1;0 q`.
  private let introducer: ArraySlice<UInt8>
  private let size: PixelSize
  /// The definitions of all colors.
  private let palette: ArraySlice<UInt8>
  /// The rows of sixels, each with its `-`.
  private let rows: [ArraySlice<UInt8>]

  /// Divides an encoded image; nil if it is not what libchafa makes.
  init?(_ bytes: [UInt8], size: PixelSize) {
    self.size = size
    guard let raster = bytes.firstIndex(of: UInt8(ascii: "\"")),
      let colors = bytes[raster...].firstIndex(of: UInt8(ascii: "#")),
      let end = bytes.lastIndex(of: 0x1B), end > colors
    else { return nil }
    introducer = bytes[..<raster]
    let start = Self.endOfDefinitions(bytes[colors..<end])
    palette = bytes[colors..<start]
    rows = bytes[start..<end].split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
      .filter { !$0.isEmpty }
  }

  /// Returns the index of the first color that is used rather than defined: `#n` without `;`.
  private static func endOfDefinitions(_ bytes: ArraySlice<UInt8>) -> Int {
    var index = bytes.startIndex
    while index < bytes.endIndex, bytes[index] == UInt8(ascii: "#") {
      var next = index + 1
      var isDefinition = false
      while next < bytes.endIndex, (0x30...0x3B).contains(bytes[next]) {
        if bytes[next] == UInt8(ascii: ";") { isDefinition = true }
        next += 1
      }
      guard isDefinition else { break }
      index = next
    }
    return index
  }

  /// Returns as few bands as possible that begin at rows of cells.
  ///
  /// - Parameters:
  ///   - cell: the height of a cell.
  ///   - greatest: the greatest height of a band.
  func bands(cell: Int, greatest: Int) -> [Band] {
    // The least height of whole cells and whole sixels.
    let unit = Self.leastCommonMultiple(cell, Self.sixel)
    let height = max(1, greatest / unit) * unit
    return stride(from: 0, to: size.height, by: height).map { row in
      let end = min(size.height, row + height)
      var bytes = Array(introducer)
      bytes += "\"1;1;\(size.width);\(end - row)".utf8
      bytes += palette
      for index in row / Self.sixel..<(end + Self.sixel - 1) / Self.sixel where index < rows.count {
        bytes += rows[index]
        bytes.append(UInt8(ascii: "-"))
      }
      bytes += "\u{1B}\\".utf8
      return (row, bytes)
    }
  }

  private static func leastCommonMultiple(_ one: Int, _ other: Int) -> Int {
    var (a, b) = (max(1, one), other)
    while b > 0 { (a, b) = (b, a % b) }
    return max(1, one) / a * other
  }
}
