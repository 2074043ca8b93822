import FoundationEssentials
import PandaTestSupport
import Testing

@testable import PandaCore

extension HTTPClient {
  /// Returns a client that ignores the environment of the tests.
  static func forTests(
    limits: HTTPLimits = .patient, environment: [String: String] = [:]
  ) -> HTTPClient {
    HTTPClient(
      userAgent: "panda/test (+https://panda.invalid)", limits: limits, environment: environment)
  }

  /// Returns whether the tests run with at least this version of libcurl.
  static func hasLibrary(_ major: Int, _ minor: Int) -> Bool {
    let version = libraryVersion.split(separator: ".").compactMap { Int($0) }
    return !version.lexicographicallyPrecedes([major, minor])
  }
}

extension HTTPLimits {
  /// Limits that a busy machine does not reach, for tests of anything but the limits.
  static let patient = with {
    $0.connect = .seconds(120)
    $0.total = .seconds(240)
    $0.lowSpeedTime = .seconds(240)
  }

  /// Returns the program's limits with some changes.
  static func with(_ change: (inout HTTPLimits) -> Void) -> HTTPLimits {
    var limits = HTTPLimits()
    change(&limits)
    return limits
  }
}

extension LoopbackServer {
  /// Returns a request for a path of this server, as if the user had named the server.
  func request(_ path: String, limit: Int = 1 << 20) -> HTTPRequest {
    HTTPRequest(url: url(path), byteLimit: limit, accept: "image/*", namedSource: url("/"))
  }
}

/// Returns the error that an operation throws.
func failure(_ operation: () async throws -> some Any) async throws -> HTTPError {
  try await #require(throws: HTTPError.self) { _ = try await operation() }
}
