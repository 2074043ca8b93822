/// A condition that a driver waited for in vain, or a driver's own failure.
public struct TestFailure: Error, CustomStringConvertible {
  /// What was expected, and what was seen instead.
  public let description: String

  /// Creates a failure with its words.
  public init(_ description: String) { self.description = description }
}

/// Waits until a condition holds, looking every few milliseconds.
///
/// - Parameters:
///   - what: words for the failure.
///   - deadline: how long to wait; generous, since a slow machine is no failure. It ends nothing
///     before the condition was looked at a hundred times.
///   - seen: what to show when the deadline has passed.
///   - condition: tells whether to go on.
/// - Throws: `TestFailure` after the deadline, and what the condition throws.
public func eventually(
  _ what: String, deadline: Duration = .seconds(240), seen: () -> String = { "" },
  isolation: isolated (any Actor)? = #isolation, condition: () async throws -> Bool
) async throws {
  let end = ContinuousClock.now + deadline
  var looks = 1
  while try await !condition() {
    looks += 1
    guard looks <= 100 || ContinuousClock.now < end else {
      throw TestFailure("Waited \(deadline) for: \(what)\n\(seen())")
    }
    try await Task.sleep(for: .milliseconds(5))
  }
}
