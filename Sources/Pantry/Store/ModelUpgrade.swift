public import FoundationEssentials
internal import PantryJSON

/// Converts the stored JSON of an item to the next version of its model.
///
/// A store is created with the upgrades of its model in order; their number is the version of the
/// rows that it writes. A row of an older version is upgraded when it is read, and written back
/// after the load. The list only ever grows: an upgrade that has been released stays, in its place.
///
/// ```swift
/// let notes = try await Store<Note>(upgrades: [
///   .setting("favorites", to: 0),
///   .renaming("text", to: "body"),
/// ])
/// ```
///
/// If an upgrade throws, the row stays on disk unchanged and is reported as a ``LoadIssue``, which
/// has its bytes. A row of a newer version is reported too, and never overwritten: an older program
/// beside the new one loses nothing.
///
/// An upgrade runs off the main actor, perhaps on several threads at once.
public struct ModelUpgrade: Sendable {
  /// Whether it may give an item another identifier.
  private(set) var changesIdentifier = false
  let apply: @Sendable (_ row: Data, _ coder: borrowing UpgradeCoder) throws -> Data

  /// Converts the old model to the new one.
  ///
  /// - Parameter upgrade: decodes as `Old`, which the former version wrote, and returns `New`,
  ///   which the next version reads; the `New` of the last upgrade is the item itself. If it
  ///   throws, the row stays as it is.
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

  /// The same upgrade, which may give items another identifier.
  ///
  /// The rows are written under their new identifiers before the store has loaded, in one commit;
  /// if that fails, loading does. They are new rows: their items come last, and `createdAt` is the
  /// time of the commit. The upgrade must give a row the same identifier each time: one that is
  /// made up, such as `UUID()`, is another one in each process. A row that gets the identifier of
  /// one that keeps it, or that another row has got, stays as it is, and is a ``LoadIssue``.
  ///
  /// ```swift
  /// ModelUpgrade { (old: OldNote) in Note(id: old.path, text: old.text) }.changingIdentifier
  /// ```
  public var changingIdentifier: ModelUpgrade {
    var upgrade = self
    upgrade.changesIdentifier = true
    return upgrade
  }

  /// Converts the JSON text of a row.
  ///
  /// - Parameter upgrade: gets JSON in UTF-8, as in ``LoadIssue/data``, and returns the new text.
  ///   If it throws, the row stays as it is.
  public static func data(_ upgrade: @escaping @Sendable (Data) throws -> Data) -> ModelUpgrade {
    ModelUpgrade { row, _ in try upgrade(row) }
  }

  /// Adds a member to the object, unless it exists.
  ///
  /// - Parameters:
  ///   - member: its name in the JSON.
  ///   - value: the value for items that were written without the member.
  public static func setting(
    _ member: String, to value: some Encodable & Sendable
  ) -> ModelUpgrade {
    changing { object, coder in
      if object[member] == nil { try object.set(coder.encode(value), key: member) }
    }
  }

  /// Renames a member of the object, if it exists.
  public static func renaming(_ member: String, to newName: String) -> ModelUpgrade {
    changing { object, _ in
      guard let value = object[member] else { return }
      try object.set(nil, key: member)
      try object.set(value, key: newName)
    }
  }

  /// Removes a member from the object, if it exists.
  public static func removing(_ member: String) -> ModelUpgrade {
    changing { object, _ in try object.set(nil, key: member) }
  }

  /// Changes single members; all others keep their exact text.
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

/// The decoder and encoder of an upgrade, attachments included.
struct UpgradeCoder: ~Copyable {
  let decoder: RowDecoder
  let encoder: RowEncoder
  let writer: AttachmentWriter

  /// Encodes `value`, with the bytes of new attachments, which are nowhere else.
  func encode(_ value: some Encodable) throws -> Data {
    try encoder.encode(value) { writer.beginItem(inlining: [:]) }
  }
}
