internal import FoundationEssentials
internal import PantryJSON

/// Encodes values as the JSON of rows and decodes them, attachments included.
///
/// Not Sendable: each task makes its own.
struct RowCoder {
  private let writer: AttachmentWriter
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
  ///   - storage: keeps the bytes of attachments, or stores them inline if it cannot.
  ///   - upgrades: the upgrades of the model; their number is the version that is written.
  init(storage: any StorageEngine, upgrades: [ModelUpgrade] = []) {
    self.upgrades = upgrades
    let attachments = storage as? any AttachmentStorage
    writer = AttachmentWriter(inlines: attachments == nil)
    encoder.userInfo[.attachmentWriter] = writer
    if let attachments {
      decoder.userInfo[.attachmentStorage] = AttachmentOrigin(storage: attachments)
    }
  }

  /// Encodes `value`; on a storage without attachments the bytes of stored ones are read first.
  func encode(_ value: some Encodable) async throws -> (data: Data, attachments: [Attachment]) {
    var data = try encoder.encode(value) { writer.beginItem() }
    let missing = writer.missing
    if !missing.isEmpty {
      var loaded: [ContentDigest: Data] = [:]
      for attachment in missing { loaded[attachment.digest] = try await attachment.data() }
      data = try encoder.encode(value) { writer.beginItem(loaded: loaded) }
    }
    return (RowVersion.add(upgrades.count, to: data), writer.attachments)
  }

  /// Encodes `value` for a storage that keeps attachments: their bytes are not needed.
  func encodeReference(
    _ value: some Encodable
  ) throws -> (data: Data, attachments: [Attachment]) {
    let data = try encoder.encode(value) { writer.beginItem() }
    return (RowVersion.add(upgrades.count, to: data), writer.attachments)
  }

  /// A value, and whether its row had an older version.
  struct Decoded<Value> {
    let value: Value
    let isUpgraded: Bool
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
        value: try decoder.decode(type, from: upgraded), isUpgraded: version < upgrades.count)
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
