internal import Observation
internal import Pantry

/// Which screens lie over each other, and what the keys do.
@MainActor @Observable
final class TimelineApp {
  /// What lies under the screen that is shown, and it.
  private(set) var path: [(screen: Screen, selection: Int)] = [(.timeline, 0)]
  /// Who gets another name, and what of it has been typed.
  private(set) var renaming: (author: String, name: String)?
  /// What went wrong last.
  private(set) var message: String?
  private(set) var hasQuit = false

  @ObservationIgnored private let model: TimelineModel
  @ObservationIgnored private let server: TimelineServer?
  @ObservationIgnored private let renderer: ScreenRenderer
  @ObservationIgnored private(set) var lastTask: Task<Void, Never>?

  /// - Parameter server: the one that can be put out of order, if it is this program's own.
  init(model: TimelineModel, server: TimelineServer?) {
    self.model = model
    self.server = server
    renderer = ScreenRenderer(model: model)
  }

  /// Loads what the first screen shows.
  func start() { load(.timeline) }

  // MARK: Showing

  /// The whole screen: `height` lines of at most `width` characters.
  func lines(width: Int, height: Int) -> [String] {
    let (screen, selection) = path[path.count - 1]
    let below = [message ?? "", renaming.map { "New name: \($0.name)_" } ?? Self.hints]
    let above = renderer.lines(of: screen, selection: selection).prefix(max(0, height - 2))
    let space = Array(repeating: "", count: max(0, height - above.count - below.count))
    return (above + space + below).suffix(height).map { Self.printable($0, width) }
  }

  private static let hints =
    "j/k move  enter open  p profile  f favorite  r rename  x server  q back"

  /// What comes from a server must not reach the terminal as commands.
  private static func printable(_ line: String, _ width: Int) -> String {
    let isControl = { (scalar: Unicode.Scalar) in
      scalar.properties.generalCategory == .control || scalar.properties.generalCategory == .format
    }
    return String(
      String(String.UnicodeScalarView(line.unicodeScalars.filter { !isControl($0) })).prefix(width))
  }

  // MARK: Doing

  /// Does what a key stands for.
  func press(_ key: Key) {
    message = nil
    if renaming != nil { return type(key) }
    switch key {
    case .character("j"), .down: select(+1)
    case .character("k"), .up: select(-1)
    case .enter: if let post = selectedPost { open(.post(post.id)) }
    case .character("p"): if let post = selectedPost { open(.author(post.author)) }
    case .character("f"): toggleFavorite()
    case .character("r"): if let author { renaming = (author, "") }
    case .character("x"): toggleServer()
    case .character("g"): load(current)
    case .character("q"), .escape: back()
    case .interrupt: hasQuit = true
    case .character, .backspace: break
    }
  }

  private var current: Screen { path[path.count - 1].screen }

  private var selectedPost: Post? {
    let posts = renderer.posts(of: current)
    let selection = path[path.count - 1].selection
    return posts.indices.contains(selection) ? posts[selection] : posts.last
  }

  /// Who can be renamed: the author on the screen.
  private var author: String? {
    if case .author(let id) = current { return id }
    return selectedPost?.author
  }

  private func select(_ step: Int) {
    let last = max(0, renderer.posts(of: current).count - 1)
    let selection = path[path.count - 1].selection + step
    path[path.count - 1].selection = min(max(selection, 0), last)
  }

  private func open(_ screen: Screen) {
    guard screen != current else { return }
    path.append((screen, 0))
    load(screen)
  }

  private func back() {
    if path.count > 1 { path.removeLast() } else { hasQuit = true }
  }

  private func load(_ screen: Screen) {
    lastTask = Task {
      switch screen {
      case .timeline: await model.loadTimeline()
      case .post(let id): await model.loadPost(id)
      case .author(let id): await model.loadAuthor(id)
      }
    }
  }

  private func toggleFavorite() {
    guard let post = selectedPost else { return }
    perform("The favorite was not changed") { try await $0.toggleFavorite(post.id) }
  }

  private func type(_ key: Key) {
    switch key {
    case .character(let character): renaming?.name.append(character)
    case .backspace: _ = renaming?.name.popLast()
    case .escape: renaming = nil
    case .interrupt: hasQuit = true
    case .up, .down: break
    case .enter:
      guard let (author, name) = renaming else { return }
      renaming = nil
      perform("The name was not changed") { try await $0.rename(author, to: name) }
    }
  }

  private func toggleServer() {
    guard let server else { return message = "There is no server." }
    server.isOutOfOrder.toggle()
    message = server.isOutOfOrder ? "The server is out of order now." : "The server works again."
  }

  /// Does something now; says so if it fails.
  private func perform(
    _ failure: String, _ action: @escaping @MainActor (TimelineModel) async throws -> Void
  ) {
    // At once, so that the next screen that is drawn shows it.
    lastTask = Task.immediate {
      do { try await action(model) } catch { message = "\(failure): \(error)." }
    }
  }
}
