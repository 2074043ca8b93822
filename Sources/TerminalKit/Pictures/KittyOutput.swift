package import FoundationEssentials
package import PictureCodecs

package struct KittyOutput: PictureOutput {
  /// The method of displaying a picture that the terminal holds.
  package enum Method: Sendable {
    /// As Unicode placeholders: ordinary cells whose character encodes which part of which image
    /// to show. For kitty from 0.28 and Ghostty, also through tmux.
    ///
    /// - Parameter repeatsCharacters: whether the terminal has REP, `CSI n b` (terminfo's `rep`).
    case placeholders(repeatsCharacters: Bool)
    /// As placements, which lie on their own layer. For terminals without Unicode placeholders:
    /// kitty before 0.28, Konsole, WezTerm.
    case placements
    /// At the cursor, for an animation among lines of text.
    case cursor
  }

  let method: Method
  let images: KittyImages
  let readsFiles: Bool
  /// Whether the terminal plays animations by itself.
  let plays: Bool

  /// Creates the output.
  ///
  /// - Parameters:
  ///   - readsFiles: whether the terminal can read this machine's files.
  ///   - plays: whether it plays animations by itself, as only kitty does.
  package init(_ method: Method, images: KittyImages, readsFiles: Bool, plays: Bool = false) {
    self.method = method
    self.images = images
    self.readsFiles = readsFiles
    self.plays = plays
  }

  package func pixelsPerCell(_ cell: PixelSize) -> PixelSize { cell }

  package func prepare(
    _ bitmap: Bitmap, encoded: Data?, filling size: CellSize, cell: PixelSize
  ) -> any PreparedPicture {
    picture(bitmap.scaled(filling: size, cell: cell), filling: size, cell: cell)
  }

  /// Makes a picture of exactly as many pixels as its cells have.
  func picture(
    _ bitmap: Bitmap, filling size: CellSize, cell: PixelSize
  ) -> any KittyPicture {
    let image = KittyImage(bitmap, images: images, readsFiles: readsFiles)
    return switch method {
    case .placeholders(let repeats):
      KittyPlaceholderPicture(size: size, image: image, repeats: repeats)
    case .placements: KittyPlacedPicture(size: size, cell: cell, image: image)
    case .cursor: KittyCursorPicture(size: size, image: image)
    }
  }

  /// Returns a picture whose bitmap is sent once; nil in tmux, which knows nothing of placements.
  ///
  /// A placement shows it even where placeholders are used, since those have no source rectangle.
  package func magnifiable(_ bitmap: Bitmap) -> (any MagnifiablePicture)? {
    guard images.command.route == .direct else { return nil }
    return KittyMagnifiablePicture(KittyImage(bitmap, images: images, readsFiles: readsFiles))
  }

  package func beginFrame(into bytes: inout [UInt8]) {
    switch method {
    case .placeholders: images.freeReleased(into: &bytes)
    case .placements, .cursor: images.hideReleased(into: &bytes)
    }
  }

  /// Half of the ids; the others are for animations, for the card, and for pictures that are
  /// replaced in this frame.
  package var mostPictures: Int { 120 }

  package func imagesWereLost() { images.forget() }
  package var ending: String { images.command.ending }
  package var cleanup: String { images.cleanup }
}
