internal import PandaCore
internal import PandaSession
internal import Pantry

/// The state and the logic of the card, as a pure state machine.
///
/// Events go in, effects come out.
///
/// There is at most one request at a time. Its picture is shown, or it is prefetched into the
/// queue, so that asking for the next picture takes no time.
struct CardState {
  enum Origin: Hashable, Sendable {
    case fetched, fallback, favorite
    /// It had been on the card before.
    case seen
    case trash

    /// Whether it came as the next picture, rather than being selected by the user.
    var isNew: Bool { self == .fetched || self == .fallback }
  }

  struct Shown: Equatable, Sendable {
    var image: RemoteImage
    var origin: Origin
  }

  struct Request: Equatable, Sendable {
    enum Purpose: Equatable, Sendable {
      /// The picture is shown as soon as it arrives.
      case show
      /// The picture is announced and queued.
      ///
      /// It would have been shown, but the user chose another one.
      case announce
      /// The picture is queued.
      case ahead
    }

    let generation: Int
    var purpose: Purpose
    var bytes = 0
    /// The source being asked, if several take turns.
    var source: String?
    /// Whether it is so slow that a fallback was requested.
    var isSlow = false
    var awaitsFallback = false
    /// Whether it is the program's first request, made without a key press.
    var isFirst = false
  }

  enum Event {
    /// The last picture shown before the program was started has been found.
    case foundNewest(RemoteImage)
    /// Fetching can begin: the picture available at launch is on the screen.
    case begin
    /// The user pressed a key.
    case touched
    case fetchRequested
    case cancelRequested
    case showRequested(RemoteImage, Origin)
    case progressed(generation: Int, bytes: Int, source: String? = nil)
    case tookLong(generation: Int)
    case arrived(generation: Int, RemoteImage)
    case failed(generation: Int, Connection.Failure)
    /// A coarse version of the fallback's picture, which follows.
    case sketchArrived(RemoteImage)
    case fallbackArrived(generation: Int, RemoteImage)
    case saved(RemoteImage)
    /// The star has been visible long enough.
    case advanceDue(RemoteImage)
    case hidden(RemoteImage)
    /// The time of the retry with this number has come.
    case retryDue(Int)
  }

  enum Effect: Equatable {
    case fetch(generation: Int)
    /// The user waits for the request: report when it takes long.
    case watch(generation: Int)
    case cancelFetch
    case fetchFallback(generation: Int)
    /// Provide a sketch of the fallback's picture, and then the picture.
    case sketchFallback(generation: Int)
    case delayAdvance(RemoteImage)
    /// The picture came onto the card and must be recorded.
    case record(RemoteImage)
    /// Retry after a delay; only the newest retry counts.
    case retry(after: Duration, number: Int)
    case say(Message)
  }

  /// The number of pictures that are prefetched from sources that take their time.
  static let aheadLimit = 3
  /// The total size in bytes above which no more pictures are prefetched.
  static let aheadByteLimit = 12_000_000

  private(set) var shown: Shown? { didSet { sketch = nil } }
  /// A sketch, shown on an empty card until its picture is there.
  private(set) var sketch: RemoteImage?
  private(set) var request: Request?
  private(set) var queue: [RemoteImage] = []
  private(set) var connection: Connection
  /// Whether the next picture follows as soon as the star has been visible long enough.
  private(set) var isAboutToAdvance = false
  private var generation = 0
  /// Whether fetching has begun, or the user has asked for something.
  private(set) var hasBegun = false
  private var retryNumber = 0
  /// The reason why the request of this generation failed, until its fallback has arrived.
  private var failure: (generation: Int, sentence: String)?

  let sourceName: String
  let fallbackName: String?
  let advancesAfterSaving: Bool
  private let words: FetchWords
  /// The messages since the source answered last.
  private var told: Set<News> = []

  private enum News { case failure, drawing }

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

  var awaited: Request? { request?.purpose == .show ? request : nil }

  /// The number of pictures that are prefetched.
  ///
  /// One, if they are drawn: the next one is drawn while a person looks at that.
  private var aheadLimit: Int { fallbackName == nil ? 1 : Self.aheadLimit }

  mutating func handle(_ event: Event) -> [Effect] {
    switch event {
    case .foundNewest(let image):
      if shown == nil { shown = Shown(image: image, origin: .seen) }
    case .begin: return begin()
    // The picture of the launch stays once the user acts on it.
    case .touched: if request?.isFirst == true, shown != nil { demoteRequest() }
    case .fetchRequested: return fetchNext()
    case .cancelRequested: return cancel()
    case .showRequested(let image, let origin):
      isAboutToAdvance = false
      shown = Shown(image: image, origin: origin)
      demoteRequest()
    case .progressed(let generation, let bytes, let source):
      guard request?.generation == generation else { return [] }
      request?.bytes = bytes
      if let source { request?.source = source }
    case .tookLong(let generation): return askForFallback(generation)
    case .arrived(let generation, let image): return receive(image, generation)
    case .failed(let generation, let failure): return fail(generation, failure)
    case .sketchArrived(let image):
      // The request may be still to come, or may have failed; the drawing comes nevertheless.
      if shown == nil, !hasBegun || awaited != nil || failure != nil { sketch = image }
    case .fallbackArrived(let generation, let image): return receiveFallback(image, generation)
    case .saved(let image): return keep(image)
    case .advanceDue(let image):
      // A user who has since chosen, or fetched, has decided already.
      return isAboutToAdvance && shown?.image.id == image.id ? fetchNext() : []
    case .hidden(let image):
      // Sources return one picture under several addresses.
      queue.removeAll {
        $0.id == image.id || $0.dataRepresentation == image.dataRepresentation
      }
      return shown?.image.id == image.id ? fetchNext() : []
    case .retryDue(let number):
      return number != retryNumber || connection.isUp || request != nil ? [] : start(.ahead)
    }
    return []
  }

  /// Returns the name of the source that a request is currently asking.
  func name(of request: Request) -> String { request.source ?? sourceName }

  // MARK: Asking

  private mutating func begin() -> [Effect] {
    guard !hasBegun else { return [] }
    hasBegun = true
    guard request == nil, queue.isEmpty else { return [] }
    // A user who has since chosen a picture does not want it to be replaced.
    // Nor is a drawn panda replaced by another one right after the launch.
    let isDrawn = fallbackName == nil && shown.map { BambooGroveSource.isDrawing($0.image) } == true
    let purpose: Request.Purpose =
      (shown == nil || shown?.origin == .seen) && !isDrawn ? .show : .ahead
    let drawsFirst = shown == nil && fallbackName != nil
    let effects = start(purpose, isFirst: true)
    request?.awaitsFallback = drawsFirst
    // A drawing takes a moment, so that there is no empty card.
    return drawsFirst ? effects + [.sketchFallback(generation: generation)] : effects
  }

  private mutating func fetchNext() -> [Effect] {
    hasBegun = true
    isAboutToAdvance = false
    if !queue.isEmpty { return show(queue.removeFirst(), .fetched) + fetchAhead() }
    guard let request else { return start(.show) }
    guard request.purpose == .show else {
      self.request?.purpose = .show
      self.request?.isFirst = false
      let generation = request.generation
      return [
        request.isSlow && fallbackName != nil
          ? .fetchFallback(generation: generation) : .watch(generation: generation)
      ]
    }
    // The source is slow: request another fallback now; the request continues.
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
    guard request == nil, connection.isUp, queue.count < aheadLimit,
      bytes < Self.aheadByteLimit
    else { return [] }
    return start(.ahead)
  }

  private mutating func cancel() -> [Effect] {
    guard awaited != nil else { return [] }
    request = nil
    sketch = nil
    let stop = [
      Effect.cancelFetch,
      .say(.info(words.stopped)),
    ]
    // The previous retry may have found this request in progress.
    return connection.isUp ? stop : stop + [retry(after: connection.wait)]
  }

  private mutating func retry(after wait: Duration) -> Effect {
    retryNumber += 1
    return .retry(after: wait, number: retryNumber)
  }

  /// Demotes the awaited request to an announcement: the user has chosen another picture.
  private mutating func demoteRequest() {
    if request?.purpose == .show { request?.purpose = .announce }
    request?.isFirst = false
  }

  private mutating func askForFallback(_ generation: Int) -> [Effect] {
    guard let request, request.generation == generation, request.purpose == .show,
      fallbackName != nil
    else { return [] }
    self.request?.isSlow = true
    // The picture of the launch is better than an unrequested drawing.
    guard !request.isFirst || shown == nil && !request.awaitsFallback else { return [] }
    self.request?.awaitsFallback = true
    return [.fetchFallback(generation: generation)]
  }

  // MARK: Receiving

  private mutating func show(_ image: RemoteImage, _ origin: Origin) -> [Effect] {
    isAboutToAdvance = false
    shown = Shown(image: image, origin: origin)
    return [.record(image)]
  }

  private mutating func receive(_ image: RemoteImage, _ generation: Int) -> [Effect] {
    guard let request, request.generation == generation else { return [] }
    self.request = nil
    let isBack = connection.succeed()
    told = []
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
    case .announce: return [retry] + once(.failure, words.failed(failure.sentence))
    case .show: break
    }
    if request.isFirst, let shown {
      return [retry]
        + (shown.origin == .fallback
          ? once(.drawing, words.drawnInstead(failure.sentence))
          : once(.failure, words.failedAtLaunch(failure.sentence)))
    }
    guard fallbackName != nil, !request.isSlow || request.awaitsFallback else {
      return [retry, problem]
    }
    self.failure = (generation, failure.sentence)
    // A fallback that was requested before still arrives.
    return request.awaitsFallback ? [retry] : [retry, .fetchFallback(generation: generation)]
  }

  private mutating func receiveFallback(_ image: RemoteImage, _ generation: Int) -> [Effect] {
    let name = fallbackName ?? ""
    if let failure, failure.generation == generation {
      self.failure = nil
      return show(image, .fallback) + once(.drawing, words.drawnInstead(failure.sentence))
    }
    guard let request, request.generation == generation else { return [] }
    if request.isFirst, shown == nil || !request.isSlow {
      // It is there until the photo comes, or for good if the user does something with it.
      self.request?.awaitsFallback = false
      return shown == nil ? show(image, .fallback) : []
    }
    guard request.isSlow else { return [] }
    guard request.purpose == .show || shown?.origin == .fallback else { return [] }
    self.request?.purpose = .show
    self.request?.awaitsFallback = false
    return show(image, .fallback) + [
      .say(.news(words.slow(self.name(of: request), fallback: name)))
    ]
  }

  /// Says once why there is no photo, or that there is a drawing; then the corner shows it.
  private mutating func once(_ news: News, _ sentence: String) -> [Effect] {
    told.insert(news).inserted ? [.say(.news(sentence))] : []
  }

  private mutating func keep(_ image: RemoteImage) -> [Effect] {
    guard let shown, shown.image.id == image.id else { return [] }
    if shown.origin == .fallback { demoteRequest() }
    isAboutToAdvance = advancesAfterSaving && shown.origin.isNew
    return isAboutToAdvance ? [.delayAdvance(image)] : []
  }
}
