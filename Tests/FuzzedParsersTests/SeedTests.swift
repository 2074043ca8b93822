import Foundation
import FuzzedParsers
import Testing

/// The inputs in Fuzzing/Seeds, among them all that ever crashed a parser.
@MainActor
@Suite struct SeedTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../Fuzzing/Seeds").standardizedFileURL

  @Test(arguments: FuzzedParser.allCases)
  func `no seed breaks its parser`(parser: FuzzedParser) async throws {
    let files = try FileManager.default.contentsOfDirectory(
      at: Self.folder.appending(path: parser.rawValue), includingPropertiesForKeys: nil)
    #expect(!files.isEmpty, "make fuzz needs seeds for \(parser)")
    for file in files.sorted(by: { $0.path < $1.path }) {
      do {
        try await parser.parse(Array(Data(contentsOf: file)))
      } catch {
        Issue.record("\(file.lastPathComponent): \(error)")
      }
    }
  }

  @Test func `the seeds are small, and every folder of them has a parser`() throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
    #expect(Set(names) == Set(FuzzedParser.allCases.map(\.rawValue)))
    var bytes = 0
    for name in names {
      let files = try FileManager.default.contentsOfDirectory(
        at: Self.folder.appending(path: name), includingPropertiesForKeys: [.fileSizeKey])
      for file in files {
        bytes += try file.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0
      }
    }
    #expect(bytes < 300_000)
  }
}
