public import Foundation
public import Pantry
internal import SystemSupport

/// An engine for the contract suite: how to open it, and its promises beyond the basics.
public struct EngineUnderTest: Sendable {
  /// Whether an engine reopened at the same place has the rows of the first one.
  public let isPersistent: Bool
  /// Whether `commit(_:)` is all or nothing, even for concurrent readers.
  public let commitsAreAtomic: Bool
  /// Whether engines open at one place follow each other.
  public let isLive: Bool

  let open: @Sendable (URL) async throws -> any StorageEngine
  let refuse: (@Sendable (URL, CacheKey) async throws -> Void)?

  /// Describes an engine.
  ///
  /// - Parameters:
  ///   - isPersistent: whether reopening the same place restores everything.
  ///   - commitsAreAtomic: whether your `commit(_:)` is one transaction.
  ///   - isLive: whether engines open at one place follow each other: see `StorageEngine.add(_:)`.
  ///   - refuse: makes the storage at a place with an open engine fail when this key is written;
  ///     nil if that is not possible.
  ///   - open: opens an engine at a place: a new, empty directory for each promise. An engine that
  ///     needs no directory may derive a name from it.
  public init(
    isPersistent: Bool = true, commitsAreAtomic: Bool = false, isLive: Bool = false,
    refuse: (@Sendable (URL, CacheKey) async throws -> Void)? = nil,
    open: @escaping @Sendable (URL) async throws -> any StorageEngine
  ) {
    self.isPersistent = isPersistent
    self.commitsAreAtomic = commitsAreAtomic
    self.isLive = isLive
    self.refuse = refuse
    self.open = open
  }

  /// Runs `body`, and closes the engines that it has opened.
  ///
  /// One that still wrote would add files to its directory while that is removed.
  func closingEngines(_ body: (EngineUnderTest) async throws -> Void) async throws {
    let opened = Lock<[any StorageEngine]>([])
    let reporting = EngineUnderTest(
      isPersistent: isPersistent, commitsAreAtomic: commitsAreAtomic, isLive: isLive,
      refuse: refuse
    ) { place in
      let engine = try await open(place)
      opened.withLock { $0.append(engine) }
      return engine
    }
    let result: Result<Void, any Error>
    do { result = .success(try await body(reporting)) } catch { result = .failure(error) }
    // A promise is judged by what it has found, not by this.
    for engine in opened.withLock(\.self) { try? await engine.close() }
    try result.get()
  }
}

/// The error for a promise that an engine did not keep.
public struct BrokenPromise: Error, CustomStringConvertible, Sendable {
  /// The promise.
  public let promise: EngineContract
  /// The found and the expected result.
  public let detail: String

  /// The promise, and what was found instead.
  public var description: String { "“\(promise.rawValue)” does not hold: \(detail)" }
}

/// The error with all promises that an engine did not keep.
public struct BrokenContract: Error, CustomStringConvertible, Sendable {
  /// The promises, in the order of ``EngineContract``.
  public let promises: [BrokenPromise]

  /// One line for each promise.
  public var description: String { promises.map(\.description).joined(separator: "\n") }
}
