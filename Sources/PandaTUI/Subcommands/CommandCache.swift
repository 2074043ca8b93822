internal import FoundationEssentials
internal import PandaCore
internal import Pantry
internal import PictureCodecs

/// Copies of picture files for other programs, in `$XDG_CACHE_HOME/panda/pictures`.
///
/// A copy has the digest of its bytes as its name, and is read-only: what a program is to change,
/// it saves elsewhere. The directory may be deleted at any time.
struct CommandCache: Sendable {
  let directory: URL
  /// The cache of thumbnails, which stands beside it.
  let thumbnails: StorageDirectory

  /// - Parameter directory: the directory of all caches of the program.
  init(in directory: StorageDirectory = .caches(appendingPath: "panda")) {
    self.directory = directory.url.appending(path: "pictures")
    thumbnails = StorageDirectory(url: directory.url.appending(path: "thumbnails"))
  }

  /// Returns the path of a copy of a picture's file, made if it is not there.
  @concurrent
  func path(of picture: Attachment) async throws -> String {
    let name = picture.digest.hexadecimal
    let manager = FileManager.default
    for ending in Self.endings {
      let file = directory.appending(path: "\(name).\(ending)")
      let size = try? manager.attributesOfItem(atPath: file.path)[.size] as? Int  // none: copied
      if size == picture.byteCount { return file.path(percentEncoded: false) }
    }
    let data = try await picture.data()
    let format = data.withUnsafeBytes { PictureFormat(sniffing: $0) }
    let file = directory.appending(path: "\(name).\(format?.filenameExtension ?? "bin")")
    try manager.createDirectory(
      at: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    try data.write(to: file, options: .atomic)
    return file.path(percentEncoded: false)
  }

  /// The file extensions of the formats that can be favorites.
  private static let endings = ["jpg", "png", "webp", "gif", "bin"]
}
