internal import CMemory
internal import Foundation
internal import Testing

/// The peak memory of the process since this was created (proc(5): VmHWM, clear_refs).
struct PeakMemory {
  private let start: Int

  /// Makes the process give back memory at once, as the program does.
  static func prepare() { mallopt(M_MMAP_THRESHOLD, 384 << 10) }

  init() throws {
    // If the kernel lacks it, an earlier peak remains: it sees less growth, and nothing fails.
    try? Data("5".utf8).write(to: URL(filePath: "/proc/self/clear_refs"))
    start = try Self.peak()
  }

  /// Returns the growth since the start, in bytes.
  func growth() throws -> Int { try Self.peak() - start }

  private static func peak() throws -> Int {
    let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
    return try #require(line.split { !$0.isNumber }.first.flatMap { Int($0) }) * 1_024
  }
}
