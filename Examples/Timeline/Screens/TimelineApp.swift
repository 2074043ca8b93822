internal import Observation
internal import Pantry

/// The stack of screens, and the actions of keys.
@MainActor @Observable
final class TimelineApp {
  /// The stack of screens; the last one is visible.
  private(set) var path: [(screen: Screen, selection: Int)] = [(.timeline, 0)]
  /// The author being renamed, and the name typed so far.
  private(set) var renaming: (author: String, name: String)?
  /// The last error message.
  private(set) var message: String?
  private(set) var hasQuit = false

  @ObservationIgnored private let model: TimelineModel
  @ObservationIgnored private let server: TimelineServer?
  @ObservationIgnored private let renderer: ScreenRenderer
  @ObservationIgnored private(set) var lastTask: Task<Void, Never>?

  /// - Parameter server: the server of this program, which can be put out of order; nil if it has
  ///   none.
  init(model: TimelineModel, server: TimelineServer?) {
    self.model = model
    self.server = server
    renderer = ScreenRenderer(model: model)
  }

  /// Loads the first screen.
  func start() { load(.timeline) }

  // MARK: Showing

  /// Returns the whole screen: `height` lines of at most `width` characters.
  func lines(width: Int, height: Int) -> [String] {
    let (screen, selection) = path[path.count - 1]
    let below = [message ?? "", renaming.map { "New name: \($0.name)_" } ?? Self.hints]
    let above = renderer.lines(of: screen, selection: selection).prefix(max(0, height - 2))
    let space = Array(repeating: "", count: max(0, height - above.count - below.count))
    return (above + space + below).suffix(height).map { Self.printable($0, width) }
  }

  private static let hints =
    "j/k move  enter open  p profile  f favorite  r rename  x server  q back"

  /// Removes control characters: a server's text must not reach the terminal as commands.
  private static func printable(_ line: String, _ width: Int) -> String {
    let isControl = { (scalar: Unicode.Scalar) in
      scalar.properties.generalCategory == .control || scalar.properties.generalCategory == .format
    }
    return String(
      String(String.UnicodeScalarView(line.unicodeScalars.filter { !isControl($0) })).prefix(width))
  }

  // MARK: Actions

  /// Performs the action of a key.
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

  /// The author on the screen, who can be renamed.
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

  /// Performs an action now; shows a message if it fails.
  private func perform(
    _ failure: String, _ action: @escaping @MainActor (TimelineModel) async throws -> Void
  ) {
    // Immediately, so that the next drawing shows the result.
    lastTask = Task.immediate {
      do { try await action(model) } catch { message = "\(failure): \(error)." }
    }
  }
}
