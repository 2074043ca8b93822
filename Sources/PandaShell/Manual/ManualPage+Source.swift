internal import PandaSession

extension ManualPage {
  func source(table: CommandLineTable = .panda, keys: KeyTable = .standard) -> String {
    let body =
      switch self {
      case .panda: Self.programPage(table, keys)
      case .configuration: Self.configuration(keys)
      }
    let head = [
      ".\\\" Written by panda manual \(rawValue).",
      ".Dd \(Version.longDate)",
      ".Dt \(rawValue.uppercased()) \(section)",
      ".Os",
    ]
    return (head + body).joined(separator: "\n") + "\n"
  }
}
