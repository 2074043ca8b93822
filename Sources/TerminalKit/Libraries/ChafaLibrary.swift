internal import CChafa

/// Provides the functions of libchafa, which is loaded if the way to show pictures needs it.
///
/// Immutable and for any thread.
struct ChafaLibrary: @unchecked Sendable {
  /// The file name, which the dynamic loader looks up in its usual directories.
  private static let name = "libchafa.so.0"

  /// This process's library, loaded by the first caller; a failure is final.
  private static let loaded = Result<ChafaLibrary, LoadError> { () throws(LoadError) in
    try ChafaLibrary()
  }

  /// The functions.
  ///
  /// Call it only if ``reasonUnavailable`` is nil.
  static var functions: panda_chafa {
    switch loaded {
    case .success(let library): library.table
    case .failure(let error): fatalError(error.sentence)
    }
  }

  /// Why the library cannot be used, as a complete sentence; nil if it can.
  static var reasonUnavailable: String? {
    if case .failure(let error) = loaded { error.sentence } else { nil }
  }

  // The pointers stay valid: the library is never unloaded.
  private let table: panda_chafa

  private init() throws(LoadError) {
    var table = panda_chafa()
    if let reason = panda_chafa_load(Self.name, &table) {
      throw LoadError(reason: String(cString: reason))
    }
    self.table = table
  }

  private struct LoadError: Error {
    /// The dynamic loader's message.
    let reason: String

    var sentence: String {
      "\(ChafaLibrary.name), which draws pictures of few colors and sixels, could not be loaded: "
        + "install libchafa0 (Debian 13: libchafa0t64). \(reason)."
    }
  }
}
