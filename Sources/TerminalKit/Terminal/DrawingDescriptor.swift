internal import Glibc
internal import SystemSupport

package struct DrawingDescriptor: Sendable {
  package let number: Int32
  /// Whether a write waits until the terminal takes it.
  let blocks: Bool

  /// Reopens the terminal of standard output.
  ///
  /// Whether writes wait belongs to the open file, and standard output's is the shell's, too. Where
  /// the terminal may not be opened, as after `su`, that is used as it is.
  package static func open() -> DrawingDescriptor {
    let own = Descriptors.openDevice("/proc/self/fd/1", O_RDWR | O_NONBLOCK)
    guard own >= 0 else { return DrawingDescriptor(number: STDOUT_FILENO, blocks: true) }
    return DrawingDescriptor(number: own, blocks: false)
  }
}
