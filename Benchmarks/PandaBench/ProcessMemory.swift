internal import Foundation

/// A process's memory in MB (10^6 bytes), from /proc/PID/status, which counts KiB.
struct ProcessMemory {
  let resident: Double
  /// The peak (VmHWM).
  let peak: Double

  init(of process: Int32) throws {
    let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
    func value(_ name: String) -> Double {
      let line = status.split(separator: "\n").first { $0.hasPrefix(name) } ?? ""
      return Double(line.filter(\.isNumber)).map { $0 * 1_024 / 1_000_000 } ?? .nan
    }
    resident = value("VmRSS:")
    peak = value("VmHWM:")
  }
}
