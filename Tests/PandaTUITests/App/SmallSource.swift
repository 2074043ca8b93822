import Foundation
import PandaCore
import PictureCodecs
import Synchronization

/// A source of small pictures that answers at once.
final class SmallSource: ImageSource {
  let name: String
  private let count: Atomic<Int>
  private let differentCount: Int
  private let answerCount: Int

  /// - Parameters:
  ///   - first: the number of the first picture, which is in its address.
  ///   - differentCount: how many pictures there are; then they come again, at new addresses.
  ///   - answerCount: how often it answers; then it is silent.
  init(
    name: String = "zoo.example", first: Int = 1, differentCount: Int = .max,
    answerCount: Int = .max
  ) {
    self.name = name
    self.differentCount = differentCount
    self.answerCount = answerCount
    count = Atomic(first - 1)
  }

  func fetchImage(
    progress: @escaping @Sendable (FetchProgress) -> Void
  ) async throws -> FetchedImage {
    let number = count.add(1, ordering: .relaxed).newValue
    if number > answerCount { return try await SilentSource().fetchImage(progress: progress) }
    let picture = (number - 1) % differentCount + 1
    return FetchedImage(
      url: URL(string: "https://zoo.example/\(number)")!, data: try Self.png(picture),
      source: name, title: "Panda \(picture)")
  }

  /// A picture of 64 x 48 pixels, rather light, with little blue; each number has another one.
  static func png(_ number: Int) throws -> Data {
    let size = PixelSize(width: 64, height: 48)
    let pixels = (0..<size.width * size.height).flatMap { index -> [UInt8] in
      let (red, green) = (100 + (number * 37 + index) % 101, 100 + index % 101)
      return [UInt8(red), UInt8(green), UInt8(90 + number % 20), 255]
    }
    return try PNGEncoder.encode(Bitmap(size: size, pixels: pixels))
  }
}

/// A source whose pictures break off after a part of their bytes.
struct BrokenSource: ImageSource {
  let name = "broken.example"
  let percent: Int

  func fetchImage(
    progress: @escaping @Sendable (FetchProgress) -> Void
  ) async throws -> FetchedImage {
    let size = PixelSize(width: 320, height: 240)
    // Noise, which takes as many bytes in each row.
    let pixels = (0..<size.width * size.height).flatMap { index -> [UInt8] in
      let color = UInt32(index) &* 2_654_435_761
      return [UInt8(color >> 24), UInt8(color >> 16 & 0xFF), UInt8(color >> 8 & 0xFF), 255]
    }
    let bytes = try PNGEncoder.encode(Bitmap(size: size, pixels: pixels))
    return FetchedImage(
      url: URL(string: "https://broken.example/1")!,
      data: bytes.prefix(bytes.count * percent / 100), source: name)
  }
}

/// A source whose name cannot be looked up while it is down.
final class FlakySource: ImageSource {
  let name = "zoo.example"
  let isDown = Atomic(true)
  private let asked = Atomic(0)
  private let pictures = SmallSource()

  /// How often it was asked.
  var count: Int { asked.load(ordering: .relaxed) }

  func fetchImage(
    progress: @escaping @Sendable (FetchProgress) -> Void
  ) async throws -> FetchedImage {
    asked.add(1, ordering: .relaxed)
    if isDown.load(ordering: .relaxed) { throw HTTPError(.hostNotFound, host: name) }
    return try await pictures.fetchImage(progress: progress)
  }
}

/// A source that never answers.
struct SilentSource: ImageSource {
  let name = "silent.example"

  func fetchImage(
    progress: @escaping @Sendable (FetchProgress) -> Void
  ) async throws -> FetchedImage {
    let (stream, continuation) = AsyncStream<Never>.makeStream()
    for await _ in stream {}
    withExtendedLifetime(continuation) {}
    throw CancellationError()
  }
}
