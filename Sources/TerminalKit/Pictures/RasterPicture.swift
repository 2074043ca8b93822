internal import SystemSupport
internal import PictureCodecs

/// A picture that is written as one image wherever it is shown; text makes holes in it.
///
/// A partly visible picture is encoded as an image of its visible part.
final class RasterPicture: PreparedPicture {
  /// Returns the bytes that draw a bitmap in a rectangle of cells from the cursor on.
  typealias Encode = @Sendable (Bitmap, CellSize) -> [UInt8]

  package let size: CellSize
  let repair: PictureRepair
  private let cell: PixelSize
  private let bitmap: Bitmap
  private let encode: Encode
  private let whole: [UInt8]
  /// The most recently drawn part, other than the whole.
  private let lastPart = Lock<(part: CellRect, bytes: [UInt8])?>(nil)

  /// Encodes a picture.
  ///
  /// - Parameters:
  ///   - bitmap: exactly as many pixels as `size` has.
  ///   - whole: the bytes that draw all of it, if known.
  ///   - repair: what the terminal needs where text was written over it.
  init(
    size: CellSize, cell: PixelSize, _ bitmap: Bitmap, whole: [UInt8]? = nil,
    repair: PictureRepair = .part, encode: @escaping Encode
  ) {
    self.size = size
    self.cell = cell
    self.bitmap = bitmap
    self.repair = repair
    self.encode = encode
    self.whole = whole ?? encode(bitmap, size)
  }

  package func draw(_ part: CellRect, at point: CellPoint, into bytes: inout [UInt8]) {
    bytes.appendMove(to: point)
    bytes += encoded(part)
  }

  package var printed: [UInt8] { printed(whole) }

  private func encoded(_ part: CellRect) -> [UInt8] {
    if part == CellRect(size) { return whole }
    if let last = lastPart.withLock(\.self), last.part == part { return last.bytes }
    let bytes = encode(bitmap.cropped(to: part.pixels(cell: cell)), part.size)
    lastPart.withLock { $0 = (part, bytes) }
    return bytes
  }
}
