public import Foundation
internal import Glibc
internal import SystemSupport

/// A fresh directory that is removed with the last reference to it, at the process's end at last.
public final class TemporaryDirectory: Sendable {
  /// Where it is.
  public let url: URL

  private static let created = Lock<[URL]>([])
  /// Removes what is still in use at the end, such as the directories of static properties, or was
  /// made once more by a library that outlived its directory.
  private static let removesAtExit: Void = Teardown.add {
    for url in created.withLock(\.self) { remove(url) }
  }

  /// Creates a directory with a name that nothing else has.
  ///
  /// - Parameters:
  ///   - inMemory: for what writes thousands of times and asks nothing of a disk.
  ///   - file: whose directory it is; Scripts/test names it if the directory is left behind.
  public init(inMemory: Bool = false, file: String = #fileID) {
    // Scripts/test names a directory that it removes.
    let memory = URL(
      filePath: ProcessInfo.processInfo.environment["PANDA_TEST_MEMORY"] ?? "/dev/shm",
      directoryHint: .isDirectory)
    let isThere = access(memory.path(percentEncoded: false), W_OK) == 0
    let owner = URL(filePath: file).deletingPathExtension().lastPathComponent
    var template = (inMemory && isThere ? memory : FileManager.default.temporaryDirectory)
      .appending(path: "panda-\(owner)-XXXXXX").path(percentEncoded: false).utf8CString.map { $0 }
    guard mkdtemp(&template) != nil else {
      fatalError(
        "The tests need a directory for temporary files: \(String(cString: strerror(errno)))")
    }
    url = template.withUnsafeBufferPointer {
      URL(filePath: String(cString: $0.baseAddress!), directoryHint: .notDirectory)
    }
    Self.removesAtExit
    Self.created.withLock { [url] in $0.append(url) }
  }

  deinit { Self.remove(url) }

  private static func remove(_ url: URL) {
    // Scripts/test reports what is left.
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
