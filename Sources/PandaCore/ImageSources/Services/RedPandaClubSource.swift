package import FoundationEssentials

/// Provides the pictures of redpanda.club, or of any service that answers like it.
///
/// The answer is `{"width": number, "height": number, "key": string, "url": string}`. Only `url`
/// is read: the picture's own header knows its size, and is checked in any case.
package struct RedPandaClubSource: ImageSource {
  /// Where redpanda.club answers.
  package static let publicEndpoint = URL(string: "https://image.redpanda.club/random/json")!

  /// How large a picture may be.
  package static let pictureByteLimit = 20 * 1024 * 1024

  /// Which pictures a request says it would like: those that can be decoded.
  static let acceptedPictures = "image/jpeg,image/png,image/webp,image/gif,image/*;q=0.8"

  /// What the person reads: `redpanda.club`, or the host and port of another endpoint.
  package let name: String

  /// The front page of the service: for another endpoint that of its host.
  package let homePage: URL?

  private let endpoint: URL
  private let client: HTTPClient

  /// Creates a source.
  ///
  /// - Parameters:
  ///   - endpoint: where the JSON is. Any other than `publicEndpoint` counts as named by the
  ///     person: it may be plain http, and on a private address.
  ///   - client: who fetches.
  package init(endpoint: URL = Self.publicEndpoint, client: HTTPClient) {
    self.endpoint = endpoint
    self.client = client
    // An endpoint that cannot be read is refused by the first fetch, with the reason.
    let authority = try? HTTPAddress(endpoint).authority  // see above
    homePage =
      endpoint == Self.publicEndpoint
      ? URL(string: "https://redpanda.club")
      : authority.flatMap { URL(string: "\(endpoint.scheme ?? "https")://\($0)") }
    name = endpoint == Self.publicEndpoint ? "redpanda.club" : authority ?? "source"
  }

  /// Provides the next picture with two requests: the JSON, then the picture that it names.
  ///
  /// - Throws: `HTTPError`, `ImageSourceError` or `CancellationError`.
  package func fetchImage(
    progress: @escaping @Sendable (FetchProgress) -> Void
  ) async throws -> FetchedImage {
    let named = endpoint == Self.publicEndpoint ? nil : endpoint
    let answer = try await client.get(
      HTTPRequest(
        url: endpoint, byteLimit: JSONReply.byteLimit, accept: "application/json",
        namedSource: named))
    let base = try HTTPAddress(answer.url)
    let reply = try JSONReply.decode(Reply.self, from: answer, host: base.authority)
    let place = reply.url.trimmingSpaces
    guard !place.isEmpty else {
      throw ImageSourceError(.noPicture, host: base.authority, detail: "url is empty")
    }
    let request = HTTPRequest(
      url: try HTTPAddress(place, relativeTo: base).url(), byteLimit: Self.pictureByteLimit,
      accept: Self.acceptedPictures, namedSource: named)
    do {
      let picture = try await client.get(request) {
        progress(FetchProgress(bytesReceived: $0.bytesReceived, expectedBytes: $0.expectedBytes))
      }
      return FetchedImage(url: picture.url, data: picture.body, source: name)
    } catch {
      throw DescribedSource.ofPicture(error)
    }
  }

  private struct Reply: Decodable {
    let url: String
  }
}
