internal import TerminalKit

extension KeyTable {
  /// Why keys that a person chose for a command are not used.
  struct Conflict: Hashable, Sendable {
    /// The command, which keeps the keys that it has in the table.
    let command: Command
    let reason: Reason

    enum Reason: Hashable, Sendable {
      /// The key belongs to another command after all overrides.
      case taken(Key, by: Command)
      /// The key begins a count.
      case countsAreMadeOf(Key)
      /// The terminal makes a signal of the key, so it never arrives.
      case signalIsMadeOf(Key)
      /// Nothing would be left to quit with.
      case leavesNoWayToQuit
    }
  }

  /// Gives commands other keys.
  ///
  /// An override that cannot be used is left out as a whole, and its command keeps its keys. Where
  /// two overrides want the same key the first one in the table's order has it.
  ///
  /// - Parameters:
  ///   - overrides: the keys of each command that gets others; none for a command without a key.
  /// - Returns: the new table, and why overrides were left out, in the order of the table.
  func rebound(_ overrides: [Command: [Key]]) -> (table: KeyTable, conflicts: [Conflict]) {
    var accepted = overrides.mapValues(\.withoutRepetitions)
    var conflicts: [Conflict] = []
    for binding in bindings {
      guard let keys = accepted[binding.command],
        let reason = refusal(of: keys, for: binding.command)
      else { continue }
      accepted[binding.command] = nil
      conflicts.append(Conflict(command: binding.command, reason: reason))
    }
    // A command that gets its keys back may take them from another override: so one at a time,
    // until there is none. Each turn leaves one override out, so this ends.
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

  /// Why keys cannot be had whatever the other commands have.
  private func refusal(of keys: [Key], for command: Command) -> Conflict.Reason? {
    if command == .quit, keys.isEmpty { return .leavesNoWayToQuit }
    for key in keys {
      if case .character("0"..."9") = key { return .countsAreMadeOf(key) }
      // A key that the command has already is the signal's own.
      if key.makesSignal, self[command]?.keys.contains(key) != true { return .signalIsMadeOf(key) }
    }
    return nil
  }

  /// An override that wants a key of another command.
  ///
  /// One that wants a key from the table comes before one that wants another override's key: when
  /// it is gone the other may have it.
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

extension KeyTable.Binding {
  /// The binding with other keys.
  fileprivate func with(_ keys: [Key]) -> Self {
    Self(command, keys, hint: hint, importance: importance, help: help)
  }
}

extension Key {
  /// Whether the terminal's line discipline makes a signal of the key: VINTR, VQUIT and VSUSP of
  /// termios(3).
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
