internal import FoundationEssentials
internal import Glibc
internal import PandaCore
internal import PandaSession
internal import Pantry
internal import SystemSupport
internal import TerminalKit

/// Queries the terminal and prints a report, or checks the file of the favorites.
@MainActor
enum DoctorCommand {
  nonisolated static let subcommand = Subcommand(
    "doctor", options: [check],
    summary: "report what the terminal can do and how pictures are shown in it",
    discussion: "Asks the terminal, and prints what was found, how pictures will be shown and "
      + "why, the versions of the libraries, where files are, settings that cannot be used, "
      + "and advice. With --check, reads all of the favorites file and its backups, and says "
      + "whether they are whole; panda recovers a damaged file when it starts."
  ) { arguments in
    arguments.has(check)
      ? .session(.library) { try await check($0) } : .session(nil) { try report($0) }
  }

  private nonisolated static let check = CommandLineOption(
    "check", help: "check the file of the favorites, its pictures and its backups instead")

  private static func report(_ session: Session) throws {
    let (options, settings) = (session.options, session.settings)
    let profile = askTerminal()
    let configuration = settings.configuration
    let choice = profile.map {
      PictureChoice(for: $0, option: configuration.graphics, symbols: configuration.symbols)
    }
    let report = DoctorReport(
      profile: profile, choice: choice, symbols: configuration.symbols,
      versions: [
        Version.number + (Version.commit.map { " (commit \($0))" } ?? "")
      ] + Version.libraries,
      places: library(options, settings) + [
        (
          "settings",
          settings.file.path + (settings.isFileFound ? "" : " (not there: all defaults)")
        ),
        ("cache", checked(path(.caches(appendingPath: "panda")))),
        ("state", checked(path(.state(appendingPath: "panda")))),
        (
          "log",
          LogFile.path()
            + (options.log ? "" : " (off: --log switches it on)")
        ),
      ] + proxy + contact(configuration),
      problems: (settings.problems + settings.retired).map(\.description))
    try session.output.print(text: report.text)
  }

  /// Checks the file of the favorites and its backups.
  ///
  /// A shared library is refused: its copies here say nothing of the server's rows and pictures.
  private static func check(_ session: Session) async throws {
    if case .server(let address) = session.configuration.library {
      throw CommandFailure(
        "doctor --check reads a file, and \(address.place) is on a server: use the server's own "
          + "tools, such as pg_amcheck, or --library local for the file on this machine", .usage)
    }
    let (options, output) = (session.options, session.output)
    let engine = SQLiteStorageEngine.deferred(
      directory: Self.directory(options), databaseFilename: "favorites.sqlite")
    do {
      let report = try await engine.check()
      for line in report.description.split(separator: "\n") { try output.print(String(line)) }
      if !report.isSound { output.note(.storage) }
    } catch StorageError.nothingToRead(let path) {
      let backups = filesBesideFavorites(options).map { "\($0.label): \($0.path)" }
      let file = "No favorites file\(backups.isEmpty ? " yet" : "") (\(path))"
      let sentence = ([file] + backups).joined(separator: "; ").sanitized(upTo: 1_000)
      // The user may have lost it.
      guard backups.isEmpty else { throw CommandFailure(sentence, .storage) }
      try output.print("\(sentence).")
    }
  }

  private static func directory(_ options: Options) -> StorageDirectory {
    options.dataDirectory.map { StorageDirectory(url: URL(filePath: $0)) }
      ?? .defaultStorageDirectory(appendingPath: "panda")
  }

  /// The place of the library and of its backups; of a shared one, also its user's name.
  private static func library(
    _ options: Options, _ settings: Settings
  ) -> [(label: String, path: String)] {
    guard settings.obstacle(to: .library) == nil else {
      return [("favorites", "unknown: see the ignored settings")]
    }
    let library = settings.configuration.library
    var places = filesBesideFavorites(options)
    let directory = options.dataDirectory ?? path(.defaultStorageDirectory(appendingPath: "panda"))
    places.insert((library == .local ? "favorites" : "local part", checked(directory)), at: 0)
    if library != .local {
      let author = settings.configuration.author ?? LibraryAuthor.ofThisProcess
      places.insert(("favorites", "\(library.place) (PostgreSQL), as \(author)"), at: 0)
    }
    return places
  }

  /// The backups of the favorites, and the damaged files that were kept.
  private static func filesBesideFavorites(
    _ options: Options
  ) -> [(label: String, path: String)] {
    let directory = Self.directory(options)
    let backups = SQLiteStorageEngine.rowBackups(
      directory: directory, databaseFilename: "favorites.sqlite")
    let damaged = SQLiteStorageEngine.keptDamagedFiles(
      directory: directory, databaseFilename: "favorites.sqlite")
    return backups.prefix(1).map {
      ("backups", "\(backups.count), the newest \($0.lastPathComponent)")
    } + damaged.map { ("damaged", $0.lastPathComponent) }
  }

  /// A directory, with the reason if it cannot be written to, or created.
  private static func checked(_ path: String) -> String {
    guard let code = obstacle(to: path) else { return path }
    return "\(path) (cannot be written to: \(SystemError(code: code)))"
  }

  /// The error of writing to a directory, or to the nearest parent that there is.
  private static func obstacle(to path: String) -> Int32? {
    var status = stat()
    guard stat(path, &status) == 0 else {
      let code = errno
      let parent = URL(filePath: path).deletingLastPathComponent().path
      return code == ENOENT && parent != path ? obstacle(to: parent) : code
    }
    guard status.st_mode & S_IFMT == S_IFDIR else { return ENOTDIR }
    return access(path, W_OK | X_OK) == 0 ? nil : errno
  }

  /// The proxy of the environment for a picture service, if there is one.
  private static var proxy: [(label: String, path: String)] {
    guard let service = URL(string: Project.contact),
      let proxy = HTTPClient(userAgent: Version.name).proxy(for: service)
    else { return [] }
    return [("proxy", proxy)]
  }

  /// The contact that servers are given.
  private static func contact(_ configuration: Configuration) -> [(label: String, path: String)] {
    let own = configuration.contact
    let isPlaceholder = own == nil && !HTTPClient.namesContact(Project.contact)
    let words =
      isPlaceholder ? " (a placeholder: some services refuse it; set contact to yours)" : ""
    return [("contact", (own ?? Project.contact) + words)]
  }

  private static func path(_ directory: StorageDirectory) -> String {
    directory.url.path(percentEncoded: false)
  }

  /// Queries the terminal with a generous timeout; nil if there is none.
  ///
  /// In a pipe, that is the terminal from which the program was started.
  private static func askTerminal() -> TerminalProfile? {
    let isOnTerminal = Screen.isTerminal
    let descriptor = isOnTerminal ? STDOUT_FILENO : open("/dev/tty", O_RDWR | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { if !isOnTerminal { close(descriptor) } }
    do {
      // Ctrl-C during the queries must not leave the terminal in raw mode.
      let terminalGuard = try TerminalGuard(descriptor: descriptor)
      try terminalGuard.install(restoring: "") { _ in }
      defer {
        terminalGuard.restore()
        terminalGuard.uninstall()
      }
      return TerminalDetection.detect(
        input: isOnTerminal ? STDIN_FILENO : descriptor, output: descriptor,
        patience: .ofUser(else: .thorough)
      ).profile
    } catch {
      // If a terminal cannot be guarded, it is gone.
      return nil
    }
  }
}
