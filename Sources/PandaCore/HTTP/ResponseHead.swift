/// Parses the lines of a response's head, one at a time, keeping the few that matter.
///
/// Another head may follow: interim responses (100, 103) come before the final one.
struct ResponseHead: Equatable, Sendable {
  /// The status, 0 until the first line arrives.
  private(set) var status = 0
  private(set) var contentType: String?
  /// The Content-Length, if it is one number; of the bytes as they are sent.
  private(set) var contentLength: Int?
  /// The Location, as the server sent it.
  ///
  /// CURLINFO_REDIRECT_URL would be absolute, but is missing if the body of a redirect is cut off.
  private(set) var location: String?
  /// Whether the body was compressed, although nothing asks for that.
  private(set) var isCompressed = false
  /// The length of the whole, if the part that a status 206 announces is that.
  private var wholeLength: Int?

  /// Whether what was asked for is in the body, all of it.
  ///
  /// A proxy that changed it answers with 203, some servers with a part from 0 to the end. That
  /// needs a length too, so that what breaks off is no whole.
  var hasAnswer: Bool {
    status == 200 || status == 203
      || status == 206 && contentLength != nil && contentLength == wholeLength
  }

  /// Whether the Content-Length is not a number, or there are different ones.
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
    case "location": location = location ?? value()
    case "content-length": takeLengths(value())
    case "content-encoding": isCompressed = isCompressed || value().lowercased() != "identity"
    case "content-range": wholeLength = Self.wholeLength(value())
    default: break
    }
  }

  /// Takes a length, or equal ones in a list, which proxies make of equal fields (RFC 9110, 8.6).
  private mutating func takeLengths(_ text: String) {
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      guard let length = Self.number(String(part).trimmingSpaces),
        length == contentLength ?? length
      else { return hasBadLength = true }
      contentLength = length
    }
  }

  private static func number(_ text: some StringProtocol) -> Int? {
    text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(text) : nil
  }

  /// Returns 42 for the Content-Range `bytes 0-41/42`, nil for less than all (RFC 9110, 14.4).
  private static func wholeLength(_ range: String) -> Int? {
    let parts = range.lowercased()
      .split(omittingEmptySubsequences: false, whereSeparator: { " -/".contains($0) })
    guard parts.count == 4, parts[0] == "bytes", let first = number(parts[1]),
      let last = number(parts[2]), let total = number(parts[3])
    else { return nil }
    return first == 0 && total > 0 && last == total - 1 ? total : nil
  }
}

extension StringProtocol {
  /// The text without spaces and tabs at either end.
  fileprivate var trimmingSpaces: String {
    let start = drop { $0 == " " || $0 == "\t" }
    return String(start.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
  }
}
