internal import FoundationEssentials
internal import Observation
internal import PandaCore
internal import Pantry
internal import TerminalKit

/// `panda pick` on the screen: the grid of the favorites or of a folder, for choosing.
///
/// It shares the grid with the program, and changes nothing but its own selection and marks.
@MainActor
@Observable
final class PickApp: ScreenProgram {
  enum Pictures {
    /// The library's, with nothing but reading.
    case favorites(ImagesController)
    case folder(FolderPictures, name: String)
  }

  var model: PickModel
  /// Incremented to show a frame once more.
  var redraws = 0
  /// The pictures that were chosen, in the order of the grid; nil for none.
  @ObservationIgnored private(set) var chosen: [RemoteImage]?
  /// Why the favorites could not be read.
  @ObservationIgnored private(set) var failure: (any Error)?
  @ObservationIgnored private(set) var isEmpty = false
  @ObservationIgnored private(set) var unreadable = 0
  @ObservationIgnored let follower: TerminalFollower

  @ObservationIgnored let presenter: FavoritesPresenter
  @ObservationIgnored let view: FavoritesCarouselView
  @ObservationIgnored let keys: KeyTable
  @ObservationIgnored let display: any Display
  @ObservationIgnored let clock: any AppClock
  @ObservationIgnored private let session: Session
  /// The folder, when its pictures are chosen from.
  @ObservationIgnored let folder: FolderPictures?
  @ObservationIgnored private var hasBegunLoading = false
  @ObservationIgnored var hints: [(rect: CellRect, hint: HintBar.Hint)] = []
  @ObservationIgnored private let end: AsyncStream<Void>
  @ObservationIgnored private let endContinuation: AsyncStream<Void>.Continuation

  /// - Throws: ``TerminalError`` once the program is ending.
  init(
    _ pictures: Pictures, filter: String, takesOne: Bool, _ session: Session, gridSize: GridSize,
    terminal: DetectedTerminal, on display: any Display, clock: any AppClock
  ) throws(TerminalError) {
    (self.session, self.display, self.clock) = (session, display, clock)
    model = PickModel(takesOne: takesOne)
    (end, endContinuation) = AsyncStream.makeStream()
    follower = TerminalFollower(terminal, on: display)
    try display.adopt(
      terminal.profile, terminal.choice, theme: session.configuration.theme)
    keys = session.configuration.keyTable.forPicking
    let controller: ImagesController
    switch pictures {
    case .favorites(let favorites): (controller, folder) = (favorites, nil)
    case .folder(let files, _):
      // In memory: a folder needs no library.
      controller = ImagesController(library: .inMemory(), source: BambooGroveSource())
      folder = files
    }
    presenter = FavoritesPresenter(
      controller: controller, order: .newest, keys: keys, now: { clock.date }, report: { _ in })
    view = FavoritesCarouselView(
      presenter, output: display.output,
      thumbnails: ThumbnailCache(directory: session.places.thumbnails), slides: false,
      log: session.log,
      attachment: { [folder] image in
        try await folder?.attachment(of: image) ?? image.dataRepresentation
      })
    if case .folder(let files, let name) = pictures {
      presenter.collection = .files(named: name)
      presenter.files = files.images
    }
    (presenter.gridSize, presenter.filterText) = (gridSize, filter)
    follower.onChange = { [weak self] in self?.adopt(insteadOf: $0) }
    display.onLoss = { [weak self] _ in self?.terminalIsGone() }
  }

  // MARK: The run loop

  func run() async {
    let drawing = Task {
      for await frame in Watch({ self.frame() }) { present(frame) }
    }
    follower.begin()
    for await _ in end {}
    drawing.cancel()
  }

  private func leave(with chosen: [RemoteImage]?) {
    if self.chosen == nil { self.chosen = chosen }
    endContinuation.finish()
  }

  private func leaveEmpty() {
    isEmpty = true
    leave(with: nil)
  }

  func terminalIsGone() { leave(with: nil) }

  func handle(_ events: [InputEvent]) {
    load()
    for event in events {
      switch event {
      case .key(let key, let base):
        follow(model.handle(key, base: base, in: surroundings))
      case .mouse(let event): follow(model.handle(event, in: surroundings))
      case .paste(let text): follow(model.paste(text))
      case .reply(let reply): follower.receive(reply)
      case .focus(let isGained): if isGained { follower.ask() }
      }
    }
  }

  func handle(_ signals: Set<TerminalGuard.Signal>) {
    if signals.contains(.stopRequested) {
      suspend()
    } else if signals.contains(.continued) {
      display.resume()
      follower.ask(restarting: true)
    } else if signals.contains(.resized) {
      display.resize()
      follower.ask()
    }
    redraws += 1
  }

  private var surroundings: PickModel.Surroundings {
    PickModel.Surroundings(
      keys: keys, filterText: presenter.filterText, moment: clock.moment,
      picture: { self.view.image(at: $0)?.id },
      hint: { point in self.hints.first { $0.rect.contains(point) }?.hint })
  }

  private func follow(_ requests: [PickModel.Request]) {
    for request in requests {
      switch request {
      case .move(let move, let count): presenter.move(move, count: count)
      case .select(let id): presenter.select(id: id)
      case .mark(let count): presenter.mark(count)
      case .markRange: presenter.markRange()
      case .markAll: presenter.markAll()
      case .markOne(let id): presenter.mark(id: id)
      case .filter(let text): presenter.filterText = text
      case .resize(let steps): resize(by: steps)
      case .choose: choose()
      case .cancel: cancel()
      case .leave: leave(with: nil)
      case .redraw:
        follower.ask(restarting: true)
        display.invalidate()
        redraws += 1
      case .suspend: suspend()
      }
    }
  }

  private func choose() {
    guard !presenter.marks.isEmpty else {
      let selected = presenter.selected(1)
      if !selected.isEmpty { leave(with: selected) }
      return
    }
    // Those that a filter hides were marked as well.
    presenter.filterText = ""
    leave(with: presenter.marked)
  }

  private func cancel() {
    if !presenter.marks.isEmpty {
      presenter.marks.clear()
    } else if !presenter.filterText.isEmpty {
      presenter.filterText = ""
    } else {
      leave(with: nil)
    }
  }

  private func resize(by steps: Int) {
    let layout = Layout(grid: display.size)
    for _ in 0..<abs(steps) {
      guard
        let size = view.nextGridSize(
          from: presenter.gridSize, isLarger: steps > 0, in: layout, cell: display.cell)
      else {
        return model.say(.info(ViewCommands.noOtherSize(isLarger: steps > 0)))
      }
      presenter.gridSize = size
    }
  }

  private func suspend() {
    do {
      try display.suspend()
    } catch {
      session.log.error(.terminal, "Not suspended: \(technicalCause(of: error))")
      model.say(.problem(userMessage(for: error)))
    }
    redraws += 1
  }

  /// Draws as the terminal is now.
  private func adopt(insteadOf former: DetectedTerminal) {
    let terminal = follower.terminal
    do {
      try display.adopt(
        terminal.profile, terminal.choice, theme: session.configuration.theme)
    } catch {
      // Too late: the program is already ending.
      return
    }
    if PictureRoute(terminal.profile, terminal.choice)
      != PictureRoute(former.profile, former.choice)
    {
      view.show(by: display.output)
    }
    redraws += 1
  }

  // MARK: Reading

  /// Reads the favorites, or looks into the files of the folder, beside what the user does.
  func load() {
    guard !hasBegunLoading else { return }
    hasBegunLoading = true
    Task {
      if let folder {
        await check(folder)
      } else {
        do {
          try await presenter.load()
          if presenter.controller.images.isEmpty { leaveEmpty() }
        } catch {
          failure = error
          leave(with: nil)
        }
      }
    }
  }

  private func check(_ folder: FolderPictures) async {
    let (checked, unreadable) = await folder.checked()
    self.unreadable = unreadable
    if checked.images.count != folder.images.count || unreadable > 0 {
      presenter.files = checked.images
    }
    if checked.images.isEmpty { return leaveEmpty() }
    if let words = Self.words(unreadable) { model.say(.problem(words)) }
  }

  /// Returns how many files could not be read; nil for none.
  static func words(_ unreadable: Int) -> String? {
    switch unreadable {
    case 0: nil
    case 1: "1 file could not be read"
    default: "\(unreadable) files could not be read"
    }
  }
}

extension KeyTable {
  var forPicking: KeyTable {
    KeyTable(
      bindings: bindings.filter { entry in
        switch entry.command {
        case .move: true
        case .favorites(let command):
          [.favorite, .mark, .markRange, .markAll, .show, .filter].contains(command)
        case .view(let command): [.larger, .smaller].contains(command)
        case .program(let command): [.help, .cancel, .quit, .redraw, .suspend].contains(command)
        case .card, .picture: false
        }
      })
  }
}
