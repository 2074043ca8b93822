package import FoundationEssentials
internal import Pantry
internal import PictureCodecs
internal import Synchronization

/// Provides the pictures of a service that a description tells how to ask.
///
/// A service with lists is asked for one when nothing of the last one is left; what it names is
/// kept in the library, so that a day of use takes one or two requests, and a relaunch none.
package final class DescribedSource: ImageSource {
  /// How the service is asked.
  package let description: SourceDescription

  /// What the card shows of it.
  package var name: String { description.label }

  package var homePage: URL? { description.homePage }

  private let client: HTTPClient
  private let shelf: CandidateShelf
  private let pace: RequestPace
  /// Lists are asked for one after another.
  private let listing: RequestPace
  private let now: @Sendable () -> Date
  /// How often a service without lists was asked.
  private let askedCount = Mutex(0)

  /// How many pictures are tried for one that can be shown.
  private static let pictureAttempts = 3
  /// How many lists are asked for until one has a picture that is new.
  private static let listAttempts = 3

  /// Creates a source.
  ///
  /// - Parameters:
  ///   - library: where the pictures that a list names are kept, and where what the person knows is
  ///     looked up.
  ///   - client: what makes the requests.
  package convenience init(
    _ description: SourceDescription, library: ImageLibrary, client: HTTPClient
  ) {
    self.init(
      description, shelf: CandidateShelf(library), client: client,
      timer: MonotonicTimer(ContinuousClock()), now: { Date() })
  }

  init(
    _ description: SourceDescription, shelf: CandidateShelf, client: HTTPClient,
    timer: MonotonicTimer, now: @escaping @Sendable () -> Date
  ) {
    self.description = description
    self.shelf = shelf
    self.client = client
    self.now = now
    pace = RequestPace(description.limits, timer: timer)
    var alone = SourceDescription.Limits()
    alone.connections = 1
    alone.requestsPerMinute = 600
    listing = RequestPace(alone, timer: timer)
  }

  /// Provides the next picture that can be shown: by one request, or two if a list is needed.
  ///
  /// A picture that is gone, or is none, is passed over: its service may be well all the same.
  ///
  /// - Throws: `HTTPError`, `ImageSourceError`, `PictureError` or `CancellationError`.
  package func fetchImage(
    progress: @escaping @Sendable (FetchProgress) -> Void
  ) async throws -> FetchedImage {
    var attempts = Self.pictureAttempts
    while true {
      attempts -= 1
      let candidate = try await nextCandidate()
      do {
        return try await fetch(candidate, progress)
      } catch let error
        where Self.isAboutPicture(error) && attempts > 0 && !description.list.isEmpty
      {
        continue
      } catch {
        if !Self.isAboutPicture(error), !description.list.isEmpty {
          await shelf.putBack(candidate, hasFailed: Self.mayFailAgain(error))
        }
        throw Self.ofPicture(error)
      }
    }
  }

  /// Asks for one list, and tells what is in it; nothing is kept.
  ///
  /// For who writes a description, and wants to see what it finds.
  func probe() async throws -> (answer: JSONValue, result: ListReader.Result, reader: ListReader) {
    let address = await shelf.listing(description.name).nextAddress(description)
    let response = try await answer(of: address)
    let (value, reader) = try Self.read(response, asked: address, description)
    return (value, reader.read(value), reader)
  }

  // MARK: Lists

  private func nextCandidate() async throws -> SourceCandidate {
    guard !description.list.isEmpty else { return try await onlyCandidate() }
    await shelf.begin(description)
    while true {
      if let kept = await shelf.take(description.name) { return kept }
      // Another source may have a picture first. What the service answers is worth having all the
      // same: the next turn finds it, and it counts among what may be asked in an hour.
      let (outcome, end) = AsyncThrowingStream<Never, any Error>.makeStream()
      Task {
        do {
          try await listing.perform(name) { [self] in
            // Another caller may have brought a list while this one waited.
            if await !shelf.hasCandidate(description.name) { try await bringList() }
          }
          end.finish()
        } catch {
          end.finish(throwing: error)
        }
      }
      for try await _ in outcome {}
      // The stream ends at once when its reader is cancelled.
      try Task.checkCancellation()
    }
  }

  /// The picture of a service that names one at a time.
  private func onlyCandidate() async throws -> SourceCandidate {
    let number = askedCount.withLock { count in
      defer { count += 1 }
      return count
    }
    let address = description.addresses[number % description.addresses.count]
    let response = try await answer(of: address)
    let (value, reader) = try Self.read(response, asked: address, description)
    let result = reader.read(value)
    guard let candidate = result.candidates.first else {
      throw Self.failure(result.rejected, host: reader.base.authority)
    }
    return candidate
  }

  /// Asks for lists until one has a picture that is new to the person, three at most.
  ///
  /// There is something to take from the shelf when it returns: where all was seen, that again.
  private func bringList() async throws {
    var rejected: [ListReader.Rejection: Int] = [:]
    var seen: [SourceCandidate] = []
    var host = name
    for _ in 0..<Self.listAttempts {
      var listing = await shelf.listing(description.name)
      if let wait = listing.wait(description.limits, at: now()) {
        guard seen.isEmpty else { break }
        throw ImageSourceError(.resting(wait), host: name)
      }
      let address = listing.nextAddress(description)
      listing.note(askedAt: now())
      // Noted before it is asked: an answer that is no use counts too.
      await shelf.keep([], listing)
      let (value, reader) = try await list(at: address, listing)
      host = reader.base.authority
      let result = reader.read(value)
      listing.advance(past: value, isEmpty: result.entryCount == 0, description)
      rejected.merge(result.rejected, uniquingKeysWith: +)
      let kept = await shelf.keep(result.candidates, listing)
      guard kept.fresh == 0 else { return }
      seen += kept.seen
    }
    guard !seen.isEmpty else { throw Self.failure(rejected, host: host) }
    await shelf.offerAgain(seen)
  }

  /// Asks for a list; after an answer that is no use the next one begins elsewhere.
  ///
  /// A page or a continuation that the service does not know any more would be asked for ever.
  private func list(
    at address: URL, _ listing: SourceListing
  ) async throws -> (JSONValue, ListReader) {
    do {
      return try Self.read(try await answer(of: address), asked: address, description)
    } catch let error where Self.isAboutList(error) {
      var listing = listing
      listing.beginElsewhere(description)
      await shelf.keep([], listing)
      throw error
    }
  }

  private static func isAboutList(_ error: any Error) -> Bool {
    switch error {
    case is ImageSourceError: true
    case let error as HTTPError:
      switch error.kind {
      case .status(401, _), .status(403, _), .status(429, _): false
      case .status(400...499, _), .tooLarge, .empty: true
      default: false
      }
    default: false
    }
  }

  private func answer(of address: URL) async throws -> HTTPResponse {
    let request = HTTPRequest(
      url: address, byteLimit: JSONReply.byteLimit, accept: "application/json",
      namedSource: description.isNamedByUser ? address : nil)
    return try await pace.perform(name) { [client] in try await client.get(request) }
  }

  private static func read(
    _ response: HTTPResponse, asked: URL, _ description: SourceDescription
  ) throws -> (JSONValue, ListReader) {
    let base = try HTTPAddress(response.url)
    let value = try JSONReply.decode(JSONValue.self, from: response, host: base.authority)
    return (value, ListReader(description: description, base: base, asked: asked))
  }

  /// Why nothing of a list can be shown: what most of its entries are.
  private static func failure(
    _ rejected: [ListReader.Rejection: Int], host: String
  ) -> ImageSourceError {
    let reason = rejected.max { ($0.value, "\($0.key)") < ($1.value, "\($1.key)") }?.key
    let kind: ImageSourceError.Kind =
      switch reason {
      case .video: .video
      case .license: .noOpenLicense
      case .relativeAddress: .relativeAddress
      default: .noPicture
      }
    let counts = rejected.map { "\($0.value) \($0.key)" }.sorted().joined(separator: ", ")
    return ImageSourceError(kind, host: host, detail: counts.isEmpty ? "no entries" : counts)
  }

  // MARK: Pictures

  private func fetch(
    _ candidate: SourceCandidate, _ progress: @escaping @Sendable (FetchProgress) -> Void
  ) async throws -> FetchedImage {
    let request = HTTPRequest(
      url: candidate.picture, byteLimit: RedPandaClubSource.pictureByteLimit,
      accept: RedPandaClubSource.acceptedPictures, namedSource: candidate.namedSource)
    let name = name
    // A picture that another host keeps takes nothing of what the service allows.
    let isOwn = description.addresses.contains { $0.host() == candidate.picture.host() }
    let picture = try await pace.perform(name, isCounted: isOwn) { [client] in
      try await client.get(request) {
        progress(
          FetchProgress(
            bytesReceived: $0.bytesReceived, expectedBytes: $0.expectedBytes, source: name))
      }
    }
    // Whether it can be shown is asked again by who shows it; here it decides about the next one.
    _ = try PictureDecoder.header(of: picture.body)
    return FetchedImage(
      // What is kept and looked up is the address that the service gave, wherever it led.
      url: candidate.picture, data: picture.body, source: name, title: candidate.title,
      credit: candidate.credit, licence: candidate.license, page: candidate.page)
  }

  /// Whether the next attempt would likely fail too: not after who was only asked to wait, or to stop.
  private static func mayFailAgain(_ error: any Error) -> Bool {
    guard let error = error as? HTTPError else { return !(error is CancellationError) }
    return error.status != 429 && error.retryAfter == nil
  }

  /// The error of a picture's host; that it refuses the picture does not mean that the service would
  /// refuse the program.
  static func ofPicture(_ error: any Error) -> any Error {
    guard let error = error as? HTTPError, [401, 403].contains(error.status) else { return error }
    return ImageSourceError(.noPicture, host: error.host, detail: "\(error)")
  }

  /// Whether the picture is at fault, not its service: the next one may be fine.
  private static func isAboutPicture(_ error: any Error) -> Bool {
    switch error {
    case is PictureError: true
    case let error as HTTPError:
      switch error.kind {
      case .status(400...428, _), .status(430...499, _), .tooLarge, .empty, .redirect, .address,
        .tooManyRedirects, .privateAddress, .truncated:
        true
      default: false
      }
    default: false
    }
  }
}
