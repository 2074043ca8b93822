import FoundationEssentials
import Glibc
import Pantry

/// Commits to a Disk engine until it is killed, and prints each durable commit.
///
/// Generation `n` is one commit: it gives the same five keys the text `n`, adds the key `item-n`
/// and removes `item-(n - 3)`. The arguments are the directory and the first generation. If the
/// engine fails, the last line has the reason.
@main struct CrashProbe {
  static func main() async throws {
    do {
      try await run()
    } catch let error as StorageError {
      tell("\(error)")
    }
  }

  private static func run() async throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 3, let first = Int(arguments[2]) else {
      fatalError("usage: PantryCrashProbe DIRECTORY GENERATION")
    }
    func key(_ name: String) -> CacheKey { CacheKey(verbatim: name) }
    let engine = try DiskStorageEngine(
      directory: StorageDirectory(url: URL(filePath: arguments[1])))
    for generation in first... {
      let data = Data("\(generation)".utf8)
      var changes = (0..<5).map { StorageChange.write(data, key: key("same-\($0)")) }
      changes.append(.write(data, key: key("item-\(generation)")))
      changes.append(.remove(key: key("item-\(generation - 3)")))
      try await engine.commit(changes)
      tell("\(generation)")
    }
  }

  private static func tell(_ text: String) {
    let line = Array("\(text)\n".utf8)
    guard write(STDOUT_FILENO, line, line.count) == line.count else { exit(1) }
  }
}
