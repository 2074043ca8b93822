internal import PandaCore
internal import PandaSession
internal import Pantry
internal import TerminalKit

/// Draws the whole screen: the frame, the panes in it, the last lines, and what is over them.
@MainActor
final class ScreenView {
  private let commands: Commands
  private(set) var drawn = Drawing()
  /// Whether the terminal takes longer for a picture than a moment of the grove lasts.
  var isTerminalSlow = false
  /// The moment that moving things were drawn at.
  private var moment = Duration.zero
  /// The commands in the hint bar that is shown, with their places, for the mouse.
  private(set) var hintPlaces: [(rect: CellRect, hint: HintBar.Hint)] = []

  /// The places of the drawn items, beside the cells.
  struct Drawing: Equatable {
    var layout: Layout?
    var carousel = FavoritesCarouselView.Drawing()
    var hints: [(rect: CellRect, hint: HintBar.Hint)] = []
    /// The dialog before and after it was drawn, which determine its places.
    var dialog: (before: Dialog?, after: Dialog)?

    /// Places are implied by the cells, except in a dialog whose state its cells do not show.
    static func == (one: Self, other: Self) -> Bool {
      one.layout == other.layout && one.carousel.state == other.carousel.state
        && one.dialog?.before == other.dialog?.before && one.dialog?.after == other.dialog?.after
    }
  }

  private var context: CommandContext { commands.context }
  private var model: ScreenModel { context.model }
  private var display: any Display { context.display }
  private var card: CardPresenter { context.card }
  private var cardView: RedPandaCardView { context.cardView }
  private var favorites: FavoritesPresenter { context.favorites }
  private var carousel: FavoritesCarouselView { context.carousel }
  private var zoom: ZoomView { context.zoom }

  init(_ commands: Commands) { self.commands = commands }

  /// Draws the whole screen; everything it reads is observed, and none of that changes.
  func canvas() -> Canvas {
    drawn = Drawing()
    var canvas = Canvas(size: display.size)
    let layout = context.layout
    drawn.layout = layout
    let pane = layout.pane(withFocus: model.focus)
    // An animation pauses while its frame is sent: the next one would cut it off.
    if !display.isBusy { moment = context.clock.moment }
    drawFrame(layout, pane, into: &canvas)
    if zoom.isOpen {
      cardView.hide()
      drawZoom(layout, at: moment, into: &canvas)
    } else if layout.isWholeGrid {
      cardView.hide()
      drawGridInfo(layout, into: &canvas)
    } else {
      cardView.draw(
        RedPandaCardView.Scene(
          layout: layout, cell: display.cell, party: partyNow, motion: motionNow,
          moment: moment, isSlow: isTerminalSlow, subject: describedFavorite), into: &canvas)
    }
    drawn.carousel = carousel.draw(
      layout, cell: display.cell, isFocused: pane == .carousel, motion: motionNow, moment: moment,
      into: &canvas)
    if layout.isWholeGrid { carousel.drawTitle(layout, drawn.carousel, into: &canvas) }
    let subject = layout.info.isEmpty ? layout.picture : layout.info
    canvas.resting = canvas.resting ?? CellPoint(column: subject.column, row: subject.row)
    drawBottom(layout, into: &canvas)
    // Only their own dialog shows the counts.
    if case .collections = model.dialog {} else { favorites.collectionCounts.rest() }
    if var dialog = currentDialog {
      dialog.draw(into: &canvas)
      drawn.dialog = (model.dialog, dialog)
    }
    return canvas
  }

  /// Records that a frame is on the screen: the targets of the mouse.
  func wasShown(_ drawn: Drawing) {
    // The next favorite must not take the keys.
    if favorites.isKnownEmpty, !model.showsGrid, model.focus == .carousel {
      context.model.focus = .card
    }
    hintPlaces = drawn.hints
    carousel.wasShown(drawn.carousel)
    // A key may have changed the dialog since.
    if let (before, after) = drawn.dialog, after != before, context.model.dialog == before {
      context.model.dialog = after
    }
  }

  /// The dialog with current data, including changes from another terminal; observed.
  private var currentDialog: Dialog? {
    switch model.dialog {
    case .text(var text):
      guard let image = text.subject else { return .text(text) }
      text.lines = context.details(of: card.controller.saved(image) ?? image)
      return .text(text)
    case .sources(var sources):
      if let ring = context.session.sources.ring { sources.statuses = ring.statuses }
      return .sources(sources)
    case .collections(let collections):
      return .collections(CollectionsCommands(context: context).updated(collections))
    case let dialog: return dialog
    }
  }

  /// The picture that a dialog beside the card describes, if another one is on the card.
  private var describedFavorite: RemoteImage? {
    guard case .text(let text) = model.dialog, text.dock(on: display.size) != nil,
      let subject = text.subject, subject.id != card.image?.id
    else { return nil }
    return favorites.controller.saved(subject) ?? subject
  }

  /// Whether the picture on the card, in the grid or in the zoom moves.
  private var motionNow: MotionPlayer.Motion {
    if context.configuration.reduceMotion || context.remembered.party.wrappedValue { return .off }
    return context.hasFocus && model.dialog == nil ? .playing : .stopped
  }

  /// The movement of the rainbow, if there is one.
  var partyNow: RedPandaCardView.Party {
    guard context.remembered.party.wrappedValue else { return .off }
    guard !context.configuration.reduceMotion else { return .still }
    return .moving(
      display.output?.redrawsCheaply == true ? .milliseconds(100) : .milliseconds(400))
  }

  // MARK: The frame

  private func drawFrame(_ layout: Layout, _ pane: Pane, into canvas: inout Canvas) {
    guard let frame = layout.frame else { return }
    if layout.isWholeGrid {
      return canvas.drawFrame(frame, title: "", ink: .secondary, titleInk: .title)
    }
    canvas.drawFrame(
      frame, title: "Red Panda", ink: .secondary, titleInk: pane == .card ? .title : .secondary)
    let titleInk: Ink = pane == .carousel ? .title : .secondary
    var cardFrame = frame
    if let row = layout.dividerRow {
      let line = String(repeating: "─", count: frame.columns - 2)
      canvas.draw("├\(line)┤", at: CellPoint(column: 0, row: row), ink: .secondary)
      canvas.drawTitle(
        favorites.title(upTo: frame.columns - 6),
        in: CellRect(column: 0, row: row, columns: frame.columns, rows: 2),
        ink: titleInk)
    } else if let column = layout.dividerColumn {
      for row in frame.rowRange {
        let sign = row == 0 ? "┬" : row == frame.rows - 1 ? "┴" : "│"
        canvas.draw(sign, at: CellPoint(column: column, row: row), ink: .secondary)
      }
      cardFrame.columns = column + 1
      canvas.drawTitle(
        favorites.title(upTo: frame.columnRange.upperBound - column - 6),
        in: CellRect(
          column: column, row: 0, columns: frame.columnRange.upperBound - column, rows: 2),
        ink: titleInk)
    }
    drawCorner(of: cardFrame, into: &canvas)
    if layout.isFolded { drawFolded(layout, pane, into: &canvas) }
    if pane == .carousel { drawSelected(layout, into: &canvas) }
  }

  /// Draws the favorites as words in the lower frame.
  private func drawFolded(_ layout: Layout, _ pane: Pane, into canvas: inout Canvas) {
    guard let frame = layout.frame else { return }
    let row = frame.rowRange.upperBound - 1
    if let line = layout.carousel {
      // The selection is named behind it.
      canvas.clear(CellRect(column: 2, row: row, columns: frame.columns - 4, rows: 1))
      guard line.columns >= Layout.leastTitledColumns else { return }
      canvas.draw(
        favorites.title(upTo: line.columns / 2), at: CellPoint(column: line.column, row: row),
        ink: pane == .carousel ? .title : .secondary)
      return
    }
    let room = frame.columns - 6
    let title = favorites.title(upTo: room)
    let how = context.keys.sentence(
      title, separator: " · ", then: .favorites(.favorite), "keeps this panda")
    canvas.drawTitle(
      favorites.isKnownEmpty && card.image != nil && how.columns <= room ? how : title,
      in: CellRect(column: 0, row: row, columns: frame.columns, rows: 1), ink: .secondary)
  }

  /// Draws the selected picture's name on the carousel's edge while the carousel is focused.
  private func drawSelected(_ layout: Layout, into canvas: inout Canvas) {
    guard let image = favorites.selected, let frame = layout.frame,
      let area = layout.carousel, layout.showsThumbnails
    else { return }
    let row = layout.dividerRow ?? frame.rows - 1
    let room =
      layout.dividerColumn != nil ? area.columns - 2 : area.columns - favorites.title.columns - 8
    guard let name = ImageDescription(image).names.first, room > 2 else { return }
    let text = name.shortenedName(to: min(room - 2, 80))
    let point = CellPoint(column: area.columnRange.upperBound - text.columns - 3, row: row)
    canvas.resting = CellPoint(column: point.column + 1, row: row)
    canvas.draw(" \(text) ", at: point, ink: .accent)
  }

  /// Draws the enlarged picture, and the line about it.
  private func drawZoom(_ layout: Layout, at moment: Duration, into canvas: inout Canvas) {
    zoom.draw(
      in: layout.picture, cell: display.cell, motion: motionNow, moment: moment, into: &canvas)
    guard let image = zoom.image, !layout.info.isEmpty else { return }
    let area = layout.info
    let percent = zoom.percent.map { "\($0) %" } ?? ""
    let end = area.columnRange.upperBound - percent.columns
    canvas.draw(
      percent, at: CellPoint(column: max(area.column, end), row: area.row), ink: .secondary)
    canvas.draw(
      ImageDescription(image).listed(upTo: max(0, end - area.column - 1)),
      at: CellPoint(column: area.column, row: area.row), ink: .plain)
  }

  /// Draws the line about the selected picture below the grid.
  private func drawGridInfo(_ layout: Layout, into canvas: inout Canvas) {
    let area = layout.info
    guard let image = favorites.selected, let index = favorites.state.selectedIndex, !area.isEmpty
    else { return }
    let place = "\(index + 1)/\(favorites.list.count)"
    let end = area.columnRange.upperBound - place.columns
    guard end > area.column + 2 else { return }
    canvas.draw(place, at: CellPoint(column: end, row: area.row), ink: .secondary)
    let isFavorite = favorites.collection == .favorites
    let column = canvas.draw(
      isFavorite ? "★ " : "· ", at: CellPoint(column: area.column, row: area.row),
      ink: isFavorite ? .star : .secondary)
    let room = max(0, end - column - 1)
    canvas.draw(
      context.picking?.folder == nil
        ? ImageDescription(image).listed(upTo: room) : image.name.shortenedName(to: room),
      at: CellPoint(column: column, row: area.row), ink: .plain)
  }

  /// Draws the right end of the card's upper edge.
  ///
  /// It has the reason for missing pictures, or their count.
  private func drawCorner(of frame: CellRect, into canvas: inout Canvas) {
    guard let words = card.badge ?? seenWords else { return }
    let text = " \(words.sanitized(upTo: 60)) "
    let column = frame.columnRange.upperBound - 2 - text.columns
    guard column > frame.column + 14 else { return }
    canvas.draw(
      text, at: CellPoint(column: column, row: frame.row), ink: .secondary)
  }

  private var seenWords: String? {
    card.controller.library.seenCount.flatMap { $0 > 0 ? "\($0) seen" : nil }
  }

  // MARK: The last lines

  private func drawBottom(_ layout: Layout, into canvas: inout Canvas) {
    var (bar, hints, status) = (Situation(commands: commands).hintBar, layout.hints, layout.status)
    let isLong =
      layout.hasStatusOnFrame && model.filterField == nil && model.dialog == nil
      && statusText.columns > status.columns
    if hasStatus, isLong || status.row == hints.row {
      // Messages and hints share a row: the keys for help and quitting stay at its end.
      bar = bar.essentials
      hints.column = max(hints.column, hints.columnRange.upperBound - bar.columns)
      hints.columns = layout.hints.columnRange.upperBound - hints.column
      status.columns = bar.hints.isEmpty ? status.columns : hints.column - status.column - 1
    }
    drawn.hints = bar.draw(in: hints, into: &canvas)
    if isLong { return drawLong(statusText, in: layout, beside: hints, into: &canvas) }
    if status.columns >= min(Self.leastStatusColumns, layout.status.columns) {
      if layout.hasStatusOnFrame, hasStatus, let frame = layout.frame {
        // It takes the place of the line about the favorites.
        canvas.draw(
          String(repeating: "─", count: frame.columns - 2),
          at: CellPoint(column: 1, row: status.row), ink: .secondary)
        // Spaces keep the words off the frame.
        let columns =
          model.filterField == nil ? statusText.fitted(to: status.columns).columns : status.columns
        canvas.clear(
          CellRect(column: status.column - 1, row: status.row, columns: columns + 2, rows: 1))
      } else if status.row == layout.info.row, hasStatus {
        canvas.clear(status)
      }
      drawStatus(in: status, into: &canvas)
    }
  }

  /// Draws a message on the lower edge of the frame and in the line below, beside its keys.
  private func drawLong(
    _ text: String, in layout: Layout, beside keys: CellRect, into canvas: inout Canvas
  ) {
    var area = layout.hints
    (area.row, area.columns) = (layout.status.row, max(1, keys.column - area.column - 1))
    canvas.clear(
      CellRect(column: 1, row: area.row, columns: canvas.size.columns - 2, rows: 1))
    for (offset, line) in text.wrapped(to: area.columns, rows: 2).enumerated() {
      let point = CellPoint(column: area.column, row: area.row + offset)
      canvas.draw(line, at: point, ink: messageInk)
    }
  }

  /// In fewer columns no message is readable.
  private static let leastStatusColumns = 8

  private var hasStatus: Bool {
    model.message != nil || model.filterField != nil || !model.count.digits.isEmpty
  }

  private func drawStatus(in area: CellRect, into canvas: inout Canvas) {
    let point = CellPoint(column: area.column, row: area.row)
    if let filterField = model.filterField {
      let found = " " + (filterField.cutNotice ?? "\(favorites.list.count) found")
      canvas.draw("/", at: point, ink: .key)
      filterField.draw(
        at: CellPoint(column: point.column + 1, row: point.row),
        columns: max(1, area.columns - 1 - found.columns), into: &canvas)
      canvas.draw(
        found, at: CellPoint(column: area.columnRange.upperBound - found.columns, row: point.row),
        ink: .secondary)
    } else {
      canvas.draw(statusText.fitted(to: area.columns), at: point, ink: messageInk)
    }
  }

  private var messageInk: Ink {
    switch model.message {
    case _ where !model.count.digits.isEmpty: .key
    case .info, .outcome, .news, nil: .plain
    case .problem: .problem
    }
  }

  /// The count that is being typed, or else the message.
  private var statusText: String {
    guard model.count.digits.isEmpty else { return "\(model.count.digits) times" }
    return model.message?.text.sanitized(upTo: 500) ?? ""
  }

  // MARK: What moves

  /// Returns how long the last frame stays valid; nil means forever.
  ///
  /// - Parameter pause: the shortest time that a terminal needs between two frames of a picture.
  func frameDuration(pausing pause: Duration) -> Duration? {
    let moment = context.clock.moment
    if carousel.isMoving(at: moment) { return .milliseconds(33) }
    var durations: [Duration] = []
    let isCardHidden = zoom.isOpen || context.layout.isWholeGrid
    if card.isAnimating, !isCardHidden { durations.append(Spinner.interval) }
    if case .moving(let interval) = partyNow, cardView.showsPicture, !isCardHidden {
      durations.append(max(interval, pause))
    }
    durations += [
      cardView.nextFrame(after: moment), carousel.nextFrame(after: moment),
      zoom.nextFrame(after: moment),
    ].compactMap { $0 }.map { max($0, pause) }
    if case .sources(let dialog) = model.dialog, dialog.countsDown { durations.append(.seconds(1)) }
    return durations.min()
  }
}
