internal import Glibc
internal import PandaSession
internal import PandaShell
internal import PandaTUI
internal import SystemSupport
internal import TerminalKit

@main
@MainActor
enum Panda {
  static func main() async {
    // Before anything else is opened.
    Descriptors.occupyStandard()
    Memory.returnLargeBlocks()
    Screen.useLocale()
    if let reason = Shortage.begin() {
      Output.warn("panda: \(reason).")
      Session.leave(.failed)
    }
    do {
      try ForeignBytes.refuse()
      switch try Invocation(arguments: Array(CommandLine.arguments.dropFirst())) {
      case .help(let subcommand):
        Session.leave(Output().show(subcommand.map { HelpText().text(of: $0) } ?? HelpText().text))
      case .version(let isVerbose):
        Session.leave(Output().show((isVerbose ? Version.details : Version.name) + "\n"))
      case .licenses: Session.leave(Output().show(Version.notices))
      case .run(let options, let run):
        // A reader that is gone is an error to handle, after pending changes have been stored.
        signal(SIGPIPE, SIG_IGN)
        try await perform(run, options)
      }
    } catch {
      Output.warn("\(error)")
      Session.leave((error as? UnknownSetting)?.status ?? .usage)
    }
  }

  /// Performs what the command line asks for, and ends the program.
  private static func perform(_ run: Run, _ options: Options) async throws -> Never {
    switch run {
    case .text(let text): Session.leave(Output().show(text))
    case .session(let use, let body):
      let session = try Session(options, for: use)
      Session.leave(await session.run(body), session.log)
    case .pick(let request):
      Shortage.endSoon()
      let session = try Session(options, for: .favorites)
      Session.leave(await PickCommand.run(request, session), session.log)
    case .slideshow(let request):
      Shortage.endSoon()
      var options = options
      if let directory = request.directory { options.source = .folder(directory) }
      let session = try Session(options, for: .sources, saysTo: .screen)
      Session.leave(await ScreenMode.run(session, as: request), session.log)
    case .program where options.plain:
      Shortage.endSoon()
      let session = try Session(options, for: .sources, saysTo: .lines)
      Session.leave(await PlainMode.run(session), session.log)
    case .program:
      Shortage.endSoon()
      let session = try Session(options, for: .sources, saysTo: .screen)
      Session.leave(await ScreenMode.run(session), session.log)
    }
  }
}
