internal import PandaCore
internal import Pantry

/// What the card knows and does, as a pure state machine: events in, effects out.
///
/// There is one request at a time. What it brings is shown, or it is fetched ahead and waits in the
/// queue, so that asking for the next picture takes no time.
struct CardState {
  /// How the picture on the card came there.
  enum Origin: Hashable, Sendable {
    case fetched, fallback, favorite
    /// It was on the card before.
    case seen
    case trash

    /// Whether it came onto the card as the next picture, not because it was asked for by name.
    var isNew: Bool { self == .fetched || self == .fallback }
  }

  /// The picture on the card.
  struct Shown: Equatable, Sendable {
    var image: RemoteImage
    var origin: Origin
  }

  /// A request under way.
  struct Request: Equatable, Sendable {
    /// What becomes of its picture.
    enum Purpose: Equatable, Sendable {
      /// It comes onto the card by itself.
      case show
      /// It would have, but the person turned to another: it is announced and waits.
      case announce
      /// It waits.
      case ahead
    }

    let generation: Int
    var purpose: Purpose
    var bytes = 0
    /// Which source is being asked, where several take turns.
    var source: String?
    /// Whether it has taken so long that a fallback was asked for.
    var isSlow = false
    /// Whether a fallback that was asked for is not there yet.
    var awaitsFallback = false
    /// Whether nobody pressed a key for it: it is the one that the program begins with.
    var isFirst = false
  }

  /// What happened.
  enum Event {
    /// The picture that was shown last before the program was started is there.
    case foundNewest(RemoteImage)
    /// The first picture can be fetched: what was there to be shown before is on the screen.
    case begin
    /// The person pressed some key.
    case touched
    case fetchRequested
    case cancelRequested
    case showRequested(RemoteImage, Origin)
    case progressed(generation: Int, bytes: Int, source: String? = nil)
    case tookLong(generation: Int)
    case arrived(generation: Int, RemoteImage)
    case failed(generation: Int, Connection.Failure)
    case fallbackArrived(generation: Int, RemoteImage)
    case saved(RemoteImage)
    /// The star was seen for long enough.
    case advanceDue(RemoteImage)
    /// The person never wants to see the picture again.
    case hidden(RemoteImage)
    /// It is time to look whether the source answers again: what the retry with this number waited
    /// for.
    case retryDue(Int)
  }

  /// What is to be done.
  enum Effect: Equatable {
    case fetch(generation: Int)
    /// The person waits for the request: tell when it takes long.
    case watch(generation: Int)
    case cancelFetch
    case fetchFallback(generation: Int)
    case delayAdvance(RemoteImage)
    /// The picture came onto the card.
    case note(RemoteImage)
    /// Tell when it is time to look whether the source answers again; only the newest counts.
    case retry(after: Duration, number: Int)
    case say(Message)
  }

  /// How many pictures are fetched ahead.
  static let aheadLimit = 3
  /// How many bytes they may have together before no further one is fetched.
  static let aheadByteLimit = 12_000_000

  private(set) var shown: Shown?
  private(set) var request: Request?
  /// The pictures that are shown next.
  private(set) var queue: [RemoteImage] = []
  private(set) var connection: Connection
  private var generation = 0
  private var hasBegun = false
  /// The number of the newest retry.
  private var retryNumber = 0
  /// Why the request of this generation failed, until its fallback is there.
  private var failure: (generation: Int, sentence: String)?

  let sourceName: String
  let fallbackName: String?
  let advancesAfterSaving: Bool
  private let words: FetchWords

  init(
    sourceName: String, fallbackName: String?, advancesAfterSaving: Bool = true,
    connection: Connection = Connection(), keys: KeyTable = .standard
  ) {
    self.sourceName = sourceName
    self.fallbackName = fallbackName
    self.advancesAfterSaving = advancesAfterSaving
    self.connection = connection
    words = FetchWords(names: keys)
  }

  /// The request that the person waits for.
  var awaited: Request? { request?.purpose == .show ? request : nil }

  /// Whether there is nothing to show and nothing under way.
  var isIdle: Bool { shown == nil && request == nil }

  mutating func handle(_ event: Event) -> [Effect] {
    switch event {
    case .foundNewest(let image):
      if shown == nil { shown = Shown(image: image, origin: .seen) }
    case .begin: return begin()
    case .touched: if request?.isFirst == true, shown?.origin == .seen { demoteRequest() }
    case .fetchRequested: return fetchNext()
    case .cancelRequested: return cancel()
    case .showRequested(let image, let origin):
      shown = Shown(image: image, origin: origin)
      demoteRequest()
    case .progressed(let generation, let bytes, let source):
      guard request?.generation == generation else { return [] }
      request?.bytes = bytes
      if let source { request?.source = source }
    case .tookLong(let generation): return askForFallback(generation)
    case .arrived(let generation, let image): return receive(image, generation)
    case .failed(let generation, let failure): return fail(generation, failure)
    case .fallbackArrived(let generation, let image): return receiveFallback(image, generation)
    case .saved(let image): return keep(image)
    case .advanceDue(let image):
      // Who has asked for the favorite meanwhile wants to see it.
      guard let shown, shown.image.id == image.id, shown.origin.isNew else { return [] }
      return fetchNext()
    case .hidden(let image):
      // Sources give one picture under several addresses.
      queue.removeAll {
        $0.id == image.id || $0.dataRepresentation == image.dataRepresentation
      }
      return shown?.image.id == image.id ? fetchNext() : []
    case .retryDue(let number):
      return number != retryNumber || connection.isUp || request != nil ? [] : start(.ahead)
    }
    return []
  }

  /// The name of the source that a request asks now.
  func name(of request: Request) -> String { request.source ?? sourceName }

  // MARK: Asking

  private mutating func begin() -> [Effect] {
    guard !hasBegun else { return [] }
    hasBegun = true
    guard request == nil, queue.isEmpty else { return [] }
    // Who has asked for a picture of their own by now does not want it to be replaced.
    let purpose: Request.Purpose = shown == nil || shown?.origin == .seen ? .show : .ahead
    return start(purpose, isFirst: true)
  }

  private mutating func fetchNext() -> [Effect] {
    hasBegun = true
    if !queue.isEmpty { return show(queue.removeFirst(), .fetched) + fetchAhead() }
    guard let request else { return start(.show) }
    guard request.purpose == .show else {
      self.request?.purpose = .show
      self.request?.isFirst = false
      return [.watch(generation: request.generation)]
    }
    // The source lets wait: another fallback now, and the request goes on.
    return request.isSlow ? [.fetchFallback(generation: request.generation)] : []
  }

  private mutating func start(_ purpose: Request.Purpose, isFirst: Bool = false) -> [Effect] {
    generation += 1
    request = Request(generation: generation, purpose: purpose, isFirst: isFirst)
    let fetch = Effect.fetch(generation: generation)
    return purpose == .show ? [fetch, .watch(generation: generation)] : [fetch]
  }

  private mutating func fetchAhead() -> [Effect] {
    let bytes = queue.reduce(0) { $0 + $1.dataRepresentation.byteCount }
    guard request == nil, connection.isUp, queue.count < Self.aheadLimit,
      bytes < Self.aheadByteLimit
    else { return [] }
    return start(.ahead)
  }

  private mutating func cancel() -> [Effect] {
    guard awaited != nil else { return [] }
    request = nil
    let stop = [
      Effect.cancelFetch,
      .say(.info(words.stopped)),
    ]
    // The retry before may have found this request under way.
    return connection.isUp ? stop : stop + [retry(after: connection.wait)]
  }

  private mutating func retry(after wait: Duration) -> Effect {
    retryNumber += 1
    return .retry(after: wait, number: retryNumber)
  }

  /// Lets the picture that is awaited wait: the person has turned to another.
  private mutating func demoteRequest() {
    if request?.purpose == .show { request?.purpose = .announce }
    request?.isFirst = false
  }

  private mutating func askForFallback(_ generation: Int) -> [Effect] {
    guard let request, request.generation == generation, request.purpose == .show,
      fallbackName != nil
    else { return [] }
    // The last picture seen is better than a drawn one that nobody asked for.
    guard !request.isFirst || shown == nil else { return [] }
    self.request?.isSlow = true
    self.request?.awaitsFallback = true
    return [.fetchFallback(generation: generation)]
  }

  // MARK: Receiving

  private mutating func show(_ image: RemoteImage, _ origin: Origin) -> [Effect] {
    shown = Shown(image: image, origin: origin)
    return [.note(image)]
  }

  private mutating func receive(_ image: RemoteImage, _ generation: Int) -> [Effect] {
    guard let request, request.generation == generation else { return [] }
    self.request = nil
    let isBack = connection.succeed()
    var effects: [Effect]
    switch request.purpose {
    case .show:
      effects = show(image, .fetched)
      if request.isSlow || isBack {
        effects.append(.say(.news(words.answered(name(of: request)))))
      }
    case .announce, .ahead:
      queue.append(image)
      effects =
        request.purpose == .announce || isBack
        ? [.say(.news(words.answeredAhead(name(of: request))))] : []
    }
    return effects + fetchAhead()
  }

  private mutating func fail(_ generation: Int, _ failure: Connection.Failure) -> [Effect] {
    guard let request, request.generation == generation else { return [] }
    self.request = nil
    let retry = retry(after: connection.fail(failure))
    let problem = Effect.say(.problem(words.failed(failure.sentence)))
    switch request.purpose {
    case .ahead: return [retry]
    case .announce: return [retry, problem]
    case .show: break
    }
    if request.isFirst, shown != nil {
      return [retry, .say(.problem(words.failedAtLaunch(failure.sentence)))]
    }
    guard fallbackName != nil, !request.isSlow || request.awaitsFallback else {
      return [retry, problem]
    }
    self.failure = (generation, failure.sentence)
    // One that was asked for while the source was slow comes all the same.
    return request.awaitsFallback
      ? [retry, problem] : [retry, .fetchFallback(generation: generation)]
  }

  private mutating func receiveFallback(_ image: RemoteImage, _ generation: Int) -> [Effect] {
    let name = fallbackName ?? ""
    if let failure, failure.generation == generation {
      self.failure = nil
      return show(image, .fallback) + [.say(.problem(words.drawnInstead(failure.sentence)))]
    }
    guard let request, request.generation == generation, request.isSlow else { return [] }
    guard request.purpose == .show || shown?.origin == .fallback else { return [] }
    self.request?.purpose = .show
    self.request?.awaitsFallback = false
    return show(image, .fallback) + [
      .say(.news(words.slow(self.name(of: request), fallback: name)))
    ]
  }

  private mutating func keep(_ image: RemoteImage) -> [Effect] {
    guard let shown, shown.image.id == image.id else { return [] }
    if shown.origin == .fallback { demoteRequest() }
    return advancesAfterSaving && shown.origin.isNew ? [.delayAdvance(image)] : []
  }
}
