internal import FoundationEssentials

/// Reads the JSON that a picture service answers with.
enum JSONReply {
  /// How large such an answer may be: what is needed of it is a few hundred bytes.
  static let byteLimit = 1024 * 1024

  /// Decodes a reply.
  ///
  /// JSONDecoder is strict about the encoding and gives up beyond 512 levels of nesting.
  ///
  /// - Throws: `ImageSourceError`: `.webPage` or `.notJSON` if it is not JSON, `.noPicture` if it
  ///   is JSON of another shape.
  static func decode<Reply: Decodable>(
    _ type: Reply.Type, from response: HTTPResponse, host: String
  ) throws(ImageSourceError) -> Reply {
    do {
      return try JSONDecoder().decode(type, from: response.body)
    } catch DecodingError.dataCorrupted(let context) where context.codingPath.isEmpty {
      let kind: ImageSourceError.Kind = isWebPage(response) ? .webPage : .notJSON
      throw ImageSourceError(
        kind, host: host,
        detail: "\(response.contentType ?? "no Content-Type"), \(response.body.count) bytes")
    } catch {
      throw ImageSourceError(.noPicture, host: host, detail: "\(error)")
    }
  }

  /// Whether it looks like HTML: by its bytes, since parked domains call it anything.
  private static func isWebPage(_ response: HTTPResponse) -> Bool {
    let type = response.contentType?.lowercased() ?? ""
    let mark: [UInt8] = [0xef, 0xbb, 0xbf]
    let start = response.body.starts(with: mark) ? response.body.dropFirst(3) : response.body
    let first = start.first { ![0x20, 0x09, 0x0a, 0x0d].contains($0) }
    return type.hasPrefix("text/html") || type.hasPrefix("application/xhtml")
      || first == UInt8(ascii: "<")
  }
}
