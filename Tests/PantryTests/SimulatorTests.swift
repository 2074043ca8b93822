import PandaTestSupport
import Testing

/// Pantry in a simulator, in which a seed decides every order and every fault.
@Suite struct SimulatorTests {
  /// Runs the simulator; returns its status and what it prints.
  private func simulate(_ arguments: String...) throws -> (status: Int32, output: String) {
    let result = try Subprocess.run(
      [BuildProducts.path(of: "PantrySimulator")] + arguments, environment: [])
    return (result.status, result.output)
  }

  @Test func `schedules with crashes, failed calls and late news break no promise`() throws {
    let run = try simulate("--seconds", "5")
    #expect(run.status == 0, "\(run.output)")
    #expect(run.output.contains("no promise broken"), "\(run.output)")
  }

  @Test func `the scenarios in which faults were found break no promise`() throws {
    let run = try simulate("--regressions")
    #expect(run.status == 0, "\(run.output)")
  }

  @Test func `optimistic changes show what a plain model shows`() throws {
    let run = try simulate("--pure", "--count", "10000")
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
  func `a hundred million optimistic changes show what a plain model shows`() throws {
    for part in 0..<100 {
      let run = try simulate(
        "--pure", "--first-seed", String(part * 1_000_000 + 1), "--count", "1000000")
      #expect(run.status == 0, "\(run.output)")
    }
  }

  @Test(.enabled(if: Torture.isOn))
  func `a million schedules break no promise`() async throws {
    // In parts, each of which ends within the time of a subprocess.
    let (partCount, partSize) = (500, 2_000)
    await withTaskGroup(of: Void.self) { group in
      for half in 0..<2 {
        group.addTask {
          for part in stride(from: half, to: partCount, by: 2) {
            let first = String(1_000_000 + part * partSize)
            let run = try? simulate("--first-seed", first, "--count", String(partSize))
            #expect(run?.status == 0, "\(run?.output ?? "it has not ended")")
          }
        }
      }
    }
  }
}
