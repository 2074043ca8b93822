internal import FoundationEssentials
internal import PantryJSON

/// Encodes values as the JSON of rows and decodes them, attachments included.
///
/// Not Sendable: each task makes its own.
struct RowCoder {
  /// Whether the bytes of attachments are written into the row.
  private let inlines: Bool
  private let writer = AttachmentWriter()
  private let encoder = RowEncoder(usesFoundation: Self.usesFoundation)
  private let decoder = RowDecoder(usesFoundation: Self.usesFoundation)
  private let upgrades: [ModelUpgrade]

  /// Whether Foundation codes all rows: set by `PANTRY_JSON=foundation` in the environment of a
  /// debug build, to compare.
  #if DEBUG
    private static let usesFoundation =
      ProcessInfo.processInfo.environment["PANTRY_JSON"] == "foundation"
  #else
    private static let usesFoundation = false
  #endif

  /// - Parameters:
  ///   - storage: keeps the bytes of attachments, or stores them inline if it cannot; nil to
  ///     compare values only.
  ///   - upgrades: the upgrades of the model; their number is the version that is written.
  init(storage: (any StorageEngine)?, upgrades: [ModelUpgrade] = []) {
    self.upgrades = upgrades
    let origin = storage.flatMap { AttachmentOrigin($0) }
    inlines = origin == nil
    encoder.userInfo[.attachmentWriter] = writer
    decoder.userInfo[.attachmentStorage] = origin
  }

  struct Row {
    let data: Data
    let attachments: [Attachment]
    /// Whether Foundation encoded it: then it has a value that is unusual in JSON.
    var isUnusual = false

    /// Whether it is decoded again before it is written, as one of `count` under `key`.
    ///
    /// Of many, those are that are unusual in JSON, and one key in sixteen, at any place: decoding
    /// takes as long as encoding, and what a type loses, it mostly loses of every value.
    func isVerified(under key: CacheKey, among count: Int) -> Bool {
      count <= 128 || isUnusual || key.rawValue.utf8.reduce(0, &+) & 15 == 0
    }

    /// Whether the JSON has `key` as a whole string or number: only then can it come back as it is
    /// without being decoded.
    func mentions(_ key: CacheKey) -> Bool {
      let text = key.rawValue.utf8
      return data.withUnsafeBytes { json in
        json.indices.contains { place in
          guard json[place] == UInt8(ascii: "\"") || json[place] == UInt8(ascii: ":") else {
            return false
          }
          let end = place + 1 + text.count
          return end < json.count && "\",}".utf8.contains(json[end])
            && json[(place + 1)..<end].elementsEqual(text)
        }
      }
    }
  }

  /// Encodes `value`; on a storage without attachments the bytes of stored ones are read first.
  ///
  /// - Throws: `EncodingError`, or the error of an attachment that cannot be read.
  func encode<Value: Encodable>(_ value: Value) async throws -> Row {
    guard inlines else { return try encodeReference(value) }
    return try await writer.inlining { bytes in
      try row(of: value) { writer.beginItem(inlining: bytes) }
    }
  }

  /// Encodes `value` like `encode(_:)`, unless it has the same bytes as `former`: then nil.
  func encode<Value: Encodable>(_ value: Value, over former: Value?) async throws -> Row? {
    guard let former else { return try await encode(value) }
    let row = try encodeReference(value)
    if bytes(of: former) == row.data { return nil }
    return inlines && !row.attachments.isEmpty ? try await encode(value) : row
  }

  /// Encodes `value` into the change that writes it; nil if it has the same bytes as `former`.
  ///
  /// - Throws: the error of the encoder, or of ``verify(_:of:key:check:)``.
  func change<Value: Codable>(
    writing value: Value, key: CacheKey, over former: Value? = nil, among count: Int = 1
  ) async throws -> StorageChange? {
    try await encode(value, over: former).map {
      try change($0, writing: value, key: key, among: count)
    }
  }

  /// The same on the caller's executor, for a storage that keeps attachments.
  func changeInTurn<Value: Codable>(writing value: Value, key: CacheKey) throws -> StorageChange {
    try change(encodeReference(value), writing: value, key: key, among: 1)
  }

  private func change<Value: Codable>(
    _ row: Row, writing value: Value, key: CacheKey, among count: Int
  ) throws -> StorageChange {
    if row.isVerified(under: key, among: count) { try verify(row, of: value, key: key) }
    return .write(row.data, key: key, attachments: row.attachments)
  }

  /// Encodes `value` for a storage that keeps attachments: their bytes are not needed.
  func encodeReference(_ value: some Encodable) throws -> Row {
    try row(of: value) { writer.beginItem() }
  }

  /// The bytes by which values are compared: attachments count by their digests.
  ///
  /// Nil if `value` cannot be encoded, as an item of an older version may not.
  func bytes(of value: some Encodable) -> Data? {
    try? encodeReference(value).data  // not encodable: nil
  }

  func haveSameBytes<Value: Encodable>(_ value: Value, _ other: Value) -> Bool {
    bytes(of: value).map { $0 == bytes(of: other) } ?? false
  }

  private func row(of value: some Encodable, prepare: () -> Void) throws -> Row {
    let count = encoder.foundationCount
    let json = try encoder.encode(value, prepare: prepare)
    try requireNoReservedName(json, of: value)
    return Row(
      data: RowVersion.add(upgrades.count, to: json), attachments: writer.references,
      isUnusual: encoder.foundationCount > count)
  }

  /// Decodes the row of `value` again; the result must have the same content.
  ///
  /// - Parameter check: checks the result before its content is compared.
  /// - Throws: `EncodingError` if the row could not be read, if what is read is another value, or
  ///   if a member has a name of Pantry's; or the error of `check`.
  func verify<Value: Codable>(
    _ row: Row, of value: Value, key: CacheKey, check: (Value) throws -> Void = { _ in }
  ) throws {
    let decoded: Value
    do throws(LoadIssue) {
      decoded = try decode(Value.self, from: row.data, key: key).value
    } catch {
      throw Self.unreadable(value, error.reason)
    }
    try check(decoded)
    let written = inlines ? bytes(of: value) : row.data
    let again = bytes(of: decoded).map { RowVersion.add(upgrades.count, to: $0) }
    if again != written {
      try Self.requireSameContent(of: value, bytes(of: value), bytes(of: decoded)) {
        bytes(of: value)
      }
    }
  }

  /// Throws if a value that was read again is encoded with another content.
  ///
  /// - Parameters:
  ///   - written: the JSON of `value`; nil if it cannot be compared.
  ///   - read: the JSON of the value that was read again.
  ///   - encode: encodes `value` another time: one that is never encoded in the same way, as with a
  ///     random salt, cannot be compared.
  static func requireSameContent<Value>(
    of value: Value, _ written: Data?, _ read: Data?, encode: () throws -> Data?
  ) throws {
    guard let written, let read, written != read, let former = JSONContent(written),
      let path = JSONContent(read)?.difference(from: former),
      try encode().flatMap({ JSONContent($0) }) == former
    else { return }
    throw refusal(
      of: value,
      "Read again, \(path.isEmpty ? "it" : path) would be another value. Let init(from:) read what "
        + "encode(to:) writes; `let` with a value, as in `let token = UUID()`, is never decoded: "
        + "write `var`.")
  }

  private func requireNoReservedName<Value>(_ json: Data, of value: Value) throws {
    guard json.first == UInt8(ascii: "{"), RowVersion.mayHaveReservedName(json) else { return }
    let names = try decoder.decode(MemberNames.self, from: json).all
    guard let name = names.first(where: RowVersion.isReserved) else { return }
    throw Self.refusal(
      of: value,
      "Pantry uses the name \(name) itself. Give the member another name in CodingKeys.")
  }

  static func unreadable<Value>(_ value: Value, _ reason: String) -> EncodingError {
    // What Foundation writes for it is no JSON, of which no decoder says where it ends.
    let reason = pathOfNaN(in: value).map { "\($0) is NaN." } ?? reason
    return refusal(
      of: value,
      "It could not be read again: \(reason) Give each member a value that JSON has, and let "
        + "init(from:) read what encode(to:) writes.")
  }

  /// The path of the first Decimal without a value, as far as a description can tell.
  private static func pathOfNaN(in value: Any, depth: Int = 0) -> String? {
    if let number = value as? Decimal { return number.isNaN ? "" : nil }
    guard depth < 64 else { return nil }
    for child in Mirror(reflecting: value).children {
      guard let path = pathOfNaN(in: child.value, depth: depth + 1) else { continue }
      return [child.label ?? "", path].filter { !["", "some"].contains($0) }.joined(separator: ".")
    }
    return nil
  }

  static func refusal<Value>(of value: Value, _ words: String) -> EncodingError {
    .invalidValue(
      value,
      EncodingError.Context(
        codingPath: [], debugDescription: "This \(Value.self) was not saved. \(words)"))
  }

  /// A value, and whether its row had an older version.
  struct Decoded<Value> {
    let value: Value
    /// The version of the row.
    let version: Int
    /// Whether an upgrade may have changed its identifier.
    var mayBeRenamed = false
  }

  /// Decodes the row under `key`, upgraded to the version of the model.
  ///
  /// - Throws: ``LoadIssue`` with the key, the reason and the row.
  func decode<Value: Decodable>(_ type: Value.Type, from row: Data, key: CacheKey)
    throws(LoadIssue) -> Decoded<Value>
  {
    let (version, json) = RowVersion.split(row)
    guard version <= upgrades.count else {
      throw LoadIssue(
        key: key,
        reason: "It was written by a newer version of the program "
          + "(version \(version) of its model; this one knows \(upgrades.count)).",
        data: row, newerVersion: version)
    }
    do {
      let upgraded = try upgrade(json, from: version)
      return Decoded(
        value: try decoder.decode(type, from: upgraded), version: version,
        mayBeRenamed: upgrades[version...].contains(where: \.changesIdentifier))
    } catch {
      throw LoadIssue(key: key, reason: LoadIssue.describe(error), data: row)
    }
  }

  private func upgrade(_ json: Data, from version: Int) throws -> Data {
    var json = json
    for upgrade in upgrades[version...] {
      json = try upgrade.apply(
        json, UpgradeCoder(decoder: decoder, encoder: encoder, writer: writer))
    }
    return json
  }
}

extension RowCoder.Decoded: Sendable where Value: Sendable {}

private struct MemberNames: Decodable {
  let all: [String]

  init(from decoder: any Decoder) throws {
    all = try decoder.container(keyedBy: AnyName.self).allKeys.map(\.stringValue)
  }
}
