internal import FoundationEssentials

/// Decodes the JSON reply of a picture service.
enum JSONReply {
  /// The maximum size of a reply: only a few hundred bytes of it are needed.
  static let byteLimit = 1024 * 1024

  /// Decodes a reply.
  ///
  /// JSONDecoder is strict about the encoding and fails beyond 512 levels of nesting.
  ///
  /// - Throws: `ImageSourceError`: `.webPage` or `.notJSON` if it is not JSON, `.noPicture` if the
  ///   JSON has a different shape.
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

  /// Returns whether it looks like HTML, judging by its bytes: parked domains send any type.
  private static func isWebPage(_ response: HTTPResponse) -> Bool {
    let type = response.contentType?.lowercased() ?? ""
    let mark: [UInt8] = [0xef, 0xbb, 0xbf]
    let start = response.body.starts(with: mark) ? response.body.dropFirst(3) : response.body
    let first = start.first { ![0x20, 0x09, 0x0a, 0x0d].contains($0) }
    return type.hasPrefix("text/html") || type.hasPrefix("application/xhtml")
      || first == UInt8(ascii: "<")
  }
}
