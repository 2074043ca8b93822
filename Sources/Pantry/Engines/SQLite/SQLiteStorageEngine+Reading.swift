public import FoundationEssentials

extension SQLiteStorageEngine {
  /// Reads the data of `key`, or nil.
  ///
  /// - Throws: ``SQLiteError`` or ``StorageError``.
  public func read(key: CacheKey) async throws -> Data? {
    let session = try openSession()
    guard let data = try session.data(key: key) else {
      try session.database.checkBeforeUse()
      return nil
    }
    return data
  }

  /// Reads many in the order of `keys`, as of one moment, skipping absent ones.
  ///
  /// - Throws: ``SQLiteError`` or ``StorageError``.
  public func readDataAndKeys(keys: [CacheKey]) async throws -> [(key: CacheKey, data: Data)] {
    let session = try openSession()
    let rows = try session.reading {
      try keys.compactMap { key in try session.data(key: key).map { (key: key, data: $0) } }
    }
    if rows.count < keys.count { try session.database.checkBeforeUse() }
    return rows
  }

  /// Reads all rows of the namespace in insertion order, as of one moment.
  ///
  /// - Throws: ``SQLiteError`` or ``StorageError``.
  public func readAllDataAndKeys() async throws -> [(key: CacheKey, data: Data)] {
    let session = try openSession()
    return try session.reading { try session.allRows() }.map { ($0.key, $0.data) }
  }

  /// Reads a page of rows by the table's index, as of one moment.
  ///
  /// - Complexity: O(`limit`), wherever the page is.
  /// - Throws: ``SQLiteError`` or ``StorageError``.
  public func readDataAndKeys(after key: CacheKey?, limit: Int) async throws
    -> [(key: CacheKey, data: Data)]
  {
    let session = try openSession()
    return try session.reading {
      var position = Int64.min
      if let key {
        guard let found = try session.position(of: key) else { return [] }
        position = found
      }
      let rows = try session.page(after: position, limit: limit)
      // The end may be that of a damaged page.
      if rows.count < limit { try session.database.checkBeforeUse() }
      return rows.map { ($0.key, $0.data) }
    }
  }

  /// Returns whether `key` has a row, without reading its data.
  ///
  /// - Throws: ``SQLiteError`` or ``StorageError``.
  public func keyExists(_ key: CacheKey) async throws -> Bool {
    try times(of: key) != nil
  }

  /// Returns the existing ones of `keys`, as of one moment, in the order given.
  ///
  /// - Throws: ``SQLiteError`` or ``StorageError``.
  public func keysExist(_ keys: [CacheKey]) async throws -> [CacheKey] {
    let session = try openSession()
    let found = try session.reading { try keys.filter { try session.times(key: $0) != nil } }
    if found.count < keys.count { try session.database.checkBeforeUse() }
    return found
  }

  /// Returns the number of rows of the namespace.
  ///
  /// - Throws: ``SQLiteError`` or ``StorageError``.
  public func keyCount() async throws -> Int {
    let session = try openSession()
    let count = try session.keyCount()
    // The count is that of an index.
    try session.database.checkBeforeUse()
    return count
  }

  /// Returns every key in insertion order, without reading data.
  ///
  /// - Throws: ``SQLiteError`` or ``StorageError``.
  public func allKeys() async throws -> [CacheKey] {
    let session = try openSession()
    return try session.reading { try session.allKeys() }
  }

  /// Returns the time at which `key` was first written, or nil.
  ///
  /// - Throws: ``SQLiteError`` or ``StorageError``.
  public func createdAt(key: CacheKey) async throws -> Date? {
    try times(of: key)?.created
  }

  /// Returns the time at which `key` was last written, or nil.
  ///
  /// - Throws: ``SQLiteError`` or ``StorageError``.
  public func updatedAt(key: CacheKey) async throws -> Date? {
    try times(of: key)?.updated
  }

  private func times(of key: CacheKey) throws -> (created: Date, updated: Date)? {
    let session = try openSession()
    guard let times = try session.times(key: key) else {
      try session.database.checkBeforeUse()
      return nil
    }
    return times
  }
}
