internal import Dispatch

/// Runs what takes long for a picture on Dispatch's threads.
///
/// A large picture takes seconds in a terminal of few colors, and cannot be stopped meanwhile.
/// Swift's cooperative pool has one thread per core: pictures there would keep everything else
/// waiting, and quitting too. Dispatch starts more threads while those it has are busy.
enum PictureThreads {
  private static let queue = DispatchQueue(
    label: "panda.pictures", qos: .userInitiated, attributes: .concurrent)

  /// Returns the result of work that is done on one of Dispatch's threads.
  static func run<Result: Sendable>(_ work: @escaping @Sendable () -> Result) async -> Result {
    await withCheckedContinuation { continuation in
      queue.async { continuation.resume(returning: work()) }
    }
  }
}
