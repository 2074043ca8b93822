public import FoundationEssentials

/// Holds a request as the server read it.
public struct LoopbackRequest: Sendable {
  /// The method, such as `GET`.
  public let method: String
  /// The target as it was sent, with its query.
  public let target: String
  /// The header fields in their order, the names in lower case.
  public let fields: [(name: String, value: String)]

  /// The target without its query.
  public var path: String { String(target.prefix { $0 != "?" }) }

  /// Returns the first field of that name (in lower case).
  public subscript(name: String) -> String? { fields.first { $0.name == name }?.value }

  var wantsClose: Bool { self["connection"]?.lowercased() == "close" }

  /// Reads a head without its last empty line; `nil` if it is not one.
  init?(head: String) {
    var lines = head.split(separator: "\r\n", omittingEmptySubsequences: false)[...]
    let words = lines.removeFirst().split(separator: " ")
    guard words.count == 3, words[2].hasPrefix("HTTP/1.") else { return nil }
    method = String(words[0])
    target = String(words[1])
    fields = lines.compactMap { line in
      guard let colon = line.firstIndex(of: ":") else { return nil }
      let value = line[line.index(after: colon)...].drop { $0 == " " }
      return (line[..<colon].lowercased(), String(value))
    }
  }
}

/// Holds an answer with a Content-Length.
public struct LoopbackResponse: Sendable {
  /// The status.
  public var status: Int
  /// More header fields.
  public var fields: [(String, String)]
  /// The body.
  public var body: Data

  /// Creates an answer.
  public init(status: Int = 200, fields: [(String, String)] = [], body: Data) {
    self.status = status
    self.fields = fields
    self.body = body
  }

  /// Creates an answer with text.
  public init(status: Int = 200, fields: [(String, String)] = [], body: String = "") {
    self.init(status: status, fields: fields, body: Data(body.utf8))
  }

  /// Creates an answer that leads elsewhere.
  public static func redirect(_ status: Int = 302, to location: String) -> LoopbackResponse {
    LoopbackResponse(status: status, fields: [("Location", location)], body: "elsewhere\n")
  }

  func bytes(for request: LoopbackRequest) -> Data {
    var head = "HTTP/1.1 \(status) Wah\r\n"
    for (name, value) in fields { head += "\(name): \(value)\r\n" }
    let hasBody = status != 204 && status != 304
    if hasBody { head += "Content-Length: \(body.count)\r\n" }
    var bytes = Data((head + "\r\n").utf8)
    if hasBody, request.method != "HEAD" { bytes.append(body) }
    return bytes
  }
}
