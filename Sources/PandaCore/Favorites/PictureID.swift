internal import FoundationEssentials
internal import Pantry

/// The name of a picture on the command line: the SHA-256 of its address, in hexadecimal digits.
///
/// It may be shortened as long as it remains unambiguous, like the name of a commit.
package struct PictureID: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The number of digits that lists show.
  ///
  /// Among 10,000 pictures, the chance that two share them is 1 in 20,000.
  package static let shownDigits = 10
  /// The least number of digits that may be typed.
  package static let leastDigits = 4

  /// All 64 digits, in lowercase.
  package let digits: String

  /// Computes the name of the picture with this address.
  package init(address: String) {
    digits = ContentDigest(of: Data(address.utf8)).hexadecimal
  }

  package var description: String { String(digits.prefix(Self.shownDigits)) }

  package static func < (first: Self, second: Self) -> Bool { first.digits < second.digits }
}

extension RemoteImage {
  /// The name of the picture on the command line.
  ///
  /// - Complexity: O(length of the address), about a microsecond; computed at each call.
  package var pictureID: PictureID { PictureID(address: id) }
}
