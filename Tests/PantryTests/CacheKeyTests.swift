import Foundation
import Testing

@testable import Pantry

@Suite struct CacheKeyTests {
  @Test(arguments: ["", "..", "a/b", "nul\0", "🐼", String(repeating: "long", count: 1_024)])
  func `a hashed key is a safe file name for any text`(_ text: String) {
    let key = CacheKey(text)
    #expect(key.rawValue.count == 64)
    #expect(key.rawValue.allSatisfy { $0.isHexDigit && !$0.isUppercase })
    #expect(key == CacheKey(text))
    #expect(CacheKey(verbatim: text).rawValue == text)
  }

  @Test func `texts that differ only in case have different keys`() {
    #expect(CacheKey("Panda") != CacheKey("panda"))
    #expect(
      CacheKey(url: URL(string: "https://a/?b")!) != CacheKey(url: URL(string: "https://a/?c")!))
  }

  @Test func `a key read back from an engine equals the written one`() {
    #expect(CacheKey(verbatim: CacheKey("x").rawValue) == CacheKey("x"))
  }

  @Test func `the digest is SHA-256`() {
    // FIPS 180-2, appendix B.1.
    #expect(
      ContentDigest(of: Data("abc".utf8)).hexadecimal
        == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
  }

  @Test func `a digest converts to both forms and back`() {
    let digest = ContentDigest(of: Data("panda".utf8))
    #expect(ContentDigest(hexadecimal: digest.hexadecimal) == digest)
    #expect(ContentDigest(bytes: digest.bytes) == digest)
    #expect(ContentDigest(hexadecimal: "xyz") == nil)
    #expect(ContentDigest(hexadecimal: String(repeating: "g", count: 64)) == nil)
    #expect(ContentDigest(bytes: [1, 2, 3]) == nil)
  }
}
