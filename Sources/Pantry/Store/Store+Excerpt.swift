extension Store {
  /// What a store that is still loading has to show: the newest items and the count; observed by
  /// whoever reads it in a tracking scope.
  ///
  /// It is there soon after the store was created, however many items there are, and never at the
  /// same time as ``items``: nil from the moment at which the store has loaded, and nil if it could
  /// not. Always nil for a store that was given no `excerptLimit`, or an engine that is no
  /// ``ExcerptStorage``. Operations do not change it: they wait until the store has loaded.
  ///
  /// The rest is read a moment after it, on one core, so that who shows the excerpt has the machine;
  /// at once, if an operation waits for it.
  /// - Complexity: O(1).
  public var excerpt: StoreExcerpt<Item>? { core.excerptReader.excerpt }

  /// Returns when there is an ``excerpt``, or when the items have been loaded if there is to be none.
  ///
  /// - Throws: the engine's error if the storage cannot be read.
  public func excerptHasLoaded() async throws {
    try await core.loadExcerpt()
  }
}
