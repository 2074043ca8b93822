internal import CLCMS
internal import SystemSupport

/// Provides the functions of Little CMS, which is loaded for the first picture that is not in sRGB.
enum ColorLibrary {
  /// This process's library, loaded by the first caller; a failure is final.
  static let loaded = Result { () throws(LibraryError) in
    try LoadedLibrary<panda_cms>(PANDA_CMS_LIBRARY, panda_cms_symbols())
  }

  /// The library's name and version; loads it.
  static var version: String {
    guard case .success(let library) = loaded else {
      return "liblcms2.so.2 (Little CMS) is not installed"
    }
    let number = library.functions.GetEncodedCMMversion()
    return "Little CMS \(number / 1_000).\(number % 1_000 / 10)"
  }

  /// The consequence of a failure to load the library, for the log.
  static func sentence(_ error: LibraryError) -> String {
    "its colors are shown as if they were sRGB: \(PANDA_CMS_LIBRARY) could not be loaded (Debian's liblcms2-2): "
      + "\(error.reason)"
  }
}
