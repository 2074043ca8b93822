package import FoundationEssentials
internal import Pantry
internal import PictureCodecs
internal import Synchronization

/// Lets several sources take turns, and asks the next one when one fails or lets wait.
///
/// Each has a health of its own: one that fails several times is left alone for a while, and one
/// that asks to be left alone is, and so is every other on its host.
package final class SourceRing: ImageSource {
  /// One of the sources.
  struct Member: Sendable {
    /// What it is called on the command line.
    let name: String
    let source: any ImageSource
    let weight: Int
    /// The hosts that it asks.
    let hosts: Set<String>
  }

  /// What is known of one of the sources now.
  package struct Status: Equatable, Sendable, Identifiable {
    /// What it is called on the command line.
    package let id: String
    /// What the card shows of it.
    package let label: String
    /// Where a person reads about it.
    package let homePage: URL?
    /// Whether it takes turns.
    package let isEnabled: Bool
    /// Whether it has turns only when no other has a picture.
    package let isReserve: Bool
    /// How often it has failed in a row.
    package let failures: Int
    /// How long until it may be asked again; nil for now.
    package let wait: Duration?
    /// Whether it is not asked until the next start.
    package let isOff: Bool
    /// How it answered last; nil before it was asked.
    package let last: Answer?
    /// Whether it is being asked.
    package let isAsked: Bool
  }

  /// How a source answered.
  package enum Answer: Equatable, Sendable {
    /// With a picture of this name, if it has one.
    case picture(title: String?, at: Date)
    /// Not: for this reason.
    case failure(String, at: Date)
  }

  private struct State {
    var rotation: WeightedRotation
    var health: [String: SourceHealth] = [:]
    var hosts: [String: Duration] = [:]
    var disabled: Set<String> = []
    var last: [String: Answer] = [:]
    var asked: [String: Int] = [:]
    /// What was given lately, the newest last.
    var recent: [ContentDigest] = []
  }

  /// What the person reads: the source's own name if there is only one.
  package let name: String

  /// Health is kept for each source, not for all together.
  package var notesOwnAnswers: Bool { true }

  /// How long a source may let wait before another is asked too.
  static let patience = Duration.seconds(1)
  /// How many are asked at the same time at most.
  static let asked = 3
  /// How many pictures in a row must differ.
  private static let recentLimit = 24

  let members: [Member]
  private let library: ImageLibrary
  private let timer: MonotonicTimer
  private let jitter: @Sendable () -> Double
  private let now: @Sendable () -> Date
  private let state: Mutex<State>

  /// - Parameter jitter: 0..<1, at random.
  init(
    _ members: [Member], name: String, library: ImageLibrary, timer: MonotonicTimer,
    jitter: @escaping @Sendable () -> Double, now: @escaping @Sendable () -> Date
  ) {
    precondition(!members.isEmpty, "a ring has at least one source")
    self.members = members
    self.name = members.count == 1 ? members[0].source.name : name
    self.library = library
    self.timer = timer
    self.jitter = jitter
    self.now = now
    // Where all are reserves they take turns.
    let isAllReserve = members.allSatisfy { $0.weight == 0 }
    state = Mutex(
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

  /// Provides a picture of the source whose turn it is, or of another if that has none.
  ///
  /// When a source lets wait for ``patience`` the next is asked too; the first picture counts.
  package func fetchImage(
    progress: @escaping @Sendable (FetchProgress) -> Void
  ) async throws -> FetchedImage {
    var turns = turns()[...]
    guard !turns.isEmpty else { throw nobody() }
    let report = ProgressFilter(progress)
    return try await withThrowingTaskGroup(of: Event.self) { group in
      defer { group.cancelAll() }
      var running = 0
      var spare: FetchedImage?
      var failures: [any Error] = []
      var unreachable: [(Member, any Error)] = []

      func askNext() {
        guard running < Self.asked, let member = popNext(&turns) else { return }
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
          // A picture that is arriving is worth waiting for.
          if !report.isReceiving { askNext() }
          if !turns.isEmpty { wait() }
        case .arrived(let member, let image):
          running -= 1
          guard await isRepeated(image) else {
            // Another has answered, so the network is there: it was these.
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
          // Without a network the others would fail alike: one more is asked, in case it is not.
          let isOffline = SourceHealth.Failure(error) == .offline
          let offline = failures.count { SourceHealth.Failure($0) == .offline }
          fail(member, error)
          if isOffline { unreachable.append((member, error)) }
          if !isOffline || offline < 2 { askNext() }
        }
        guard running == 0 else { continue }
        // A picture that was there before is better than none.
        if let spare {
          remember(spare)
          return spare
        }
        // Who has not been asked because of the network would say the same.
        throw failures.first { SourceHealth.Failure($0) != .offline } ?? failures.first ?? nobody()
      }
      throw nobody()
    }
  }

  private func ask(_ member: Member, _ report: ProgressFilter) async throws -> Event {
    state.withLock { $0.asked[member.name, default: 0] += 1 }
    defer { state.withLock { $0.asked[member.name, default: 1] -= 1 } }
    let name = member.source.name
    report.begin(name)
    do {
      let image = try await member.source.fetchImage { report.take($0, of: name) }
      _ = try PictureDecoder.header(of: image.data)
      return .arrived(member, image)
    } catch is CancellationError {
      throw CancellationError()
    } catch {
      return .failed(member, error)
    }
  }

  /// Those that may be asked now, in their order.
  private func turns() -> [Member] {
    let moment = timer.now()
    return state.withLock { state in
      let able = members.filter { member in
        !state.disabled.contains(member.name)
          && (state.health[member.name] ?? SourceHealth()).state(at: moment) == .ready
          && member.hosts.allSatisfy { (state.hosts[$0] ?? .zero) <= moment }
      }
      let order = state.rotation.next(among: Set(able.map(\.name)))
      return order.compactMap { name in able.first { $0.name == name } }
    }
  }

  /// Takes the next of them whose host has not asked to be left alone meanwhile.
  private func popNext(_ turns: inout ArraySlice<Member>) -> Member? {
    let moment = timer.now()
    while let member = turns.popFirst() {
      let isFree = state.withLock { state in
        member.hosts.allSatisfy { (state.hosts[$0] ?? .zero) <= moment }
      }
      if isFree { return member }
    }
    return nil
  }

  /// Why nobody can be asked: the shortest wait.
  private func nobody() -> ImageSourceError {
    let waits = statuses.filter { $0.isEnabled && !$0.isOff }.compactMap(\.wait)
    guard let wait = waits.min() else { return ImageSourceError(.switchedOff, host: name) }
    return ImageSourceError(.resting(wait), host: name)
  }

  /// Whether the person saw the picture lately, or it was given a moment ago.
  private func isRepeated(_ image: FetchedImage) async -> Bool {
    // Where there is no other source, its pictures come as often as it gives them.
    guard members.count > 1 else { return false }
    let digest = ContentDigest(of: image.data)
    if state.withLock({ $0.recent.contains(digest) }) { return true }
    return await library.isAmongNewestSeen(digest, limit: Self.recentLimit)
  }

  private func remember(_ image: FetchedImage) {
    let digest = ContentDigest(of: image.data)
    state.withLock { state in
      state.recent = (state.recent + [digest]).suffix(Self.recentLimit)
    }
  }

  // MARK: Health

  private func succeed(_ member: Member, _ image: FetchedImage) {
    remember(image)
    let moment = now()
    state.withLock { state in
      state.health[member.name, default: SourceHealth()].succeed()
      state.last[member.name] = .picture(title: image.title, at: moment)
    }
    note(member, failure: nil)
  }

  private func fail(
    _ member: Member, _ error: any Error, as judged: SourceHealth.Failure? = nil
  ) {
    let failure = judged ?? SourceHealth.Failure(error)
    let (moment, date) = (timer.now(), now())
    let sentence = (error as? any SentenceError)?.message ?? "\(error)"
    state.withLock { state in
      state.health[member.name, default: SourceHealth()]
        .fail(failure, at: moment, jitter: jitter())
      state.last[member.name] = .failure(sentence, at: date)
      // The host is the one that answered, which others may ask too.
      if case .tooMany(let wait) = failure, let host = (error as? HTTPError)?.host {
        let end = moment + (wait ?? SourceHealth.firstWait)
        state.hosts[host] = max(end, state.hosts[host] ?? .zero)
      }
    }
    if failure != .offline { note(member, failure: "\(error)") }
  }

  private func note(_ member: Member, failure: String?) {
    Task { @MainActor [library] in
      // What is not noted is noted with the next answer; the picture is worth more.
      try? await library.noteAnswer(of: member.source, failure: failure)  // see above
    }
  }

  // MARK: For the person

  /// What is known of each source now, in their order.
  package var statuses: [Status] {
    let moment = timer.now()
    return state.withLock { state in
      members.map { member in
        let health = state.health[member.name] ?? SourceHealth()
        let own: Duration? =
          if case .waiting(let end) = health.state(at: moment) { end - moment } else { nil }
        let host = member.hosts.compactMap { state.hosts[$0] }.max().map { $0 - moment }
        let wait = [own, host].compactMap(\.self).filter { $0 > .zero }.max()
        return Status(
          id: member.name, label: member.source.name, homePage: member.source.homePage,
          isEnabled: !state.disabled.contains(member.name), isReserve: member.weight == 0,
          failures: health.failures, wait: wait, isOff: health.state(at: moment) == .off,
          last: state.last[member.name], isAsked: state.asked[member.name, default: 0] > 0)
      }
    }
  }

  /// Switches a source on or off; one that is switched on may be asked at once.
  package func setEnabled(_ isEnabled: Bool, _ name: String) {
    state.withLock { state in
      if isEnabled {
        state.disabled.remove(name)
        state.health[name]?.forgive()
      } else {
        state.disabled.insert(name)
      }
    }
  }

  /// Asks one source for a picture, whatever its turn and its health.
  ///
  /// - Throws: the source's error, or ``ImageSourceError`` of kind `.resting` while its host has asked
  ///   to be left alone; `CancellationError`.
  package func test(_ name: String) async throws -> FetchedImage {
    guard let member = members.first(where: { $0.name == name }) else { throw nobody() }
    let moment = timer.now()
    let end = state.withLock { state in member.hosts.compactMap { state.hosts[$0] }.max() }
    if let end, end > moment {
      throw ImageSourceError(.resting(end - moment), host: member.source.name)
    }
    switch try await ask(member, ProgressFilter { _ in }) {
    case .arrived(_, let image):
      succeed(member, image)
      return image
    case .failed(_, let error):
      fail(member, error)
      throw error
    case .waited: throw nobody()
    }
  }
}

/// An error with one sentence for the person.
protocol SentenceError: Error {
  var message: String { get }
}

extension HTTPError: SentenceError {}
extension ImageSourceError: SentenceError {}

/// Passes on the progress of the source that is ahead of the others.
private final class ProgressFilter: Sendable {
  private let progress: @Sendable (FetchProgress) -> Void
  /// The most bytes that have come, and of which source.
  private let most = Mutex((bytes: 0, source: ""))

  init(_ progress: @escaping @Sendable (FetchProgress) -> Void) { self.progress = progress }

  /// Whether bytes of a picture have come.
  var isReceiving: Bool { most.withLock { $0.bytes > 0 } }

  /// Takes note that no more will come of a source.
  func forget(_ source: String) {
    most.withLock { most in
      if most.source == source { most = (0, "") }
    }
  }

  /// Tells that a source is being asked.
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
