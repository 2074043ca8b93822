internal import Glibc

/// Opens files, directories and watches; no descriptor that it returns is 0, 1 or 2.
///
/// Where the program was started with one of these closed, the next file to be opened would get its
/// number, and what any thread prints would be written into it. So each of these functions occupies
/// them first. `Scripts/check-style` refuses other calls that make descriptors.
///
/// Nothing waits: a pipe, a socket or a device in place of a file is refused (`ENXIO`).
///
/// All functions return a negative number on failure, with the reason in `errno`.
package enum Descriptors {
  /// Opens an existing file or directory.
  ///
  /// - Parameter folder: the directory in which a relative name is looked up.
  package static func open(_ name: String, _ flags: Int32, in folder: Int32 = AT_FDCWD) -> Int32 {
    let file = openDevice(name, flags | O_NONBLOCK, in: folder)
    var status = stat()
    guard file >= 0, fstat(file, &status) == 0 else { return file }
    guard [S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT) else {
      close(file)
      errno = ENXIO
      return -1
    }
    return file
  }

  /// Opens whatever has a name, such as a terminal.
  package static func openDevice(
    _ name: String, _ flags: Int32, in folder: Int32 = AT_FDCWD
  ) -> Int32 {
    occupyStandard()
    return openat(folder, name, flags | O_CLOEXEC | O_NOCTTY)
  }

  /// Creates a file for its owner only (0600), whatever the umask; fails if there is one.
  ///
  /// What root creates in the directory of a user belongs to that user.
  package static func create(_ name: String, _ flags: Int32, in folder: Int32 = AT_FDCWD) -> Int32 {
    occupyStandard()
    let file = openat(folder, name, flags | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard file >= 0 else { return file }
    var status = stat()
    if fstat(file, &status) == 0, status.st_mode & 0o777 != 0o600 { _ = fchmod(file, 0o600) }
    giveToOwner(file, ofParentOf: name, in: folder)
    return file
  }

  /// Creates a file for writing, with a mode to which the umask applies; fails if there is one.
  package static func create(_ name: String, mode: UInt32, in folder: Int32) -> Int32 {
    occupyStandard()
    return openat(folder, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
  }

  /// Opens a file, which is created if there is none; a symbolic link is not followed.
  package static func openOrCreate(_ name: String, _ flags: Int32, in folder: Int32 = AT_FDCWD)
    -> Int32
  {
    while true {
      let found = open(name, flags | O_NOFOLLOW, in: folder)
      if found >= 0 || errno != ENOENT { return found }
      let created = create(name, flags, in: folder)
      if created >= 0 || errno != EEXIST { return created }
    }
  }

  /// Creates a directory for its owner only (0700), whatever the umask.
  ///
  /// What root creates in the directory of a user belongs to that user.
  ///
  /// - Returns: 0, or -1 with the reason in `errno`.
  package static func createDirectory(_ path: String) -> Int32 {
    guard mkdir(path, 0o700) == 0 else { return -1 }
    var status = stat()
    if lstat(path, &status) == 0, status.st_mode & 0o700 != 0o700 { chmod(path, 0o700) }
    guard geteuid() == 0 else { return 0 }
    let folder = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
    guard folder >= 0 else { return 0 }
    // Another directory may have taken its place.
    if fstat(folder, &status) == 0, status.st_uid == 0 { giveToOwner(folder, ofParentOf: path) }
    close(folder)
    return 0
  }

  /// Opens a directory for ``names(in:)``.
  package static func openDirectory(_ path: String, in folder: Int32 = AT_FDCWD) -> Int32 {
    open(path, O_RDONLY | O_DIRECTORY, in: folder)
  }

  package static func inotify() -> Int32 {
    occupyStandard()
    return inotify_init1(Int32(O_NONBLOCK | O_CLOEXEC))
  }

  /// Creates a socket for a stream, which does not block.
  package static func streamSocket(_ family: Int32) -> Int32 {
    let type = SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue
    occupyStandard()
    return Glibc.socket(family, Int32(type), 0)
  }

  package static func duplicate(_ descriptor: Int32) -> Int32 {
    fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
  }

  /// Opens /dev/null in place of the closed ones of 0, 1 and 2.
  ///
  /// Called by itself before a library opens descriptors, such as SQLite, which moves a file from
  /// there only after it has opened it.
  package static func occupyStandard() {
    let isClosed = (STDIN_FILENO...STDERR_FILENO).contains { fcntl($0, F_GETFD) < 0 }
    guard isClosed else { return }
    // open(2) returns the lowest free number. Another thread may do the same; without /dev/null
    // nothing else is left to do.
    var last: Int32
    repeat { last = Glibc.open("/dev/null", O_RDWR) } while (0...STDERR_FILENO).contains(last)
    if last >= 0 { close(last) }
  }

  /// Gives a new file of root's to the owner of its directory, unless that is world-writable.
  private static func giveToOwner(
    _ file: Int32, ofParentOf name: String, in folder: Int32 = AT_FDCWD
  ) {
    guard geteuid() == 0 else { return }
    var parent = stat()
    let path = strdup(name)
    defer { free(path) }
    guard fstatat(folder, dirname(path), &parent, 0) == 0, parent.st_uid != 0,
      parent.st_mode & (S_ISVTX | S_IWOTH) == 0
    else { return }
    // Fails where files have no owners, as on FAT, or where root is mapped, as on NFS.
    _ = fchown(file, parent.st_uid, parent.st_gid)
  }
}
