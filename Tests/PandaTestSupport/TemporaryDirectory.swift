public import Foundation

/// A fresh directory that is removed with the last reference to it.
public final class TemporaryDirectory: Sendable {
  /// Where it is.
  public let url: URL

  /// Creates a directory with a name that nothing else has.
  public init() {
    url = FileManager.default.temporaryDirectory.appending(
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
