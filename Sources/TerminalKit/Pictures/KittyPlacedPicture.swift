internal import PictureCodecs

/// A picture with one placement for each visible part.
final class KittyPlacedPicture: KittyPicture {
  let size: CellSize
  let repair = PictureRepair.nothing
  private let cell: PixelSize
  let image: KittyImage

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
  static func placement(at point: CellPoint) -> Int { point.row << 14 | point.column + 1 }
}
