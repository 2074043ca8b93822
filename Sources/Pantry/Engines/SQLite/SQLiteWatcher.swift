internal import Dispatch
internal import FoundationEssentials
internal import Glibc

/// Tells the followers of a database file when there is something to read.
///
/// A writer of Pantry's dings: it writes a byte to a file beside the database, after its commit.
/// Other writers are noticed by the write-ahead log, which they write to *before* others see the
/// commit, and before its flush to the disk, which may take long: so it is looked several times, in
/// growing intervals, until nobody is writing. Who looks reads one number.
///
/// Where a directory cannot be watched, it is looked twice a second.
///
/// Sendable because its variables are used on `queue` only.
final class SQLiteWatcher: @unchecked Sendable {
  /// When it is looked again after the log was written to, in milliseconds from the last look; the
  /// last interval again and again as long as somebody writes.
  private static let intervals = [1, 2, 4, 8, 16, 32]
  private static let pollInterval = Duration.milliseconds(500)

  private let queue = DispatchQueue(label: "pantry.watch", qos: .userInitiated)
  private let location: SQLiteLocation
  private let succession: SQLiteSuccession
  private let followers: StorageFollowers
  private let polls: Bool

  private var isStarted = false
  private var watch: DirectoryWatch?
  private var polling: Task<Void, Never>?
  private var looking: Task<Void, Never>?
  private var opened: (database: Database, number: Int)?
  /// The number of the last change that was seen; nil before the first look.
  private var newest: Int64?
  private var dataVersion: Int64?
  private var looks = 0

  /// - Parameter polls: looks twice a second, as if the directory could not be watched.
  init(
    _ location: SQLiteLocation, succession: SQLiteSuccession, followers: StorageFollowers,
    polls: Bool = false
  ) {
    self.location = location
    self.succession = succession
    self.followers = followers
    self.polls = polls
  }

  deinit {
    polling?.cancel()
    looking?.cancel()
  }

  /// How often it was looked so far.
  var lookCount: Int { queue.sync { looks } }

  private var dingPath: String { location.path + "-ding" }

  /// Begins to watch, once.
  func start() {
    queue.async { [weak self] in
      guard let self, !isStarted else { return }
      isStarted = true
      begin()
      // What was written before the watch began.
      look()
    }
  }

  /// Tells the other processes, and the other engines of this one, that something was committed.
  func ding() {
    let descriptor = open(dingPath, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { return }
    var byte: UInt8 = 0
    // If it cannot be written, the log is watched too.
    _ = pwrite(descriptor, &byte, 1, 0)
    close(descriptor)
  }

  // MARK: On the queue

  private func begin() {
    let directory = location.directory.url.path(percentEncoded: false)
    watch =
      polls
      ? nil
      : DirectoryWatch(directory, on: queue) { [weak self] events in self?.handle(events) }
    guard watch == nil, polling == nil else { return }
    polling = Task { [weak self, queue] in
      while self != nil {
        do {
          try await Task.sleep(for: Self.pollInterval)
        } catch {
          return  // cancelled
        }
        queue.async { [weak self] in self?.poll() }
      }
    }
  }

  private func handle(_ events: DirectoryWatch.Events) {
    let name = location.filename
    if events.isOver {
      watch = nil
      begin()
    }
    let isUnsure = events.isIncomplete || events.isOver || events.named.contains(name)
    if isUnsure { _ = succession.number }
    if isUnsure || events.written.contains(name + "-wal") || events.named.contains(name + "-wal") {
      look()
      lookAgain()
    } else if events.written.contains(name + "-ding") || events.named.contains(name + "-ding") {
      look()
    }
  }

  private func lookAgain() {
    looking?.cancel()
    looking = Task { [weak self] in
      do {
        var isWritten = false
        for milliseconds in Self.intervals.dropLast() {
          try await Task.sleep(for: .milliseconds(milliseconds))
          await self?.lookOnQueue()
        }
        repeat {
          try await Task.sleep(for: .milliseconds(Self.intervals.last ?? 0))
          // In this order: whoever was writing before the look has committed then.
          isWritten = await self?.isBeingWritten() ?? false
          await self?.lookOnQueue()
        } while isWritten
      } catch {
        return  // the log was written to again
      }
    }
  }

  private func lookOnQueue() async {
    await withCheckedContinuation { continuation in
      queue.async {
        self.look()
        continuation.resume()
      }
    }
  }

  private func isBeingWritten() async -> Bool {
    await withCheckedContinuation { continuation in
      queue.async {
        // A file that cannot be opened is looked at with the next event.
        let database = try? self.connection()  // see above
        continuation.resume(returning: database?.isBeingWritten ?? false)
      }
    }
  }

  /// Looks only if another connection has written (https://sqlite.org/pragma.html#pragma_data_version).
  private func poll() {
    do {
      let version = try connection().integer("PRAGMA data_version")
      guard version != dataVersion else { return }
      dataVersion = version
      look()
    } catch {
      opened = nil
    }
  }

  private func look() {
    looks += 1
    do {
      let database = try connection()
      let former = newest
      let now = try database.integer("SELECT seq FROM sqlite_sequence WHERE name = 'change'") ?? 0
      guard now != former else { return }
      let changed = try former.map { try changes(since: $0, in: database) }
      newest = now
      for follower in followers.all {
        // A number that is lower than before belongs to another file.
        guard let former, let changed, now > former else {
          follower.tell()
          continue
        }
        guard let last = changed[follower.namespace] else { continue }
        if let reached = follower.reached, reached.change >= last { continue }
        follower.tell()
      }
    } catch {
      // The file is locked, or being replaced: whoever reads it says what is wrong with it, and the
      // next event looks again.
      opened = nil
    }
  }

  /// The last change in each namespace that has one since `change`.
  private func changes(since change: Int64, in database: Database) throws -> [String: Int64] {
    let statement = try database.statement(
      """
      SELECT namespace.name, max(change.seq) FROM change
      JOIN namespace ON namespace.id = change.namespace
      WHERE change.seq > ?1 GROUP BY +change.namespace
      """)
    defer { statement.reset() }
    try statement.bind(.integer(change))
    var changes: [String: Int64] = [:]
    while try statement.step() { changes[statement.text(0)] = statement.integer(1) }
    return changes
  }

  private func connection() throws -> Database {
    let number = succession.number
    if let opened, opened.number == number { return opened.database }
    // Another file: all that is known of the former one is void.
    if opened != nil { newest = nil }
    opened = nil
    let database = try location.openAnother()
    opened = (database, number)
    return database
  }
}
