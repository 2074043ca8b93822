public import Foundation
public import Pantry

/// How the contract suite gets at an engine, and what that engine promises beyond the basics.
public struct EngineUnderTest: Sendable {
  /// Whether an engine that is opened at the same place again finds what the first one wrote.
  public let isPersistent: Bool
  /// Whether `commit(_:)` is all or nothing, also for those who read meanwhile.
  public let commitsAreAtomic: Bool
  /// Whether engines that are open at one place follow each other: a `LiveStorage`.
  public let isLive: Bool

  let open: @Sendable (URL) async throws -> any StorageEngine
  let refuse: (@Sendable (URL, CacheKey) async throws -> Void)?

  /// Describes an engine.
  ///
  /// - Parameters:
  ///   - isPersistent: whether opening the same place again brings everything back.
  ///   - commitsAreAtomic: whether your `commit(_:)` is one transaction.
  ///   - isLive: whether engines that are opened at one place, one beside the other, follow each
  ///     other; then they are `LiveStorage`.
  ///   - refuse: makes the storage at a place, on which an engine is open, fail when this key is
  ///     written; nil if you have no means to do so.
  ///   - open: opens an engine at a place: a directory of its own for each promise, empty at first.
  ///     An engine that needs no directory may make a name of it.
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
}

/// A promise that an engine did not keep.
public struct BrokenPromise: Error, CustomStringConvertible, Sendable {
  /// Which promise.
  public let promise: EngineContract
  /// What was found and what was expected.
  public let detail: String

  /// The promise and what was found instead.
  public var description: String { "“\(promise.rawValue)” does not hold: \(detail)" }
}

/// All the promises that an engine did not keep.
public struct BrokenContract: Error, CustomStringConvertible, Sendable {
  /// The promises, in the order of ``EngineContract``.
  public let promises: [BrokenPromise]

  /// One line for each promise.
  public var description: String { promises.map(\.description).joined(separator: "\n") }
}
