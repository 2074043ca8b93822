package import FoundationEssentials
internal import Glibc
internal import Pantry
internal import PictureCodecs
internal import SystemSupport

package enum PictureFile {
  /// Saves the bytes of a picture at the typed place, and returns the path.
  ///
  /// No directory is created, and nothing is replaced unless that is asked for: an existing file or
  /// link with that name is an error. The file has the whole picture or does not exist. Runs off
  /// the main actor. Throws `PictureFileError` or `FileError`.
  ///
  /// - Parameters:
  ///   - data: the bytes, which are written unchanged.
  ///   - typed: the text that the user typed, see ``SaveDestination``.
  ///   - suggestion: the file name if a directory was typed.
  ///   - replaces: whether it takes the place of an existing file.
  ///   - home: the home directory; nil means that of ``BaseDirectories``.
  ///   - currentDirectory: the base of a relative path; nil means the process's.
  @concurrent
  package static func save(
    _ data: Data, to typed: String, suggestion: String, replaces: Bool = false,
    home: String? = nil, currentDirectory: String? = nil
  ) async throws -> String {
    let place = SaveDestination(
      typed: typed, format: data.withUnsafeBytes { PictureFormat(sniffing: $0) },
      suggestion: suggestion, home: home ?? BaseDirectories().home.path(percentEncoded: false),
      currentDirectory: currentDirectory ?? FileManager.default.currentDirectoryPath
    ) { path in
      var status = stat()
      return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }
    guard let place else { throw PictureFileError(reason: .noName, path: typed) }
    // Checked before the work starts, so that an existing file is reported at once.
    var status = stat()
    guard replaces || lstat(place.path, &status) != 0 else {
      throw PictureFileError(reason: .exists, path: place.path)
    }
    let file = try NewFile(at: place.path)
    try file.write(data)
    do {
      try file.finish(replacing: replaces)
    } catch let error as FileError where error.code == EEXIST {
      // It came there meanwhile.
      throw PictureFileError(reason: .exists, path: place.path)
    }
    return place.path
  }
}
