internal import Observation
internal import Pantry
internal import PictureCodecs

/// What this process has found out about crops among the favorites.
@MainActor
@Observable
final class CropSearch {
  /// The pairs found so far; some pictures may be no favorites anymore.
  var pairs = CropPairs()
  /// The pictures that were compared with each other.
  @ObservationIgnored var compared: Set<ContentDigest> = []

  /// Compares pictures with those before them, off the main actor.
  ///
  /// - Parameter first: leaves out pairs of which both pictures are before this index.
  func compare(_ pictures: [ShapedPicture], since first: Int) async {
    let found = await Self.pairs(among: pictures.map(\.shape), since: first)
    guard !found.isEmpty else { return }
    var pairs = pairs
    for pair in found { pairs.insert(pictures[pair.whole].digest, pictures[pair.part].digest) }
    self.pairs = pairs
  }

  /// Returns the pictures with a stored shape, each file once.
  @concurrent
  static func shaped(
    _ images: [RemoteImage], by stored: [StoredShape]
  ) async -> [ShapedPicture] {
    let cells = Dictionary(stored.map { ($0.id, $0.cells) }) { $1 }
    var digests: Set<ContentDigest> = []
    return images.compactMap { image in
      let digest = image.dataRepresentation.digest
      guard digests.insert(digest).inserted,
        let shape = cells[digest.hexadecimal].flatMap({ PictureShape(cells: $0) })
      else { return nil }
      return ShapedPicture(digest: digest, shape: shape)
    }
  }

  @concurrent
  private static func pairs(
    among shapes: [PictureShape], since first: Int
  ) async -> [(whole: Int, part: Int)] {
    CropFinder(shapes).pairs(since: first)
  }
}

/// A picture that can be searched for crops.
struct ShapedPicture {
  let digest: ContentDigest
  let shape: PictureShape
}
