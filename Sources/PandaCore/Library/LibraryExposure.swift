internal import FoundationEssentials
internal import Glibc
internal import Pantry

/// The other users' access to the files of the favorites, to read or replace them.
package struct LibraryExposure: Hashable, Sendable {
  /// Whether every user of the computer could read the favorites; they no longer can.
  package var wasReadable = false
  /// The directory, if every user of the computer may put files into it.
  package var writableDirectory: String?
  /// The place of a shared library on another machine, whose certificate is not verified.
  package var unverifiedServer: String?
  /// The newest backup beside a file of favorites that is gone, so that a new one begins.
  package var backupOfMissing: String?

  /// The place of which the user is warned once; nil if there is none.
  package var place: String? { writableDirectory ?? unverifiedServer }

  /// Takes all others' permissions from the files of `directory` that the user owns.
  ///
  /// Only if every user has some: a group may share favorites on purpose. The directory stays as
  /// it is, since it may be a public one, such as `/tmp`.
  static func mend(in directory: StorageDirectory) -> LibraryExposure {
    var exposure = LibraryExposure()
    let place = directory.url.path(percentEncoded: false)
    let file = directory.url.appending(path: "favorites.sqlite").path(percentEncoded: false)
    if access(file, F_OK) != 0, errno == ENOENT {
      exposure.backupOfMissing =
        SQLiteStorageEngine.rowBackups(directory: directory, databaseFilename: "favorites.sqlite")
        .first?.path(percentEncoded: false)
    }
    for suffix in ["", "-wal", "-shm", "-notify"] {
      let path = directory.url.appending(path: "favorites.sqlite" + suffix)
        .path(percentEncoded: false)
      var status = stat()
      guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
        status.st_uid == geteuid(), status.st_mode & 0o007 != 0
      else { continue }
      // On a file system without modes it fails, or changes nothing.
      if chmod(path, status.st_mode & 0o700) == 0, stat(path, &status) == 0,
        status.st_mode & 0o007 == 0
      {
        exposure.wasReadable = true
      }
    }
    var status = stat()
    if stat(place, &status) == 0, status.st_mode & S_IFMT == S_IFDIR, status.st_mode & 0o002 != 0 {
      exposure.writableDirectory = place
    }
    return exposure
  }
}
