internal import PictureCodecs

/// A picture that kitty holds whole, and shows any part of at any size.
///
/// A step of zooming or panning sends a few dozen bytes.
final class KittyMagnifiablePicture: MagnifiablePicture {
  private let image: KittyImage

  init(_ image: KittyImage) { self.image = image }

  func part(_ region: PixelRect, filling size: CellSize) -> any PreparedPicture {
    KittyRegionPicture(region, size: size, image: image)
  }
}

/// A part of a picture, as a placement with a source rectangle.
private final class KittyRegionPicture: PreparedPicture {
  let size: CellSize
  let repair = PictureRepair.nothing
  private let region: PixelRect
  private let image: KittyImage

  init(_ region: PixelRect, size: CellSize, image: KittyImage) {
    self.region = region
    self.size = size
    self.image = image
  }

  func draw(_ part: CellRect, at point: CellPoint, into bytes: inout [UInt8]) {
    guard let id = image.id(into: &bytes) else { return }
    bytes.appendMove(to: point)
    let across = Self.share(part.columnRange, of: size.columns, from: region.x, region.size.width)
    let down = Self.share(part.rowRange, of: size.rows, from: region.y, region.size.height)
    let control =
      "a=p,i=\(id),p=\(KittyPlacedPicture.placement(at: point)),x=\(across.start),y=\(down.start),"
      + "w=\(across.length),h=\(down.length),c=\(part.columns),r=\(part.rows),C=1,q=2"
    image.command.append(control, to: &bytes)
  }

  func erase(_ part: CellRect, at point: CellPoint, into bytes: inout [UInt8]) {
    guard let id = image.knownID else { return }
    let placement = KittyPlacedPicture.placement(at: point)
    image.command.append("a=d,d=i,i=\(id),p=\(placement),q=2", to: &bytes)
  }

  var layer: AnyObject? { image }
  func transmit(into bytes: inout [UInt8]) { _ = image.id(into: &bytes) }
  func wasCut() { image.wasCut() }

  var printed: [UInt8] { [] }

  /// Returns the pixels under a range of cells.
  private static func share(
    _ cells: Range<Int>, of count: Int, from start: Int, _ length: Int
  ) -> (start: Int, length: Int) {
    let first = start + cells.lowerBound * length / max(1, count)
    let end = start + cells.upperBound * length / max(1, count)
    return (first, max(1, end - first))
  }
}
