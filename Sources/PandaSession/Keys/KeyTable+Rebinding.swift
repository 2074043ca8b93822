internal import TerminalKit

extension KeyTable {
  /// The reason why the user's keys for a command are not used.
  struct Conflict: Hashable, Sendable {
    /// The command, which keeps its keys from the table.
    let command: Command
    let reason: Reason

    enum Reason: Hashable, Sendable {
      /// The key belongs to another command after all overrides.
      case taken(Key, by: Command)
      case countsAreMadeOf(Key)
      /// The terminal turns the key into a signal, so it never arrives.
      case signalIsMadeOf(Key)
      /// There would be no key left to quit with.
      case leavesNoWayToQuit
    }
  }

  /// Rebinds commands to other keys.
  ///
  /// An invalid override is ignored as a whole, and its command keeps its keys. If two overrides
  /// want the same key, the first one in the table's order gets it. The keys of commands that are
  /// newer than 0.1.0 give way, so that a configuration file of that time means what it meant.
  ///
  /// - Parameters:
  ///   - overrides: the new keys of each rebound command; empty for a command without a key.
  /// - Returns: the new table, and why overrides were ignored, in the order of the table.
  func rebound(_ overrides: [Command: [Key]]) -> (table: KeyTable, conflicts: [Conflict]) {
    var accepted = overrides.mapValues(\.withoutRepetitions)
    giveWay(to: &accepted)
    var conflicts: [Conflict] = []
    for binding in bindings {
      guard let keys = accepted[binding.command],
        let reason = refusal(of: keys, for: binding.command)
      else { continue }
      accepted[binding.command] = nil
      conflicts.append(Conflict(command: binding.command, reason: reason))
    }
    // A command that gets its keys back may take them from another override. So overrides are
    // rejected one at a time until none conflicts; each turn rejects one, so the loop ends.
    while let conflict = firstConflict(accepted) {
      accepted[conflict.command] = nil
      conflicts.append(conflict)
    }
    let order = bindings.map(\.command)
    return (
      KeyTable(bindings: bindings.map { $0.with(accepted[$0.command] ?? $0.keys) }),
      conflicts.sorted { one, other in
        (order.firstIndex(of: one.command) ?? 0) < (order.firstIndex(of: other.command) ?? 0)
      }
    )
  }

  /// Takes wanted keys from the newer commands that have them by default.
  private func giveWay(to overrides: inout [Command: [Key]]) {
    let wanted = Set(overrides.values.joined())
    for binding in bindings
    where binding.traits.contains(.isNew) && overrides[binding.command] == nil {
      let left = binding.keys.filter { !wanted.contains($0) }
      if left.count < binding.keys.count { overrides[binding.command] = left }
    }
  }

  /// Returns why keys are not allowed whatever keys the other commands have.
  private func refusal(of keys: [Key], for command: Command) -> Conflict.Reason? {
    if command == .program(.quit), keys.isEmpty { return .leavesNoWayToQuit }
    for key in keys {
      if case .character("0"..."9") = key { return .countsAreMadeOf(key) }
      // A key that the command has by default is the signal's own key.
      if key.makesSignal, self[command]?.keys.contains(key) != true { return .signalIsMadeOf(key) }
    }
    return nil
  }

  /// Returns an override that wants a key of another command.
  ///
  /// An override that wants a key from the table comes before one that wants the key of another
  /// override: after it is rejected, the other may have the key.
  private func firstConflict(_ overrides: [Command: [Key]]) -> Conflict? {
    var owners: [Key: Command] = [:]
    for binding in bindings where overrides[binding.command] == nil {
      for key in binding.keys { owners[key] = binding.command }
    }
    func conflict(for command: Command) -> Conflict? {
      let taken = overrides[command]?.first { owners[$0] != nil && owners[$0] != command }
      return taken.flatMap { key in
        owners[key].map { Conflict(command: command, reason: .taken(key, by: $0)) }
      }
    }
    for binding in bindings {
      if let conflict = conflict(for: binding.command) { return conflict }
    }
    for binding in bindings {
      if let conflict = conflict(for: binding.command) { return conflict }
      for key in overrides[binding.command] ?? [] { owners[key] = binding.command }
    }
    return nil
  }
}

extension CommandEntry {
  fileprivate func with(_ keys: [Key]) -> Self {
    var entry = self
    entry.keys = keys
    return entry
  }
}

extension Key {
  /// Whether the terminal's line discipline turns the key into a signal.
  ///
  /// These are VINTR, VQUIT and VSUSP of termios(3).
  fileprivate var makesSignal: Bool {
    [.control("c"), .control("\\"), .control("z")].contains(self)
  }
}

extension [Key] {
  fileprivate var withoutRepetitions: [Key] {
    var seen: Set<Key> = []
    return filter { seen.insert($0).inserted }
  }
}
