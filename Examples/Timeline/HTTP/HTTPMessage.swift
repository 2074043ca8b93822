internal import FoundationEssentials

/// A request or an answer, in the subset of HTTP/1.1 that this program uses.
struct HTTPMessage {
  /// `GET /path HTTP/1.1`, or `HTTP/1.1 200 OK`, split into words.
  let start: [Substring]
  let headLength: Int
  let bodyLength: Int
  var body = Data()

  /// Parses the head of a message; nil if it is incomplete.
  ///
  /// - Throws: ``HTTPError/malformed``.
  init?(head bytes: Data) throws(HTTPError) {
    guard let end = bytes.firstRange(of: Data("\r\n\r\n".utf8)) else { return nil }
    let lines = String(decoding: bytes[..<end.lowerBound], as: UTF8.self)
      .split(separator: "\r\n", omittingEmptySubsequences: false)
    start = lines[0].split(separator: " ")
    guard start.count >= 3 || start.first == "HTTP/1.1" && start.count == 2 else {
      throw .malformed
    }
    headLength = end.upperBound - bytes.startIndex
    var length = 0
    for line in lines.dropFirst() {
      let parts = line.split(separator: ":", maxSplits: 1)
      guard parts.count == 2, parts[0].lowercased() == "content-length" else { continue }
      guard let number = Int(parts[1].drop { $0 == " " }), number >= 0 else { throw .malformed }
      length = number
    }
    bodyLength = length
  }

  /// Returns the bytes of a message with JSON, which ends the connection.
  static func bytes(start: String, body: Data) -> Data {
    let head = """
      \(start)\r
      Host: 127.0.0.1\r
      Content-Type: application/json\r
      Content-Length: \(body.count)\r
      Connection: close\r
      \r

      """
    return Data(head.utf8) + body
  }
}

/// The reason why bytes are not a valid message.
enum HTTPError: Error, Equatable, CustomStringConvertible {
  case malformed, tooLong, endsTooEarly

  var description: String {
    switch self {
    case .malformed: "this is not HTTP"
    case .tooLong: "the message is too long"
    case .endsTooEarly: "the connection ended too early"
    }
  }
}
