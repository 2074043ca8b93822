internal import Glibc

/// Standard input, output and error.
enum StandardDescriptors {
  /// Opens /dev/null in place of the closed ones.
  ///
  /// Must be called before anything else is opened: otherwise a file or a connection would get the
  /// number, and printed text would be written into it.
  static func occupy() {
    for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO]
    where fcntl(descriptor, F_GETFD) < 0 {
      // open returns the lowest free number, which is this one; if it fails there is no
      // alternative.
      _ = open("/dev/null", O_RDWR)  // see above
    }
  }
}
