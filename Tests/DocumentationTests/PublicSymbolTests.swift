import Foundation
import PandaTestSupport
import Testing

/// The compiler's list of the libraries' public symbols (a symbol graph; see SwiftDocC's
/// SymbolKit).
@Suite struct PublicSymbolTests {
  private struct Graph: Decodable {
    struct Symbol: Decodable {
      struct Comment: Decodable {}

      struct Availability: Decodable {
        let isUnconditionallyDeprecated: Bool?
      }

      let pathComponents: [String]
      let availability: [Availability]?
      /// Its own, or that of the requirement which it fulfils.
      let docComment: Comment?
    }

    let symbols: [Symbol]
  }

  private static func graph(of module: String, in directory: TemporaryDirectory) throws -> Graph {
    // The products lie beside the modules that they were made of.
    let products = URL(filePath: try BuildProducts.directory())
    #if arch(arm64)
      let architecture = "aarch64"
    #else
      let architecture = "x86_64"
    #endif
    let sources = DocumentationTests.root.appending(path: "Sources/CLibraries")
    let libraries = try FileManager.default.contentsOfDirectory(atPath: sources.path)
      .flatMap { library in
        let folder = sources.appending(path: library).path
        return ["-I", folder, "-I", folder + "/include"]
      }
    let result = try Subprocess.run(
      [
        "swift", "symbolgraph-extract", "-module-name", module, "-minimum-access-level", "public",
        "-skip-synthesized-members", "-target", "\(architecture)-unknown-linux-gnu",
        "-experimental-allowed-reexported-modules=PantryRecovery",
        "-I", products.appending(path: "Modules").path, "-output-dir", directory.url.path,
      ] + libraries,
      environment: ProcessInfo.processInfo.environment.map { "\($0.key)=\($0.value)" })
    try #require(result.status == 0, "\(result.output.prefix(2_000))")
    return try JSONDecoder().decode(
      Graph.self,
      from: Data(contentsOf: directory.url.appending(path: "\(module).symbols.json")))
  }

  @Test(arguments: ["Pantry", "PantryTesting"])
  func `every public symbol is documented`(_ module: String) throws {
    let symbols = try Self.graph(of: module, in: TemporaryDirectory()).symbols
    #expect(symbols.count > 20)
    let undocumented = symbols.filter { $0.docComment == nil }
      .map { $0.pathComponents.joined(separator: ".") }
    #expect(undocumented == [])
  }

  @Test func `Pantry has few public names, and no more`() throws {
    let symbols = try Self.graph(of: "Pantry", in: TemporaryDirectory()).symbols
    let names = Set(
      symbols.filter {
        $0.availability?.contains { $0.isUnconditionallyDeprecated == true } != true
      }
      .map(\.pathComponents))
    // Overloads count once, and deprecated names not at all. Before adding one, take one out.
    #expect(names.count <= 458)
  }

  @Test func `every public type of Pantry is in a topic group of the landing page`() throws {
    let types = try Self.graph(of: "Pantry", in: TemporaryDirectory()).symbols
      .map(\.pathComponents).filter { $0.count == 1 }.map { $0[0] }
    let landing = try DocumentationTests.lines(
      DocumentationTests.catalog.appending(path: "Pantry.md"))
    #expect(types.filter { !landing.contains("- ``\($0)``") } == [])
    #expect(types.contains("StorageError"), "the names of PantryRecovery are among them")
  }
}
