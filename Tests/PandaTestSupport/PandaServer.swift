public import FoundationEssentials
internal import SystemSupport

/// Is a service that answers like redpanda.club, on the loopback interface.
///
/// `/random/json` names `/picture/1`, `/picture/2` and so on, and these give out the pictures in
/// turn: no two answers have the same address. Point Panda at it with `--source` and `endpoint`.
public final class PandaServer: Sendable {
  /// The server, for more routes and for what it has seen.
  public let server: LoopbackServer

  private let pictures: [Data]
  private let size: (width: Int, height: Int)
  private let next = Lock(0)
  private let trouble = Lock<LoopbackResponse?>(nil)

  /// Starts a service.
  ///
  /// - Parameters:
  ///   - pictures: what is given out in turn, at least one.
  ///   - size: what the JSON says of each, in pixels.
  public init(pictures: [Data], size: (width: Int, height: Int) = (640, 480)) throws {
    precondition(!pictures.isEmpty, "a panda server needs a picture")
    self.pictures = pictures
    self.size = size
    server = try LoopbackServer()
    server.serve("/random/json") { [unowned self] _ in troubled() ?? describeNext() }
    server.serve("/picture/*") { [unowned self] request in troubled() ?? picture(at: request.path) }
  }

  /// Where the JSON is.
  public var endpoint: URL { server.url("/random/json") }

  /// Answers everything with this from now on, such as a 503; `nil` ends the trouble.
  public func fail(with response: LoopbackResponse?) {
    trouble.withLock { $0 = response }
  }

  /// Stops the server.
  ///
  /// Must be called.
  public func stop() { server.stop() }

  private func troubled() -> LoopbackResponse? { trouble.withLock { $0 } }

  private func describeNext() -> LoopbackResponse {
    let number = next.withLock { number in
      number += 1
      return number
    }
    let json = """
      {"width": \(size.width), "height": \(size.height), "key": "\(number)", \
      "url": "\(server.url("/picture/\(number)").absoluteString)"}
      """
    return LoopbackResponse(fields: [("Content-Type", "application/json")], body: json)
  }

  private func picture(at path: String) -> LoopbackResponse {
    guard let number = Int(path.split(separator: "/").last ?? ""), number > 0 else {
      return LoopbackResponse(status: 404, body: "no such picture\n")
    }
    let bytes = pictures[(number - 1) % pictures.count]
    return LoopbackResponse(fields: [("Content-Type", Self.type(of: bytes))], body: bytes)
  }

  private static func type(of bytes: Data) -> String {
    if bytes.starts(with: [0xff, 0xd8]) { return "image/jpeg" }
    if bytes.starts(with: [0x89, 0x50, 0x4e, 0x47]) { return "image/png" }
    return "application/octet-stream"
  }
}
