package import FoundationEssentials
internal import PictureCodecs

/// Asks a service once and reports what each pointer of its description finds, for authors.
///
/// Nothing of it is stored.
package struct SourceProbe: Sendable {
  /// A member's finding in the first entry.
  package struct Finding: Equatable, Sendable {
    /// The member, such as `credit`.
    package let member: String
    /// Its pointers, as written.
    package let pointers: String
    /// The value that the reader finds, as text; nil for none.
    package let value: String?
  }

  package struct Picture: Equatable, Sendable {
    package let url: URL
    package let width: Int
    package let height: Int
    package let byteCount: Int
    /// The format, such as `jpeg`.
    package let format: String
  }

  package private(set) var address: URL
  package private(set) var entryCount = 0
  /// The number of entries that can be shown.
  package private(set) var usableCount = 0
  /// The reasons why the others cannot be shown, with their counts.
  package private(set) var rejected: [String] = []
  /// The pointers' findings in the first entry that can be shown, or else in the first.
  package private(set) var findings: [Finding] = []
  /// The missing members that a picture should have: `credit`, `license`.
  package private(set) var missing: [String] = []
  /// The picture of that entry.
  package private(set) var picture: Picture?
  package private(set) var failure: (any Error)?

  /// Asks the service of a description.
  package init(_ description: SourceDescription, client: HTTPClient) async {
    address = SourceListing(id: description.name).nextAddress(description)
    do {
      let reader = try await readList(description, client)
      try await fetchPicture(reader, client)
    } catch {
      failure = error
    }
  }

  private var candidate: SourceCandidate?

  private mutating func readList(
    _ description: SourceDescription, _ client: HTTPClient
  ) async throws -> String {
    let response = try await client.get(
      HTTPRequest(
        url: address, byteLimit: JSONReply.byteLimit, accept: "application/json",
        namedSource: description.isNamedByUser ? address : nil))
    let base = try HTTPAddress(response.url)
    let answer = try JSONReply.decode(response, host: base.authority)
    let reader = ListReader(description: description, base: base, asked: address)
    let result = reader.read(answer)
    entryCount = result.entryCount
    usableCount = result.candidates.count
    rejected = result.rejected.map { "\($0.value) \($0.key.words)" }.sorted()
    candidate = result.candidates.first
    let entries = reader.entries(of: answer)
    let entry = entries.first { reader.usable($0) != nil } ?? entries.first
    // The resulting texts: without HTML, with the address's replacement.
    let used = candidate.map { candidate in
      [
        "picture": candidate.picture.absoluteString, "title": candidate.title,
        "description": candidate.about,
        "credit": candidate.credit, "license": candidate.license,
        "page": candidate.page?.absoluteString, "identity": candidate.identity,
      ]
    }
    findings = description.pointers.compactMap { (member, pointers) -> Finding? in
      guard !pointers.isEmpty else { return nil }
      let found =
        used?[member]
        ?? entry.flatMap { entry in
          pointers.lazy.compactMap { $0.resolve(at: entry)?.value.shortText }.first
        }
      return Finding(
        member: member, pointers: pointers.map(\.description).joined(separator: ", "), value: found)
    }
    if let candidate {
      missing =
        (candidate.credit == nil ? ["credit"] : []) + (candidate.license == nil ? ["license"] : [])
    }
    return base.authority
  }

  private mutating func fetchPicture(_ host: String, _ client: HTTPClient) async throws {
    guard let candidate else {
      throw ImageSourceError(.noPicture, host: host, detail: rejected.joined(separator: ", "))
    }
    let response = try await client.get(
      .picture(candidate.picture, namedSource: candidate.namedSource))
    let header = try await PictureDecoder.tried(response.body)
    picture = Picture(
      url: candidate.picture, width: header.size.width, height: header.size.height,
      byteCount: response.body.count, format: header.format.rawValue)
  }
}

extension SourceDescription {
  /// The members that are pointers into an entry, in the documentation's order.
  fileprivate var pointers: [(String, [JSONPointer])] {
    [
      ("picture", picture), ("title", title), ("description", about), ("credit", credit),
      ("license", license),
      ("licenseVersion", licenseVersion), ("page", page), ("identity", identity), ("width", width),
      ("height", height),
      ("type", type),
    ]
  }
}

extension ListReader.Rejection {
  /// The reason why an entry cannot be shown, to follow a number.
  fileprivate var words: String {
    switch self {
    case .noPicture: "without a picture's address"
    case .badAddress: "with an address that cannot be used"
    case .relativeAddress: "with a relative address, which needs \"relative\": true"
    case .video: "that are videos"
    case .type: "of a type that cannot be shown"
    case .tooLarge: "that are too large"
    case .license: "without an open license"
    case .repeated: "that are duplicates"
    }
  }
}

extension JSONValue {
  /// A short text of the value; nil for null.
  fileprivate var shortText: String? {
    switch content {
    case .null, .invalid: nil
    case .flag(let flag): "\(flag)"
    case .number(let number): integer.map { "\($0)" } ?? "\(number)"
    case .text(let text): String(text.prefix(300))
    case .list(let elements): "a list of \(elements.count)"
    case .object(let members): "an object of \(members.count)"
    }
  }
}
