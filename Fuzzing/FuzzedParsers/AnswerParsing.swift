internal import Foundation
@testable internal import PandaCore

/// The JSON reply of a service, read by its description.
///
/// An input is a reply for all built-in services, or a description, a NUL and its reply.
enum AnswerParsing {
  private static let asked = URL(string: "https://service.example/api/list.json?page=2")!

  static func parse(_ input: [UInt8]) throws {
    let parts = input.split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false)
    guard let reply = try value(Data(parts[parts.count - 1])) else { return }
    var descriptions =
      SourceDescription.builtIn + [SourceDescription(guessedFor: asked.absoluteString)!]
    if parts.count == 2 {
      guard let own = try value(Data(parts[0])) else { return }
      do {
        descriptions = [try SourceDescription(own)]
      } catch {
        try require(!error.description.isEmpty, "an error has a sentence")
        return
      }
    }
    for description in descriptions { try read(reply, description) }
  }

  /// Requires that our reader finds what Foundation finds.
  ///
  /// Foundation reads no JSON5 here, and takes the first of several members with one name.
  private static func compare(_ document: Data) throws {
    guard FoundationJSON.canDecode(Array(document)),
      let text = String(validating: document, as: UTF8.self)
    else { return }
    var scanner = JSONScanner(text)
    guard let found = try? scanner.scan(), scanner.repetitions.isEmpty  // nothing to compare
    else { return }
    do {
      let expected = try JSONDecoder().decode(FoundationJSON.self, from: document)
      try require(FoundationJSON(found) == expected, "\(found) is \(expected)")
    } catch is DecodingError {
      return
    }
  }

  /// Decodes JSON as the program does; nil if it is none.
  private static func value(_ body: Data) throws -> JSONValue? {
    try compare(body)
    let response = HTTPResponse(url: asked, body: body, contentType: "application/json")
    do {
      return try JSONReply.decode(response, host: "service.example")
    } catch {
      return nil
    }
  }

  private static func read(_ reply: JSONValue, _ description: SourceDescription) throws {
    let reader = ListReader(
      description: description, base: try HTTPAddress(asked), asked: asked)
    let result = reader.read(reply)
    try require(result.entryCount <= ListReader.entryLimit, "entries are limited")
    try require(
      result.candidates.count + result.rejected.values.reduce(0, +) == result.entryCount,
      "every entry is a candidate or rejected")
    for candidate in result.candidates {
      let scheme = candidate.picture.scheme?.lowercased() ?? ""
      try require(["http", "https"].contains(scheme), "\(candidate.picture) can be fetched")
      for text in [candidate.title, candidate.credit, candidate.license] {
        try require(text?.count ?? 0 <= 500, "a text has at most 500 characters")
      }
    }
    var listing = SourceListing(id: description.name)
    for _ in 0..<3 {
      listing.advance(past: reply, isEmpty: result.entryCount == 0, description)
      let next = listing.nextAddress(description)
      try require(
        description.addresses.contains { $0.host() == next.host() && $0.port == next.port },
        "\(next) is on a described host")
    }
  }
}

extension FoundationJSON {
  fileprivate init(_ value: JSONValue) {
    self =
      switch value.content {
      case .null, .invalid: .null
      case .flag(let flag): .bool(flag)
      case .number(let number): .number(number)
      case .text(let text): .string(text)
      case .list(let elements): .array(elements.map { FoundationJSON($0) })
      case .object(let members): .object(members.mapValues { FoundationJSON($0) })
      }
  }
}
