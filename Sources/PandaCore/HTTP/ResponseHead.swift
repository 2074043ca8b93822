/// Reads the lines of an answer's head, one at a time, and remembers the few that matter.
///
/// A head may be followed by another one: interim answers (100, 103) come before the real one.
struct ResponseHead: Equatable, Sendable {
  /// The status, 0 until the first line arrived.
  private(set) var status = 0
  /// The Content-Type.
  private(set) var contentType: String?
  /// The Content-Length, if it was announced once and is a number.
  private(set) var contentLength: Int?
  /// The Retry-After.
  private(set) var retryAfter: String?
  /// The Location, as the server spelled it: CURLINFO_REDIRECT_URL would be absolute, but is
  /// missing when the body of a redirect is cut short.
  private(set) var location: String?
  /// The Date.
  private(set) var date: String?
  /// Whether the Content-Length is not a number, or was announced twice: then nobody knows where
  /// the answer ends, and the connection could be used to smuggle another answer in.
  private(set) var hasBadLength = false
  /// Whether the empty line of the final answer arrived.
  private(set) var isComplete = false

  /// Takes one line, with or without its line end.
  mutating func take(_ line: UnsafeRawBufferPointer) {
    var bytes = line[...]
    while let last = bytes.last, last == 0x0a || last == 0x0d { bytes.removeLast() }
    if bytes.starts(with: Array("HTTP/".utf8)) {
      self = ResponseHead()
      let code = bytes.drop { $0 != 0x20 }.dropFirst().prefix(3)
      status = Int(String(decoding: code, as: UTF8.self)) ?? 0
      return
    }
    // What comes after the head is complete is a trailer, which can say nothing of importance.
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
