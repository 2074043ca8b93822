internal import FoundationEssentials

extension SourceDescription {
  enum Member: String, CaseIterable {
    case name, label, homePage, address, fallback, start, warning, list, picture, title
    case description, credit, license, licenseVersion
    case page, identity, width, height, type, replace, relative, html, licenses, next, limits,
      weight
  }

  /// The maximum number of addresses, steps and alternative pointers.
  private static let countLimit = 16

  /// Reads a description in the format shared by the configuration file and the built-in sources.
  ///
  /// - Parameters:
  ///   - value: an object; see docs/Sources.md for its members.
  ///   - isNamedByUser: whether the user wrote it, and so may name plain http and private hosts.
  /// - Throws: the first problem found.
  package init(_ value: JSONValue, isNamedByUser: Bool = true) throws(SourceDescriptionError) {
    guard let members = value.members else {
      throw SourceDescriptionError(member: nil, problem: "a source must be an object in braces")
    }
    let reader = MemberReader(members: members)
    try reader.refuseUnknown(Member.allCases.map(\.rawValue))

    name = try reader.text(.name, limit: 40)
    guard Self.isName(name) else {
      throw reader.failure(
        .name,
        "must be 1 to 40 lowercase letters, digits, dots and hyphens, such as \"zoo.example\"")
    }
    label = try reader.optionalText(.label, limit: 60) ?? name
    homePage = try reader.optionalText(.homePage, limit: 2000).map {
      text throws(SourceDescriptionError) in
      try reader.address(text, .homePage)
    }
    addresses = try reader.texts(.address, limit: Self.countLimit).map {
      text throws(SourceDescriptionError) in
      try reader.address(text, .address)
    }
    fallback = try reader.optionalTexts(.fallback, limit: Self.countLimit).map {
      text throws(SourceDescriptionError) in
      try reader.address(text, .fallback)
    }
    start = try reader.optionalText(.start, limit: 60)
    warning = try reader.pointers(.warning)
    self.isNamedByUser = isNamedByUser
    list = try reader.pointers(.list)
    picture = try reader.pointers(.picture)
    guard !picture.isEmpty else {
      throw reader.failure(.picture, "must say where in an entry the picture's address is")
    }
    title = try reader.pointers(.title)
    about = try reader.pointers(.description)
    credit = try reader.pointers(.credit)
    license = try reader.pointers(.license)
    licenseVersion = try reader.pointers(.licenseVersion)
    page = try reader.pointers(.page)
    identity = try reader.pointers(.identity)
    width = try reader.pointers(.width)
    height = try reader.pointers(.height)
    type = try reader.pointers(.type)
    replacement = try Self.replacement(reader)
    allowsRelativeAddresses = try reader.flag(.relative) ?? false
    isHTML = try reader.flag(.html) ?? false
    requiresOpenLicense = try Self.requiresOpenLicense(reader, hasLicense: !license.isEmpty)
    paging = try Self.paging(reader)
    limits = try Self.limits(reader)
    weight = try reader.number(.weight, in: 0...100) ?? 1
  }

  private static func isName(_ text: String) -> Bool {
    let allowed = text.utf8.allSatisfy {
      (0x61...0x7a).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2e || $0 == 0x2d
    }
    return allowed && !text.hasPrefix(".") && !text.hasPrefix("-") && !text.isEmpty
  }

  private static func replacement(
    _ reader: MemberReader
  ) throws(SourceDescriptionError) -> Replacement? {
    guard let inner = try reader.object(.replace, of: ["text", "by"]) else { return nil }
    guard let text = inner["text"]?.text, !text.isEmpty, text.count <= 200,
      let other = inner["by"]?.text, other.count <= 200
    else {
      throw reader.failure(.replace, "must have a \"text\" and what it is replaced \"by\"")
    }
    return Replacement(text: text, other: other)
  }

  private static func requiresOpenLicense(
    _ reader: MemberReader, hasLicense: Bool
  ) throws(SourceDescriptionError) -> Bool {
    switch try reader.optionalText(.licenses, limit: 10) {
    case nil: return hasLicense
    case "any": return false
    case "open" where hasLicense: return true
    case "open":
      throw reader.failure(.licenses, "cannot be \"open\" without \"license\"")
    default: throw reader.failure(.licenses, "must be \"open\" or \"any\"")
    }
  }

  private static func paging(_ reader: MemberReader) throws(SourceDescriptionError) -> Paging? {
    guard
      let inner = try reader.object(.next, of: ["parameter", "first", "last", "token", "members"])
    else { return nil }
    func pointer(_ value: JSONValue) throws(SourceDescriptionError) -> JSONPointer {
      guard let pointer = value.text.flatMap({ JSONPointer($0) }) else {
        throw reader.failure(.next, "holds something that is not a JSON Pointer")
      }
      return pointer
    }
    if let members = inner["members"], inner.count == 1 { return .members(try pointer(members)) }
    guard let parameter = inner["parameter"]?.text, (1...60).contains(parameter.count) else {
      throw reader.failure(.next, "must have either \"members\" or the name of a \"parameter\"")
    }
    if let token = inner["token"] {
      guard inner.count == 2 else {
        throw reader.failure(.next, "cannot count and have a \"token\" too")
      }
      return .token(try pointer(token), parameter: parameter)
    }
    let range = 0...100_000
    guard let first = inner["first"].map({ $0.integer }) ?? 1, range.contains(first),
      let last = inner["last"].map({ $0.integer }) ?? range.upperBound, range.contains(last),
      first <= last
    else {
      throw reader.failure(.next, "must count from \"first\" to \"last\", at most to 100,000")
    }
    return .number(parameter: parameter, first: first, last: last)
  }

  private static func limits(_ reader: MemberReader) throws(SourceDescriptionError) -> Limits {
    var limits = Limits()
    let names = ["requestsPerMinute", "connections", "listsPerHour", "withoutContact", "domain"]
    guard let inner = try reader.object(.limits, of: names) else { return limits }
    func number(_ name: String, _ range: ClosedRange<Int>) throws(SourceDescriptionError) -> Int? {
      guard let value = inner[name] else { return nil }
      guard let number = value.integer, range.contains(number) else {
        throw reader.failure(
          .limits, "\"\(name)\" must be from \(range.lowerBound) to \(range.upperBound)")
      }
      return number
    }
    limits.requestsPerMinute = try number(names[0], 1...600) ?? limits.requestsPerMinute
    limits.connections = try number(names[1], 1...6) ?? limits.connections
    limits.listsPerHour = try number(names[2], 1...3600) ?? limits.listsPerHour
    limits.withoutContact = try number(names[3], 2...600)
    if let domain = inner[names[4]] {
      guard let text = domain.text, text.contains("."), text.count <= 200 else {
        throw reader.failure(.limits, "\"domain\" must be a domain, such as \"zoo.example\"")
      }
      limits.domain = text.lowercased()
    }
    return limits
  }
}

/// Reads the members of a description and reports problems.
private struct MemberReader {
  typealias Member = SourceDescription.Member

  let members: [String: JSONValue]

  func failure(_ member: Member, _ problem: String) -> SourceDescriptionError {
    SourceDescriptionError(member: member.rawValue, problem: problem)
  }

  /// Returns a member that is present and not null.
  private func value(_ member: Member) -> JSONValue? {
    members[member.rawValue].flatMap { $0.isNull ? nil : $0 }
  }

  func refuseUnknown(_ names: [String]) throws(SourceDescriptionError) {
    if let unknown = members.keys.sorted().first(where: { !names.contains($0) }) {
      throw SourceDescriptionError(
        member: String(unknown.prefix(40)), problem: "is not a member of a source")
    }
  }

  func optionalText(_ member: Member, limit: Int) throws(SourceDescriptionError) -> String? {
    guard let value = value(member) else { return nil }
    guard let text = value.text, !text.isEmpty, text.count <= limit else {
      throw failure(member, "must be a text of at most \(limit) characters")
    }
    return text
  }

  func text(_ member: Member, limit: Int) throws(SourceDescriptionError) -> String {
    guard let text = try optionalText(member, limit: limit) else {
      throw failure(member, "is missing")
    }
    return text
  }

  func texts(
    _ member: Member, limit: Int, allowsEmpty: Bool = false
  ) throws(SourceDescriptionError) -> [String] {
    guard let value = value(member) else { throw failure(member, "is missing") }
    let values = value.elements ?? [value]
    let texts = values.compactMap(\.text).filter { allowsEmpty || !$0.isEmpty }
    guard !values.isEmpty, values.count <= limit, texts.count == values.count else {
      throw failure(member, "must be a text or a list of at most \(limit) texts")
    }
    return texts
  }

  func optionalTexts(_ member: Member, limit: Int) throws(SourceDescriptionError) -> [String] {
    value(member) == nil ? [] : try texts(member, limit: limit)
  }

  func pointers(_ member: Member) throws(SourceDescriptionError) -> [JSONPointer] {
    guard value(member) != nil else { return [] }
    // The empty pointer refers to the whole value (RFC 6901, 5).
    return try texts(member, limit: 16, allowsEmpty: true).map {
      text throws(SourceDescriptionError) in
      guard let pointer = JSONPointer(text) else {
        throw failure(member, "must be a JSON Pointer, such as \"/photos/0/url\" or \"2/uri\"")
      }
      return pointer
    }
  }

  func flag(_ member: Member) throws(SourceDescriptionError) -> Bool? {
    guard let value = value(member) else { return nil }
    guard let flag = value.flag else { throw failure(member, "must be true or false") }
    return flag
  }

  func number(
    _ member: Member, in range: ClosedRange<Int>
  ) throws(SourceDescriptionError) -> Int? {
    guard let value = value(member) else { return nil }
    guard let number = value.integer, range.contains(number) else {
      throw failure(member, "must be from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  func object(
    _ member: Member, of names: [String]
  ) throws(SourceDescriptionError) -> [String: JSONValue]? {
    guard let value = value(member) else { return nil }
    guard let object = value.members, object.keys.allSatisfy({ names.contains($0) }) else {
      let list = names.map { "\"\($0)\"" }.joined(separator: ", ")
      throw failure(member, "must be an object that has only \(list)")
    }
    return object
  }

  /// Parses an http or https address with a host and without a user name.
  func address(_ text: String, _ member: Member) throws(SourceDescriptionError) -> URL {
    guard let url = SourceDescription.address(text) else {
      throw failure(member, "must be an http or https address without a user name")
    }
    return url
  }
}
