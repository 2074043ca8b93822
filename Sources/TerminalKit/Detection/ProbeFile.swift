internal import Glibc

/// A one-pixel RGB file that tests whether the terminal can read local files.
///
/// `remove()` removes it.
struct ProbeFile: Sendable {
  package let path: String

  /// Creates the file in memory, or else in the temporary directory; nil if neither is writable.
  ///
  /// kitty refuses files below /dev, except in /dev/shm (kitty, "The kitty graphics protocol").
  package init?() {
    for directory in ["/dev/shm", "/tmp"] {
      var template = Array("\(directory)/terminal-probe-XXXXXX".utf8CString)
      let descriptor = mkstemp(&template)
      guard descriptor >= 0 else { continue }
      let written = Glibc.write(descriptor, [0, 0, 0] as [UInt8], 3)
      close(descriptor)
      if written == 3 {
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return
      }
      unlink(template)
    }
    return nil
  }

  /// Removes the file.
  package func remove() { unlink(path) }
}
