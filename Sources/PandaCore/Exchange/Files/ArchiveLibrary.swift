internal import CArchive
internal import Glibc
internal import SystemSupport

/// Provides the functions of libarchive, which is loaded on first use.
///
/// An `ArchiveLibrary` value is the only way to call them, and proves that the library is loaded.
struct ArchiveLibrary: @unchecked Sendable {
  private let library: LoadedLibrary<panda_archive>
  /// Never freed either.
  private let locale: locale_t?

  /// The functions, such as `functions.read_new()`.
  var functions: panda_archive { library.functions }

  /// This process's library, loaded by the first caller; a failure is final.
  private static let loaded = Result<ArchiveLibrary, ExchangeError> { () throws(ExchangeError) in
    try ArchiveLibrary(loading: PANDA_ARCHIVE_LIBRARY)
  }

  /// Returns this process's library.
  ///
  /// The first call takes a few milliseconds and blocks other callers meanwhile.
  ///
  /// - Throws: `ExchangeError` of kind `.missingLibrary`.
  static func shared() throws(ExchangeError) -> ArchiveLibrary { try loaded.get() }

  init(loading name: String) throws(ExchangeError) {
    do throws(LibraryError) {
      library = try LoadedLibrary(name, panda_archive_symbols())
    } catch {
      throw ExchangeError(.missingLibrary(name), path: error.reason)
    }
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
