import Foundation
import PandaCore
import PictureCodecs
import Synchronization

/// A source of small pictures, each of another color, that answers at once.
final class SmallSource: ImageSource {
  let name: String
  private let count: Atomic<Int>

  /// - Parameter first: the number of the first picture, which is in its address.
  init(name: String = "zoo.example", first: Int = 1) {
    self.name = name
    count = Atomic(first - 1)
  }

  func fetchImage(
    progress: @escaping @Sendable (FetchProgress) -> Void
  ) async throws -> FetchedImage {
    let number = count.add(1, ordering: .relaxed).newValue
    return FetchedImage(
      url: URL(string: "https://zoo.example/\(number)")!, data: try Self.png(number),
      source: name, title: "Panda \(number)")
  }

  /// A picture of 64 x 48 pixels; each number has another one.
  static func png(_ number: Int) throws -> Data {
    let size = PixelSize(width: 64, height: 48)
    let pixels = (0..<size.width * size.height).flatMap { index -> [UInt8] in
      [
        UInt8(truncatingIfNeeded: number * 37 + index), UInt8(index % 251), UInt8(number % 256),
        255,
      ]
    }
    return try PNGEncoder.encode(Bitmap(size: size, pixels: pixels))
  }
}
