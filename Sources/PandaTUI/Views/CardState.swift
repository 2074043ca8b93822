internal import PandaCore

/// What the card knows and does, as a pure state machine: events in, effects out.
struct CardState {
  /// How the picture on the card came there.
  enum Origin: Hashable, Sendable {
    case fetched, standIn, favorite
  }

  /// The picture on the card.
  struct Shown: Equatable, Sendable {
    var image: RemoteImage
    var origin: Origin
  }

  /// A request under way.
  struct Request: Equatable, Sendable {
    let generation: Int
    var bytes = 0
    /// Whether it has taken so long that a stand-in was asked for.
    var isSlow = false
    /// Whether its picture comes onto the card by itself.
    ///
    /// Not after the person turned to another.
    var replaces = true
  }

  /// What happened.
  enum Event {
    case fetchRequested
    case cancelRequested
    case showRequested(RemoteImage)
    case progressed(generation: Int, bytes: Int)
    case tookLong(generation: Int)
    case arrived(generation: Int, RemoteImage)
    case failed(generation: Int, sentence: String)
    case standInArrived(generation: Int, RemoteImage)
    case saved(RemoteImage)
    /// The star was seen for long enough.
    case admired(RemoteImage)
  }

  /// What is to be done.
  enum Effect: Equatable {
    case fetch(generation: Int)
    case cancelFetch
    case fetchStandIn(generation: Int)
    case admire(RemoteImage)
    case say(Message)
  }

  private(set) var shown: Shown?
  private(set) var request: Request?
  /// A picture that arrived when the person had turned to another: the next to be shown.
  private(set) var waiting: RemoteImage?
  private var generation = 0
  /// Why the request of this generation failed, until its stand-in is there.
  private var failure: (generation: Int, sentence: String)?

  let sourceName: String
  let standInName: String?
  let advancesAfterSaving: Bool

  init(sourceName: String, standInName: String?, advancesAfterSaving: Bool = true) {
    self.sourceName = sourceName
    self.standInName = standInName
    self.advancesAfterSaving = advancesAfterSaving
  }

  /// Whether there is nothing to show and nothing under way.
  var isIdle: Bool { shown == nil && request == nil }

  mutating func handle(_ event: Event) -> [Effect] {
    switch event {
    case .fetchRequested: fetchNext()
    case .cancelRequested: cancel()
    case .showRequested(let image): show(image)
    case .progressed(let generation, let bytes): progress(generation, bytes)
    case .tookLong(let generation): askForStandIn(generation)
    case .arrived(let generation, let image): receive(image, generation)
    case .failed(let generation, let sentence): fail(generation, sentence)
    case .standInArrived(let generation, let image): receiveStandIn(image, generation)
    case .saved(let image): keep(image)
    case .admired(let image): shown?.image.id == image.id ? fetchNext() : []
    }
  }

  private mutating func fetchNext() -> [Effect] {
    if let waiting {
      self.waiting = nil
      shown = Shown(image: waiting, origin: .fetched)
      return []
    }
    if let request {
      // The source lets wait: another stand-in now, and the request goes on.
      return request.isSlow ? [.fetchStandIn(generation: request.generation)] : []
    }
    generation += 1
    request = Request(generation: generation)
    return [.fetch(generation: generation)]
  }

  private mutating func cancel() -> [Effect] {
    guard request != nil else { return [] }
    request = nil
    return [.cancelFetch, .say(.info("Stopped fetching. f fetches again"))]
  }

  private mutating func show(_ image: RemoteImage) -> [Effect] {
    shown = Shown(image: image, origin: .favorite)
    request?.replaces = false
    return []
  }

  private mutating func progress(_ generation: Int, _ bytes: Int) -> [Effect] {
    if request?.generation == generation { request?.bytes = bytes }
    return []
  }

  private mutating func askForStandIn(_ generation: Int) -> [Effect] {
    guard request?.generation == generation, standInName != nil else { return [] }
    request?.isSlow = true
    return [.fetchStandIn(generation: generation)]
  }

  private mutating func receive(_ image: RemoteImage, _ generation: Int) -> [Effect] {
    guard let request, request.generation == generation else { return [] }
    self.request = nil
    guard request.replaces else {
      waiting = image
      return [.say(.info("\(sourceName) has answered. f shows its panda"))]
    }
    shown = Shown(image: image, origin: .fetched)
    return request.isSlow ? [.say(.info("\(sourceName) has answered"))] : []
  }

  private mutating func fail(_ generation: Int, _ sentence: String) -> [Effect] {
    guard let request, request.generation == generation else { return [] }
    self.request = nil
    guard standInName != nil, request.replaces, !request.isSlow else {
      return [.say(.problem("\(sentence). f tries again"))]
    }
    failure = (generation, sentence)
    return [.fetchStandIn(generation: generation)]
  }

  private mutating func receiveStandIn(_ image: RemoteImage, _ generation: Int) -> [Effect] {
    let name = standInName ?? ""
    if let failure, failure.generation == generation {
      self.failure = nil
      shown = Shown(image: image, origin: .standIn)
      return [.say(.problem("\(failure.sentence). Drawn instead; f tries again"))]
    }
    guard let request, request.generation == generation, request.isSlow else { return [] }
    guard request.replaces || shown?.origin == .standIn else { return [] }
    self.request?.replaces = true
    shown = Shown(image: image, origin: .standIn)
    return [
      .say(.info("\(sourceName) is slow. Meanwhile, a panda drawn in the \(name)"))
    ]
  }

  private mutating func keep(_ image: RemoteImage) -> [Effect] {
    guard shown?.image.id == image.id else { return [] }
    if shown?.origin == .standIn { request?.replaces = false }
    return advancesAfterSaving && shown?.origin != .favorite ? [.admire(image)] : []
  }
}

/// A line for the person.
enum Message: Hashable, Sendable {
  case info(String)
  case problem(String)

  var text: String {
    switch self {
    case .info(let text), .problem(let text): text
    }
  }
}
