internal import CArchive
internal import FoundationEssentials

/// Writes a tar archive to an open file: the same bytes for the same entries.
///
/// The format is pax, and plain ustar as long as that suffices. All files belong to user 0.
final class TarWriter {
  private let library: ArchiveLibrary
  private let archive: OpaquePointer
  private let entry: OpaquePointer
  private let path: String

  /// Starts an archive.
  ///
  /// - Parameter path: the name of the file in messages.
  /// - Throws: ``ExchangeError``, also if libarchive is missing.
  init(descriptor: Int32, path: String) throws(ExchangeError) {
    let library = try ArchiveLibrary.shared()
    guard let archive = library.functions.write_new() else {
      throw ExchangeError(.unreadableArchive("no memory"), path: path)
    }
    guard let entry = library.functions.entry_new() else {
      _ = library.functions.write_free(archive)
      throw ExchangeError(.unreadableArchive("no memory"), path: path)
    }
    (self.library, self.archive, self.entry, self.path) = (library, archive, entry, path)
    try check {
      let format = $0.write_set_format_pax_restricted(archive)
      return format == panda_archive_ok ? $0.write_open_fd(archive, descriptor) : format
    }
  }

  deinit {
    library.functions.entry_free(entry)
    _ = library.call { $0.write_free(archive) }
  }

  /// Appends a directory.
  func addDirectory(_ name: String) throws(ExchangeError) {
    try addHeader(name, type: panda_archive_directory, mode: 0o755, byteCount: 0, seconds: 0)
  }

  /// Appends a file.
  func add(_ name: String, _ data: Data, date: Date) throws(ExchangeError) {
    // Whole seconds need no extended header; the exact times are in the list of favorites.
    let seconds = date.timeIntervalSince1970.rounded(.down)
    try addHeader(
      name, type: panda_archive_file, mode: 0o644, byteCount: data.count,
      seconds: Int(min(max(seconds, 0), 8_589_934_591)))
    for region in data.regions {
      let written = region.withUnsafeBytes { bytes in
        library.call { $0.write_data(archive, bytes.baseAddress, bytes.count) }
      }
      guard written == region.count else { throw failure() }
    }
  }

  /// Writes the end of the archive.
  func finish() throws(ExchangeError) { try check { $0.write_close(archive) } }

  private func addHeader(
    _ name: String, type: UInt32, mode: UInt32, byteCount: Int, seconds: Int
  ) throws(ExchangeError) {
    try check { functions in
      _ = functions.entry_clear(entry)
      functions.entry_set_pathname(entry, name)
      functions.entry_set_filetype(entry, type)
      functions.entry_set_perm(entry, mode)
      functions.entry_set_size(entry, Int64(byteCount))
      functions.entry_set_mtime(entry, seconds, 0)
      return functions.write_header(archive, entry)
    }
  }

  private func check(_ call: (panda_archive) -> Int32) throws(ExchangeError) {
    guard library.call(call) == panda_archive_ok else { throw failure() }
  }

  private func failure() -> ExchangeError {
    ExchangeError(.cannotWrite(library.functions.errno(archive)), path: path)
  }
}
