internal import FoundationEssentials
package import Pantry
package import PictureCodecs
internal import SystemSupport

/// Whole pictures that take long to decode, kept as JPEG files at the size last shown.
///
/// For the card: at launch it shows the picture that was on it last. A PNG of 960x720 takes 17 ms
/// to decode, its preview 4. Only a few are kept. Like thumbnails, the files are named by the
/// SHA-256 of the picture's bytes, and may be deleted at any time.
package actor PreviewCache {
  /// `$XDG_CACHE_HOME/panda/previews`.
  package static var standardDirectory: StorageDirectory {
    .caches(appendingPath: "panda/previews")
  }

  /// Smaller pictures are decoded as fast without.
  private static let leastPixels = 250_000
  /// The quality of the files, on libjpeg's scale.
  ///
  /// It is over 40 dB, so that no difference is visible.
  private static let quality: Int32 = 95

  private let executor = QueueExecutor(label: "panda.previews")
  private let files: CacheFiles
  private let limit: Int

  /// The cache's own serial queue, on which it waits for the disk.
  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  /// Creates a cache in a directory, which need not exist.
  ///
  /// - Parameters:
  ///   - directory: the directory of the files.
  ///   - limit: the maximum total size of the files in bytes; the oldest are removed.
  package init(directory: StorageDirectory = standardDirectory, limit: Int = 2 << 20) {
    files = CacheFiles(directory: directory.url)
    self.limit = limit
  }

  /// Returns a picture with at least so many pixels, or all of its own; nil if none was kept.
  ///
  /// - Parameters:
  ///   - picture: the picture, whose bytes are not read.
  ///   - target: the useful number of pixels.
  ///   - decoder: decodes the file.
  package func preview(
    of picture: Attachment, covering target: PixelSize, decoder: PictureDecoder
  ) async -> DecodedPicture? {
    for kind in Kind.allCases {
      guard let data = files.read(kind.name(of: picture)),
        let kept = try? await decoder.decode(data, covering: target),  // damaged: replaced
        kind == .whole || kept.originalSize.covers(target), !kept.isIncomplete
      else { continue }
      return kept
    }
    return nil
  }

  /// The resolution of a preview: that of the picture, or a reduced one.
  ///
  /// Change the names along with what colors become.
  private enum Kind: String, CaseIterable {
    case whole = "whole-v2"
    case reduced = "reduced-v2"

    func name(of picture: Attachment) -> String {
      "\(picture.digest.hexadecimal)-\(rawValue).jpg"
    }
  }

  /// Keeps a picture that was decoded, if that may have taken long and a preview looks the same.
  package func keep(_ decoded: DecodedPicture, of picture: Attachment) {
    let (size, bitmap) = (decoded.originalSize, decoded.bitmap)
    // JPEG has no transparency, and the library that converts colors may be installed later.
    guard !decoded.isIncomplete, !decoded.isThumbnail, decoded.colorIssue == nil,
      size.width * size.height >= Self.leastPixels, bitmap.isOpaque,
      let data = JPEGEncoder.encode(bitmap, quality: Self.quality, isSharp: true),
      data.count <= limit
    else { return }
    let kind = bitmap.size == size ? Kind.whole : .reduced
    _ = try? files.write(data, kind.name(of: picture))  // a full or read-only disk: no preview
    files.evict(over: limit)
  }
}

extension PixelSize {
  fileprivate func covers(_ target: PixelSize) -> Bool {
    width >= target.width && height >= target.height
  }
}
