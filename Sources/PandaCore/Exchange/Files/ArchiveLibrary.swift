internal import CArchive
internal import Glibc

/// Provides the functions of libarchive, which is loaded on first use.
///
/// An `ArchiveLibrary` value is the only way to call them, and proves that the library is loaded.
struct ArchiveLibrary: @unchecked Sendable {
  /// The file name, which the dynamic loader looks up in its usual directories.
  static let name = "libarchive.so.13"

  /// Only `init` writes it, which makes the type Sendable, and it is never freed.
  private let table: UnsafePointer<panda_archive>
  /// Never freed either.
  private let locale: locale_t?

  /// The functions, such as `functions.read_new()`.
  var functions: panda_archive { table.pointee }

  /// This process's library, loaded by the first caller; a failure is final.
  private static let loaded = Result<ArchiveLibrary, ExchangeError> { () throws(ExchangeError) in
    try ArchiveLibrary(loading: name)
  }

  /// Returns this process's library.
  ///
  /// The first call takes a few milliseconds and blocks other callers meanwhile.
  ///
  /// - Throws: `ExchangeError` of kind `.missingLibrary`.
  static func shared() throws(ExchangeError) -> ArchiveLibrary { try loaded.get() }

  init(loading name: String) throws(ExchangeError) {
    let table = UnsafeMutablePointer<panda_archive>.allocate(capacity: 1)
    if let reason = panda_archive_load(name, table) {
      let detail = String(cString: reason)
      table.deallocate()
      throw ExchangeError(.missingLibrary(name), path: detail)
    }
    self.table = UnsafePointer(table)
    locale = panda_archive_new_locale()
  }

  /// The version, such as 3.6.2.
  var version: String {
    // "libarchive 3.6.2"
    let words = functions.version_string().map { String(cString: $0).split(separator: " ") }
    return words?.last.map { String($0) } ?? ""
  }

  /// Calls libarchive while the thread's locale is UTF-8.
  func call<Result>(_ body: (panda_archive) -> Result) -> Result {
    guard let locale else { return body(functions) }
    let former = uselocale(locale)
    defer { _ = uselocale(former) }
    return body(functions)
  }

  /// Libarchive's text about the last failure of an archive.
  func reason(_ archive: OpaquePointer) -> String {
    functions.error_string(archive).map { String(cString: $0) } ?? "unknown"
  }
}
