internal import FoundationEssentials
internal import Glibc
internal import PandaCore
internal import Pantry
internal import PictureCodecs

/// Saves pictures to files that the user names.
enum PictureFile {
  /// Saves the bytes of a picture at the typed place, and returns the path.
  ///
  /// No directory is created, and nothing is replaced unless that is asked for: an existing file or
  /// link with that name is an error. The file has the whole picture or does not exist. Runs off
  /// the main actor.
  ///
  /// - Parameters:
  ///   - data: the bytes, which are written unchanged.
  ///   - typed: the text that the user typed, see ``PicturePlace``.
  ///   - suggestion: the file name if a directory was typed.
  ///   - replaces: whether it takes the place of an existing file.
  ///   - home: the home directory; nil means that of ``BaseDirectories``.
  ///   - currentDirectory: the base of a relative path; nil means the process's.
  @concurrent
  static func save(
    _ data: Data, to typed: String, suggestion: String, replaces: Bool = false,
    home: String? = nil, currentDirectory: String? = nil
  ) async throws(PictureFileError) -> String {
    let place = PicturePlace(
      typed: typed, format: data.withUnsafeBytes { PictureFormat(sniffing: $0) },
      suggestion: suggestion, home: home ?? BaseDirectories().home.path(percentEncoded: false),
      currentDirectory: currentDirectory ?? FileManager.default.currentDirectoryPath
    ) { path in
      var status = stat()
      return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }
    guard let place else { throw PictureFileError(reason: .noName, path: typed) }
    try NewFile(place, replaces: replaces).write(data)
    return place.path
  }
}

/// A file that is created completely or not at all, under an unused name unless it may replace.
private struct NewFile: ~Copyable {
  private let place: PicturePlace
  private let replaces: Bool
  private let directory: Int32

  init(_ place: PicturePlace, replaces: Bool) throws(PictureFileError) {
    self.place = place
    self.replaces = replaces
    directory = try Self.check(place) {
      open(place.directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    }
  }

  deinit { close(directory) }

  func write(_ data: Data) throws(PictureFileError) {
    // Checked before the work starts, so that an existing file is reported at once.
    var status = stat()
    guard replaces || fstatat(directory, place.name, &status, AT_SYMLINK_NOFOLLOW) != 0 else {
      throw PictureFileError(reason: .exists, path: place.path)
    }
    let temporary = ".panda-\(getpid())-\(String(UInt64.random(in: 0 ... .max), radix: 36)).tmp"
    // The process's umask applies to the mode.
    let file = try check {
      openat(directory, temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
    }
    defer { unlinkat(directory, temporary, 0) }
    do {
      defer { close(file) }
      try write(data, to: file)
      try check { fsync(file) }
    }
    if replaces {
      try check { renameat(directory, temporary, directory, place.name) }
    } else {
      try rename(temporary)
    }
    // Protects the new name against a loss of power; not every file system can do this.
    _ = fsync(directory)
  }

  private func write(_ data: Data, to file: Int32) throws(PictureFileError) {
    var written = 0
    while written < data.count {
      written += try check {
        data.withUnsafeBytes { bytes in
          Glibc.write(file, bytes.baseAddress! + written, bytes.count - written)
        }
      }
    }
  }

  /// Gives the finished file its name, unless the name has been taken meanwhile.
  ///
  /// Uses link(2) because rename(2) replaces an existing file, except for a Linux-specific variant.
  private func rename(_ temporary: String) throws(PictureFileError) {
    do {
      try check { linkat(directory, temporary, directory, place.name, 0) }
    } catch let error
      where [.system(EPERM), .system(EOPNOTSUPP), .system(EMLINK)].contains(error.reason)
    {
      // Without hard links, as on FAT, an empty file reserves the name first and is then replaced.
      let empty = try check {
        openat(directory, place.name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
      }
      close(empty)
      do {
        try check { renameat(directory, temporary, directory, place.name) }
      } catch {
        unlinkat(directory, place.name, 0)
        throw error
      }
    }
  }

  @discardableResult
  private func check<Number: SignedInteger>(
    _ call: () -> Number
  ) throws(PictureFileError) -> Number {
    try Self.check(place, call)
  }

  /// Makes a system call, retries it after a signal, and turns -1 into an error.
  @discardableResult
  private static func check<Number: SignedInteger>(
    _ place: PicturePlace, _ call: () -> Number
  ) throws(PictureFileError) -> Number {
    while true {
      let number = call()
      if number >= 0 { return number }
      let code = errno
      if code == EINTR { continue }
      throw PictureFileError(reason: code == EEXIST ? .exists : .system(code), path: place.path)
    }
  }
}
