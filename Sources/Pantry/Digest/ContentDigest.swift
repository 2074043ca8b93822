internal import CPantryCrypto
public import FoundationEssentials

/// The SHA-256 digest of some bytes, which identifies them (FIPS 180-4).
public struct ContentDigest: Hashable, Sendable, CustomStringConvertible {
  /// The number of bytes in a digest.
  public static let byteCount = 32

  /// The version of OpenSSL that the program runs with, such as 3.0.17.
  public static var libraryVersion: String {
    let words = String(cString: OpenSSL_version(OPENSSL_VERSION)).split(separator: " ")
    return words.count > 1 ? String(words[1]) : "unknown"
  }

  private let words: (UInt64, UInt64, UInt64, UInt64)

  /// Computes the digest of `data` with OpenSSL's libcrypto.
  ///
  /// - Complexity: O(n); about 0.2 ms for 300 KB on a processor with SHA instructions, 1 ms
  ///   without.
  public init(of data: Data) {
    let context = EVP_MD_CTX_new()
    defer { EVP_MD_CTX_free(context) }
    var digest = [UInt8](repeating: 0, count: Self.byteCount)
    var count: UInt32 = 0
    var succeeded = EVP_DigestInit_ex(context, EVP_sha256(), nil) == 1
    // Data may be in several pieces; hashing them in turn copies nothing.
    for region in data.regions {
      region.withUnsafeBytes { bytes in
        succeeded = succeeded && EVP_DigestUpdate(context, bytes.baseAddress, bytes.count) == 1
      }
    }
    succeeded = succeeded && EVP_DigestFinal_ex(context, &digest, &count) == 1
    // SHA-256 over memory fails only when libcrypto itself cannot allocate or was built without it.
    precondition(succeeded && count == 32, "libcrypto could not compute SHA-256")
    self.init(bytes: digest)!
  }

  /// Creates a digest from its 32 bytes; nil for any other count.
  public init?(bytes: some Collection<UInt8>) {
    guard bytes.count == Self.byteCount else { return nil }
    var words: [UInt64] = [0, 0, 0, 0]
    for (index, byte) in bytes.enumerated() {
      words[index / 8] = words[index / 8] << 8 | UInt64(byte)
    }
    self.words = (words[0], words[1], words[2], words[3])
  }

  /// Creates a digest from its 64 hexadecimal digits; nil for anything else.
  public init?(hexadecimal: String) {
    let digits = Array(hexadecimal.utf8)
    guard digits.count == Self.byteCount * 2 else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(Self.byteCount)
    for index in stride(from: 0, to: digits.count, by: 2) {
      guard let high = Self.value(ofDigit: digits[index]),
        let low = Self.value(ofDigit: digits[index + 1])
      else { return nil }
      bytes.append(high << 4 | low)
    }
    self.init(bytes: bytes)
  }

  /// The 32 bytes.
  public var bytes: [UInt8] {
    [words.0, words.1, words.2, words.3].flatMap { word in
      (0..<8).map { UInt8(truncatingIfNeeded: word >> UInt64(56 - $0 * 8)) }
    }
  }

  /// The 64 hexadecimal digits, in lowercase.
  public var hexadecimal: String {
    let digits = Array("0123456789abcdef".utf8)
    return String(unsafeUninitializedCapacity: Self.byteCount * 2) { buffer in
      for (index, byte) in bytes.enumerated() {
        buffer[index * 2] = digits[Int(byte >> 4)]
        buffer[index * 2 + 1] = digits[Int(byte & 15)]
      }
      return Self.byteCount * 2
    }
  }

  /// The digest in hexadecimal.
  public var description: String { hexadecimal }

  /// Compares all 32 bytes.
  public static func == (left: ContentDigest, right: ContentDigest) -> Bool {
    left.words == right.words
  }

  /// Hashes one word of the digest.
  public func hash(into hasher: inout Hasher) {
    // The bytes of a digest are evenly distributed: one word is enough to hash.
    hasher.combine(words.0)
  }

  private static func value(ofDigit digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
