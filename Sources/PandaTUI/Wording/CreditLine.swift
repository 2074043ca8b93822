internal import FoundationEssentials
internal import PandaCore
internal import Pantry
internal import TerminalKit

/// The line that credits a picture: its title, author, license and page.
struct CreditLine {
  let text: String

  init(_ image: RemoteImage) {
    let name = image.title ?? "Red panda"
    let made = image.credit.map { "\(name), \($0)" } ?? name
    let licensed = image.license.map { "\(made) (\($0))" } ?? made
    text = "\(licensed), via \(image.source): \((image.page ?? image.url).absoluteString)"
      .sanitized(upTo: 5_000)
  }
}
