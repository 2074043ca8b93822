/// The sequences that select palette colors, from terminfo's `setaf`, `setab` and `sgr0`.
package struct TerminalPalette: Sendable {
  let foreground: [[UInt8]]
  package let background: [[UInt8]]
  let reset: [UInt8]

  package var count: Int { min(foreground.count, background.count) }
}
