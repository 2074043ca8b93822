internal import CPantryCrypto
public import FoundationEssentials

/// The SHA-256 digest of some bytes, which identifies them (FIPS 180-4).
///
/// A value for any thread. Making one from data reads all its bytes; everything else is O(1).
public struct ContentDigest: Hashable, Sendable, CustomStringConvertible {
  /// The number of bytes in a digest.
  package static let byteCount = 32

  /// The reason why digests cannot be computed; nil if they can.
  ///
  /// Computing one nevertheless ends the program.
  ///
  /// The first call loads OpenSSL's libcrypto, in 0.6 ms.
  package static var reasonUnavailable: String? { CryptoLibrary.reasonUnavailable }

  /// The version of OpenSSL that the program runs with, such as 3.0.17, or the reason why there is
  /// none.
  package static var libraryVersion: String {
    if let reason = reasonUnavailable { return reason }
    let crypto = CryptoLibrary.shared.functions
    guard let name = crypto.OpenSSL_version(pantry_crypto_version) else { return "unknown" }
    let words = String(cString: name).split(separator: " ")
    return words.count > 1 ? String(words[1]) : "unknown"
  }

  private struct Words: Hashable {
    let first, second, third, fourth: UInt64

    var all: [UInt64] { [first, second, third, fourth] }
  }

  private let words: Words

  /// Computes the digest of `data` with OpenSSL's libcrypto.
  ///
  /// - Complexity: O(n); about 0.2 ms for 300 KB on a processor with SHA instructions, 1 ms
  ///   without.
  public init(of data: Data) {
    let library = CryptoLibrary.shared
    let crypto = library.functions
    let context = crypto.EVP_MD_CTX_new()
    defer { crypto.EVP_MD_CTX_free(context) }
    var digest = [UInt8](repeating: 0, count: Self.byteCount)
    var count: UInt32 = 0
    var succeeded = crypto.EVP_DigestInit_ex(context, library.sha256, nil) == 1
    // Data may be in several pieces; hashing them in turn copies nothing.
    for region in data.regions {
      region.withUnsafeBytes { bytes in
        succeeded =
          succeeded && crypto.EVP_DigestUpdate(context, bytes.baseAddress, bytes.count) == 1
      }
    }
    succeeded = succeeded && crypto.EVP_DigestFinal_ex(context, &digest, &count) == 1
    // SHA-256 over memory fails only when libcrypto itself cannot allocate or was built without it.
    precondition(succeeded && count == 32, "libcrypto could not compute SHA-256")
    self.init(bytes: digest)!
  }

  /// Creates a digest from its 32 bytes; nil for any other count.
  public init?(bytes: some Collection<UInt8>) {
    guard bytes.count == Self.byteCount else { return nil }
    var iterator = bytes.makeIterator()
    func word() -> UInt64 {
      (0..<8).reduce(0) { word, _ in word << 8 | UInt64(iterator.next() ?? 0) }
    }
    words = Words(first: word(), second: word(), third: word(), fourth: word())
  }

  /// Creates a digest from its 64 hexadecimal digits; nil for anything else.
  public init?(hexadecimal: String) {
    var hexadecimal = hexadecimal
    let words = hexadecimal.withUTF8 { digits -> Words? in
      guard digits.count == Self.byteCount * 2,
        let first = Self.word(digits[0..<16]), let second = Self.word(digits[16..<32]),
        let third = Self.word(digits[32..<48]), let fourth = Self.word(digits[48..<64])
      else { return nil }
      return Words(first: first, second: second, third: third, fourth: fourth)
    }
    guard let words else { return nil }
    self.words = words
  }

  /// The 32 bytes.
  public var bytes: [UInt8] {
    words.all.flatMap { word in
      (0..<8).map { UInt8(truncatingIfNeeded: word >> UInt64(56 - $0 * 8)) }
    }
  }

  /// The 64 hexadecimal digits, in lowercase.
  public var hexadecimal: String {
    String(unsafeUninitializedCapacity: Self.byteCount * 2) { buffer in
      var index = 0
      func write(_ word: UInt64) {
        for shift in stride(from: 60, through: 0, by: -4) {
          let value = UInt8(truncatingIfNeeded: word >> UInt64(shift)) & 15
          buffer[index] = value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
          index += 1
        }
      }
      for word in words.all { write(word) }
      return index
    }
  }

  /// The digest in hexadecimal.
  public var description: String { hexadecimal }

  /// The number that hexadecimal digits write; nil if there is any other byte.
  private static func word(_ digits: Slice<UnsafeBufferPointer<UInt8>>) -> UInt64? {
    var word: UInt64 = 0
    for digit in digits {
      switch digit {
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        word = word << 4 | UInt64(digit - UInt8(ascii: "0"))
      case UInt8(ascii: "a")...UInt8(ascii: "f"), UInt8(ascii: "A")...UInt8(ascii: "F"):
        word = word << 4 | UInt64((digit | 0x20) - UInt8(ascii: "a") + 10)
      default: return nil
      }
    }
    return word
  }
}

/// In an archive, a digest is the text of ``hexadecimal``.
extension ContentDigest: Codable {
  /// Decodes a digest, or throws `DecodingError` for any other text.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let digest = ContentDigest(hexadecimal: text) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "no digest: \(text)")
    }
    self = digest
  }

  /// Encodes ``hexadecimal``, or throws the encoder's error.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(hexadecimal)
  }
}
