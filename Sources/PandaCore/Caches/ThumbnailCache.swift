internal import FoundationEssentials
package import Pantry
package import PictureCodecs
internal import SystemSupport

/// A cache of thumbnails, kept as small JPEG files in a directory.
///
/// A file is named by the SHA-256 of the picture's bytes, so that it never becomes stale, and
/// looking it up does not read the picture. The directory may be deleted at any time, even while
/// the program runs; a damaged file counts as absent and is replaced.
///
/// The files are JPEG because it decodes fastest: 320x240 in 0.6 ms, a third of the time for PNG.
package actor ThumbnailCache {
  /// The size of a thumbnail, with proportions of 4:3; one of a whole picture fits in it.
  ///
  /// Large enough for 16x6 cells of 20x40 pixels.
  package static let size = PixelSize(width: 320, height: 240)

  /// Whether a thumbnail shows all of a picture, whose shape would not be recognized otherwise.
  ///
  /// Up to 3:2 and down to 4:5 it shows the largest part of 4:3.
  package static func isWhole(_ picture: PixelSize) -> Bool {
    !PixelSize(width: 3, height: 2).isAsWide(as: picture)
      || !picture.isAsWide(as: PixelSize(width: 4, height: 5))
  }

  /// `$XDG_CACHE_HOME/panda/thumbnails`.
  package static var standardDirectory: StorageDirectory {
    .caches(appendingPath: "panda/thumbnails")
  }

  /// Part of each name: change it along with the cropping method, or with what colors become.
  private static let version = 3

  private let executor = QueueExecutor(label: "panda.thumbnails")
  private let files: CacheFiles

  /// The cache's own serial queue, on which it waits for the disk.
  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  /// Creates a cache in a directory, which need not exist.
  ///
  /// - Parameters:
  ///   - directory: the directory of the files.
  ///   - limit: the maximum total size of the files in bytes; the least recently used are removed,
  ///     now and in the background.
  package init(
    directory: StorageDirectory = standardDirectory,
    limit: Int = 64 << 20
  ) {
    files = CacheFiles(directory: directory.url)
    Task { await removeOldest(over: limit) }
  }

  /// Returns the thumbnail of a picture: all of it, or the largest part of 4:3 in its upper middle.
  ///
  /// A cached thumbnail needs neither the picture's bytes nor decoding them; otherwise it is made
  /// from them, and cached unless they are incomplete. Throws any error of reading and decoding,
  /// and `CancellationError`.
  ///
  /// - Parameters:
  ///   - picture: the bytes of the picture.
  ///   - target: the useful number of pixels; a cached thumbnail has at least as many, or all.
  ///   - decoder: decodes the picture or the cached file.
  package func thumbnail(
    of picture: Attachment, isWhole: Bool = false, covering target: PixelSize = ThumbnailCache.size,
    decoder: PictureDecoder
  ) async throws -> DecodedPicture {
    let (found, isKept) = try await thumbnailToKeep(
      of: picture, isWhole: isWhole, covering: target, decoder: decoder)
    guard !isKept else { return found }
    let thumbnail = found.asThumbnail(isWhole: isWhole)
    keep(thumbnail, of: picture.digest, isWhole: isWhole)
    return thumbnail
  }

  /// Returns the pixels of a thumbnail, and whether it is in the cache.
  ///
  /// For a screen that waits for several: one that is not may be larger, and ``keep(_:of:)``, which
  /// then takes a third of the time, can follow later. Throws as
  /// ``thumbnail(of:covering:decoder:)``.
  package func thumbnailToKeep(
    of picture: Attachment, isWhole: Bool = false, covering target: PixelSize = ThumbnailCache.size,
    decoder: PictureDecoder
  ) async throws -> (thumbnail: DecodedPicture, isKept: Bool) {
    if let kept = await kept(
      picture.digest, isWhole: isWhole, covering: target, decoder: decoder)
    {
      return (kept, true)
    }
    // An original from a server takes long, and those on the screen wait for it.
    try Task.checkCancellation()
    let decoded = try await decoder.decode(picture.data(), covering: Self.size)
    try Task.checkCancellation()
    guard !isWhole else { return (decoded, false) }
    let cropped = DecodedPicture(
      bitmap: decoded.bitmap.cropped(toFill: Self.size), originalSize: decoded.originalSize,
      isIncomplete: decoded.isIncomplete, colorIssue: decoded.colorIssue)
    return (cropped, false)
  }

  /// Returns the cached thumbnail of the picture with this digest; nil if there is none.
  private func kept(
    _ digest: ContentDigest, isWhole: Bool, covering target: PixelSize, decoder: PictureDecoder
  ) async -> DecodedPicture? {
    guard let data = files.read(name(of: digest, isWhole: isWhole)),
      let kept = try? await decoder.decode(data, covering: target),  // damaged: recreated
      kept.originalSize == (isWhole ? kept.originalSize.fitted(in: Self.size) : Self.size),
      !kept.isIncomplete
    else { return nil }
    return kept
  }

  /// Writes a new thumbnail to the cache, unless it is incomplete, or its colors are not true.
  package func keep(
    _ thumbnail: DecodedPicture, of digest: ContentDigest, isWhole: Bool = false
  ) {
    // The library that converts colors may be installed later.
    guard !thumbnail.isIncomplete, thumbnail.colorIssue == nil,
      let data = JPEGEncoder.encode(thumbnail.asThumbnail(isWhole: isWhole).bitmap)
    else { return }
    // A full or read-only disk: it is made again next time.
    _ = try? files.write(data, name(of: digest, isWhole: isWhole))
  }

  private func name(of digest: ContentDigest, isWhole: Bool) -> String {
    "\(digest.hexadecimal)-v\(Self.version)\(isWhole ? "-whole" : "").jpg"
  }

  private func removeOldest(over limit: Int) { files.evict(over: limit) }
}

extension DecodedPicture {
  fileprivate func asThumbnail(isWhole: Bool) -> DecodedPicture {
    let size = isWhole ? bitmap.size.fitted(in: ThumbnailCache.size) : ThumbnailCache.size
    guard bitmap.size != size else { return self }
    return DecodedPicture(
      bitmap: bitmap.scaled(to: size), originalSize: originalSize,
      isIncomplete: isIncomplete, colorIssue: colorIssue)
  }
}
