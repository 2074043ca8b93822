internal import CPantryFileSystem
internal import Glibc
internal import SystemSupport

/// Room on the disk that is given back when there is no other, so that removing works: SQLite
/// writes before it frees anything.
///
/// It is allocated beyond the end of the ``SQLiteNotifyFile``, where nothing is ever read
/// (https://man7.org/linux/man-pages/man2/fallocate.2.html, FALLOC_FL_KEEP_SIZE). A file system
/// that cannot do that has no reserve.
enum SQLiteReserve {
  /// Enough for the index of a log and for moving some hundred rows, in bytes.
  static let byteCount = 512 << 10
  /// `FALLOC_FL_KEEP_SIZE` of linux/falloc.h.
  private static let keepsSize: Int32 = 1

  /// Allocates the reserve, unless the file has it or the disk is nearly full.
  static func keep(in descriptor: Int32) {
    var system = statvfs()
    guard !has(descriptor), fstatvfs(descriptor, &system) == 0,
      Int(system.f_bavail) * Int(system.f_frsize) >= 4 * byteCount
    else { return }
    // A failure leaves the file without a reserve, as before.
    _ = fallocate(descriptor, keepsSize, 0, off_t(byteCount))
  }

  /// Gives the reserve of the file at `path` back; false if there is none.
  static func giveBack(at path: String) -> Bool {
    let descriptor = Descriptors.open(path, O_RDWR | O_NOFOLLOW)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var status = stat()
    guard has(descriptor), fstat(descriptor, &status) == 0 else { return false }
    return ftruncate(descriptor, status.st_size) == 0
  }

  private static func has(_ descriptor: Int32) -> Bool {
    var status = stat()
    // Blocks of 512 bytes, whatever the file system's are (man 3type stat).
    return fstat(descriptor, &status) == 0 && Int(status.st_blocks) * 512 >= byteCount
  }
}
