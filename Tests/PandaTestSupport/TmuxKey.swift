extension Tmux {
  /// A key in tmux's notation.
  public struct Key: Sendable, ExpressibleByStringLiteral {
    let name: String

    /// A key by its tmux name: `a`, `C-c`, `M-x`, `S-Up`.
    public init(stringLiteral name: String) { self.name = name }

    /// Enter.
    public static let enter: Key = "Enter"
    /// Esc.
    public static let escape: Key = "Escape"
    /// The space bar.
    public static let space: Key = "Space"
    /// Tab.
    public static let tab: Key = "Tab"
    /// Shift-Tab.
    public static let backTab: Key = "BTab"
    /// Backspace.
    public static let backspace: Key = "BSpace"
    /// Delete.
    public static let delete: Key = "DC"
    /// The arrow up.
    public static let up: Key = "Up"
    /// The arrow down.
    public static let down: Key = "Down"
    /// The arrow left.
    public static let left: Key = "Left"
    /// The arrow right.
    public static let right: Key = "Right"
    /// Home.
    public static let home: Key = "Home"
    /// End.
    public static let end: Key = "End"
    /// Page Up.
    public static let pageUp: Key = "PPage"
    /// Page Down.
    public static let pageDown: Key = "NPage"
  }
}
