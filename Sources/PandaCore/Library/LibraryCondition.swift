package import Pantry

/// Decides what follows from the outcomes of reading a library: event in, step out.
///
/// Screen and commands report events, perform the actions, and word the notices. It performs
/// nothing itself.
package struct LibraryCondition {
  /// An outcome of reading the library, or of what its engine was asked for.
  package enum Event {
    case read
    case failed(any Error)
    /// Another read, such as of a picture, found damage.
    case foundDamage
    /// The recovery ended; nil if the file was whole.
    case recovered(RecoveryReport?)
    case notRecovered(any Error)
    case cutOff(reason: String)
    case connected
  }

  package enum Notice {
    case isReadAgain
    /// Another program keeps it locked; it is tried again.
    case isLocked(any Error)
    /// It is damaged, and what can be read is about to be recovered.
    case isDamaged(any Error)
    case isWhole
    case wasRecovered(RecoveryReport)
    case wasNotRecovered(any Error)
    case cannotBeRead(any Error)
    /// The server is gone; it is tried again.
    case isCutOff(reason: String)
    /// A read failed since the server is gone, which the user knows.
    case cannotBeReached(any Error)
    case isConnected
  }

  /// A task for the caller, whose outcome is the next event.
  package enum Action: Hashable, Sendable {
    case none, read, readLater, recover
  }

  private enum Phase {
    case unread, locked, failed, recovering, recovered, read
  }

  private var phase = Phase.unread
  private var hasBeenRead = false
  /// Whether a read found the damage that is being recovered from.
  private var mustReadAgain = false
  private var isCutOff = false
  /// Whether the caller reads a locked file again later.
  private let retriesLocks: Bool
  package private(set) var hasRecovered = false

  package init(retriesLocks: Bool) { self.retriesLocks = retriesLocks }

  /// Returns the notice for the user, if any, and the next action.
  package mutating func handle(_ event: Event) -> (notice: Notice?, action: Action) {
    switch event {
    case .read:
      let hadFailed = phase == .failed || phase == .locked
      phase = .read
      hasBeenRead = true
      return (hadFailed ? .isReadAgain : nil, .none)
    case .failed(let error):
      return handle(error)
    case .foundDamage:
      guard phase != .recovering else { return (nil, .none) }
      phase = .recovering
      return (nil, .recover)
    case .recovered(let report):
      phase = .recovered
      let notice = report.map(Notice.wasRecovered) ?? (hasRecovered ? nil : .isWhole)
      if report != nil { hasRecovered = true }
      let readsAgain = mustReadAgain || !hasBeenRead
      mustReadAgain = false
      return (notice, readsAgain ? .read : .none)
    case .notRecovered(let error):
      phase = .failed
      return (.wasNotRecovered(error), .none)
    case .cutOff(let reason):
      guard !isCutOff else { return (nil, .none) }
      isCutOff = true
      return (.isCutOff(reason: reason), .none)
    case .connected:
      guard isCutOff else { return (nil, .none) }
      isCutOff = false
      return (.isConnected, hasBeenRead ? .none : .read)
    }
  }

  private mutating func handle(_ error: any Error) -> (notice: Notice?, action: Action) {
    switch ErrorKind(of: error) {
    case .busy where retriesLocks && !hasBeenRead:
      let isKnown = phase == .locked || phase == .failed
      phase = .locked
      return (isKnown ? nil : .isLocked(error), .readLater)
    case _ where isCutOff:
      phase = .failed
      return (.cannotBeReached(error), .none)
    case .damage where phase == .recovering:
      // The recovery under way reads again.
      mustReadAgain = true
      return (nil, .none)
    case .damage where phase != .recovered:
      phase = .recovering
      mustReadAgain = true
      return (.isDamaged(error), .recover)
    case .damage:
      phase = .failed
      return (.wasNotRecovered(error), .none)
    default:
      phase = .failed
      return (.cannotBeRead(error), .none)
    }
  }
}
