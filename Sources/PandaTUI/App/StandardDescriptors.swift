internal import Glibc

/// Standard input, output and error.
enum StandardDescriptors {
  /// Opens /dev/null in the place of those that are closed.
  ///
  /// Call it before anything is opened: else a file or a connection would get the number, and what
  /// is printed would be written into it.
  static func occupy() {
    for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO]
    where fcntl(descriptor, F_GETFD) < 0 {
      // The lowest number that is free is this one; where it fails there is nothing better.
      _ = open("/dev/null", O_RDWR)  // see above
    }
  }
}
