internal import Dispatch
internal import FoundationEssentials

/// Sends requests to the server, off the main actor.
struct TimelineClient: Sendable {
  /// The port of the server.
  let port: Int

  /// - Throws: ``ClientError``, like all methods.
  func timeline() async throws -> Page { try await ask("GET", "/timeline") }

  func post(_ id: String) async throws -> Post { try await ask("GET", "/posts/\(id)") }

  func author(_ id: String) async throws -> Author { try await ask("GET", "/authors/\(id)") }

  func setFavorite(_ isFavorite: Bool, post id: String) async throws -> Post {
    try await ask("POST", "/posts/\(id)/\(isFavorite ? "favorite" : "unfavorite")")
  }

  func rename(_ author: String, to name: String) async throws -> Author {
    try await ask("PATCH", "/authors/\(author)", JSONEncoder().encode(Renaming(name: name)))
  }

  private func ask<Answer: Decodable & Sendable>(
    _ method: String, _ path: String, _ body: Data = Data()
  ) async throws -> Answer {
    // Sockets block their thread, so this must not be a thread of the cooperative pool or of
    // another request. A serial queue has a thread of its own.
    try await withCheckedThrowingContinuation { continuation in
      DispatchQueue(label: "timeline.client").async {
        continuation.resume(
          with: Result { try answer(to: "\(method) \(path) HTTP/1.1", body) })
      }
    }
  }

  private func answer<Answer: Decodable>(to start: String, _ body: Data) throws -> Answer {
    let message: HTTPMessage
    do {
      let connection = try Connection.open(port: port)
      try connection.write(HTTPMessage.bytes(start: start, body: body))
      message = try connection.read()
    } catch {
      throw ClientError.unreachable("\(error)")
    }
    guard message.start[1] == "200" else {
      let refusal = try? JSONDecoder().decode(ServerState.Refusal.self, from: message.body)
      throw ClientError.refused(refusal?.error ?? "status \(message.start[1])")
    }
    do {
      return try JSONDecoder().decode(Answer.self, from: message.body)
    } catch {
      throw ClientError.unexpectedAnswer
    }
  }
}

/// The failure of a request, in words for the screen.
enum ClientError: Error, Equatable, CustomStringConvertible {
  case unreachable(String)
  case refused(String)
  case unexpectedAnswer

  var description: String {
    switch self {
    case .unreachable(let reason): "no server (\(reason))"
    case .refused(let reason): reason
    case .unexpectedAnswer: "the server's answer makes no sense"
    }
  }
}
