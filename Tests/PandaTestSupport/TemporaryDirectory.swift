public import Foundation
internal import Glibc

/// A fresh directory that is removed with the last reference to it.
public final class TemporaryDirectory: Sendable {
  /// Where it is.
  public let url: URL

  /// Creates a directory with a name that nothing else has.
  ///
  /// - Parameter inMemory: for what writes thousands of times and asks nothing of a disk.
  public init(inMemory: Bool = false) {
    // Scripts/test names a directory that it removes.
    let memory = URL(
      filePath: ProcessInfo.processInfo.environment["PANDA_TEST_MEMORY"] ?? "/dev/shm",
      directoryHint: .isDirectory)
    let isThere = access(memory.path(percentEncoded: false), W_OK) == 0
    url = (inMemory && isThere ? memory : FileManager.default.temporaryDirectory).appending(
      path: "panda-tests-\(UUID().uuidString)")
    do {
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    } catch {
      fatalError("The tests need a writable directory for temporary files: \(error)")
    }
  }

  deinit {
    // What cannot be removed is left to the system's own cleaning.
    try? FileManager.default.removeItem(at: url)
  }

  /// The path of something in it.
  public func path(_ name: String) -> String {
    url.appending(path: name).path(percentEncoded: false)
  }

  /// Writes a shell script that can be run, and returns its path.
  ///
  /// Another process writes it: a child of this one, started meanwhile by another test, would hold
  /// it open for writing, and a file that is written to cannot be run (ETXTBSY).
  public func writeScript(_ name: String, _ lines: String) throws -> String {
    let path = path(name)
    let writing = try Subprocess.run(
      ["sh", "-c", "printf '#!/bin/sh\\n%s\\n' \"$0\" > \"$1\" && chmod 755 \"$1\"", lines, path],
      environment: ["PATH=/usr/bin:/bin"])
    guard writing.status == 0 else { throw TestFailure("\(path) cannot be written") }
    return path
  }
}
