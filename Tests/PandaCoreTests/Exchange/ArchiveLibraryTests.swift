import Testing

@testable import PandaCore

@Suite("libarchive")
struct ArchiveLibraryTests {
  @Test("is loaded once, and tells its version")
  func version() throws {
    #expect(try ArchiveLibrary.shared().version.contains(/^\d+\.\d+\.\d+/))
  }

  @Test("is reported with its name if it is missing or lacks a function")
  func missing() throws {
    for name in ["libarchive-of-nobody.so.13", "libm.so.6"] {
      let error = try #require(throws: ExchangeError.self) { try ArchiveLibrary(loading: name) }
      #expect(error.kind == .missingLibrary(name))
      #expect(
        error.description
          == "\(name) could not be loaded: install libarchive13, or use a directory.")
    }
  }
}
