package import FoundationEssentials
internal import SystemSupport
internal import Pantry
internal import PictureCodecs

/// Provides the pictures of a service, as specified by a description.
///
/// If the service has lists, one is requested when the last one is used up; its pictures are stored
/// in the library, so that a day of use takes one or two requests, and a relaunch none.
package final class DescribedSource: ImageSource {
  package let description: SourceDescription

  package var name: String { description.label }

  package var homePage: URL? { description.homePage }

  package var host: String? { description.host }

  private let client: HTTPClient
  private let shelf: CandidateShelf
  private let pace: RequestLimiter
  /// Serializes requests for lists.
  private let listing: RequestLimiter
  private let log: Log
  /// The number of requests to a service without lists.
  private let askedCount = Lock(0)

  /// The maximum number of pictures tried until one can be shown.
  private static let pictureAttempts = 3
  /// The maximum number of lists requested until one has a new picture.
  private static let listAttempts = 3

  /// Creates a source.
  ///
  /// - Parameters:
  ///   - library: stores the pictures of a list, and knows which pictures the user knows.
  ///   - client: makes the requests.
  ///   - log: receives why a picture is skipped.
  package convenience init(
    _ description: SourceDescription, library: ImageLibrary, client: HTTPClient, log: Log = .off
  ) {
    self.init(
      description, shelf: CandidateShelf(library), client: client,
      timer: MonotonicTimer(ContinuousClock()), log: log)
  }

  init(
    _ description: SourceDescription, shelf: CandidateShelf, client: HTTPClient,
    timer: MonotonicTimer, log: Log = .off
  ) {
    self.description = description
    self.shelf = shelf
    self.client = client
    self.log = log
    pace = RequestLimiter(
      description.name, description.limits, client.gates, timer: timer,
      hasContact: { client.hasContact })
    var alone = SourceDescription.Limits()
    alone.connections = 1
    listing = RequestLimiter(description.name, alone, client.gates, timer: timer)
  }

  /// Provides the next picture that can be shown, with one request, or two if a list is needed.
  ///
  /// A picture that is missing or invalid is skipped: the service may still be healthy.
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
        let cause = (error as? PictureError)?.cause ?? "\(error)"
        log.notice(.pictures, "A picture of \(description.name) is skipped: \(cause)")
      } catch {
        if !Self.isAboutPicture(error), !description.list.isEmpty {
          await shelf.putBack(candidate, hasFailed: Self.mayFailAgain(error))
        }
        throw Self.ofPicture(error)
      }
    }
  }

  // MARK: Lists

  private func nextCandidate() async throws -> SourceCandidate {
    guard !description.list.isEmpty else { return try await onlyCandidate() }
    await shelf.begin(description)
    while true {
      if let kept = await shelf.take(description.name) { return kept }
      // Another source may deliver a picture first. The answer is still worth keeping: the next
      // turn uses it, and it counts towards the hourly limit anyway.
      let (outcome, end) = AsyncThrowingStream<Never, any Error>.makeStream()
      Task {
        do {
          try await listing.perform(name, isCounted: false) { [self] in
            // Another caller may have fetched a list while this one waited.
            if await !shelf.hasCandidate(description.name) { try await fetchList() }
          }
          end.finish()
        } catch {
          end.finish(throwing: error)
        }
      }
      for try await _ in outcome {}
      // The stream ends immediately if its reader is canceled.
      try Task.checkCancellation()
    }
  }

  /// Returns the picture of a service that names one at a time.
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

  /// Requests lists until one has a picture new to the user, three at most.
  ///
  /// On return the shelf is not empty: if all pictures were seen, it offers those again.
  private func fetchList() async throws {
    var rejected: [ListReader.Rejection: Int] = [:]
    var seen: [SourceCandidate] = []
    var host = name
    var attempts = Self.listAttempts
    while attempts > 0 {
      var listing = await shelf.listing(description.name)
      // Before the request: an unusable answer counts too, one that cannot come does not.
      let limit = description.limits.listsPerHour
      let wait = client.gates.open(description.name, keeping: true) {
        $0.requestList(perHour: limit, at: $1)
      }
      if let wait {
        guard seen.isEmpty else { break }
        throw ImageSourceError(.resting(wait), host: name)
      }
      let address = listing.nextAddress(description, letter: shelf.random)
      let (value, reader): (JSONValue, ListReader)
      do {
        (value, reader) = try await list(at: address, listing)
      } catch  where listing.isFallback != true {
        guard await shelf.listing(description.name).isFallback == true else { throw error }
        log.notice(.network, "The other lists of \(description.name) are asked: \(error)")
        continue
      }
      let former = listing.isFallback
      host = reader.base.authority
      let result = reader.read(value)
      listing.advance(
        past: value, isEmpty: result.entryCount == 0, isPartial: reader.hasWarning(value),
        description)
      // The other lists follow an answer with little or nothing, which is no attempt.
      if former == listing.isFallback || former == true { attempts -= 1 }
      rejected.merge(result.rejected, uniquingKeysWith: +)
      let kept = await shelf.keep(result.candidates, listing)
      guard kept.fresh == 0 else { return }
      seen += kept.seen
    }
    guard !seen.isEmpty else { throw Self.failure(rejected, host: host) }
    await shelf.offerAgain(seen)
  }

  /// Requests a list; after an unusable answer the next request begins elsewhere.
  ///
  /// Otherwise a page or a continuation that the service no longer knows would be requested
  /// forever. A request that never reached the service is taken out of its hourly budget.
  private func list(
    at address: URL, _ listing: SourceListing
  ) async throws -> (JSONValue, ListReader) {
    do {
      return try Self.read(try await answer(of: address), asked: address, description)
    } catch {
      var listing = listing
      if Self.isUnsent(error, to: address) {
        client.gates.open(description.name, keeping: true) { gate, _ in gate.takeBackList() }
        // Pictures that were not reached either are tried again.
        if (error as? HTTPError)?.isOffline == true { await shelf.forgetFailures() }
      } else if Self.isAboutList(error) || Self.isFaulty(error) && !description.fallback.isEmpty {
        listing.beginElsewhere(description)
      }
      await shelf.keep([], listing)
      throw error
    }
  }

  /// Returns whether a request never reached the service; a redirect elsewhere did.
  private static func isUnsent(_ error: any Error, to address: URL) -> Bool {
    switch error {
    case let error as ImageSourceError:
      if case .resting = error.kind { true } else { false }
    case let error as HTTPError:
      // Fetching has refused an address without a host.
      error.isUnsent && error.host == (try? HTTPAddress(address).authority)
    default: false
    }
  }

  /// Returns whether a service has failed at an answer, which another version of it may not.
  private static func isFaulty(_ error: any Error) -> Bool {
    guard let status = (error as? HTTPError)?.status else { return false }
    return (500...599).contains(status) && status != 503
  }

  private static func isAboutList(_ error: any Error) -> Bool {
    switch error {
    case let error as ImageSourceError: error.kind != .noContact
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
    return try await pace.perform(name) { [client] in try await self.get(request, client) }
  }

  /// Makes a request; a refusal by a service that demands a contact says that this is missing.
  private func get(
    _ request: HTTPRequest, _ client: HTTPClient,
    progress: (@Sendable (HTTPProgress) -> Void)? = nil
  ) async throws -> HTTPResponse {
    do {
      return try await client.get(request, progress: progress)
    } catch let error as HTTPError
      where error.status == 403 && description.limits.withoutContact != nil && !client.hasContact
    {
      throw ImageSourceError(.noContact, host: error.host, detail: "\(error)")
    }
  }

  private static func read(
    _ response: HTTPResponse, asked: URL, _ description: SourceDescription
  ) throws -> (JSONValue, ListReader) {
    let base = try HTTPAddress(response.url)
    let value = try JSONReply.decode(response, host: base.authority)
    return (value, ListReader(description: description, base: base, asked: asked))
  }

  /// Returns the reason why nothing in a list can be shown: the most common one among its entries.
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
    let request = HTTPRequest.picture(candidate.picture, namedSource: candidate.namedSource)
    let name = name
    let isOwn = description.counts(candidate.picture)
    let picture = try await pace.perform(name, isCounted: isOwn) { [client] in
      try await self.get(request, client) {
        progress(
          FetchProgress(
            bytesReceived: $0.bytesReceived, expectedBytes: $0.expectedBytes, source: name))
      }
    }
    let key = await shelf.key(of: candidate)
    // One that cannot be decoded is skipped like one that is missing.
    return try await FetchedImage(
      // A list's picture has the address from the service, regardless of redirects.
      // One that is named alone may have the same address each time, which leads elsewhere.
      url: description.list.isEmpty ? picture.url : URL(string: key) ?? candidate.picture,
      data: picture.body, source: name, title: candidate.title, about: candidate.about,
      credit: candidate.credit, license: candidate.license, page: candidate.page,
      identity: candidate.identity
    ).tried(limits: .network)
  }

  /// Returns whether the next attempt would likely fail too.
  ///
  /// A request to wait, be it the service's or our own, and a cancellation do not count.
  static func mayFailAgain(_ error: any Error) -> Bool {
    if case .resting? = (error as? ImageSourceError)?.kind { return false }
    guard let error = error as? HTTPError else { return !(error is CancellationError) }
    return error.status != 429 && error.retryAfter == nil
  }

  /// Returns the error of a picture's host, which is not a refusal by the service itself.
  static func ofPicture(_ error: any Error) -> any Error {
    guard let error = error as? HTTPError, [401, 403].contains(error.status) else { return error }
    return ImageSourceError(.noPicture, host: error.host, detail: "\(error)")
  }

  /// Returns whether the picture is at fault rather than its service: the next one may be fine.
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
