/// What says the same as a shorter name does.
extension KeyList {
  /// The number of identifiers; observed.
  @available(*, deprecated, renamed: "ids.count")
  public var count: Int { ids.count }

  /// Whether the list is empty; observed.
  @available(*, deprecated, renamed: "ids.isEmpty")
  public var isEmpty: Bool { ids.isEmpty }

  /// Inserts identifiers at the start, in order; existing ones move there.
  ///
  /// - Throws: the engine's error; then the list is unchanged.
  @available(*, deprecated, message: "Use insert(_:at: 0).")
  public func prepend(_ ids: some Sequence<String>) async throws { try await insert(ids, at: 0) }

  /// Inserts an identifier at the start; an existing one moves there.
  ///
  /// - Throws: the engine's error; then the list is unchanged.
  @available(*, deprecated, message: "Use insert(_:at: 0).")
  public func prepend(_ id: String) async throws { try await insert(id, at: 0) }
}
