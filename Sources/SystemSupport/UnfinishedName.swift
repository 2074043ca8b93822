internal import FoundationEssentials
internal import Glibc

/// The hidden names of what has no name of its own yet, in directories of the user.
///
/// Each is locked as long as its process works on it, so that what a killed one has left can be
/// told from that, and goes with the next run.
package enum UnfinishedName {
  /// The beginning of the names; earlier versions locked nothing, and had only `.panda-`.
  package static let prefix = ".panda-new-"
  private static let suffix = ".tmp"

  /// Creates a file or a directory with a name of its own, and locks it.
  ///
  /// - Parameter make: creates what has the name, and returns a descriptor; -1 with errno.
  /// - Returns: the name and the descriptor, which is -1 if `make` has failed.
  package static func create(_ make: (String) -> Int32) -> (name: String, descriptor: Int32) {
    while true {
      let name = prefix + String(UInt64.random(in: 0 ... .max), radix: 36) + suffix
      let descriptor = make(name)
      if descriptor < 0 || isOurs(descriptor) { return (name, descriptor) }
      close(descriptor)
    }
  }

  /// Locks what was just created; false if another process has taken it for a remnant before.
  private static func isOurs(_ descriptor: Int32) -> Bool {
    // Without locks, nothing is taken for a remnant.
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { return errno != EWOULDBLOCK }
    var status = stat()
    return fstat(descriptor, &status) != 0 || status.st_nlink > 0
  }

  /// Removes what killed processes have left in a directory.
  package static func removeRemnants(
    in directory: OpenFolder, beginning prefix: String = prefix
  ) {
    // Remnants that cannot be listed or removed stay, which is harmless.
    guard let names = try? directory.names() else { return }
    for name in names where name.hasPrefix(prefix) && name.hasSuffix(suffix) {
      let remnant = Descriptors.open(name, O_RDONLY | O_NOFOLLOW, in: directory.descriptor)
      guard remnant >= 0 else { continue }
      defer { close(remnant) }
      guard flock(remnant, LOCK_EX | LOCK_NB) == 0 else { continue }
      try? FileManager.default.removeItem(atPath: directory.path(of: name))  // left: harmless
    }
  }
}
