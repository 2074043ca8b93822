internal import FoundationEssentials
internal import Glibc
internal import Observation
internal import Pantry

/// The size of the terminal, for drawing.
@MainActor @Observable
private final class Window {
  var size: (width: Int, height: Int)
  init(_ size: (width: Int, height: Int)) { self.size = size }
}

@main
enum TimelineProgram {
  private static let usage = """
    usage: timeline [--directory PATH] [--offline]

      --directory PATH  keep posts, authors and the timeline there; else they are in memory only
      --offline         start no server: shown is what was kept

    """

  static func main() async {
    var directory: StorageDirectory?
    var isOffline = false
    var arguments = CommandLine.arguments.dropFirst()
    while let argument = arguments.popFirst() {
      switch argument {
      case "--directory":
        guard let path = arguments.popFirst() else { fail("--directory needs a path.", 64) }
        directory = StorageDirectory(url: URL(filePath: path))
      case "--offline": isOffline = true
      case "--help":
        print(usage, terminator: "")
        return
      default: fail("Unknown option \(argument).\n\(usage)", 64)
      }
    }
    do {
      try await run(in: directory, server: isOffline ? nil : TimelineServer())
    } catch {
      fail("\(error)", 1)
    }
  }

  private static func fail(_ reason: String, _ status: Int32) -> Never {
    let text = Array("timeline: \(reason)\n".utf8)
    _ = write(STDERR_FILENO, text, text.count)
    exit(status)
  }

  @MainActor
  private static func run(in directory: StorageDirectory?, server: TimelineServer?) async throws {
    // No server listens on port 9.
    let client = TimelineClient(port: server?.port ?? 9)
    let model = try await TimelineModel(directory: directory, client: client)
    let app = TimelineApp(model: model, server: server)
    let terminal = try Terminal()
    defer { terminal.end() }
    let window = Window(terminal.size)
    terminal.listen(onKey: { app.press($0) }, onResize: { window.size = terminal.size })
    app.start()
    // The display depends on what it reads of the stores, so it redraws by itself.
    let screens = Watch {
      app.hasQuit ? nil : app.lines(width: window.size.width, height: window.size.height)
    }
    for await lines in screens {
      guard let lines else { return }
      terminal.draw(lines)
    }
  }
}
