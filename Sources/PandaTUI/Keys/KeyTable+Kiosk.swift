extension KeyTable {
  /// The table for kiosk mode: it shows only what is allowed, and withholds the rest.
  var forKiosk: KeyTable {
    KeyTable(
      bindings: bindings.filter(\.isAllowedInKiosk),
      withheld: bindings.filter { !$0.isAllowedInKiosk })
  }

  /// Whether it is the table of kiosk mode.
  var isForKiosk: Bool { !withheld.isEmpty }

  /// Returns whether a command is not allowed.
  func withholds(_ command: Command) -> Bool { withheld.contains { $0.command == command } }
}
