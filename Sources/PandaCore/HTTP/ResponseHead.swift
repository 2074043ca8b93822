/// Parses the lines of a response's head, one at a time, keeping the few that matter.
///
/// Another head may follow: interim responses (100, 103) come before the final one.
struct ResponseHead: Equatable, Sendable {
  /// The status, 0 until the first line arrives.
  private(set) var status = 0
  /// The Content-Type.
  private(set) var contentType: String?
  /// The Content-Length, if it was sent once and is a number.
  private(set) var contentLength: Int?
  /// The Retry-After.
  private(set) var retryAfter: String?
  /// The Location, as the server sent it.
  ///
  /// CURLINFO_REDIRECT_URL would be absolute, but is missing if the body of a redirect is cut off.
  private(set) var location: String?
  /// The Date.
  private(set) var date: String?
  /// Whether the Content-Length is not a number, or was sent twice.
  ///
  /// Then the end of the response is undefined, and the connection could be used to smuggle in
  /// another response.
  private(set) var hasBadLength = false
  /// Whether the empty line of the final head arrived.
  private(set) var isComplete = false

  /// Processes one line, with or without its line end.
  mutating func take(_ line: UnsafeRawBufferPointer) {
    var bytes = line[...]
    while let last = bytes.last, last == 0x0a || last == 0x0d { bytes.removeLast() }
    if bytes.starts(with: Array("HTTP/".utf8)) {
      self = ResponseHead()
      let code = bytes.drop { $0 != 0x20 }.dropFirst().prefix(3)
      status = Int(String(decoding: code, as: UTF8.self)) ?? 0
      return
    }
    // Anything after the complete head is a trailer, which is ignored.
    guard !isComplete else { return }
    guard !bytes.isEmpty else {
      isComplete = !(100..<200).contains(status)
      return
    }
    guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")) else { return }
    let name = String(decoding: bytes[..<colon], as: UTF8.self).lowercased()
    let value = { String(decoding: bytes[(colon + 1)...], as: UTF8.self).trimmingSpaces }
    switch name {
    case "content-type": contentType = value()
    case "retry-after": retryAfter = value()
    case "location": location = location ?? value()
    case "date": date = value()
    case "content-length": takeLength(value())
    default: break
    }
  }

  private mutating func takeLength(_ text: String) {
    let isNumber = !text.isEmpty && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
    if isNumber, contentLength == nil, let length = Int(text) {
      contentLength = length
    } else {
      hasBadLength = true
    }
  }
}
