internal import FoundationEssentials
internal import Glibc
internal import Pantry
internal import SystemSupport

extension LibraryExport {
  /// A file that is in a directory until the export has ended.
  ///
  /// After a kill it says that the pictures beside it are ours, though no list names them.
  private static let mark = ".panda-export-unfinished"
  /// Of a file that others may read.
  private static let mode: UInt32 = 0o644

  func exportDirectory(_ path: String) async throws -> ExportReport {
    let isNew = mkdir(path, 0o755) == 0
    if !isNew, errno != EEXIST { throw FileError(.create, path, code: errno) }
    do {
      let directory = try OpenFolder(path)
      let former = try formerEntries(in: directory)
      // An empty library is rather a lost one than one to make a copy of.
      guard replacing || former.isEmpty || !images.isEmpty else {
        throw ExchangeError(.mayHaveMore(than: 0), path: path)
      }
      try NewFile(Self.mark, in: directory, mode: Self.mode).publish()
      defer { directory.discard(Self.mark) }
      return try await export(to: directory, former)
    } catch {
      // Only if nothing is in it.
      if isNew { rmdir(path) }
      throw error
    }
  }

  private func export(
    to directory: OpenFolder, _ former: [String: ManifestEntry]
  ) async throws -> ExportReport {
    var report = ExportReport()
    var entries: [ManifestEntry] = []
    var written: [String] = []
    do {
      try await forEachPicture(&report) { image, data, _, name in
        let entry = ManifestEntry(image, file: name, stripped: strips ? data : nil)
        if !holds(entry, directory) {
          let file = try NewFile(name, in: directory, mode: Self.mode)
          try file.write(data)
          // The name has the digest: what is there under it is a damaged copy, or a link.
          try file.publish()
          written.append(name)
        }
        entries.append(entry)
      }
      report.written = written.count
      // The earlier export may have the only copy that is left of what cannot be read. One with
      // metadata does not stay in an export without.
      let lost = Set(report.unreadable + undecodable)
      let files = Set(entries.map(\.file))
      entries += former.values.filter {
        lost.contains($0.address) && !files.contains($0.file) && holds($0, directory)
          && (!strips || $0.original != nil)
      }.sorted { $0.file < $1.file }
      let list = Manifest(entries, collections).data
      // The list is replaced only if it changes, after the pictures that it names are on disk.
      if try directory.entry(Manifest.filename)?.contents() != list {
        try directory.flushFileSystem()
        let file = try NewFile(Manifest.filename, in: directory, mode: Self.mode)
        try file.write(list)
        try file.finish()
      }
    } catch {
      // No list names them, unless the one that is there does.
      for name in written where former[name] == nil { directory.discard(name) }
      throw error
    }
    try removeFormer(former, unless: entries, in: directory)
    return report
  }

  /// Returns the favorites of an earlier export, by file name.
  ///
  /// - Throws: ``ExchangeError`` if the directory has something else, and that is not allowed.
  private func formerEntries(in directory: OpenFolder) throws -> [String: ManifestEntry] {
    let limits = ExchangeLimits.standard
    let names = try directory.names()
    let isUnfinished = names.contains(Self.mark)
    UnfinishedName.removeRemnants(
      in: directory, beginning: isUnfinished ? ".panda-" : UnfinishedName.prefix)
    do {
      if let file = try directory.entry(Manifest.filename), let byteCount = try file.byteCount(),
        byteCount <= limits.manifestBytes
      {
        let data = try file.read(byteCount, at: 0)
        let list = try Manifest(data, path: directory.path, limits: limits)
        return Dictionary(list.entries.map { ($0.file, $0) }) { $1 }
      }
    } catch {
      // A list of another program, or a damaged one.
      guard replacing else { throw ExchangeError(.notOurs, path: directory.path) }
      return [:]
    }
    guard replacing || isUnfinished || names.isEmpty else {
      throw ExchangeError(.notOurs, path: directory.path)
    }
    return [:]
  }

  /// Returns whether the file of a favorite is there with the same bytes.
  private func holds(_ entry: ManifestEntry, _ directory: OpenFolder) -> Bool {
    do {
      guard let file = try directory.entry(entry.file), try file.byteCount() == entry.byteCount
      else { return false }
      return ContentDigest(of: try file.read(entry.byteCount, at: 0)).hexadecimal == entry.sha256
    } catch {
      // A link, or what cannot be read: it is replaced, or the error of replacing it is thrown.
      return false
    }
  }

  /// Removes the pictures that are favorites no more, unless they were changed since.
  private func removeFormer(
    _ former: [String: ManifestEntry], unless entries: [ManifestEntry], in directory: OpenFolder
  ) throws {
    let kept = Set(entries.map(\.file))
    for (name, entry) in former where !kept.contains(name) {
      // An unreadable file is not known to be ours, and stays.
      if holds(entry, directory) { directory.discard(name) }
    }
    try directory.flush()
  }
}
