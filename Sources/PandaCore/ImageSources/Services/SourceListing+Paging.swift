internal import FoundationEssentials

extension SourceListing {
  /// The maximum number of bytes that a reply can add to an address.
  private static let parameterLimit = 2_000

  /// Whether the lists of a description continue where the last one ended; others are at random.
  private func continues(_ description: SourceDescription) -> Bool {
    description.fallback.isEmpty || isFallback == true
  }

  /// - Parameter letter: chooses the letter at which a list begins that may begin anywhere.
  func nextAddress(
    _ description: SourceDescription, letter: (Range<Int>) -> Int = { Int.random(in: $0) }
  ) -> URL {
    guard continues(description) else {
      return description.addresses[address % description.addresses.count]
    }
    let addresses = description.fallback.isEmpty ? description.addresses : description.fallback
    let base = addresses[address % addresses.count]
    var added = parameters
    if case .number(let parameter, let first, _) = description.paging {
      added[parameter] = String(page ?? first)
    }
    if let start = description.start, parameters.isEmpty, page == nil {
      added[start] = String(UnicodeScalar(UInt8(ascii: "A") + UInt8(letter(0..<26))))
    }
    guard !added.isEmpty else { return base }
    let query = added.sorted { $0.key < $1.key }
      .map { "\(Self.encoded($0.key))=\(Self.encoded($0.value))" }.joined(separator: "&")
    let text = base.absoluteString
    let separator = text.contains("?") ? "&" : "?"
    return URL(string: text + separator + query) ?? base
  }

  /// Advances to the next list.
  ///
  /// After the last list of an address the next address follows, from its beginning.
  ///
  /// - Parameters:
  ///   - isEmpty: whether the reply had no entries at all.
  ///   - isPartial: whether the reply warns that it does not have all of them.
  mutating func advance(
    past answer: JSONValue, isEmpty: Bool, isPartial: Bool = false,
    _ description: SourceDescription
  ) {
    guard continues(description) else {
      if isEmpty || isPartial { isFallback = true }
      return
    }
    isFallback = isEmpty && isFallback == true ? true : nil
    parameters = [:]
    let root = JSONPosition(root: answer)
    switch description.paging {
    case .number(_, let first, let last):
      let current = page ?? first
      page = isEmpty || current >= last ? nil : current + 1
    case .token(let pointer, let parameter):
      if let token = pointer.resolve(at: root)?.value.parameterText {
        parameters = [parameter: token]
      }
    case .members(let pointer):
      parameters =
        pointer.resolve(at: root)?.value.members?.compactMapValues(\.parameterText) ?? [:]
    case nil: break
    }
    let size = parameters.reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count }
    if size > Self.parameterLimit { parameters = [:] }
    if parameters.isEmpty, page == nil { advanceAddress(description) }
  }

  private mutating func advanceAddress(_ description: SourceDescription) {
    address = (address + 1) % max(description.addresses.count, description.fallback.count)
  }

  /// Advances to the fallback, or to the beginning of the next address.
  mutating func beginElsewhere(_ description: SourceDescription) {
    guard continues(description) else {
      isFallback = true
      return
    }
    isFallback = nil
    parameters = [:]
    page = nil
    advanceAddress(description)
  }

  /// Percent-encodes everything except RFC 3986's unreserved characters.
  private static func encoded(_ text: String) -> String {
    let digits = Array("0123456789ABCDEF".unicodeScalars)
    var result = String.UnicodeScalarView()
    for byte in text.utf8 {
      switch byte {
      case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x2d, 0x2e, 0x5f, 0x7e:
        result.append(UnicodeScalar(byte))
      default:
        result.append("%")
        result.append(digits[Int(byte >> 4)])
        result.append(digits[Int(byte & 15)])
      }
    }
    return String(result)
  }
}

extension JSONValue {
  /// The text or integer as the value of a parameter; nil for anything else.
  var parameterText: String? { text ?? integer.map { String($0) } }
}
