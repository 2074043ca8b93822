package import FoundationEssentials
internal import SystemSupport
internal import Pantry
internal import PictureCodecs

/// Rotates among several sources, and asks the next one if one fails or is slow.
///
/// Each has a gate: one that fails repeatedly backs off, and so does one that asks for a wait. All
/// that share its host are spared by the client.
package final class SourceRing: ImageSource {
  struct Member: Sendable {
    /// The name on the command line.
    let name: String
    let source: any ImageSource
    let weight: Int
  }

  package struct Status: Equatable, Sendable, Identifiable {
    /// The name on the command line.
    package let id: String
    package let label: String
    package let homePage: URL?
    package let isEnabled: Bool
    /// Whether it is used only if no other has a picture.
    package let isReserve: Bool
    /// The number of consecutive failures.
    package let failures: Int
    /// How long it is not asked, and why; nil if it may be asked now.
    package let rest: RequestGate.Rest?
    /// Its last answer; nil before the first one.
    package let last: Answer?
    package let isAsked: Bool
  }

  package enum Answer: Equatable, Sendable {
    /// A picture, with its title if it has one.
    case picture(title: String?, at: Date)
    /// A failure, with its reason.
    case failure(String, at: Date)
  }

  private struct State {
    var rotation: WeightedRotation
    var disabled: Set<String> = []
    var last: [String: Answer] = [:]
    var asked: [String: Int] = [:]
    /// The most recent pictures, newest last.
    var recent: [ContentDigest] = []
  }

  /// The displayed name: the source's own if there is only one.
  package let name: String

  /// Health is recorded for each source, not for all together.
  package var notesOwnAnswers: Bool { true }

  /// The time to wait for a source before the next one is asked too.
  static let patience = Duration.seconds(1)
  static let concurrencyLimit = 3
  /// The number of consecutive pictures that must differ.
  private static let recentLimit = 24

  let members: [Member]
  private let library: ImageLibrary
  private let gates: RequestGates
  private let timer: MonotonicTimer
  private let jitter: @Sendable () -> Double
  private let now: @Sendable () -> Date
  private let log: Log
  private let state: Lock<State>

  /// - Parameters:
  ///   - jitter: 0..<1, random.
  ///   - log: receives each failure of a source, and what follows from it.
  init(
    _ members: [Member], name: String, library: ImageLibrary, gates: RequestGates,
    timer: MonotonicTimer, jitter: @escaping @Sendable () -> Double,
    now: @escaping @Sendable () -> Date,
    log: Log = .off
  ) {
    precondition(!members.isEmpty, "a ring has at least one source")
    self.members = members
    self.name = members.count == 1 ? members[0].source.name : name
    self.library = library
    self.gates = gates
    self.timer = timer
    self.jitter = jitter
    self.now = now
    self.log = log
    // If all are reserves they take turns.
    let isAllReserve = members.allSatisfy { $0.weight == 0 }
    state = Lock(
      State(
        rotation: WeightedRotation(
          members.map { ($0.name, isAllReserve ? 1 : $0.weight) })))
  }

  // MARK: Fetching

  private enum Event: Sendable {
    case arrived(Member, FetchedImage)
    case failed(Member, any Error)
    case waited
  }

  /// Provides a picture from the source whose turn it is, or else from another.
  ///
  /// If a source takes longer than ``patience`` the next is asked too; the first picture wins.
  package func fetchImage(
    progress: @escaping @Sendable (FetchProgress) -> Void
  ) async throws -> FetchedImage {
    var turns = turns()[...]
    guard !turns.isEmpty else { throw noSourceError() }
    let report = ProgressFilter(progress)
    return try await withThrowingTaskGroup(of: Event.self) { group in
      defer { group.cancelAll() }
      var running = 0
      var spare: FetchedImage?
      var failures: [any Error] = []
      var unreachable: [(Member, any Error)] = []

      func askNext() {
        guard running < Self.concurrencyLimit, let member = turns.popFirst() else { return }
        running += 1
        group.addTask { [self] in try await ask(member, report) }
      }
      func wait() {
        group.addTask { [timer] in
          try await timer.sleep(Self.patience)
          return .waited
        }
      }
      askNext()
      wait()
      while let event = try await group.next() {
        switch event {
        case .waited:
          // A picture that is already arriving is worth waiting for.
          if !report.isReceiving { askNext() }
          if !turns.isEmpty { wait() }
        case .arrived(let member, let image):
          running -= 1
          guard await isRepeated(image) else {
            // Another source has answered, so the network works: these sources failed themselves.
            for (member, error) in unreachable { fail(member, error, as: .useless) }
            succeed(member, image)
            return image
          }
          fail(member, ImageSourceError(.repeated, host: member.source.name))
          spare = spare ?? image
          askNext()
        case .failed(let member, let error):
          running -= 1
          report.forget(member.source.name)
          failures.append(error)
          // Without a network the others would fail alike: only one more is asked, to be sure.
          let isOffline = RequestGate.Failure(error) == .offline
          let offline = failures.count { RequestGate.Failure($0) == .offline }
          fail(member, error)
          if isOffline { unreachable.append((member, error)) }
          if !isOffline || offline < 2 { askNext() }
        }
        guard running == 0 else { continue }
        // A repeated picture is better than none.
        if let spare {
          remember(spare)
          return spare
        }
        let asked = failures.filter {
          if case .resting = RequestGate.Failure($0) { false } else { true }
        }
        if unreachable.count > 1, unreachable.count == asked.count {
          // The name of one would look as if that one were the problem.
          throw ImageSourceError(
            .unreachable, host: "", detail: failures.map { "\($0)" }.joined(separator: "; "))
        }
        // Sources that were skipped because of the network would fail in the same way. One that
        // rests was not asked, and says nothing about the network.
        throw failures.min { RequestGate.Failure($0).rank < RequestGate.Failure($1).rank }
          ?? noSourceError()
      }
      throw noSourceError()
    }
  }

  private func ask(_ member: Member, _ report: ProgressFilter) async throws -> Event {
    state.withLock { $0.asked[member.name, default: 0] += 1 }
    defer { state.withLock { $0.asked[member.name, default: 1] -= 1 } }
    let name = member.source.name
    report.begin(name)
    do {
      let image = try await member.source.fetchImage { report.take($0, of: name) }
      return .arrived(member, try await image.tried())
    } catch is CancellationError {
      throw CancellationError()
    } catch {
      return .failed(member, error)
    }
  }

  /// Returns the sources that may be asked now, in order.
  private func turns() -> [Member] {
    let open = members.filter { gates.rest(of: $0.name, at: $0.source.host) == nil }
    return state.withLock { state in
      let able = open.filter { !state.disabled.contains($0.name) }
      let order = state.rotation.next(among: Set(able.map(\.name)))
      return order.compactMap { name in able.first { $0.name == name } }
    }
  }

  /// Returns the error if no source can be asked: the shortest wait.
  private func noSourceError() -> ImageSourceError {
    let rests = statuses.filter(\.isEnabled).compactMap(\.rest).filter { $0.reason != .refusal }
    guard let wait = rests.map(\.wait).min() else {
      return ImageSourceError(.switchedOff, host: name)
    }
    return ImageSourceError(.resting(wait), host: name)
  }

  /// Returns whether the picture was seen or provided recently.
  private func isRepeated(_ image: FetchedImage) async -> Bool {
    // A single source repeats its pictures as it likes.
    guard members.count > 1 else { return false }
    let digest = image.picture.digest
    if state.withLock({ $0.recent.contains(digest) }) { return true }
    return await library.isAmongNewestSeen(digest, limit: Self.recentLimit)
  }

  private func remember(_ image: FetchedImage) {
    state.withLock { state in
      state.recent = (state.recent + [image.picture.digest]).suffix(Self.recentLimit)
    }
  }

  // MARK: Health

  private func succeed(_ member: Member, _ image: FetchedImage) {
    remember(image)
    gates.open(member.name) { gate, _ in gate.succeed() }
    let answer = Answer.picture(title: image.title, at: now())
    state.withLock { $0.last[member.name] = answer }
    note(member, failure: nil)
  }

  private func fail(
    _ member: Member, _ error: any Error, as judged: RequestGate.Failure? = nil
  ) {
    let failure = judged ?? RequestGate.Failure(error)
    let sentence = (error as? any UserMessageError)?.message ?? "\(error)"
    let answer = Answer.failure(sentence, at: now())
    let consequence = gates.open(member.name) {
      $0.fail(failure, at: $1, jitter: jitter())
      return $0.words(at: $1)
    }
    state.withLock { $0.last[member.name] = answer }
    let picture = error as? PictureError
    log.error(
      picture == nil ? .network : .pictures,
      "The source \(member.name) gave no picture: \(picture?.cause ?? "\(error)"). "
        + consequence)
    if failure != .offline { note(member, failure: "\(error)") }
  }

  private func note(_ member: Member, failure: String?) {
    Task { @MainActor [library] in
      // On failure the next answer is recorded instead; the picture matters more.
      try? await library.sources.recordAnswer(of: member.source, failure: failure)
    }
  }

  // MARK: Status

  package var statuses: [Status] {
    members.map { member in
      let rest = gates.rest(of: member.name, at: member.source.host)
      let failures = gates.open(member.name) { gate, _ in gate.failures }
      return state.withLock { state in
        Status(
          id: member.name, label: member.source.name, homePage: member.source.homePage,
          isEnabled: !state.disabled.contains(member.name), isReserve: member.weight == 0,
          failures: failures, rest: rest, last: state.last[member.name],
          isAsked: state.asked[member.name, default: 0] > 0)
      }
    }
  }

  /// Enables or disables a source; one that is enabled may be asked immediately.
  package func setEnabled(_ isEnabled: Bool, _ name: String) {
    log.notice(.network, "The source \(name) is switched \(isEnabled ? "on" : "off")")
    state.withLock { state in
      if isEnabled { state.disabled.remove(name) } else { state.disabled.insert(name) }
    }
    if isEnabled, let member = members.first(where: { $0.name == name }) {
      gates.open(member.name) { gate, _ in gate.succeed() }
    }
  }

  /// Asks one source for a picture, regardless of its turn and its health.
  ///
  /// - Throws: the source's error; `CancellationError`.
  package func test(_ name: String) async throws -> FetchedImage {
    guard let member = members.first(where: { $0.name == name }) else { throw noSourceError() }
    switch try await ask(member, ProgressFilter { _ in }) {
    case .arrived(_, let image):
      succeed(member, image)
      return image
    case .failed(_, let error):
      fail(member, error)
      throw error
    case .waited: throw noSourceError()
    }
  }
}

protocol UserMessageError: Error {
  var message: String { get }
}

extension HTTPError: UserMessageError {}
extension ImageSourceError: UserMessageError {}

/// Passes on the progress of the source that is furthest ahead.
private final class ProgressFilter: Sendable {
  private let progress: @Sendable (FetchProgress) -> Void
  /// The largest number of bytes received, and its source.
  private let most = Lock((bytes: 0, source: ""))

  init(_ progress: @escaping @Sendable (FetchProgress) -> Void) { self.progress = progress }

  var isReceiving: Bool { most.withLock { $0.bytes > 0 } }

  func forget(_ source: String) {
    most.withLock { most in
      if most.source == source { most = (0, "") }
    }
  }

  func begin(_ source: String) {
    guard !isReceiving else { return }
    progress(FetchProgress(bytesReceived: 0, source: source))
  }

  func take(_ update: FetchProgress, of source: String) {
    let isAhead = most.withLock { most in
      guard update.bytesReceived >= most.bytes else { return false }
      most = (update.bytesReceived, source)
      return true
    }
    guard isAhead else { return }
    var update = update
    update.source = source
    progress(update)
  }
}
