import FoundationEssentials
import Glibc
import Pantry

/// Changes a storage step by step, on a disk that may be out of order.
///
/// It prints a line when a step begins, and another when it is acknowledged or has failed. The
/// arguments are the kind of storage, its directory, the first step and the number of steps, and
/// whether another thread prints meanwhile. An error ends nothing: the next step comes.
@main @MainActor struct FaultProbe {
  static func main() async {
    let arguments = CommandLine.arguments
    guard arguments.count >= 5, let kind = Kind(rawValue: arguments[1]),
      let first = Int(arguments[3]), let count = Int(arguments[4])
    else {
      fatalError("usage: PantryFaultProbe sqlite|disk|values DIRECTORY STEP COUNT [printing]")
    }
    if arguments.last == "printing" {
      var thread = pthread_t()
      pthread_create(&thread, nil, print, nil)
    }
    let place = StorageDirectory(url: URL(filePath: arguments[2]))
    let steps = first..<(first + count)
    do {
      switch kind {
      case .sqlite:
        let engine = try SQLiteStorageEngine(directory: place, namespace: "Panda")
        await change(try await Store<Panda>(storage: engine), steps, engine, place)
        try await engine.close()
      case .disk:
        let engine = try DiskStorageEngine(directory: place)
        await change(try await Store<Panda>(storage: engine), steps, nil, place)
      case .values: await changeValue(in: place, steps)
      }
    } catch {
      tell("refused: \(error)")
    }
    tell("end")
  }

  /// What is changed.
  enum Kind: String, CaseIterable {
    case sqlite, disk, values
  }

  private static func change(
    _ store: Store<Panda>, _ steps: Range<Int>, _ engine: SQLiteStorageEngine?,
    _ place: StorageDirectory
  ) async {
    for number in steps {
      await tell(number) {
        switch Step(number) {
        case .add(let ids): try await store.add(ids.map { Panda($0) })
        case .caption(let id, let caption): try await store.add(Panda(id, caption))
        case .remove(let id): try await store.remove(Panda(id))
        case .exchange(let id, let ids):
          try await store.remove(Panda(id)).add(ids.map { Panda($0) }).run()
        case .removeAll: try await store.removeAll()
        case .replaceAll(let ids): try await store.removeAll().add(ids.map { Panda($0) }).run()
        case .compact: try await engine?.compact()
        case .backup: try await engine?.backup(to: place.url.appending(path: "backup.sqlite"))
        }
      }
    }
    tell("shows \(store.items.map { "\(Entry(id: $0.id, caption: $0.caption))" })")
  }

  private static func changeValue(in place: StorageDirectory, _ steps: Range<Int>) async {
    let value = StoredValue(wrappedValue: [Int](), key: "steps", directory: place)
    for number in steps {
      await tell(number) {
        value.append(number)
        try await value.flush()
      }
    }
  }

  private static func tell(_ number: Int, _ step: () async throws -> Void) async {
    tell("begin \(number)")
    do {
      try await step()
      tell("done \(number)")
    } catch {
      tell("failed \(number) \(error)")
    }
  }

  private static func tell(_ text: String) {
    let line = Array("\(text)\n".utf8)
    // An output may be closed on purpose.
    if write(STDOUT_FILENO, line, line.count) != line.count, errno == EPIPE { exit(1) }
  }

  /// Prints for as long as the process runs.
  private nonisolated static let print:
    @convention(c) @Sendable (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { _ in
      while true { write(STDOUT_FILENO, "printed", 7) }
    }
}
