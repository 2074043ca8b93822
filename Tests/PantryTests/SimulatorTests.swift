import Dispatch
import Glibc
import PandaTestSupport
import Testing

/// Pantry in a simulator, in which a seed decides every order and every fault.
@Suite struct SimulatorTests {
  /// The first seed of the day.
  private static let first = time(nil) / 86_400 * 1_000_000

  /// Runs the simulator; returns its status and what it prints.
  private func simulate(_ arguments: String...) throws -> (status: Int32, output: String) {
    let result = try Subprocess.run(
      [BuildProducts.path(of: "PantrySimulator")] + arguments, environment: [])
    return (result.status, result.output)
  }

  @Test func `schedules with crashes, failed calls and late news break no promise`() throws {
    let run = try simulate("--seconds", "2")
    #expect(run.status == 0, "\(run.output)")
    #expect(run.output.contains("no promise broken"), "\(run.output)")
    // Not the same schedules for ever: the day's, and the output says which.
    let first = try #require(run.output.split(separator: "\n").first)
    #expect(first.wholeMatch(of: /from seed [0-9]{11,}/) != nil, "\(first)")
  }

  @Test func `the scenarios in which faults were found break no promise`() throws {
    let run = try simulate("--regressions")
    #expect(run.status == 0, "\(run.output)")
  }

  @Test func `optimistic changes show what a plain model shows`() throws {
    let run = try simulate("--pure", "--count", "3000")
    #expect(run.status == 0, "\(run.output)")
  }

  @Test func `the same seed gives the same trace`() throws {
    let traces = try ["7", "7", "8"].map { seed in
      try #require(simulate("--seed", seed).output.split(separator: "trace ").last)
    }
    #expect(traces[0] == traces[1])
    #expect(traces[0] != traces[2])
  }

  @Test(.enabled(if: Torture.isOn))
  func `a hundred million optimistic changes show what a plain model shows`() async throws {
    for part in 0..<1_000 {
      try await simulateBeside(
        "--pure", "--first-seed", String(Self.first + part * 100_000), "--count", "100000")
    }
  }

  @Test(.enabled(if: Torture.isOn))
  func `a million schedules break no promise`() async throws {
    // In parts, each of which ends within the time of a subprocess.
    for part in 0..<4_000 {
      try await simulateBeside("--first-seed", String(Self.first + part * 250), "--count", "250")
    }
  }

  /// Runs the simulator on a thread of its own, so that no other test waits for it.
  private func simulateBeside(_ arguments: String...) async throws {
    let run = try await withCheckedThrowingContinuation { continuation in
      DispatchQueue.global().async {
        continuation.resume(
          with: Result {
            try Subprocess.run(
              [BuildProducts.path(of: "PantrySimulator")] + arguments, environment: [])
          })
      }
    }
    #expect(run.status == 0, "\(run.output)")
  }
}
