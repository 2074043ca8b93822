internal import Glibc
internal import Synchronization

/// Detects a child of `fork`, which has none of its parent's threads but one.
///
/// Work that it puts on a queue would never run, and what waits for it would hang.
enum Forks {
  private static let isChild = Atomic(false)

  /// Has each child that is forked from now on marked.
  private static let marksChildren: Void = {
    isChild.store(false, ordering: .relaxed)
    pthread_atfork(nil, nil) { Forks.isChild.store(true, ordering: .relaxed) }
  }()

  /// Ends a child of `fork`, with a sentence.
  static func requireThreads() {
    marksChildren
    guard isChild.load(ordering: .relaxed) else { return }
    // Unlike a precondition, it says why in release builds too.
    fatalError(
      "This process is a fork of one that uses Pantry, without its threads, so nothing could be "
        + "read or saved. Use posix_spawn or exec, or fork before the first use of Pantry.")
  }
}
