public import FoundationEssentials

/// The type of the rows of an engine, as a caller uses them.
public struct RowType: Sendable {
  /// The format of the rows, and the way they are identified.
  enum Kind: String {
    /// The items of a store, as JSON.
    case items
    /// The items of a store with a ``RowCoding``.
    case coded
    /// JSON under keys of the caller's choice.
    case objects
    /// Single values of any types.
    case values
  }

  /// The type in messages for ``Kind/values``.
  static let values = StorageError.values

  /// The text to record: the kind of the rows and the full name of their type.
  ///
  /// Of a private or local type it has the bare name, since its full one is not stable.
  public let definition: String
  /// The former full names of the type, newest first.
  public let formerNames: [String]
  /// Returns whether a row is one of the type's.
  public let canRead: @Sendable (_ key: CacheKey, _ data: Data) -> Bool

  let kind: Kind
  /// The type of the rows; nil if each may have another.
  let type: TypeName?

  /// Makes a claim for a check of an engine.
  package init(definition: String) {
    self.init(.values, of: nil, definition: definition)
  }

  init(
    _ kind: Kind, of type: TypeName?, formerNames: [String] = [],
    definition: String? = nil,
    canRead: @escaping @Sendable (_ key: CacheKey, _ data: Data) -> Bool = { _, _ in false }
  ) {
    self.kind = kind
    self.type = type
    self.formerNames = formerNames
    self.canRead = canRead
    self.definition =
      definition ?? type.map { "\(kind.rawValue) \($0.shown)" } ?? kind.rawValue
  }

  // MARK: Comparing

  /// Throws if a key space with a recorded definition is another's.
  func requireAgreement(with recorded: String?, namespace: String) throws(StorageError) {
    guard let recorded, recorded != definition else { return }
    let (kind, name) = Self.parts(of: recorded)
    let asks = type?.shown ?? Self.values
    guard names(name) else {
      throw .otherType(namespace: namespace, wrote: name ?? Self.values, asks: asks)
    }
    // Both are JSON; a store reports the objects whose keys are not their identifiers.
    let json: [Kind?] = [.items, .objects]
    guard kind == self.kind || json.contains(kind) && json.contains(self.kind) else {
      throw .otherDefinition(namespace: namespace, type: asks)
    }
  }

  /// Whether a key space with the recorded definition is this type's.
  func agrees(with recorded: String) -> Bool {
    do {
      try requireAgreement(with: recorded, namespace: "")
      return true
    } catch {
      return false
    }
  }

  /// Whether `name` is a recorded name of the type, or one of its former names.
  func names(_ name: String?) -> Bool {
    guard let name, let type else { return name == nil && type == nil }
    return name == type.shown || name == type.bare || formerNames.contains(name)
      || !type.isStable && name.hasSuffix(".\(type.bare)")
  }

  private static func parts(of definition: String) -> (kind: Kind?, type: String?) {
    let parts = definition.split(separator: " ", maxSplits: 1)
    return (
      parts.first.flatMap { Kind(rawValue: String($0)) }, parts.dropFirst().first.map { String($0) }
    )
  }

  // MARK: Claiming

  /// Returns the recorded definition, or nil if there is none.
  ///
  /// - Throws: ``StorageError`` if the key space is another's, or the engine's error.
  func recorded(in storage: any StorageEngine) async throws -> String? {
    let known = try await storage.definition(for: self)
    try requireAgreement(with: known, namespace: name(of: storage))
    return known
  }

  /// Records the definition in place of `known`, for a caller that could read every row.
  ///
  /// - Throws: ``StorageError`` if another has recorded its own meanwhile.
  func record(in storage: any StorageEngine, replacing known: String?) async throws {
    guard known != definition else { return }
    // A bare name says less than the full one that is recorded.
    guard known == nil || type?.isStable != false else { return }
    // A full disk or a lock must not prevent reading: the next opening records it.
    let recorded = try? await storage.record(self, replacing: known)
    try requireAgreement(with: recorded, namespace: name(of: storage))
  }

  /// Claims the key space for a caller that keeps no rows in memory.
  ///
  /// Without a record it is claimed if it is empty, or if all rows are the type's, which are read
  /// for that.
  ///
  /// - Returns: whether it may have rows of others, as one of version 0.2.0 may.
  /// - Throws: ``StorageError`` if the key space is another's, or the engine's error.
  func take(_ storage: any StorageEngine) async throws -> Bool {
    guard try await recorded(in: storage) == nil else { return false }
    let isShared =
      if type == nil {
        try await storage.keyCount() > 0
      } else {
        try await !storage.readAllDataAndKeys().allSatisfy { canRead($0.key, $0.data) }
      }
    if !isShared { try await record(in: storage, replacing: nil) }
    return isShared
  }

  /// Judges the rows of the key space.
  ///
  /// - Parameters:
  ///   - version: the newest version of a row that the caller can read.
  ///   - isShared: whether there may be rows of others, which are neither replaced nor removed.
  func rowGuard<Item>(
    of type: Item.Type, in storage: any StorageEngine, version: Int, isShared: Bool
  ) -> RowGuard {
    var rowGuard = RowGuard(type: TypeName(type), version: version)
    guard isShared else { return rowGuard }
    let (namespace, asks) = (name(of: storage), rowGuard.type.shown)
    rowGuard.requireOwn = { [canRead] key, row throws(StorageError) in
      guard !canRead(key, row) else { return }
      throw .otherRow(namespace: namespace, key: key.rawValue, asks: asks)
    }
    return rowGuard
  }

  private func name(of storage: any StorageEngine) -> String {
    storage.keySpace?.name ?? StorageLocation.unnamed
  }
}
