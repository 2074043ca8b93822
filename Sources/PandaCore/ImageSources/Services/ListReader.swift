internal import FoundationEssentials
internal import PictureCodecs
internal import SystemSupport

/// Extracts the pictures from a reply by a description: a pure function of the two.
///
/// Every member is optional and of any type; unusable entries are skipped and counted.
struct ListReader {
  struct Result {
    /// The pictures that can be fetched, in the order of the answer.
    var candidates: [SourceCandidate] = []
    var rejected: [Rejection: Int] = [:]
    var entryCount = 0
  }

  enum Rejection: Error, Hashable {
    /// There is no text where the picture's address should be.
    case noPicture
    case badAddress
    /// The picture's address is relative, which the description does not allow.
    case relativeAddress
    case video
    /// Its type cannot be shown.
    case type
    case tooLarge
    /// Its license is not open, or is missing.
    case license
    /// It is a duplicate within the reply.
    case repeated
  }

  /// The maximum number of entries read from a reply.
  static let entryLimit = 500
  /// The maximum number of characters of a text.
  private static let textLimit = 500

  let description: SourceDescription
  /// The final address of the reply, after all redirects.
  let base: HTTPAddress
  let asked: URL
  /// The user's language, such as `de`, in which descriptions are read if they have it.
  var language = ProcessInfo.processInfo.environment.userLanguage

  func read(_ answer: JSONValue) -> Result {
    var result = Result()
    var addresses: Set<URL> = []
    let entries = entries(of: answer)
    let pages = Dictionary(grouping: entries) { text(description.page, $0) }
    let identities = Dictionary(grouping: entries, by: identity)
    for entry in entries {
      result.entryCount += 1
      switch candidate(entry) {
      case .success(var candidate) where addresses.insert(candidate.picture).inserted:
        candidate.sharesPage = pages[text(description.page, entry)].map { $0.count > 1 }
        // A value shared by several entries identifies none of them.
        if (identities[candidate.identity]?.count ?? 0) > 1 { candidate.identity = nil }
        result.candidates.append(candidate)
      case .success: result.rejected[.repeated, default: 0] += 1
      case .failure(let reason): result.rejected[reason, default: 0] += 1
      }
    }
    return result
  }

  /// Returns the entries at the end of the description's path.
  func entries(of answer: JSONValue) -> [JSONPosition] {
    var places = [JSONPosition(root: answer)]
    for pointer in description.list {
      places = Array(
        places.lazy.compactMap { pointer.resolve(at: $0) }.flatMap(\.children)
          .prefix(Self.entryLimit))
    }
    return places
  }

  /// Returns whether a reply warns that it does not have all entries.
  func hasWarning(_ answer: JSONValue) -> Bool {
    description.warning.contains { $0.resolve(at: JSONPosition(root: answer)) != nil }
  }

  /// Returns the picture of an entry; nil if it cannot be shown.
  func usable(_ entry: JSONPosition) -> SourceCandidate? {
    if case .success(let candidate) = candidate(entry) { candidate } else { nil }
  }

  private func candidate(_ entry: JSONPosition) -> Swift.Result<SourceCandidate, Rejection> {
    guard let place = text(description.picture, entry) else {
      return .failure(.noPicture)
    }
    let type = text(description.type, entry)?.lowercased()
    if Self.isVideo(type: type, address: place) { return .failure(.video) }
    if let type, !Self.isShowable(type) { return .failure(.type) }
    let hasScheme = place.contains("://")
    guard hasScheme || description.allowsRelativeAddresses else {
      return .failure(.relativeAddress)
    }
    // With any fault in the address, the entry is unusable.
    let address = replaced(place)
    guard let picture = try? HTTPAddress(address, relativeTo: base).url() else {  // any fault
      return .failure(.badAddress)
    }
    let size = (number(description.width, entry), number(description.height, entry))
    if let width = size.0, let height = size.1, Self.isTooLarge(width, height) {
      return .failure(.tooLarge)
    }
    let license = text(description.license, entry).flatMap {
      LicenseName($0, version: text(description.licenseVersion, entry))
    }
    if description.requiresOpenLicense, license?.isOpen != true {
      return .failure(.license)
    }
    return .success(
      SourceCandidate(
        source: description.name, picture: picture,
        title: prose(description.title, entry).map(Self.withoutFileName),
        about: about(entry),
        credit: prose(description.credit, entry), license: license?.text,
        page: text(description.page, entry).flatMap(page), identity: identity(entry),
        width: size.0, height: size.1,
        namedSource: description.isNamedByUser ? asked : nil))
  }

  // MARK: Members

  /// Returns the first text found by one of the pointers, trimmed.
  func text(_ pointers: [JSONPointer], _ entry: JSONPosition) -> String? {
    for pointer in pointers {
      guard let text = pointer.resolve(at: entry)?.value.text else { continue }
      let words = text.prefix(20_000).drop(while: \.isWhitespace)
      let trimmed = String(words.reversed().drop(while: \.isWhitespace).reversed())
      if !trimmed.isEmpty { return trimmed }
    }
    return nil
  }

  /// Returns a text for display, without HTML and limited in length.
  private func prose(_ pointers: [JSONPointer], _ entry: JSONPosition) -> String? {
    guard let text = text(pointers, entry) else { return nil }
    let plain = description.isHTML ? PlainText.of(html: text) : text
    return plain.isEmpty ? nil : String(plain.prefix(Self.textLimit))
  }

  /// Returns what the picture shows, in the user's language or in English.
  private func about(_ entry: JSONPosition) -> String? {
    guard let text = text(description.about, entry) else { return nil }
    let plain = PlainText.of(html: text, in: language).sanitized(upTo: RemoteImage.aboutLimit)
    return plain.isEmpty ? nil : plain
  }

  private func number(_ pointers: [JSONPointer], _ entry: JSONPosition) -> Int? {
    pointers.lazy.compactMap { $0.resolve(at: entry)?.value.integer }.first { $0 > 0 }
  }

  private func identity(_ entry: JSONPosition) -> String? {
    let names = description.identity.lazy.compactMap { pointer in
      pointer.resolve(at: entry)?.value.parameterText
    }
    return names.first { (1...200).contains($0.count) }.map { "\(description.name)/\($0)" }
  }

  /// Returns a page's address, which may be plain http: it is only opened in the browser.
  ///
  /// An invalid one counts as missing, and so does one in a private network, unless the user has
  /// named its host.
  private func page(_ text: String) -> URL? {
    let named = description.isNamedByUser ? try? HTTPAddress(asked) : nil  // was asked already
    guard let address = try? HTTPAddress(text, relativeTo: base),  // invalid: none
      !AddressPolicy(named: named).refusesHost(of: address)
    else { return nil }
    return try? address.url()  // invalid: none
  }

  private func replaced(_ address: String) -> String {
    guard let replacement = description.replacement,
      let range = address.lastRange(of: replacement.text)
    else { return address }
    return address.replacingCharacters(in: range, with: replacement.other)
  }

  // MARK: Kinds

  private static func isVideo(type: String?, address: String) -> Bool {
    if let type, type.hasPrefix("video/") || type == "application/ogg" { return true }
    let path = address.prefix { $0 != "?" && $0 != "#" }.lowercased()
    return ["webm", "mp4", "m4v", "mov", "ogv", "mkv", "gifv"].contains { path.hasSuffix(".\($0)") }
  }

  private static func isShowable(_ type: String) -> Bool {
    let name = type.prefix { $0 != ";" }
    return ["image/jpeg", "image/jpg", "image/png", "image/gif", "image/webp"].contains(name)
  }

  private static func isTooLarge(_ width: Int, _ height: Int) -> Bool {
    let limits = PictureLimits.network
    let (pixels, overflow) = width.multipliedReportingOverflow(by: height)
    return overflow || pixels > limits.pixels || max(width, height) > limits.side
  }

  /// Removes `File:` and the extension from a file name; other titles are unchanged.
  static func withoutFileName(_ title: String) -> String {
    var name = title[...]
    if name.hasPrefix("File:") { name = name.dropFirst(5) }
    if let dot = name.lastIndex(of: "."), dot != name.startIndex,
      ["jpg", "jpeg", "png", "gif", "webp"].contains(name[name.index(after: dot)...].lowercased())
    {
      name = name[..<dot]
    }
    let words = name.replacing("_", with: " ").split(separator: " ").joined(separator: " ")
    return name.count == title.count || words.isEmpty ? title : words
  }
}

extension [String: String] {
  /// The language of messages, such as `de`; `en` for none.
  var userLanguage: String {
    let value = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap { self[$0] }.first { !$0.isEmpty }
    let name = (value ?? "").prefix { $0.isASCII && $0.isLetter }.lowercased()
    return (2...3).contains(name.count) ? name : "en"
  }
}

extension String {
  fileprivate func lastRange(of text: String) -> Range<String.Index>? {
    var found: Range<String.Index>?
    var start = startIndex
    while let range = self[start...].firstRange(of: text) {
      found = range
      start = index(after: range.lowerBound)
    }
    return found
  }

  fileprivate func replacingCharacters(
    in range: Range<String.Index>, with other: String
  ) -> String {
    String(self[..<range.lowerBound]) + other + String(self[range.upperBound...])
  }
}
