import Testing

@testable import PandaCore

@Suite("libcurl")
struct CurlLibraryTests {
  @Test("is loaded once, even by concurrent first callers")
  func once() async throws {
    let tables = try await withThrowingTaskGroup { group in
      for _ in 0..<16 { group.addTask { UInt(bitPattern: try CurlLibrary.shared().table) } }
      return try await group.reduce(into: Set()) { $0.insert($1) }
    }
    #expect(tables.count == 1)
    #expect(try CurlLibrary.shared().version.contains(/^\d+\.\d+\.\d+/))
  }

  @Test("is reported with the loader's reason if it is missing")
  func missing() throws {
    let error = try #require(throws: HTTPError.self) {
      try CurlLibrary(loading: "libcurl-of-nobody.so.4")
    }
    #expect(error.kind == .missingLibrary("libcurl-of-nobody.so.4"))
    #expect(error.message == "libcurl-of-nobody.so.4 could not be loaded: install libcurl4")
    #expect(error.detail.contains("cannot open shared object file"))
  }

  @Test("is reported with the function's name if it lacks one")
  func incomplete() throws {
    let error = try #require(throws: HTTPError.self) { try CurlLibrary(loading: "libm.so.6") }
    #expect(error.kind == .missingLibrary("libm.so.6"))
    #expect(error.detail.contains("undefined symbol: curl_global_init"))
  }
}
