internal import Foundation
internal import Grove
internal import PandaCore
internal import Pantry
internal import PictureCodecs

/// A file of favorites for launches.
///
/// The pictures are drawings of the grove; bytes after the end of each picture make it unique and
/// pad it to the given size.
struct FavoritesFile {
  let count: Int
  let bytes: Int
  /// The size of the drawings.
  var size = PixelSize(width: 400, height: 300)

  /// What most benchmarks use.
  static let many = FavoritesFile(
    count: Extent.count(10_000), bytes: Extent.isShort ? 20_000 : 300_000)

  /// The directory where a file of several gigabytes is kept between runs.
  private static let kept = URL(filePath: ".build/bench-launch")
  /// The number of pictures in memory at a time.
  private static let batch = 250

  /// The name for the report.
  var name: String { "\(count.formatted()) favorites of \(bytes / 1_000) KB" }

  /// Returns the directory of the file, kept from an earlier run or filled now.
  func kept() async throws -> URL {
    let directory = Self.kept.appending(path: "\(count)x\(bytes)")
    guard !FileManager.default.fileExists(atPath: directory.path) else { return directory }
    let unfinished = Self.kept.appending(path: "unfinished-\(count)x\(bytes)")
    if FileManager.default.fileExists(atPath: unfinished.path) {
      try FileManager.default.removeItem(at: unfinished)
    }
    try await fill(unfinished)
    // Otherwise the first launches would compete with writing it.
    sync()
    try FileManager.default.moveItem(at: unfinished, to: directory)
    return directory
  }

  /// Saves the favorites into a file in `directory`.
  func fill(_ directory: URL) async throws {
    let drawings = try (0..<12).map { seed in
      try BambooGrove.drawing(
        seed: UInt64(seed), size: size
      ).pngData()
    }
    let store = await Store<RemoteImage>.images(in: StorageDirectory(url: directory))
    for start in stride(from: 0, to: count, by: Self.batch) {
      let numbers = start..<min(start + Self.batch, count)
      try await store.add(numbers.map { image($0, drawing: drawings[$0 % drawings.count]) })
    }
  }

  private func image(_ number: Int, drawing: Data) -> RemoteImage {
    var data = drawing
    data.append(contentsOf: "\(number)".utf8)
    if data.count < bytes { data.append(Data(count: bytes - data.count)) }
    let date = Date(timeIntervalSince1970: 1_700_000_000 + Double(number))
    return RemoteImage(
      createdAt: date, url: URL(string: "panda://bench/\(number)")!, width: size.width,
      height: size.height,
      dataRepresentation: Attachment(data), source: "bench", title: "A red panda, number \(number)",
      credit: "The grove", license: "CC0", savedAt: date)
  }
}
