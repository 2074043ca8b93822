internal import PandaCore
internal import Pantry
internal import TerminalKit

/// The drawing of the screen.
extension PandaApp {
  /// The current layout of the screen.
  var layout: Layout {
    zoom.isOpen ? besideDetails { Layout(slideshow: $0) } : layoutOfPanes
  }

  /// The layout that is there, or behind an enlarged picture.
  private var layoutOfPanes: Layout {
    besideDetails { size in
      if model.slideshow.isRunning { return Layout(slideshow: size) }
      return model.showsGrid ? Layout(grid: size) : Layout(size, cell: display.cell)
    }
  }

  /// Returns a layout of what the details leave of the screen.
  private func besideDetails(_ layout: (CellSize) -> Layout) -> Layout {
    var size = display.size
    guard case .text(let text) = model.dialog, let dock = text.dock(on: size) else {
      return layout(size)
    }
    switch dock {
    case .right(let columns):
      size.columns -= columns
      return layout(size)
    case .bottom(let rows):
      size.rows -= rows
      var layout = layout(size)
      layout.moveLastLines(down: rows)
      return layout
    }
  }

  /// The pane that commands apply to: the focused one, if it is visible.
  var pane: Pane { layoutOfPanes.pane(withFocus: model.focus) }

  /// Draws the whole screen; everything it reads is observed.
  func canvas() -> Canvas {
    var canvas = Canvas(size: display.size)
    let layout = layout
    let pane = layout.pane(withFocus: model.focus)
    let moment = clock.moment
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
          moment: moment, subject: describedFavorite), into: &canvas)
    }
    carousel.draw(
      layout, cell: display.cell, isFocused: pane == .carousel, motion: motionNow, moment: moment,
      into: &canvas)
    drawBottom(layout, into: &canvas)
    // Only their own dialog shows the counts.
    if case .collections = model.dialog {} else { carousel.collectionCounts.rest() }
    if var dialog = currentDialog {
      dialog.draw(into: &canvas)
      // The dialog records its place, for the mouse.
      if dialog != model.dialog { model.dialog = dialog }
    }
    return canvas
  }

  /// The picture that a dialog beside the card describes, if another one is on the card.
  private var describedFavorite: RemoteImage? {
    guard case .text(let text) = model.dialog, text.dock(on: display.size) != nil,
      let subject = text.subject, subject.id != card.image?.id
    else { return nil }
    return carousel.controller.saved(subject) ?? subject
  }

  /// Whether the picture on the card, in the grid or in the zoom moves.
  private var motionNow: MotionPlayer.Motion {
    if configuration.reduceMotion || remembered.party.wrappedValue { return .off }
    return hasFocus && model.dialog == nil ? .playing : .stopped
  }

  /// The movement of the rainbow, if there is one.
  var partyNow: RedPandaCardView.Party {
    guard remembered.party.wrappedValue else { return .off }
    guard !configuration.reduceMotion else { return .still }
    return .moving(
      display.output?.redrawsCheaply == true ? .milliseconds(100) : .milliseconds(400))
  }

  // MARK: The frame

  private func drawFrame(_ layout: Layout, _ pane: Pane, into canvas: inout Canvas) {
    guard let frame = layout.frame else { return }
    if layout.isWholeGrid {
      canvas.drawFrame(
        frame, title: carousel.title(upTo: frame.columns - 6), ink: .dim, titleInk: .title)
      return
    }
    canvas.drawFrame(frame, title: "Red Panda", ink: .dim, titleInk: pane == .card ? .title : .dim)
    let titleInk: Ink = pane == .carousel ? .title : .dim
    var cardFrame = frame
    if let row = layout.dividerRow {
      let line = String(repeating: "─", count: frame.columns - 2)
      canvas.draw("├\(line)┤", at: CellPoint(column: 0, row: row), ink: .dim)
      canvas.drawTitle(
        carousel.title(upTo: frame.columns - 6),
        in: CellRect(column: 0, row: row, columns: frame.columns, rows: 2),
        ink: titleInk)
    } else if let column = layout.dividerColumn {
      for row in frame.rowRange {
        let sign = row == 0 ? "┬" : row == frame.rows - 1 ? "┴" : "│"
        canvas.draw(sign, at: CellPoint(column: column, row: row), ink: .dim)
      }
      cardFrame.columns = column + 1
      canvas.drawTitle(
        carousel.title(upTo: frame.columnRange.upperBound - column - 6),
        in: CellRect(
          column: column, row: 0, columns: frame.columnRange.upperBound - column, rows: 2),
        ink: titleInk)
    }
    drawCorner(of: cardFrame, into: &canvas)
    if pane == .carousel { drawSelected(layout, into: &canvas) }
  }

  /// Draws the selected picture's name on the carousel's edge while the carousel is focused.
  private func drawSelected(_ layout: Layout, into canvas: inout Canvas) {
    guard let image = carousel.selected, let frame = layout.frame,
      let area = layout.carousel, layout.showsThumbnails
    else { return }
    let row = layout.dividerRow ?? frame.rows - 1
    let room =
      layout.dividerColumn != nil ? area.columns - 2 : area.columns - carousel.title.columns - 8
    let words = image.caption ?? image.title ?? image.source
    let text = words.sanitized(upTo: 200).shortenedName(to: max(0, min(room - 2, 80)))
    guard !text.isEmpty else { return }
    canvas.draw(
      " \(text) ",
      at: CellPoint(column: area.columnRange.upperBound - text.columns - 3, row: row), ink: .accent)
  }

  /// Draws the enlarged picture, and the line about it.
  private func drawZoom(_ layout: Layout, at moment: Duration, into canvas: inout Canvas) {
    zoom.draw(
      in: layout.picture, cell: display.cell, motion: motionNow, moment: moment, into: &canvas)
    guard let image = zoom.image, !layout.info.isEmpty else { return }
    let area = layout.info
    let percent = zoom.percent.map { "\($0) %" } ?? ""
    let end = area.columnRange.upperBound - percent.columns
    canvas.draw(percent, at: CellPoint(column: max(area.column, end), row: area.row), ink: .dim)
    canvas.draw(
      ImageDescription(image).listed(upTo: max(0, end - area.column - 1)),
      at: CellPoint(column: area.column, row: area.row), ink: .plain)
  }

  /// Draws the line about the selected picture below the grid.
  private func drawGridInfo(_ layout: Layout, into canvas: inout Canvas) {
    let area = layout.info
    guard let image = carousel.selected, let index = carousel.state.selectedIndex, !area.isEmpty
    else { return }
    let place = "\(index + 1)/\(carousel.list.count)"
    let end = area.columnRange.upperBound - place.columns
    guard end > area.column + 2 else { return }
    canvas.draw(place, at: CellPoint(column: end, row: area.row), ink: .dim)
    let isFavorite = carousel.collection == .favorites
    let column = canvas.draw(
      isFavorite ? "★ " : "· ", at: CellPoint(column: area.column, row: area.row),
      ink: isFavorite ? .star : .dim)
    canvas.draw(
      ImageDescription(image).listed(upTo: max(0, end - column - 1)),
      at: CellPoint(column: column, row: area.row), ink: .plain)
  }

  /// Draws the right end of the card's upper edge.
  ///
  /// It has the reason for missing pictures, or their count.
  private func drawCorner(of frame: CellRect, into canvas: inout Canvas) {
    let badge = card.badge
    guard let words = badge ?? seenWords else { return }
    let text = " \(words.sanitized(upTo: 60)) "
    let column = frame.columnRange.upperBound - 2 - text.columns
    guard column > frame.column + 14 else { return }
    canvas.draw(
      text, at: CellPoint(column: column, row: frame.row), ink: badge == nil ? .dim : .problem)
  }

  private var seenWords: String? {
    card.controller.seenCount.flatMap { $0 > 0 ? "\($0) seen" : nil }
  }

  // MARK: The last lines

  private func drawBottom(_ layout: Layout, into canvas: inout Canvas) {
    var (bar, hints, status) = (hintBar, layout.hints, layout.status)
    if status.row == hints.row, hasStatus {
      // Messages and hints share a row: the keys for help and quitting stay at its end.
      bar = bar.essentials
      hints.column = max(hints.column, hints.columnRange.upperBound - bar.columns)
      hints.columns = layout.hints.columnRange.upperBound - hints.column
      status.columns = bar.hints.isEmpty ? status.columns : hints.column - status.column - 1
    }
    hintPlaces = bar.draw(in: hints, into: &canvas)
    if status.columns >= min(Self.leastStatusColumns, layout.status.columns) {
      if layout.hasStatusOnFrame, hasStatus {
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

  /// In fewer columns no message is readable.
  private static let leastStatusColumns = 8

  private var hasStatus: Bool {
    model.message != nil || model.filterField != nil || !model.count.digits.isEmpty
  }

  private func drawStatus(in area: CellRect, into canvas: inout Canvas) {
    let point = CellPoint(column: area.column, row: area.row)
    if let filterField = model.filterField {
      let found = " " + (filterField.cutNotice ?? "\(carousel.list.count) found")
      canvas.draw("/", at: point, ink: .key)
      filterField.draw(
        at: CellPoint(column: point.column + 1, row: point.row),
        columns: max(1, area.columns - 1 - found.columns), into: &canvas)
      canvas.draw(
        found, at: CellPoint(column: area.columnRange.upperBound - found.columns, row: point.row),
        ink: .dim)
    } else {
      let ink: Ink =
        switch model.message {
        case _ where !model.count.digits.isEmpty: .key
        case .info, .outcome, .news, nil: .plain
        case .problem: .problem
        }
      canvas.draw(statusText.fitted(to: area.columns), at: point, ink: ink)
    }
  }

  /// The count that is being typed, or else the message.
  private var statusText: String {
    guard model.count.digits.isEmpty else { return "\(model.count.digits) times" }
    return model.message?.text.sanitized(upTo: 500) ?? ""
  }

  /// The hints for the current situation.
  private var hintBar: HintBar {
    if let dialog = model.dialog { return HintBar(dialog.hints) }
    if model.filterField != nil {
      return HintBar([
        HintBar.Hint(key: "enter", text: "keep", importance: 1, command: nil, pressed: .enter),
        HintBar.Hint(
          key: "esc", text: "show all", importance: 2, command: nil, pressed: .escape),
        HintBar.Hint(key: "↑↓", text: "select", importance: 3, command: nil),
      ])
    }
    if model.slideshow.isRunning {
      let favorite = HintBar.Hint(
        key: keys.label(of: .favorite), text: "favorite", importance: 1, command: .favorite)
      let shuffle = HintBar.Hint(
        key: keys.label(of: .sort), text: model.slideshow.isShuffled ? "in order" : "shuffle",
        importance: 3, command: .sort)
      let pause = HintBar.Hint(key: "any key", text: "pause", importance: 2, command: nil)
      let mayFavorite = !favorite.key.isEmpty && reason(against: .favorite) == nil
      let mayShuffle = !shuffle.key.isEmpty && model.slideshow.showsFavorites
      return HintBar((mayFavorite ? [favorite] : []) + (mayShuffle ? [shuffle] : []) + [pause])
    }
    return HintBar(keys, words: words, urgent: urgent, mattering: mattering)
  }

  /// Hints that differ in the current situation.
  ///
  /// An empty text hides the hint of an unavailable key.
  private var words: [Command: String] {
    var words: [Command: String] = [:]
    words[.nextPane] = pane == .card ? "carousel" : "card"
    if zoom.isOpen { return zoomWords }
    if model.showsGrid {
      words[.grid] = "card"
      (words[.nextPane], words[.fetch], words[.back]) = ("", "", "")
      if !isInTrash { words[.favorite] = "mark" }
      words[.larger] = "larger"
      words[.smaller] = "smaller"
    }
    if isInTrash {
      words[.favorite] = "restore"
      words[.remove] = "delete"
      words[.clear] = ""
    } else if card.isShownSaved, !model.showsGrid {
      words[.favorite] = card.isAnimating ? "" : "view favorite"
    }
    if carousel.collection == .trash { words[.trash] = "favorites" }
    if card.isAnimating {
      words[.cancel] = "stop"
    } else if pane == .carousel, !carousel.marked.isEmpty {
      words[.cancel] = "unmark"
    } else if !carousel.filterText.isEmpty {
      words[.cancel] = "show all"
    } else if carousel.collection == .trash {
      words[.cancel] = "leave"
    } else if model.showsGrid {
      words[.cancel] = "card"
    }
    if case .problem = model.message, hasTrouble { words[.problem] = "why" }
    for binding in keys.bindings where binding.hint != nil {
      if reason(against: binding.command) != nil { words[binding.command] = "" }
    }
    // That a caption is for the picture just kept ends without a new frame, so no hint says it.
    if !isTargetSaved { (words[.caption], words[.tags]) = ("", "") }
    return words
  }

  /// The hints beside an enlarged picture.
  private var zoomWords: [Command: String] {
    var words = Dictionary(uniqueKeysWithValues: Command.allCases.map { ($0, "") })
    words[.larger] = "larger"
    words[.smaller] = "smaller"
    words[.zoom] = zoom.state?.isFitted == false ? "whole" : "pixels"
    words[.cancel] = "back"
    words[.details] = "details"
    words[.help] = nil
    words[.quit] = nil
    return words
  }

  /// The commands that matter most where the user is.
  var mattering: Set<Command> {
    if zoom.isOpen { return [.larger, .zoom, .cancel] }
    if isInTrash { return [.favorite, .remove, .cancel] }
    if model.showsGrid { return [.show, .favorite, .grid] }
    if pane == .carousel { return [.show, .remove] }
    return card.isAnimating ? [.cancel, .favorite] : [.fetch, .favorite, .nextPane]
  }

  private var urgent: Set<Command> {
    var urgent: Set<Command> = []
    if case .problem = model.message, hasTrouble { urgent.insert(.problem) }
    // Otherwise the only way out in view would end the program.
    if zoom.isOpen || carousel.collection == .trash || !carousel.filterText.isEmpty {
      urgent.insert(.cancel)
    }
    if isInTrash {
      urgent.formUnion([.favorite, .remove])
    } else if pane == .carousel {
      urgent.insert(.show)
    }
    if model.showsGrid, !isInTrash { urgent.formUnion([.grid, .favorite]) }
    return urgent
  }
}
