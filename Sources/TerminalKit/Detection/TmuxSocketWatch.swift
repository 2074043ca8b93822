internal import Dispatch
internal import Glibc
internal import SystemSupport

/// Notices that a terminal is attached to tmux, or the last one detached.
///
/// tmux sets the execute bit of its socket while any session is attached, as its CHANGES say.
/// Without inotify, focus and keys tell it later.
@MainActor
package final class TmuxSocketWatch {
  private let source: any DispatchSourceRead

  /// Watches the socket of the tmux that the program runs in; nil if there is none.
  package init?(_ environment: TerminalEnvironment, onChange: @escaping @MainActor () -> Void) {
    // The variable is the path, the server's process and the session, with commas.
    guard let fields = environment["TMUX"]?.split(separator: ","), fields.count > 2 else {
      return nil
    }
    let path = fields.dropLast(2).joined(separator: ",")
    let descriptor = Descriptors.inotify()
    guard descriptor >= 0 else { return nil }
    guard inotify_add_watch(descriptor, path, UInt32(IN_ATTRIB)) >= 0 else {
      close(descriptor)
      return nil
    }
    source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: .main)
    source.setEventHandler {
      MainActor.assumeIsolated {
        TerminalGuard.prepareThread()
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while read(descriptor, &buffer, buffer.count) > 0 {}
        onChange()
      }
    }
    source.setCancelHandler { close(descriptor) }
    source.resume()
  }

  /// Stops watching.
  package func stop() { source.cancel() }
}
