package import FoundationEssentials
package import PictureCodecs

/// Shows pictures as placements of kitty's graphics protocol, which lie on their own layer.
///
/// For terminals without Unicode placeholders: kitty before 0.28, Konsole, WezTerm.
package struct KittyPlacementOutput: PictureOutput {
  private let images: KittyImages
  private let readsFiles: Bool

  /// Creates the output.
  ///
  /// - Parameter readsFiles: whether the terminal can read this machine's files.
  package init(images: KittyImages, readsFiles: Bool) {
    self.images = images
    self.readsFiles = readsFiles
  }

  package func pixelsPerCell(_ cell: PixelSize) -> PixelSize { cell }

  package func prepare(
    _ bitmap: Bitmap, encoded: Data?, filling size: CellSize, cell: PixelSize
  ) -> any PreparedPicture {
    let image = KittyImage(
      bitmap.scaled(filling: size, cell: cell), images: images, readsFiles: readsFiles)
    return KittyPlacedPicture(size: size, cell: cell, image: image)
  }

  package func beginFrame(into bytes: inout [UInt8]) { images.hideReleased(into: &bytes) }
  package func terminalHasForgotten() { images.forget() }
  package var farewell: String { images.farewell }
}

/// A picture with one placement for each visible part.
private final class KittyPlacedPicture: PreparedPicture {
  let size: CellSize
  let repair = PictureRepair.nothing
  private let cell: PixelSize
  private let image: KittyImage

  init(size: CellSize, cell: PixelSize, image: KittyImage) {
    self.size = size
    self.cell = cell
    self.image = image
  }

  func draw(_ part: CellRect, at point: CellPoint, into bytes: inout [UInt8]) {
    guard let id = image.id(into: &bytes) else { return }
    bytes.appendMove(to: point)
    let pixels = part.pixels(cell: cell)
    // C=1: the cursor stays in place, so that nothing can scroll.
    let control =
      "a=p,i=\(id),p=\(Self.placement(at: point)),x=\(pixels.x),y=\(pixels.y),"
      + "w=\(pixels.size.width),h=\(pixels.size.height),c=\(part.columns),r=\(part.rows),C=1,q=2"
    image.command.append(control, to: &bytes)
  }

  func erase(_ part: CellRect, at point: CellPoint, into bytes: inout [UInt8]) {
    guard let id = image.knownID else { return }
    image.command.append("a=d,d=i,i=\(id),p=\(Self.placement(at: point)),q=2", to: &bytes)
  }

  var printed: [UInt8] {
    var bytes: [UInt8] = []
    image.transmitWithoutID(placement: "c=\(size.columns),r=\(size.rows),C=1", into: &bytes)
    return printed(bytes)
  }

  /// Derives a placement id, unique per image, from the position; never 0.
  private static func placement(at point: CellPoint) -> Int { point.row << 14 | point.column + 1 }
}
