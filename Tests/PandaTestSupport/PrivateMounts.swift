internal import Foundation

/// Runs shell scripts in a namespace of their own, where they may mount file systems.
public enum PrivateMounts {
  /// Whether the system lets them.
  public static let areAllowed = run("mount -t tmpfs -o size=64k tmpfs /mnt").isWell

  /// Runs `script`, which gets `arguments`; `isWell` is false if it fails.
  ///
  /// - Parameter withErrors: whether the output includes what goes to standard error.
  public static func run(
    _ script: String, _ arguments: [String] = [], withErrors: Bool = false
  ) -> (isWell: Bool, output: String) {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["unshare", "-rm", "sh", "-ec", script, "sh"] + arguments
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = withErrors ? output : FileHandle.nullDevice
    do { try process.run() } catch { return (false, "") }
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return (process.terminationStatus == 0, text)
  }
}
