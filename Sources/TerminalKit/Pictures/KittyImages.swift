package import Glibc
internal import SystemSupport

/// Manages the ids of the images that a terminal holds for this program.
///
/// An id is `high << 24 | low` with `low` in 16...255, so that a 256-color foreground and the third
/// diacritic of a placeholder can encode it, even through a tmux without direct color. `high` is
/// derived from the process id: two programs in one tmux share the outer terminal's images. It is
/// at most 127, since Konsole 22.12 ignores ids of 2^31 and more.
package final class KittyImages: Sendable {
  private struct State {
    /// The low bytes that are in use or not yet freed in the terminal.
    var taken: Set<UInt32> = []
    var released: [UInt32] = []
    /// The number of times the terminal has lost all images.
    var generation = 0
  }

  /// An id that the terminal knows while the generation is current.
  package struct Holding: Hashable, Sendable {
    package var id: UInt32
    package var generation: Int
  }

  private static let low: Range<UInt32> = 16..<256

  package let command: KittyCommand
  private let high: UInt32
  private let state = Lock(State())

  package init(route: KittyCommand.Route, process: pid_t = getpid()) {
    command = KittyCommand(route: route)
    // Never 0, so that the ids do not collide with small ones typed by hand.
    high = UInt32(bitPattern: process) % 127 + 1
  }

  /// The commands that make the terminal free all images of this program.
  package var cleanup: String {
    var bytes: [UInt8] = []
    for low in Self.low { command.free(high << 24 | low, to: &bytes) }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns `holding` if the terminal still has it; otherwise reserves an id, and `isNew` is true.
  ///
  /// Nil if all 240 are in use.
  package func hold(_ holding: Holding?) -> (holding: Holding, isNew: Bool)? {
    state.withLock { state in
      if let holding {
        if holding.generation == state.generation { return (holding, false) }
        return (Holding(id: holding.id, generation: state.generation), true)
      }
      guard let low = Self.low.first(where: { !state.taken.contains($0) }) else { return nil }
      state.taken.insert(low)
      return (Holding(id: high << 24 | low, generation: state.generation), true)
    }
  }

  /// Returns whether the terminal still has the image.
  func isCurrent(_ holding: Holding) -> Bool {
    state.withLock { holding.generation == $0.generation }
  }

  /// Releases an id; the terminal frees the image at the next frame.
  package func release(_ holding: Holding) {
    state.withLock { $0.released.append(holding.id) }
  }

  func freeReleased(into bytes: inout [UInt8]) {
    for id in takeReleased() { command.free(id, to: &bytes) }
  }

  /// Appends commands that hide the released images.
  ///
  /// Later images reuse their ids and so replace them in the terminal's memory. Freeing is not safe
  /// here: on a command to free one image, kitty 0.26.5 frees all others that are not currently
  /// shown.
  func hideReleased(into bytes: inout [UInt8]) {
    for id in takeReleased() { command.hide(id, to: &bytes) }
  }

  /// Makes the released ids available for other images.
  private func takeReleased() -> [UInt32] {
    state.withLock { state in
      defer { state.released = [] }
      for id in state.released { state.taken.remove(id & 0xFF) }
      return state.released
    }
  }

  /// Notes that the terminal lost every image.
  func forget() {
    state.withLock { $0.generation += 1 }
  }
}
