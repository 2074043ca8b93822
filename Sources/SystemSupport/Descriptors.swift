internal import Glibc

/// Opens files, directories and watches; no descriptor that it returns is 0, 1 or 2.
///
/// Where the program was started with one of these closed, the next file to be opened would get its
/// number, and what the program prints would be written into it. `Scripts/check-style` refuses
/// other calls that make descriptors.
///
/// All functions return a negative number on failure, with the reason in `errno`.
package enum Descriptors {
  /// Opens an existing file.
  ///
  /// - Parameter folder: the directory in which a relative name is looked up.
  package static func open(_ name: String, _ flags: Int32, in folder: Int32 = AT_FDCWD) -> Int32 {
    aboveStandard(openat(folder, name, flags | O_CLOEXEC))
  }

  /// Creates a file for its owner only (0600), whatever the umask; fails if there is one.
  ///
  /// What root creates in the directory of a user belongs to that user.
  package static func create(_ name: String, _ flags: Int32, in folder: Int32 = AT_FDCWD) -> Int32 {
    let all = flags | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
    let file = aboveStandard(openat(folder, name, all, 0o600))
    guard file >= 0 else { return file }
    var status = stat()
    if fstat(file, &status) == 0, status.st_mode & 0o777 != 0o600 { _ = fchmod(file, 0o600) }
    giveToOwner(file, ofParentOf: name, in: folder)
    return file
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

  /// Starts a queue of events of inotify(7).
  package static func inotify() -> Int32 {
    aboveStandard(inotify_init1(Int32(O_NONBLOCK | O_CLOEXEC)))
  }

  /// Creates a socket for a stream, which does not block.
  package static func streamSocket(_ family: Int32) -> Int32 {
    let type = SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue
    return aboveStandard(Glibc.socket(family, Int32(type), 0))
  }

  /// Copies a descriptor.
  package static func duplicate(_ descriptor: Int32) -> Int32 {
    fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
  }

  /// Opens /dev/null in place of the closed ones of 0, 1 and 2, for libraries that open
  /// descriptors themselves.
  ///
  /// SQLite does the same (`SQLITE_MINIMUM_FILE_DESCRIPTOR`).
  package static func occupyStandard() {
    for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO]
    where fcntl(descriptor, F_GETFD) < 0 {
      // open returns the lowest free number, which is this one; if it fails there is no
      // alternative.
      _ = Glibc.open("/dev/null", O_RDWR)  // see above
    }
  }

  /// Moves a new descriptor above 2.
  private static func aboveStandard(_ descriptor: Int32) -> Int32 {
    guard (0...2).contains(descriptor) else { return descriptor }
    let moved = duplicate(descriptor)
    let code = errno
    close(descriptor)
    errno = code
    return moved
  }

  /// Gives a new file of root's to the owner of its directory, unless anybody may write there.
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
    _ = fchown(file, parent.st_uid, parent.st_gid)  // see above
  }
}
