internal import FoundationEssentials

enum JSONReply {
  /// The maximum size of a reply: only a few hundred bytes of it are needed.
  static let byteLimit = 1024 * 1024

  /// Decodes a reply.
  ///
  /// - Throws: `ImageSourceError`: `.webPage` or `.notJSON` if it is not JSON.
  static func decode(
    _ response: HTTPResponse, host: String
  ) throws(ImageSourceError) -> JSONValue {
    do throws(JSONError) {
      return try JSONValue(response.body)
    } catch {
      throw ImageSourceError(
        isWebPage(response) ? .webPage : .notJSON, host: host,
        detail: "\(response.contentType ?? "no Content-Type"), \(response.body.count) bytes, "
          + "line \(error.line): \(error.reason)")
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
