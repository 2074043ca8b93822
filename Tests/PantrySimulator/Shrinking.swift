/// Cuts a failing scenario down to the shortest one that still fails.
///
/// Another scenario has another order, so each candidate is tried in several.
struct Shrinking {
  let place: String
  /// The number of orders in which a candidate is tried.
  let orderCount = 8
  private(set) var runCount = 0

  init(in place: String) { self.place = place }

  /// Returns the shortest scenario that was found, and its violation.
  mutating func shrink(_ scenario: Scenario, _ violation: Violation) -> (Scenario, Violation) {
    var best = (scenario, violation)
    var hasShrunk = true
    while hasShrunk, runCount < 4_000 {
      hasShrunk = false
      for candidate in Self.candidates(of: best.0) {
        if let smaller = fails(candidate) {
          best = smaller
          hasShrunk = true
          break
        }
      }
    }
    return best
  }

  private mutating func fails(_ scenario: Scenario) -> (Scenario, Violation)? {
    for order in 0..<UInt64(orderCount) {
      var candidate = scenario
      if order > 0 { candidate.orderSeed = scenario.orderSeed &+ order &* 0x9E37_79B9 }
      runCount += 1
      if let violation = Schedule(scenario: candidate, place: place).run().violation {
        return (candidate, violation)
      }
    }
    return nil
  }

  /// Scenarios with one thing less, those with the largest part less first.
  private static func candidates(of scenario: Scenario) -> [Scenario] {
    var candidates: [Scenario] = []
    func add(_ change: (inout Scenario) -> Void) {
      var candidate = scenario
      change(&candidate)
      candidates.append(candidate)
    }
    if scenario.hasUpgrade {
      add {
        $0.hasUpgrade = false
        for epoch in $0.epochs.indices {
          for process in $0.epochs[epoch].processes.indices {
            $0.epochs[epoch].processes[process].isOlder = false
          }
        }
      }
    }
    if scenario.hasSmallParts { add { $0.hasSmallParts = false } }
    for epoch in scenario.epochs.indices where scenario.epochs.count > 1 {
      add { $0.epochs.remove(at: epoch) }
    }
    for (epoch, content) in scenario.epochs.enumerated() {
      for process in content.processes.indices where content.processes.count > 1 {
        add { $0.epochs[epoch].processes.remove(at: process) }
      }
    }
    for (epoch, content) in scenario.epochs.enumerated() {
      if content.endsWithPowerFailure { add { $0.epochs[epoch].endsWithPowerFailure = false } }
      if content.move != nil { add { $0.epochs[epoch].move = nil } }
      if content.damage != nil { add { $0.epochs[epoch].damage = nil } }
      if content.damage?.callsToKill != nil { add { $0.epochs[epoch].damage?.callsToKill = nil } }
      if content.stepsToFailure != nil { add { $0.epochs[epoch].stepsToFailure = nil } }
      for (process, plan) in content.processes.enumerated() {
        for task in plan.tasks.indices where plan.tasks.count > 1 {
          add { $0.epochs[epoch].processes[process].tasks.remove(at: task) }
        }
        if plan.fault != nil { add { $0.epochs[epoch].processes[process].fault = nil } }
        if plan.nextFault != nil { add { $0.epochs[epoch].processes[process].nextFault = nil } }
        if !plan.fates.isEmpty { add { $0.epochs[epoch].processes[process].fates.removeLast() } }
        if plan.fileFault != nil { add { $0.epochs[epoch].processes[process].fileFault = nil } }
        if plan.stepsToKill != nil {
          add { $0.epochs[epoch].processes[process].stepsToKill = nil }
        }
        if plan.excerptLimit > 0 { add { $0.epochs[epoch].processes[process].excerptLimit = 0 } }
        if plan.holds { add { $0.epochs[epoch].processes[process].holds = false } }
        if plan.closes { add { $0.epochs[epoch].processes[process].closes = false } }
        if plan.exits { add { $0.epochs[epoch].processes[process].exits = false } }
        if plan.isDeferred { add { $0.epochs[epoch].processes[process].isDeferred = false } }
        if plan.clockError != 0 { add { $0.epochs[epoch].processes[process].clockError = 0 } }
        for (task, steps) in plan.tasks.enumerated() {
          for step in steps.indices {
            if steps.count > 1 {
              add { $0.epochs[epoch].processes[process].tasks[task].remove(at: step) }
            }
            if steps[step].isCanceled {
              add { $0.epochs[epoch].processes[process].tasks[task][step].isCanceled = false }
            }
          }
        }
      }
    }
    return candidates
  }
}

extension Scenario: CustomStringConvertible {
  var description: String {
    var lines = [
      engine.rawValue + (startsWithTemplate ? ", a file" : ", no file")
        + (hasSmallParts ? ", small parts" : "")
        + (hasUpgrade ? ", an upgrade" : "") + (isFaultless ? ", no fault" : "")
    ]
    for (number, epoch) in epochs.enumerated() {
      var end = ""
      if epoch.endsWithPowerFailure {
        end = ", ends with a power failure"
        if let steps = epoch.stepsToFailure {
          end += " after \(steps) steps" + (epoch.failsInChange ? " of the first change" : "")
        }
      }
      if let move = epoch.move { end += ", \(move)" }
      if let damage = epoch.damage { end += ", \(damage)" }
      lines.append("epoch \(number + 1)\(end)")
      for (number, process) in epoch.processes.enumerated() {
        var traits: [String] = []
        if process.isDeferred { traits.append("deferred") }
        if process.isOlder { traits.append("older") }
        if process.holds { traits.append("holds notes") }
        if process.closes { traits.append("closes") }
        if process.exits { traits.append("exits") }
        if let steps = process.stepsToKill {
          traits.append(
            "killed after \(steps) steps" + (process.diesInChange ? " of a change" : ""))
        }
        if process.excerptLimit > 0 { traits.append("an excerpt first") }
        if process.clockError != 0 { traits.append("clock \(process.clockError) s") }
        if let fault = process.fault { traits.append("\(fault)") }
        if let fault = process.nextFault { traits.append("then \(fault)") }
        if let fault = process.fileFault {
          traits.append(
            "\(fault.kills ? "killed at" : "failing") call \(fault.skipped + 1) to a value's file")
        }
        if !process.fates.isEmpty { traits.append("commits \(process.fates)") }
        lines.append("  process \(number + 1): \(traits.joined(separator: ", "))")
        for steps in process.tasks {
          let words = steps.map { "\($0.action)" + ($0.isCanceled ? " (canceled)" : "") }
          lines.append("    task: " + words.joined(separator: "; "))
        }
      }
    }
    return lines.joined(separator: "\n")
  }
}
