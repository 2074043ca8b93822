public import Foundation
internal import Glibc
internal import SystemSupport

/// A library in C that is preloaded into programs; built when it is first needed, and kept for all
/// tests.
public final class PreloadedLibrary: Sendable {
  /// Where the library is, for `LD_PRELOAD`.
  public var path: String { directory.path("preloaded.so") }
  private let directory = TemporaryDirectory()

  /// The library built from a source file.
  ///
  /// - Throws: `TestFailure` with what the compiler said.
  public static func built(from source: URL) throws -> PreloadedLibrary {
    try built.withLock { built in
      if let library = built[source] { return library }
      let library = try PreloadedLibrary(source)
      built[source] = library
      return library
    }
  }

  private init(_ source: URL) throws {
    // clang is part of every Swift toolchain.
    let compilation = try Subprocess.run(
      ["clang", "-shared", "-fPIC", "-O1", "-o", path, source.path(percentEncoded: false)],
      environment: ProcessInfo.processInfo.environment.map { "\($0.key)=\($0.value)" })
    guard compilation.status == 0 else { throw TestFailure(compilation.output) }
  }

  private static let built = Lock<[URL: PreloadedLibrary]>([:])
}
