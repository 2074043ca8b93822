internal import Foundation

/// Runs shell scripts in a namespace of their own, where they may mount file systems.
public enum PrivateMounts {
  /// Whether the system lets them.
  public static let areAllowed = run("mount -t tmpfs -o size=64k tmpfs /mnt").isWell

  /// Runs `script`, which gets `arguments`; `isWell` is false if it fails.
  ///
  /// Remount with `bind`: without it, mount repeats the options of a tmpfs, and the user in them is
  /// none in the namespace of an ordinary user.
  ///
  /// - Parameter withErrors: whether the output includes what goes to standard error.
  public static func run(
    _ script: String, _ arguments: [String] = [], withErrors: Bool = false
  ) -> (isWell: Bool, output: String) {
    let output = ProgramPipe()
    do {
      let process = try ChildProcess(
        "/usr/bin/env", ["unshare", "-rm", "sh", "-ec", script, "sh"] + arguments,
        output: .pipe(output), error: withErrors ? .pipe(output) : .null)
      let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      return (process.waitForExit() == 0, text)
    } catch {
      return (false, "")
    }
  }
}
