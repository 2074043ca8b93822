internal import Glibc

package enum DirectoryNames {
  /// Reads the names in an open directory, without `.` and `..`, and closes `descriptor`.
  ///
  /// A name that is not UTF-8 is repaired, and so matches none of ours.
  ///
  /// - Returns: the names, in no particular order; nil with the reason in `errno`.
  package static func read(_ descriptor: Int32) -> [String]? {
    guard descriptor >= 0 else { return nil }
    guard let stream = fdopendir(descriptor) else {
      let code = errno
      close(descriptor)
      errno = code
      return nil
    }
    var names: [String] = []
    errno = 0
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
      errno = 0
    }
    let code = errno
    closedir(stream)
    errno = code
    return code == 0 ? names : nil
  }
}
