package import FoundationEssentials

/// Provides the pictures of redpanda.club, or of any service with the same API.
///
/// The reply is `{"width": number, "height": number, "key": string, "url": string}`. Only `url` is
/// used: the picture's own header gives its size, and is checked in any case.
package struct RedPandaClubSource: ImageSource {
  /// The address of redpanda.club's API.
  package static let publicEndpoint = URL(string: "https://image.redpanda.club/random/json")!

  /// The maximum size of a picture, in bytes.
  package static let pictureByteLimit = 20 * 1024 * 1024

  /// The Accept header for pictures: the formats that can be decoded.
  static let acceptedPictures = "image/jpeg,image/png,image/webp,image/gif,image/*;q=0.8"

  /// The displayed name: `redpanda.club`, or the host and port of another endpoint.
  package let name: String

  /// The front page of the service, or of the host of another endpoint.
  package let homePage: URL?

  private let endpoint: URL
  private let client: HTTPClient

  /// Creates a source.
  ///
  /// - Parameters:
  ///   - endpoint: the address of the JSON. Any other than `publicEndpoint` counts as named by the
  ///     user: it may be plain http, and on a private address.
  ///   - client: makes the requests.
  package init(endpoint: URL = Self.publicEndpoint, client: HTTPClient) {
    self.endpoint = endpoint
    self.client = client
    // The first fetch refuses an invalid endpoint and reports why.
    let authority = try? HTTPAddress(endpoint).authority  // see above
    homePage =
      endpoint == Self.publicEndpoint
      ? URL(string: "https://redpanda.club")
      : authority.flatMap { URL(string: "\(endpoint.scheme ?? "https")://\($0)") }
    name = endpoint == Self.publicEndpoint ? "redpanda.club" : authority ?? "source"
  }

  /// Provides the next picture with two requests: for the JSON, and for the picture.
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
    let reply = try JSONReply.decode(answer, host: base.authority)
    guard let place = reply.members?["url"]?.text?.trimmingSpaces, !place.isEmpty else {
      throw ImageSourceError(.noPicture, host: base.authority, detail: "url is missing or empty")
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
}
