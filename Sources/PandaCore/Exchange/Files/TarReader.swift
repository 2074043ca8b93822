internal import CArchive
internal import FoundationEssentials

/// Reads a tar archive from an open file, once from the beginning to the end.
///
/// It may be compressed by gzip or zstd. Every entry is checked before it is returned: its path,
/// its kind, its size, and how much there was before.
final class TarReader {
  private let library: ArchiveLibrary
  private let archive: OpaquePointer
  private let entry: OpaquePointer
  private let file: SourceFile
  private let limits: ExchangeLimits
  private var paths: Set<String> = []
  private var entryCount = 0
  private var byteCount = 0

  /// Starts at the beginning of `file`.
  ///
  /// - Throws: ``ExchangeError``, also if libarchive is missing.
  init(_ file: SourceFile, limits: ExchangeLimits) throws(ExchangeError) {
    let library = try ArchiveLibrary.shared()
    try file.rewind()
    guard let archive = library.functions.read_new() else {
      throw ExchangeError(.unreadableArchive("no memory"), path: file.path)
    }
    guard let entry = library.functions.entry_new() else {
      _ = library.functions.read_free(archive)
      throw ExchangeError(.unreadableArchive("no memory"), path: file.path)
    }
    (self.library, self.archive, self.entry, self.file) = (library, archive, entry, file)
    self.limits = limits
    let isOpen = library.call { functions in
      // Nothing else: each further format is code that reads what anyone may have written.
      _ = functions.read_support_filter_gzip(archive)
      _ = functions.read_support_filter_zstd(archive)
      return functions.read_support_format_tar(archive) == panda_archive_ok
        && functions.read_open_fd(archive, file.descriptor, 65_536) == panda_archive_ok
    }
    guard isOpen else { throw unreadable() }
  }

  deinit {
    library.functions.entry_free(entry)
    _ = library.functions.read_free(archive)
  }

  /// Returns the next entry; nil at the end.
  ///
  /// - Throws: ``ExchangeError`` that names the entry.
  func next() throws(ExchangeError) -> TarEntry? {
    let result = library.call { $0.read_next_header2(archive, entry) }
    if result == panda_archive_end { return nil }
    // A warning concerns attributes that are not used here.
    guard result == panda_archive_ok || result == panda_archive_warning else { throw unreadable() }
    entryCount += 1
    guard entryCount <= limits.entries else {
      throw ExchangeError(.tooManyEntries(limit: limits.entries), path: file.path)
    }
    let found = try checkedEntry()
    byteCount += found.byteCount
    guard byteCount <= limits.bytes else {
      throw ExchangeError(.tooManyBytes(limit: limits.bytes), path: file.path)
    }
    try checkInflation()
    return found
  }

  /// Reads the bytes of the current entry.
  func read(_ entry: TarEntry) throws(ExchangeError) -> Data {
    var data = Data(count: entry.byteCount)
    var found = 0
    while found < data.count {
      let received = data.withUnsafeMutableBytes { bytes in
        library.call {
          $0.read_data(archive, bytes.baseAddress! + found, bytes.count - found)
        }
      }
      guard received >= 0 else { throw unreadable() }
      if received == 0 { break }
      found += received
    }
    try checkInflation()
    return found == data.count ? data : data.prefix(found)
  }

  private func checkedEntry() throws(ExchangeError) -> TarEntry {
    let (name, kind, isHardLink, size) = library.call { functions in
      (
        functions.entry_pathname(entry).map { String(validatingCString: $0) } ?? nil,
        functions.entry_filetype(entry), functions.entry_hardlink(entry) != nil,
        functions.entry_size(entry)
      )
    }
    guard let name, !name.isEmpty else { throw problem("Entry \(entryCount)", .unreadableName) }
    if let problem = TarEntry.problem(of: name) { throw self.problem(name, problem) }
    guard !isHardLink, kind != panda_archive_symbolic_link else { throw problem(name, .link) }
    let isDirectory = kind == panda_archive_directory
    guard isDirectory || kind == panda_archive_file else { throw problem(name, .notAFile) }
    let path = TarEntry.normalized(name)
    // A directory may come again, as in archives that were appended to.
    guard isDirectory || (!path.isEmpty && paths.insert(path).inserted) else {
      throw problem(name, .twice)
    }
    let limit = Manifest.isName(path) ? limits.manifestBytes : limits.pictureBytes
    guard size <= limit else { throw problem(name, .tooLarge(limit: limit)) }
    return TarEntry(
      path: path, byteCount: isDirectory ? 0 : max(0, Int(size)), isDirectory: isDirectory)
  }

  private func checkInflation() throws(ExchangeError) {
    let (inflated, compressed) = library.call { functions in
      (Int(functions.filter_bytes(archive, 0)), Int(functions.filter_bytes(archive, -1)))
    }
    guard inflated <= limits.inflationAllowance || inflated / limits.inflation <= compressed else {
      throw ExchangeError(.inflated(limit: limits.inflation), path: file.path)
    }
  }

  private func problem(_ name: String, _ problem: ExchangeError.EntryProblem) -> ExchangeError {
    ExchangeError(.entry(name, problem), path: file.path)
  }

  private func unreadable() -> ExchangeError {
    ExchangeError(.unreadableArchive(library.reason(archive)), path: file.path)
  }
}
