internal import FoundationEssentials
internal import PandaCore
internal import PandaSession

struct ListedPicture: Sendable {
  let image: RemoteImage
  /// Nil if it is a favorite.
  let removedAt: Date?

  init(_ image: RemoteImage, removedAt: Date? = nil) {
    self.image = image
    self.removedAt = removedAt
  }
}

/// Prints the pictures of a list, each once.
@MainActor
struct ListPrinter {
  private let request: ListRequest
  private let session: Session
  private let filter: FavoritesFilter
  private var index: FavoritesIndex
  /// The identifiers of the pictures that may come again.
  private var printed: Set<String> = []

  /// Whether all favorites must be known to print the first one.
  var needsAll: Bool { filter.findsSimilar }

  private(set) var count = 0
  /// Whether as many are printed as were asked for.
  var isFull: Bool { count >= request.limit }

  /// - Throws: the engine's error if the filter asks for what cannot be read.
  init(_ request: ListRequest, _ filter: FavoritesFilter, session: Session) async throws {
    self.request = request
    self.filter = filter
    self.session = session
    index = try await session.index(for: filter)
  }

  /// Prints those that match and are not printed yet, as long as there is room for more.
  ///
  /// - Parameter mayRepeat: whether a later call may have these pictures too.
  mutating func print(
    _ pictures: some Sequence<ListedPicture>, mayRepeat: Bool = false
  ) async throws {
    var chosen: [ListedPicture] = []
    let similar =
      filter.findsSimilar
      ? Set(NearDuplicates.all(in: pictures.map(\.image)).map(\.id)) : nil
    for picture in pictures {
      // The rest of a random order is not drawn.
      guard !isFull else { break }
      guard filter.matchesWords(picture.image, index: &index),
        similar?.contains(picture.image.id) != false,
        printed.isEmpty || !printed.contains(picture.image.id)
      else { continue }
      chosen.append(picture)
      count += 1
    }
    if mayRepeat { printed.formUnion(chosen.map(\.image.id)) }
    let end = request.isNullTerminated ? 0 : UInt8(ascii: "\n")
    guard let form = ListForm(request.form, of: session) else {
      for picture in chosen {
        let path = try await session.path(of: picture.image)
        try session.output.printPath(path.utf8, end: end)
      }
      return
    }
    try await form.write(chosen, end: end, to: session.output)
  }
}

/// The format of a picture that is printed without being read.
private enum ListForm: Sendable {
  case line(asOf: Date, onTerminal: Bool)
  case id
  case json(named: [URL])

  /// Nil if the request is for paths.
  @MainActor
  init?(_ form: ListRequest.Form, of session: Session) {
    switch form {
    case .line: self = .line(asOf: session.now(), onTerminal: session.output.isTerminal)
    case .id: self = .id
    case .json: self = .json(named: session.configuration.namedSources)
    case .path: return nil
    }
  }

  /// The number of pictures that one core formats at a time.
  private static let chunk = 1_024

  /// Writes pictures in their order; all cores format them.
  @MainActor
  func write(_ pictures: [ListedPicture], end: UInt8, to output: Output) async throws {
    try await withThrowingTaskGroup(of: (start: Int, bytes: [UInt8]).self) { group in
      for start in stride(from: 0, to: pictures.count, by: Self.chunk) {
        let chunk = pictures[start..<min(start + Self.chunk, pictures.count)]
        group.addTask { (start, try await format(chunk, end: end)) }
      }
      var ready: [Int: [UInt8]] = [:]
      var written = 0
      for try await (start, bytes) in group {
        ready[start] = bytes
        while let next = ready.removeValue(forKey: written) {
          try output.write(next)
          written += Self.chunk
        }
      }
    }
  }

  @concurrent
  private func format(_ pictures: ArraySlice<ListedPicture>, end: UInt8) async throws -> [UInt8] {
    var bytes: [UInt8] = []
    for picture in pictures {
      let image = picture.image
      switch self {
      case .line(let now, let onTerminal):
        bytes += Output.printed(image.line(now), onTerminal: onTerminal).utf8
      case .id: bytes += image.pictureID.digits.utf8
      case .json(let named):
        let record = PictureRecord.json(
          image, isFavorite: picture.removedAt == nil, removedAt: picture.removedAt,
          named: named)
        bytes += "\(record)".utf8
      }
      bytes.append(end)
    }
    return bytes
  }
}

extension RemoteImage {
  /// The picture in a list: ID, day, name and tags, such as
  /// "1f0a9c22d1  2026-10-03  Sleepy  #snow".
  fileprivate func line(_ now: Date) -> String {
    let day = keptAt(asOf: now).map { PictureDay($0).numbers } ?? "unknown day"
    return (["\(pictureID)", day, name] + tags.map { "#\($0)" }).joined(separator: "  ")
  }
}
