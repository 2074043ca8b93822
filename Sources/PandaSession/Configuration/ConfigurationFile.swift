internal import FoundationEssentials
internal import Glibc
internal import Pantry
internal import SystemSupport

package struct ConfigurationFile: Hashable, Sendable {
  /// The size limit in bytes.
  static let sizeLimit = 1_000_000

  let url: URL

  /// Returns its standard location, in ``BaseDirectories``.
  ///
  /// - Parameter accountHome: the home directory of the user database.
  static func standard(
    _ environment: [String: String],
    accountHome: @autoclosure () -> URL = BaseDirectories.accountHome
  ) -> ConfigurationFile {
    let directories = BaseDirectories(environment: environment, accountHome: accountHome())
    return ConfigurationFile(
      url: directories.configuration.appending(path: "panda/config.json5"))
  }

  package var path: String { url.path(percentEncoded: false) }

  /// Its name for messages, sanitized.
  var name: String { url.lastPathComponent.sanitized(upTo: 60) }

  /// The reason why the file has no usable text.
  enum Failure: Error, Hashable {
    case missing
    /// The file cannot be used.
    ///
    /// The text is the rest of a sentence that begins with the file's name.
    case unusable(String)
  }

  /// Reads the file.
  ///
  /// - Throws: `Failure`.
  func text() throws(Failure) -> String {
    let data = try data()
    guard !data.contains(0) else { throw .unusable("it is not text: it holds NUL bytes") }
    guard let text = String(validating: data, as: UTF8.self) else {
      throw .unusable("it is not text in UTF-8")
    }
    return text
  }

  private func data() throws(Failure) -> Data {
    // Without O_NONBLOCK, opening a named pipe would block forever.
    let descriptor = Descriptors.openDevice(path, O_RDONLY | O_NONBLOCK)
    guard descriptor >= 0 else {
      let code = errno
      if code == ENOENT || code == ENOTDIR, !isBehindBrokenLink { throw .missing }
      throw .unreadable(code)
    }
    let file = OpenFile(descriptor: descriptor, path: path)
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw .unreadable(errno) }
    switch status.st_mode & S_IFMT {
    case S_IFREG, S_IFCHR: break
    case S_IFDIR: throw .unusable("it is a directory")
    default: throw .unusable("it is not a file")
    }
    let data: Data
    do throws(FileError) {
      data = try file.read(Self.sizeLimit + 1, at: 0)
    } catch {
      throw .unreadable(error.code)
    }
    guard data.count <= Self.sizeLimit else { throw .unusable("it is larger than 1 MB") }
    return data
  }

  /// Whether the file or its directory is a link that leads nowhere: its settings are elsewhere,
  /// such as on a disk that is not mounted.
  private var isBehindBrokenLink: Bool {
    // Without its slash: that would follow the link.
    [path, String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])].contains { path in
      var status = stat()
      return lstat(path, &status) == 0 && stat(path, &status) != 0
    }
  }
}

extension ConfigurationFile.Failure {
  fileprivate static func unreadable(_ code: Int32) -> Self {
    .unusable("it cannot be read: \(SystemError(code: code))")
  }
}
