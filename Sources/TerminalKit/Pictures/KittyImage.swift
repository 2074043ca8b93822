internal import SystemSupport
internal import PictureCodecs

/// An image that is transmitted when first drawn, and freed when this object is released.
final class KittyImage: Sendable {
  package let bitmap: Bitmap
  private let images: KittyImages
  private let readsFiles: Bool
  private let holding = Lock<KittyImages.Holding?>(nil)

  init(_ bitmap: Bitmap, images: KittyImages, readsFiles: Bool) {
    self.bitmap = bitmap
    self.images = images
    self.readsFiles = readsFiles
  }

  deinit {
    if let held = holding.withLock(\.self) { images.release(held) }
  }

  package var command: KittyCommand { images.command }

  /// Returns the image's id, first appending its pixels if the terminal lacks them.
  ///
  /// Nil if too many images are in use; then nothing is shown.
  package func id(placement: String? = nil, into bytes: inout [UInt8]) -> UInt32? {
    guard let (held, isNew) = images.hold(holding.withLock(\.self)) else { return nil }
    if isNew {
      holding.withLock { $0 = held }
      let pixels = KittyPixels(bitmap, throughFile: readsFiles)
      command.transmit(pixels, id: held.id, placement: placement, to: &bytes)
    }
    return held.id
  }

  /// Appends commands that show the image without an id.
  func transmitWithoutID(placement: String, into bytes: inout [UInt8]) {
    let pixels = KittyPixels(bitmap, throughFile: readsFiles)
    images.command.transmit(pixels, id: nil, placement: placement, to: &bytes)
  }

  /// Notes that the terminal has not got all of the pixels: they are sent again.
  func wasCut() { holding.withLock { $0?.generation = -1 } }

  /// The image's id, if the terminal has the image.
  var knownID: UInt32? {
    guard let held = holding.withLock(\.self), images.isCurrent(held) else { return nil }
    return held.id
  }
}

/// A picture that is one image of kitty's.
protocol KittyPicture: PreparedPicture {
  var image: KittyImage { get }
}

extension KittyPicture {
  package var layer: AnyObject? { image }
  package func transmit(into bytes: inout [UInt8]) { _ = image.id(into: &bytes) }
  package func wasCut() { image.wasCut() }
}
