internal import CChafa
internal import PictureCodecs

/// Provides the functions of libchafa, which is loaded for the first picture that needs it.
///
/// Immutable and for any thread.
struct ChafaLibrary: @unchecked Sendable {
  /// The file name, which the dynamic loader looks up in its usual directories.
  private static let name = "libchafa.so.0"

  // The pointers stay valid: the library is never unloaded.
  static let functions = ChafaLibrary().table

  private let table: panda_chafa

  private init() {
    var table = panda_chafa()
    if let reason = panda_chafa_load(Self.name, &table) {
      fatalError(
        "\(Self.name), which draws pictures of few colors and sixels, could not be loaded: install "
          + "libchafa0 (Debian 13: libchafa0t64): \(String(cString: reason))")
    }
    self.table = table
  }
}

extension SymbolOutput {
  /// The name of libchafa's file, such as libchafa.so.0.8.4; the library does not report its
  /// version.
  package static var libraryFile: String {
    _ = ChafaLibrary.functions
    return PictureLibraries.loadedFile("libchafa.so") ?? "libchafa"
  }
}
