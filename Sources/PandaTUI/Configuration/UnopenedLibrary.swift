internal import FoundationEssentials
internal import Glibc
internal import PandaCore
internal import Pantry

/// The library in use, as far as is known without opening it: that would make an empty one.
struct UnopenedLibrary {
  /// Distinguishes libraries: the directory, or the place of the server without a password.
  let name: String
  /// The file of the favorites; nil if they are on a server.
  private let file: String?

  init(_ configuration: Configuration, dataDirectory: String?) {
    guard case .local = configuration.library else {
      name = configuration.library.place
      file = nil
      return
    }
    let directory = dataDirectory.map { URL(filePath: $0) } ?? StorageDirectory.favorites.url
    name = directory.path(percentEncoded: false)
    file = directory.appending(path: "favorites.sqlite").path(percentEncoded: false)
  }

  /// The state of the file and its log, which changes with any change of the favorites; nil for a
  /// server.
  var stamp: String? {
    file.map { file in
      [file, "\(file)-wal"].map { path in
        var status = stat()
        guard stat(path, &status) == 0 else { return "-" }
        let time = status.st_mtim
        return "\(status.st_ino).\(status.st_size).\(time.tv_sec).\(time.tv_nsec)"
      }.joined(separator: " ")
    }
  }

  /// Whether there is no file to open: nothing was ever kept, or the file is gone.
  var isMissing: Bool {
    guard let file else { return false }
    return access(file, F_OK) != 0 && errno == ENOENT
  }
}
