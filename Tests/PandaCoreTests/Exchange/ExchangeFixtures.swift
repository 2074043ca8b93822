import Foundation
import PandaTestSupport
import PictureCodecs

@testable import PandaCore
@testable import Pantry

/// A library and the places beside it, for tests of exports and imports.
@MainActor
struct ExchangeFixture {
  let directory = TemporaryDirectory()

  /// A library of this name, as a process finds it that starts now.
  func library(
    _ name: String = "library", now: @escaping @Sendable () -> Date = { Date() }
  ) -> ImageLibrary {
    ImageLibrary(in: StorageDirectory(url: directory.url.appending(path: name)), now: now)
  }

  /// A library with these favorites.
  func library(_ images: [RemoteImage]) async throws -> ImageLibrary {
    try await library("library", images)
  }

  /// A library of this name, with these favorites.
  func library(_ name: String, _ images: [RemoteImage]) async throws -> ImageLibrary {
    let library = library(name)
    try await library.favorites.add(images)
    return library
  }

  func path(_ name: String) -> String { directory.path(name) }

  /// The names of the files in a directory, sorted.
  func names(in name: String = "") throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: path(name)).sorted()
  }

  func bytes(_ name: String) throws -> Data { try Data(contentsOf: URL(filePath: path(name))) }

  func write(_ data: Data, to name: String) throws {
    try data.write(to: URL(filePath: path(name)))
  }

  /// Runs a program to its end.
  @discardableResult
  func run(_ arguments: String...) throws -> Subprocess.Result {
    // Not the user's PATH: what manages versions of Python there asks for a home directory.
    let result = try Subprocess.run(
      arguments, environment: ["PATH=/usr/local/bin:/usr/bin:/bin", "LC_ALL=C.UTF-8"])
    guard result.status == 0 else { throw TestFailure("\(arguments): \(result.output)") }
    return result
  }
}

extension RemoteImage {
  /// A picture of one pixel, and everything else that a favorite can have.
  static func sample(
    _ number: Int, title: String? = nil, caption: String? = nil, tags: [String] = [],
    page: String? = nil,
    savedAt: Date? = Date(timeIntervalSinceReferenceDate: 800_000_000)
  ) -> RemoteImage {
    RemoteImage(
      createdAt: Date(timeIntervalSinceReferenceDate: 799_999_999.123_456_7 + Double(number)),
      url: URL(string: "https://a.example/panda/\(number)")!, width: 1, height: 1,
      dataRepresentation: Attachment(picture(number)), source: "a.example",
      title: title ?? "Panda \(number)", credit: "Jane Doe", license: "CC BY-SA 4.0",
      page: URL(string: page ?? "https://a.example/page/\(number)"), caption: caption, tags: tags,
      savedAt: savedAt.map { $0 + Double(number) / 7 })
  }

  /// A PNG file; each number has other bytes.
  static func picture(_ number: Int) -> Data {
    let pixels = withUnsafeBytes(of: UInt32(number).bigEndian) { [UInt8]($0) }
    guard let data = try? Bitmap(size: PixelSize(width: 1, height: 1), pixels: pixels).pngData()
    else { preconditionFailure("a bitmap of one pixel can be encoded") }
    return data
  }
}
