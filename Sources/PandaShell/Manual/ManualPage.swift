internal import PandaSession

/// The manual pages that Panda writes, in mdoc(7).
enum ManualPage: String, CaseIterable, Hashable, Sendable {
  case panda
  case configuration = "panda-config"

  var section: Int {
    switch self {
    case .panda: 1
    case .configuration: 5
    }
  }
}

extension ManualPage {
  static let subcommand = Subcommand(
    "manual", operands: [CommandLineValue("PAGE", .words { ManualPage.words }, isOptional: true)],
    summary: "print the source of a manual page: panda or panda-config",
    discussion:
      "Prints the source of the manual page panda(1), or of panda-config(5) about the "
      + "configuration file. To read it: panda manual | man -l -"
  ) { arguments throws(UsageError) in
    guard let word = arguments.words.first else { return .text(ManualPage.panda.source()) }
    return .text(try ManualPage(argument: word, "manual takes").source())
  }
}
