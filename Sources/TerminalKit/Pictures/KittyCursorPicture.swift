internal import PictureCodecs

/// A picture whose image is placed at the cursor when it is sent, and stays there.
///
/// For an animation among lines of text. Its id is of this run only: a still picture needs none.
final class KittyCursorPicture: KittyPicture {
  let size: CellSize
  let image: KittyImage
  let repair = PictureRepair.nothing

  init(size: CellSize, image: KittyImage) {
    self.size = size
    self.image = image
  }

  func draw(_ part: CellRect, at point: CellPoint, into bytes: inout [UInt8]) {
    // Nil if there are too many images, which one animation does not have.
    _ = image.id(placement: "p=1,c=\(size.columns),r=\(size.rows),C=1", into: &bytes)
  }
}

/// A frame that takes the place of the one before, by taking its id.
///
/// For terminals that do not play animations: the picture is sent each time it is shown.
final class KittySuccessor: PreparedPicture {
  let repair = PictureRepair.nothing
  private let picture: any KittyPicture
  private let id: UInt32
  private let readsFiles: Bool

  var size: CellSize { picture.size }

  init(_ picture: any KittyPicture, id: UInt32, readsFiles: Bool) {
    self.picture = picture
    self.id = id
    self.readsFiles = readsFiles
  }

  func draw(_ part: CellRect, at point: CellPoint, into bytes: inout [UInt8]) {
    picture.image.command.transmit(
      KittyPixels(picture.image.bitmap, throughFile: readsFiles), id: id,
      placement: "p=1,c=\(size.columns),r=\(size.rows),C=1", to: &bytes)
  }
}
