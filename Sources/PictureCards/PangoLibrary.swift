internal import CPango
internal import SystemSupport

/// Provides the functions of Pango and Cairo, which are loaded on first use.
///
/// A value of it is the only way to call them, and proves that the libraries are loaded.
struct PangoLibrary: Sendable {
  private let library: LoadedLibrary<panda_pango>

  var functions: panda_pango { library.functions }

  /// This process's library, loaded by the first caller; a failure is final.
  private static let loaded = Result<PangoLibrary, CardError> { () throws(CardError) in
    try PangoLibrary(loading: PANDA_PANGO_LIBRARY)
  }

  /// Returns this process's library.
  ///
  /// - Throws: ``CardError`` if it is missing or too old.
  static func shared() throws(CardError) -> PangoLibrary { try loaded.get() }

  init(loading name: String) throws(CardError) {
    do throws(LibraryError) {
      library = try LoadedLibrary(name, panda_pango_symbols())
    } catch {
      throw CardError(.missingLibrary, error.reason)
    }
  }

  func check(_ status: Int32) throws(CardError) {
    guard status != 0 else { return }
    let words = functions.cairo_status_to_string(status).map { String(cString: $0) } ?? ""
    throw CardError(.notDrawn, "cairo \(status): \(words)")
  }
}
