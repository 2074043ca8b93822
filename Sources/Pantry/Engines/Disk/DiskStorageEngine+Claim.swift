internal import FoundationEssentials

/// The file `type` in the directory has the recorded definition, as text.
extension DiskStorageEngine: TypedStorage {
  /// Returns the directory.
  public nonisolated func keySpace(of type: String?) -> StorageKeySpace? {
    StorageKeySpace(place: path, name: path)
  }

  /// Returns the recorded definition of the directory's items, or throws ``DiskError``.
  public func definition(for claim: StorageClaim) async throws -> String? {
    try access { try recordedDefinition() }
  }

  /// Records the definition of `claim`, or throws ``DiskError``; a read-only directory keeps its.
  public func record(_ claim: StorageClaim, replacing known: String?) async throws -> String? {
    guard folder.isWritable else { return known }
    return try access(forWriting: true) {
      let recorded = try recordedDefinition()
      guard recorded == known else { return recorded }
      try folder.write(
        [Data(claim.definition.utf8)], to: DiskFileName.newType, flushing: true)
      try folder.rename(DiskFileName.newType, to: DiskFileName.type)
      try folder.flush()
      return claim.definition
    }
  }

  /// The text of the file; nil as well if that cannot be read, which must hide no item.
  private func recordedDefinition() throws -> String? {
    do {
      guard let file = try folder.open(DiskFileName.type), let count = try file.byteCount() else {
        return nil
      }
      let text = String(decoding: try file.read(count, at: 0), as: UTF8.self)
      return text.isEmpty ? nil : text
    } catch let error as DiskError where error.concernsOneFile {
      return nil
    }
  }
}
