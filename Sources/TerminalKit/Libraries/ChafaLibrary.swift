internal import CChafa
internal import SystemSupport

/// Provides the functions of libchafa, which is loaded if the way to show pictures needs it.
enum ChafaLibrary {
  /// This process's library, loaded by the first caller; a failure is final.
  private static let loaded = Result { () throws(LibraryError) in
    try LoadedLibrary<panda_chafa>(PANDA_CHAFA_LIBRARY, panda_chafa_symbols())
  }

  /// The functions.
  ///
  /// Call it only if ``reasonUnavailable`` is nil.
  static var functions: panda_chafa {
    switch loaded {
    case .success(let library): library.functions
    case .failure(let error): fatalError(sentence(error))
    }
  }

  /// The failure to load the library, as a complete sentence; nil if it is loaded.
  static var reasonUnavailable: String? {
    if case .failure(let error) = loaded { sentence(error) } else { nil }
  }

  private static func sentence(_ error: LibraryError) -> String {
    "\(PANDA_CHAFA_LIBRARY), which draws sixels and pictures of few colors, could not be loaded: "
      + "install libchafa0 (Debian 13: libchafa0t64). \(error.reason)."
  }
}
