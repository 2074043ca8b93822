/// Says which condition did not come true.
public struct ConditionNotMet: Error, CustomStringConvertible {
  /// What was waited for.
  public let description: String
}

/// Returns when `condition` holds; it is asked again whenever other work has had its turn.
///
/// - Throws: ``ConditionNotMet`` after the deadline, which is generous: a loaded machine is no error.
public func eventually(
  _ what: String, within deadline: Duration = .seconds(30),
  isolation: isolated (any Actor)? = #isolation,
  _ condition: () async throws -> Bool
) async throws {
  let clock = ContinuousClock()
  let end = clock.now + deadline
  while true {
    if try await condition() { return }
    guard clock.now < end else { throw ConditionNotMet(description: "never: \(what)") }
    try await clock.sleep(for: .milliseconds(2))
  }
}
