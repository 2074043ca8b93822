import FoundationEssentials
import Glibc
import PandaCore
import Pantry
import PictureCodecs

/// Exports, imports or backs up a library in a process of its own, and tells how that went.
///
///     ExchangeProbe fill LIBRARY COUNT BYTES    adds favorites with pictures of about BYTES bytes
///     ExchangeProbe export LIBRARY TARGET
///     ExchangeProbe import LIBRARY SOURCE
///     ExchangeProbe backup LIBRARY PATH
///
/// It prints the number of pictures that are done after each one, then `done COUNT` and
/// `memory KILOBYTES`; or `failed: REASON`, and its status is 1.
@main struct ExchangeProbe {
  static func main() async {
    let arguments = CommandLine.arguments
    guard arguments.count >= 4 else { fatalError("usage: ExchangeProbe COMMAND LIBRARY PLACE") }
    do {
      let count = try await run(arguments[1], arguments[2], Array(arguments[3...]))
      tell("done \(count)")
      tell("memory \(peakMemory())")
    } catch {
      tell("failed: \(error)")
      exit(1)
    }
  }

  @MainActor
  private static func run(
    _ command: String, _ directory: String, _ rest: [String]
  ) async throws -> Int {
    let library = ImageLibrary(in: StorageDirectory(url: URL(filePath: directory)))
    let progress: @Sendable (ExchangeProgress) -> Void = { tell("\($0.done)") }
    let count: Int
    switch command {
    case "fill": count = try await fill(library, Int(rest[0])!, byteCount: Int(rest[1])!)
    case "export":
      count = try await library.export(to: ExportTarget(path: rest[0]), progress: progress).count
    case "import":
      count = try await library.importFavorites(from: rest[0], progress: progress).added
    default: count = try await library.backup(to: rest[0], progress: progress).count
    }
    await library.close()
    return count
  }

  @MainActor
  private static func fill(
    _ library: ImageLibrary, _ count: Int, byteCount: Int
  ) async throws -> Int {
    for number in 0..<count {
      let pixels = withUnsafeBytes(of: UInt32(number).bigEndian) { [UInt8]($0) }
      let png = try Bitmap(size: PixelSize(width: 1, height: 1), pixels: pixels).pngData()
      // A frame of an animation, which every export keeps, and no decoder reads here.
      let length = withUnsafeBytes(of: UInt32(byteCount).bigEndian) { [UInt8]($0) }
      let filler = Data(repeating: UInt8(truncatingIfNeeded: number), count: byteCount)
      let data =
        png.prefix(33) + length + Data("fdAT".utf8) + filler + [0, 0, 0, 0] + png.dropFirst(33)
      let url = URL(string: "https://a.example/\(number)")!
      try await library.favorites.add(
        RemoteImage(
          createdAt: Date(timeIntervalSince1970: Double(number)), url: url, width: 1, height: 1,
          dataRepresentation: Attachment(data), source: "a.example", title: "Panda \(number)"))
    }
    return count
  }

  /// The most memory that the process has had, in kilobytes.
  private static func peakMemory() -> Int {
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    return Int(usage.ru_maxrss)
  }

  private static func tell(_ text: String) {
    let line = Array("\(text)\n".utf8)
    _ = write(STDOUT_FILENO, line, line.count)
  }
}
