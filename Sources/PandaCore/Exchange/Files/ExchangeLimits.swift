internal import PictureCodecs

/// The limits beyond which the import of an export is refused.
///
/// An export may come from anyone. Each limit is checked before the bytes are read.
package struct ExchangeLimits: Equatable, Sendable {
  /// The most pictures of a web page with everything in it, and its most bytes, which mail takes.
  static let page = (pictures: 20, bytes: 8_000_000)

  /// The number of entries, and of favorites.
  ///
  /// As many favorites as Panda is made for, and some files that are none.
  package var entries = 101_000

  /// The size of all entries together.
  ///
  /// 100,000 pictures of half a megabyte.
  package var bytes = 50_000_000_000

  /// The size of a picture: that of ``PictureLimits/ownFiles``, so that it could have been added.
  package var pictureBytes = PictureLimits.ownFiles.bytes

  /// The size of `favorites.ndjson`, which is in memory as a whole: a kilobyte for each favorite.
  package var manifestBytes = 128_000_000

  /// The size of a line of `favorites.ndjson`: a thousand times what a favorite needs.
  package var lineBytes = 1_000_000

  package static let standard = ExchangeLimits()
}
