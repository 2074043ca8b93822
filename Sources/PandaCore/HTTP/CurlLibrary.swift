internal import CCurl
internal import SystemSupport

/// Provides the functions of libcurl, which is loaded on first use.
///
/// A `CurlLibrary` value is the only way to call them, and proves that the library is loaded.
struct CurlLibrary: Sendable {
  private let library: LoadedLibrary<panda_curl>

  /// The table of functions, for those that only C can call.
  var table: UnsafePointer<panda_curl> { library.table }

  var functions: panda_curl { library.functions }

  /// This process's library, loaded by the first caller; a failure is final.
  private static let loaded = Result<CurlLibrary, HTTPError> { () throws(HTTPError) in
    do throws(HTTPError) {
      return try CurlLibrary(loading: PANDA_CURL_LIBRARY)
    } catch {
      guard let other = try? CurlLibrary(loading: PANDA_CURL_GNUTLS_LIBRARY)  // the first: reported
      else { throw error }
      return other
    }
  }

  /// Returns this process's library.
  ///
  /// The first call takes a few milliseconds and blocks other callers meanwhile.
  ///
  /// - Throws: `HTTPError` of kind `.missingLibrary`, or `.system` if it does not initialize.
  static func shared() throws(HTTPError) -> CurlLibrary { try loaded.get() }

  /// Loads a library and calls curl_global_init, which must come before all other functions.
  ///
  /// This is never undone: there may be other clients later.
  init(loading name: String) throws(HTTPError) {
    do throws(LibraryError) {
      library = try LoadedLibrary(name, panda_curl_symbols())
    } catch {
      throw HTTPError(.missingLibrary(name), host: "", detail: error.reason)
    }
    try check(functions.global_init(panda_curl_global_default))
  }

  /// The version, such as 7.88.1.
  var version: String {
    // CURLVERSION_NOW is a macro that Swift does not import; the first layout has the version.
    Self.text(functions.version_info(CURLVERSION_FIRST)?.pointee.version)
  }

  func check(_ code: CURLcode, _ context: CurlContext = CurlContext()) throws(HTTPError) {
    guard code != CURLE_OK else { return }
    throw HTTPError(
      context.kind(of: code), host: context.host,
      detail: context.detail("curl \(code.rawValue)", Self.text(functions.easy_strerror(code))))
  }

  func check(_ code: CURLMcode) throws(HTTPError) {
    guard code != CURLM_OK else { return }
    throw HTTPError(
      .system, host: "",
      detail: "curl multi \(code.rawValue): \(Self.text(functions.multi_strerror(code)))")
  }

  func check(_ code: CURLUcode, host: String = "") throws(HTTPError) {
    guard code != CURLUE_OK else { return }
    // libidn2 reports "out of memory" for a name that the locale's character set cannot express.
    let isAboutUser = code == CURLUE_USER_NOT_ALLOWED
    throw HTTPError(
      .address(isAboutUser ? .credentials : .unreadable), host: host,
      detail: "curl address \(code.rawValue): \(Self.text(functions.url_strerror(code)))")
  }

  /// Copies libcurl's text; every code has one, but the pointer types allow null.
  private static func text(_ words: UnsafePointer<CChar>?) -> String {
    words.map { String(cString: $0) } ?? ""
  }
}
