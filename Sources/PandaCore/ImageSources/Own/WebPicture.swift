package import FoundationEssentials
internal import PictureCodecs

/// A picture at an address that the user names.
package struct WebPicture: Sendable {
  private let url: URL

  /// - Parameter url: an http or https address, which may be private.
  package init(_ url: URL) {
    self.url = url
  }

  /// Fetches the picture.
  ///
  /// - Throws: `HTTPError`, ``PictureError`` if the answer is not a picture, `CancellationError`.
  package func fetch(_ client: HTTPClient) async throws -> FetchedImage {
    let answer = try await client.get(.picture(url, namedSource: url))
    let header = try PictureDecoder.admit(answer.body)
    let notes = PictureNotes(in: answer.body)
    var image = FetchedImage(
      url: answer.url, data: answer.body, source: url.host() ?? "web",
      title: notes.title ?? notes.description, credit: notes.creator, license: notes.rights)
    image.header = header
    return image
  }
}
