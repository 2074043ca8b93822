internal import PictureCodecs

/// Finds pictures that look the same, such as other sizes of one photo.
package enum NearDuplicates {
  /// Returns the pictures that look like another one of them, in their order.
  ///
  /// A picture without a perceptual hash is like no other.
  ///
  /// - Complexity: pictures are compared only if they share 16 bits in the same place of their
  ///   hashes, a small part of all pairs.
  package static func all(in images: [RemoteImage]) -> [RemoteImage] {
    var hashed: [Int] = []
    var hashes: [PerceptualHash] = []
    for index in images.indices {
      guard let hash = images[index].perceptualHash, hash.isDistinct else { continue }
      hashed.append(index)
      hashes.append(hash)
    }
    return zip(hashed, areNear(hashes)).filter(\.1).map { images[$0.0] }
  }

  /// Returns the picture that looks most like another one, if any looks the same.
  ///
  /// - Complexity: O(n), a few milliseconds for 10,000.
  package static func nearest(to image: RemoteImage, in images: [RemoteImage]) -> RemoteImage? {
    guard let hash = image.perceptualHash, hash.isDistinct else { return nil }
    var nearest: (index: Int, distance: Int)?
    for index in images.indices {
      guard let distance = images[index].perceptualHash?.distance(to: hash),
        distance <= PerceptualHash.nearDistance, distance < nearest?.distance ?? .max,
        images[index].id != image.id
      else { continue }
      nearest = (index, distance)
    }
    return nearest.map { images[$0.index] }
  }

  /// Returns for each hash whether another one is near.
  static func areNear(_ hashes: [PerceptualHash]) -> [Bool] {
    var near = [Bool](repeating: false, count: hashes.count)
    // Near hashes differ in fewer bits than they have words of 16 bits: they share a word.
    for shift in stride(from: 0, to: 64, by: 16) {
      for half in [\PerceptualHash.across, \.down] {
        let buckets = Dictionary(grouping: hashes.indices) {
          UInt16(truncatingIfNeeded: hashes[$0][keyPath: half] >> shift)
        }
        for bucket in buckets.values { compare(bucket, hashes, &near) }
      }
    }
    return near
  }

  private static func compare(_ bucket: [Int], _ hashes: [PerceptualHash], _ near: inout [Bool]) {
    for (place, one) in bucket.enumerated() {
      for other in bucket[(place + 1)...] where !near[one] || !near[other] {
        guard hashes[one].distance(to: hashes[other]) <= PerceptualHash.nearDistance else {
          continue
        }
        near[one] = true
        near[other] = true
      }
    }
  }
}
