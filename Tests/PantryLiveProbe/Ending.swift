import CPantrySQLite
import FoundationEssentials
import Glibc
import Pantry

extension LiveProbe {
  /// How the process ends.
  enum Ending: String {
    /// At the end of `main`, or where that would come after other work.
    case main, exit, exitAtOnce = "_exit", abort
    /// By `exit` in a child, before the process itself ends by `_exit`.
    case fork
    /// After a child that was forked has used the store.
    case child
    /// By `exit` on the queue of the file, and in a transaction of another connection.
    case queue, transaction
    /// By `exit` while other threads add notes.
    case threads
    /// At the end of `main`, after one of the notes was added to a store that had been closed.
    case closed
  }

  /// Adds three notes, sets a value, and ends the process.
  static func end(in directory: String, by ending: Ending) async throws {
    // Local, so that its bare name counts, as for the probe's private one.
    struct Note: Codable, Equatable, Identifiable, Sendable {
      var id: String
      var text = ""
    }
    let place = StorageDirectory(url: URL(filePath: directory))
    let isOnQueue = Flag()
    let engine = try SQLiteStorageEngine(directory: place, namespace: "Note") {
      if isOnQueue.isSet { Glibc.exit(0) }
      return Date()
    }
    let store = try await Store<Note>(storage: engine)
    for id in ["a", "b", "c"] {
      if id == "c", ending == .closed { try await store.close() }
      try await store.add(Note(id: id))
    }
    let value = StoredValue(wrappedValue: 0, key: "runs", directory: place)
    if ending == .threads { addInThreads(to: engine) }
    value.set(value.wrappedValue + 1)
    switch ending {
    case .main, .closed: return
    case .exit, .threads: Glibc.exit(0)
    case .exitAtOnce: Glibc._exit(0)
    case .abort: Glibc.abort()
    case .queue:
      isOnQueue.isSet = true
      try await store.add(Note(id: "d"))
    case .transaction:
      let database = connect(directory)
      run("BEGIN IMMEDIATE", on: database)
      run(insert("d"), on: database)
      Glibc.exit(0)
    case .fork:
      try await value.flush()
      let child = fork()
      if child == 0 { Glibc.exit(0) }
      var status: Int32 = 0
      waitpid(child, &status, 0)
      tell("\(status)")
      Glibc._exit(0)
    case .child:
      let child = fork()
      if child == 0 {
        // Without the trap nothing would ever happen.
        alarm(20)
        try await store.add(Note(id: "child"))
        Glibc._exit(0)
      }
      var status: Int32 = 0
      waitpid(child, &status, 0)
      let signal = status & 0x7F
      tell(signal != 0 && signal != SIGALRM ? "the child has crashed" : "status \(status)")
      try await store.add(Note(id: "d"))
    }
  }

  /// Swift does not import it: a child has one thread only.
  private static func fork() -> pid_t {
    unsafeBitCast(dlsym(nil, "fork"), to: (@convention(c) () -> pid_t).self)()
  }

  /// Adds notes one after another, each of which is printed once it is saved.
  private static func addInThreads(to engine: SQLiteStorageEngine) {
    for thread in 0..<4 {
      Task.detached {
        for number in 0... {
          let id = "\(thread)-\(number)"
          try await engine.write(
            Data(#"{"id":"\#(id)","text":""}"#.utf8), key: CacheKey(verbatim: id))
          let line = Array("\(id)\n".utf8)
          _ = write(STDOUT_FILENO, line, line.count)
        }
      }
    }
    // The threads are at work once there is a log of this length.
    var status = stat()
    repeat {
      usleep(1_000)
    } while stat(engine.path + "-wal", &status) == 0 && status.st_size < 200_000
  }

  /// Set on one thread before another one is asked to read it.
  private final class Flag: @unchecked Sendable {
    var isSet = false
  }
}
