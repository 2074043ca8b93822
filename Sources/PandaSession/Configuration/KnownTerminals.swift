internal import FoundationEssentials
package import TerminalKit

/// The answers of terminals on the screen, for a greeting, which must not query them.
///
/// Only what a terminal said that the environment names as well: variables are inherited, and
/// another terminal of the same environment would get pictures that it cannot show.
package struct KnownTerminals: Codable, Equatable, Sendable {
  private struct Known: Codable, Equatable, Sendable {
    let environment: [String]
    /// The name and the version, as in an answer to XTVERSION.
    let version: String
    let hasSixel: Bool
    let showsKittyGraphics: Bool
  }

  private var known: [Known] = []
  /// The number of terminals that are remembered.
  private static let limit = 16

  /// Remembers the answers of a terminal, unless they say nothing that the environment would not.
  package mutating func record(_ profile: TerminalProfile) {
    guard profile.multiplexer == nil, profile.answers.attributes != nil,
      let version = profile.answers.version,
      version.product == profile.environment.version?.product
    else { return }
    let new = Known(
      environment: Self.key(profile.environment), version: version.words,
      hasSixel: profile.answers.hasSixel, showsKittyGraphics: profile.answers.showsKittyGraphics)
    guard !known.contains(new) else { return }
    known.removeAll { $0.environment == new.environment }
    known.append(new)
    known.removeFirst(max(0, known.count - Self.limit))
  }

  /// Returns what is known of a terminal that is not asked.
  ///
  /// kitty and Ghostty show their graphics wherever TERM names them, also over ssh. Behind a
  /// multiplexer no picture is sure to stay in place.
  package func profile(of environment: TerminalEnvironment, isUnicode: Bool) -> TerminalProfile {
    var profile = TerminalProfile(environment: environment, isUnicode: isUnicode)
    profile.multiplexer = TerminalDetection.multiplexer(environment, profile.answers)
    guard profile.multiplexer == nil else { return profile }
    if let known = known.last(where: { $0.environment == Self.key(environment) }) {
      profile.answers.version = TerminalVersion(answer: known.version)
      profile.answers.attributes = known.hasSixel ? [4] : []
      profile.answers.showsKittyGraphics = known.showsKittyGraphics
    } else if ["xterm-kitty", "xterm-ghostty"].contains(environment.term) {
      profile.answers.version = environment.version
      profile.answers.attributes = []
      profile.answers.showsKittyGraphics = true
    } else if let version = environment["XTERM_VERSION"], environment.term.hasPrefix("xterm") {
      // Its entry has 8 colors. Who inherits the variable from it has as many as it.
      profile.answers.version = TerminalVersion(answer: version)
      profile.answers.attributes = []
    }
    return profile
  }

  private static func key(_ environment: TerminalEnvironment) -> [String] {
    [
      "TERM", "COLORTERM", "TERM_PROGRAM", "TERM_PROGRAM_VERSION", "LC_TERMINAL",
      "LC_TERMINAL_VERSION",
    ].map { environment[$0] ?? "" } + [environment.isRemote ? "remote" : "local"]
  }
}
