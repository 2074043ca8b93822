internal import FoundationEssentials
internal import Glibc
internal import PandaCore
internal import Pantry
internal import PictureCodecs

/// Saves pictures to files that a person names.
enum PictureFile {
  /// Saves the bytes of a picture where the person typed, and returns the path.
  ///
  /// No directory is made and nothing is ever replaced: a file, or a link to whatever, that has the
  /// name already is an error. The file has the whole picture or is not there. Runs off the main
  /// actor.
  ///
  /// - Parameters:
  ///   - data: the bytes, which are written as they are.
  ///   - typed: what the person typed, see ``PicturePlace``.
  ///   - suggestion: the name where a directory was typed.
  ///   - home: the home directory; nil stands for that of ``BaseDirectories``.
  ///   - currentDirectory: what a relative path starts from; nil stands for the process's.
  @concurrent
  static func save(
    _ data: Data, to typed: String, suggestion: String, home: String? = nil,
    currentDirectory: String? = nil
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
    try NewFile(place).write(data)
    return place.path
  }
}

/// A file that is made whole or not at all, under a name that nothing else has.
private struct NewFile: ~Copyable {
  private let place: PicturePlace
  private let directory: Int32

  init(_ place: PicturePlace) throws(PictureFileError) {
    self.place = place
    directory = try Self.check(place) {
      open(place.directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    }
  }

  deinit { close(directory) }

  func write(_ data: Data) throws(PictureFileError) {
    // Before the work: what is refused in the end is refused at once.
    var status = stat()
    guard fstatat(directory, place.name, &status, AT_SYMLINK_NOFOLLOW) != 0 else {
      throw PictureFileError(reason: .exists, path: place.path)
    }
    let temporary = ".panda-\(getpid())-\(String(UInt64.random(in: 0 ... .max), radix: 36)).tmp"
    // The process's umask takes its part of the mode.
    let file = try check {
      openat(directory, temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
    }
    defer { unlinkat(directory, temporary, 0) }
    do {
      defer { close(file) }
      try write(data, to: file)
      try check { fsync(file) }
    }
    try rename(temporary)
    // So that a loss of power does not take the name; not every file system can.
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

  /// Gives the finished file its name, unless something has got it meanwhile.
  ///
  /// By link(2), which like no rename(2) but Linux's own refuses to replace.
  private func rename(_ temporary: String) throws(PictureFileError) {
    do {
      try check { linkat(directory, temporary, directory, place.name, 0) }
    } catch  where [.system(EPERM), .system(EOPNOTSUPP), .system(EMLINK)].contains(error.reason) {
      // There are no links, as on FAT: an empty file takes the name first, and is the one replaced.
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

  /// Makes a system call, again if a signal interrupted it, and turns -1 into an error.
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
