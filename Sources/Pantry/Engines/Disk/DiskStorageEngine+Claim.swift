internal import FoundationEssentials
internal import SystemSupport

/// The file `type` in the directory has the recorded definition, as text.
extension DiskStorageEngine {
  /// The directory.
  public nonisolated var keySpace: StorageLocation? {
    StorageLocation(place: directory.folder.path, name: path)
  }

  /// Returns the recorded definition of the directory's items, or throws ``FileError``.
  public func definition(for claim: RowType) async throws -> String? {
    try loaded().recordedDefinition()
  }

  /// Records the definition of `claim`, or throws ``FileError``; a read-only directory keeps its.
  public func record(_ claim: RowType, replacing known: String?) async throws -> String? {
    guard isWritable else { return known }
    let directory = try loaded()
    let recorded = try directory.recordedDefinition()
    guard recorded == known else { return recorded }
    try directory.folder.replace(
      DiskFileName.type, through: DiskFileName.newType, with: Data(claim.definition.utf8))
    try directory.folder.flush()
    return claim.definition
  }
}

extension DiskDirectory {
  /// The text of the file; nil as well if that cannot be read, which must hide no item.
  fileprivate func recordedDefinition() throws -> String? {
    do throws(FileError) {
      let text = try folder.open(DiskFileName.type)?.contents() ?? Data()
      return text.isEmpty ? nil : String(decoding: text, as: UTF8.self)
    } catch {
      guard error.concernsOneFile else { throw error }
      return nil
    }
  }
}
