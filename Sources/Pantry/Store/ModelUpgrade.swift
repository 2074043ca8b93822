public import FoundationEssentials
internal import PantryJSON

/// How the stored JSON of an item becomes that of the next version of its model.
///
/// A store is created with the upgrades of its model in order; how many there are is the version of
/// the rows that it writes. A row of an older version is upgraded when it is read, and written back
/// after the load. The list only ever grows: an upgrade that has been released stays, in its place.
///
/// ```swift
/// let notes = try await Store<Note>(upgrades: [
///   .setting("favorites", to: 0),
///   .renaming("text", to: "body"),
/// ])
/// ```
///
/// A row that an upgrade throws for stays on disk as it is and is a ``LoadIssue``, which has its
/// bytes. A row of a newer version is one too, and is not written over: an older program beside the
/// new one loses nothing.
///
/// An upgrade runs off the main actor, perhaps on several threads at once.
public struct ModelUpgrade: Sendable {
  let apply: @Sendable (_ row: Data, _ coder: borrowing UpgradeCoder) throws -> Data

  /// Makes the new model of the old one.
  ///
  /// - Parameter upgrade: `Old` has what the former version wrote, `New` what the next one reads;
  ///   the last one's is the item itself. What it throws leaves the row as it is.
  public init<Old: Decodable & SendableMetatype, New: Encodable & SendableMetatype>(
    _ upgrade: @escaping @Sendable (_ old: Old) throws -> New
  ) {
    apply = { row, coder in
      try coder.encode(upgrade(coder.decoder.decode(Old.self, from: row)))
    }
  }

  private init(apply: @escaping @Sendable (Data, borrowing UpgradeCoder) throws -> Data) {
    self.apply = apply
  }

  /// Makes the new text of the old one: JSON in UTF-8, as ``LoadIssue/data`` has it.
  public static func data(_ upgrade: @escaping @Sendable (Data) throws -> Data) -> ModelUpgrade {
    ModelUpgrade { row, _ in try upgrade(row) }
  }

  /// Puts a member into the object, unless it has it.
  ///
  /// - Parameters:
  ///   - member: its name in the JSON.
  ///   - value: what an item has that was written before there was such a member.
  public static func setting(
    _ member: String, to value: some Encodable & Sendable
  ) -> ModelUpgrade {
    changing { object, coder in
      if object[member] == nil { try object.set(coder.encode(value), key: member) }
    }
  }

  /// Gives a member of the object another name, if it has it.
  public static func renaming(_ member: String, to newName: String) -> ModelUpgrade {
    changing { object, _ in
      guard let value = object[member] else { return }
      try object.set(nil, key: member)
      try object.set(value, key: newName)
    }
  }

  /// Takes a member out of the object, if it has it.
  public static func removing(_ member: String) -> ModelUpgrade {
    changing { object, _ in try object.set(nil, key: member) }
  }

  /// Changes single members; the text of all others stays to the letter.
  private static func changing(
    _ change:
      @escaping @Sendable (inout JSONObjectText, borrowing UpgradeCoder) throws -> Void
  ) -> ModelUpgrade {
    ModelUpgrade { row, coder in
      var object = try JSONObjectText(row)
      try change(&object, coder)
      return object.text
    }
  }
}

/// What an upgrade reads and writes attachments and values with.
struct UpgradeCoder: ~Copyable {
  let decoder: RowDecoder
  let encoder: JSONEncoder
  let writer: AttachmentWriter

  func encode(_ value: some Encodable) throws -> Data {
    writer.beginItem()
    return try encoder.encode(value)
  }
}
