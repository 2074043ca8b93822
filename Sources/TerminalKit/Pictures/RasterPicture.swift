internal import PictureCodecs
internal import Synchronization

/// A picture that is written as one image wherever it is shown, and that text makes holes in.
///
/// Where only a part of it can be seen, that part is an image of its own.
final class RasterPicture: PreparedPicture {
  /// Returns what draws a bitmap in a rectangle of cells from the cursor on.
  typealias Encode = @Sendable (Bitmap, CellSize) -> [UInt8]

  package let size: CellSize
  let repair = PictureRepair.part
  private let cell: PixelSize
  private let bitmap: Bitmap
  private let encode: Encode
  private let whole: [UInt8]
  /// The part that was drawn last, beside the whole.
  private let lastPart = Mutex<(part: CellRect, bytes: [UInt8])?>(nil)

  /// Encodes a picture.
  ///
  /// - Parameters:
  ///   - bitmap: as many pixels as `size` has.
  ///   - whole: what draws all of it, where that is known.
  init(
    size: CellSize, cell: PixelSize, _ bitmap: Bitmap, whole: [UInt8]? = nil,
    encode: @escaping Encode
  ) {
    self.size = size
    self.cell = cell
    self.bitmap = bitmap
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
