@testable import PictureCodecs
@testable import TerminalKit

extension Bitmap {
  /// A picture in which every pixel differs from its neighbors.
  static func gradient(_ width: Int, _ height: Int, alpha: UInt8 = 255) -> Bitmap {
    Bitmap(
      size: PixelSize(width: width, height: height),
      pixels: (0..<height).flatMap { y in
        (0..<width).flatMap { x -> [UInt8] in
          [
            UInt8(x * 255 / max(1, width - 1)), UInt8(y * 255 / max(1, height - 1)),
            UInt8((x + y) & 0xFF), alpha,
          ]
        }
      })
  }
}

extension PreparedPicture {
  /// All of it.
  var whole: CellRect { CellRect(size) }
}
