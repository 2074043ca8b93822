package import FoundationEssentials
package import PictureCodecs

/// Red pandas drawn by the program itself.
package enum BambooGrove {
  /// The default size of a drawing: 960 x 720.
  package static let defaultSize = PixelSize(width: 960, height: 720)

  /// Returns the title of the drawing of `seed`, without drawing it.
  package static func title(seed: UInt64) -> String {
    var generator = SeededGenerator(seed: seed)
    return Recipe(from: &generator).title
  }

  /// Draws the red panda of `seed`: the same seed and size always produce the same bytes.
  ///
  /// Pure, synchronous and CPU-bound: do not call it on the main actor. The sides of `size` must be
  /// from 1 to 8192. The panda is always in the 4:3 area at the middle of the lower edge.
  ///
  /// - Parameter moment: what the panda does; the rest of the drawing is the same in each.
  /// - Complexity: O(pixels), about 0.06 s at the default size in release, 0.45 s in debug.
  package static func drawing(
    seed: UInt64, size: PixelSize = defaultSize, _ moment: GroveMoment = .still
  ) -> GroveDrawing {
    precondition(
      (1...8192).contains(size.width) && (1...8192).contains(size.height),
      "the sides of a drawing are from 1 to 8192")
    var generator = SeededGenerator(seed: seed)
    var recipe = Recipe(from: &generator)
    recipe.moment = moment
    var composition = Composition(recipe: recipe, size: size, generator: &generator)
    let face = composition.draw()
    return GroveDrawing(
      seed: seed, bitmap: composition.painter.bitmap(), faceBox: face, title: recipe.title)
  }
}

package struct GroveDrawing: Sendable {
  package let seed: UInt64
  /// The pixels, all opaque.
  package let bitmap: Bitmap
  /// The box around the face, including the ears, in pixels; it lies inside the bitmap.
  package let faceBox: PixelRect
  /// A description of the scene in English: "dozing in snow".
  package let title: String

  /// Returns the drawing as a PNG file; throws if memory runs out.
  /// - Complexity: O(pixels), about 30 ms and 0.8 MB at the default size.
  package func pngData() throws -> Data {
    try PNGEncoder.encode(bitmap)
  }
}
