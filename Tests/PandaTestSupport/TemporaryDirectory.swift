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
}
