import Foundation
import PandaTestSupport
import Testing

/// What the shims declare by hand, beside the libraries' own headers.
///
/// The compiler compares them where the headers are installed, which no build needs.
@Suite struct DeclarationTests {
  private static let folder = PackagingTests.root.appending(
    path: "Tests/EndToEndTests/Fixtures/Declarations")

  @Test(arguments: [
    // The comparison itself finds each kind of difference.
    ("same", nil), ("chafa", "chafa"), ("heif", "libheif"), ("lcms", "lcms2"),
    ("crypto", "libcrypto"), ("libpq", "libpq"), ("pango", "pangocairo"),
  ])
  func `a library is declared as in its headers, where they are installed`(
    _ name: String, _ module: String?
  ) throws {
    guard let options = try module.map(Self.options(for:)) ?? [] else { return }
    let file = Self.folder.appending(path: "\(name).cpp").path(percentEncoded: false)
    let result = try Subprocess.run(
      ["clang", "-std=c++20", "-fsyntax-only"] + options + [file],
      environment: ProcessInfo.processInfo.environment.map { "\($0.key)=\($0.value)" })
    #expect(result.status == 0, "\(result.output)")
  }

  @Test func `each shim with declarations by hand is compared`() throws {
    let files = FileManager.default
    let comparisons = try files.contentsOfDirectory(atPath: Self.folder.path)
      .map { try String(contentsOf: Self.folder.appending(path: $0), encoding: .utf8) }.joined()
    let sources = PackagingTests.root.appending(path: "Sources/CLibraries")
    let shims = try files.contentsOfDirectory(atPath: sources.path).filter { name in
      let shim = try? String(contentsOf: sources.appending(path: "\(name)/shim.h"), encoding: .utf8)
      // Most targets have no shim.
      return shim?.contains("result(*name) parameters;") == true
    }
    #expect(shims.count >= 6)
    for shim in shims {
      #expect(comparisons.contains("/\(shim)/shim.h\""), "\(shim)")
    }
  }

  /// The compiler's options for a library; nil if pkg-config does not know it.
  private static func options(for module: String) throws -> [String]? {
    let answer = try Subprocess.run(
      ["pkg-config", "--cflags", module], environment: ["PATH=/usr/bin:/bin"])
    guard answer.status == 0 else { return nil }
    return answer.output.split(whereSeparator: \.isWhitespace).map(String.init)
  }
}
