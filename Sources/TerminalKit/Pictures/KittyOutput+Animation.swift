package import PictureCodecs

extension KittyOutput {
  /// Each frame of a resent animation has an id, of which there are few.
  private static let mostImages = 100

  package func frameLimit(
    of original: PixelSize, filling size: CellSize, cell: PixelSize, memory: Int
  ) -> Int {
    let cell = frameCell(of: original, filling: size, cell: cell)
    let bytes = size.columns * size.rows * cell.width * cell.height * 4
    return min(plays ? .max : Self.mostImages, memory / max(1, bytes))
  }

  package func prepareFrame(
    _ bitmap: Bitmap, filling size: CellSize, cell: PixelSize
  ) -> any PreparedPicture {
    let cell = frameCell(of: bitmap.size, filling: size, cell: cell)
    return picture(bitmap.scaled(filling: size, cell: cell), filling: size, cell: cell)
  }

  package func animation(_ animation: Animation<any PreparedPicture>) -> PreparedAnimation {
    let pictures = animation.frames.compactMap { $0.picture as? any KittyPicture }
    guard plays, let first = pictures.first else {
      let frames = if case .cursor = method { successors(animation) } else { animation }
      return PreparedAnimation(frames: frames.frames, loopCount: frames.loopCount)
    }
    let bitmaps = animation.map { ($0 as? any KittyPicture)?.image.bitmap ?? first.image.bitmap }
    let played = KittyAnimation(
      first.image, frames: bitmaps.frames, loopCount: animation.loopCount, readsFiles: readsFiles)
    var index = -1
    let frames = animation.map { _ -> any PreparedPicture in
      index += 1
      return KittyFramePicture(first, of: played, index: index)
    }
    return PreparedAnimation(
      frames: frames.frames, loopCount: animation.loopCount,
      played: KittyFramePicture(first, of: played, index: nil))
  }

  /// Returns frames that take each other's place.
  private func successors(
    _ animation: Animation<any PreparedPicture>
  ) -> Animation<any PreparedPicture> {
    guard let held = images.hold(nil)?.holding else { return animation }
    return animation.map { picture in
      (picture as? any KittyPicture).map {
        KittySuccessor($0, id: held.id, readsFiles: readsFiles)
      } ?? picture
    }
  }

  /// Returns as many pixels of a cell as the original has: the terminal stretches them.
  private func frameCell(
    of original: PixelSize, filling size: CellSize, cell: PixelSize
  ) -> PixelSize {
    PixelSize(
      width: min(cell.width, max(1, (original.width + size.columns - 1) / max(1, size.columns))),
      height: min(cell.height, max(1, (original.height + size.rows - 1) / max(1, size.rows))))
  }
}
