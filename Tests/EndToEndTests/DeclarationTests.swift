import Foundation
import PandaTestSupport
import Testing

/// What the shims declare by hand, beside the libraries' own headers.
///
/// The compiler compares them where the headers are installed, which no build needs.
@Suite struct DeclarationTests {
  private static let folder = PackagingTests.root.appending(
    path: "Tests/EndToEndTests/Fixtures/Declarations")

  @Test func `the comparison finds each kind of difference`() throws {
    try compile("same")
  }

  @Test(headers(of: "chafa")) func `chafa is declared as in its header`() throws {
    try compile("chafa", with: "chafa")
  }

  @Test(headers(of: "libheif")) func `libheif is declared as in its header`() throws {
    try compile("heif", with: "libheif")
  }

  @Test(headers(of: "lcms2")) func `Little CMS is declared as in its header`() throws {
    try compile("lcms", with: "lcms2")
  }

  @Test(headers(of: "libcrypto")) func `libcrypto is declared as in its headers`() throws {
    try compile("crypto", with: "libcrypto")
  }

  @Test(headers(of: "libpq")) func `libpq is declared as in its header`() throws {
    try compile("libpq", with: "libpq")
  }

  @Test(headers(of: "pangocairo")) func `Pango and Cairo are declared as in their headers`() throws
  {
    try compile("pango", with: "pangocairo")
  }

  @Test func `each shim with declarations by hand is compared`() throws {
    let files = FileManager.default
    let comparisons = try files.contentsOfDirectory(atPath: Self.folder.path)
      .map { try String(contentsOf: Self.folder.appending(path: $0), encoding: .utf8) }.joined()
    let sources = PackagingTests.root.appending(path: "Sources")
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

  /// Compiles a comparison, with pkg-config's options for a library.
  private func compile(_ name: String, with module: String? = nil) throws {
    let options = try module.map { try #require(try Self.options(for: $0)) } ?? []
    let file = Self.folder.appending(path: "\(name).cpp").path(percentEncoded: false)
    let result = try Subprocess.run(
      ["clang", "-std=c++20", "-fsyntax-only"] + options + [file],
      environment: ProcessInfo.processInfo.environment.map { "\($0.key)=\($0.value)" })
    #expect(result.status == 0, "\(result.output)")
  }

  private static func headers(of module: String) -> some TestTrait {
    .enabled(if: (try? options(for: module)) != nil, "the headers of \(module) are not installed")
  }

  /// The compiler's options for a library; nil if pkg-config does not know it.
  private static func options(for module: String) throws -> [String]? {
    let answer = try Subprocess.run(
      ["pkg-config", "--cflags", module], environment: ["PATH=/usr/bin:/bin"])
    guard answer.status == 0 else { return nil }
    return answer.output.split(whereSeparator: \.isWhitespace).map(String.init)
  }
}
