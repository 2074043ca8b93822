package import Pantry

/// Pairs of pictures of which one is a part of the other, by the digests of their files.
package struct CropPairs: Equatable, Sendable {
  private var others: [ContentDigest: Set<ContentDigest>] = [:]

  /// Creates an empty set of pairs.
  package init() {}

  /// Whether there is no pair.
  package var isEmpty: Bool { others.isEmpty }

  /// Returns the pictures that make a pair with one.
  package subscript(digest: ContentDigest) -> Set<ContentDigest> { others[digest] ?? [] }

  /// Adds a pair.
  package mutating func insert(_ one: ContentDigest, _ other: ContentDigest) {
    others[one, default: []].insert(other)
    others[other, default: []].insert(one)
  }
}
