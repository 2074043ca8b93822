internal import PandaCore
internal import TerminalKit

// The frames of `panda pick`.
extension PickApp {
  /// The content of the screen; equal frames are shown once.
  struct Frame: Equatable {
    let canvas: Canvas
    let redraws: Int
    let grid: FavoritesCarouselView.Drawing
    let hints: [(rect: CellRect, hint: HintBar.Hint)]
    /// The list of the keys before and after it was drawn, which determine its places.
    let help: (before: HelpDialog, after: HelpDialog)?

    /// The other places are implied by the cells and the state of the grid.
    static func == (one: Self, other: Self) -> Bool {
      one.canvas == other.canvas && one.redraws == other.redraws
        && one.grid.state == other.grid.state && one.help?.before == other.help?.before
        && one.help?.after == other.help?.after
    }
  }

  /// Makes a frame; everything it reads is observed.
  func frame() -> Frame {
    var canvas = Canvas(size: display.size)
    let layout = Layout(grid: display.size)
    if let frame = layout.frame {
      canvas.drawFrame(frame, title: "", ink: .secondary, titleInk: .title)
    }
    let grid = view.draw(
      layout, cell: display.cell, isFocused: true, moment: clock.moment, into: &canvas)
    view.drawTitle(layout, grid, into: &canvas)
    drawSelected(in: layout.info, into: &canvas)
    let hints = drawBottom(layout, into: &canvas)
    let help = model.help.map { before in
      var after = before
      after.draw(into: &canvas)
      return (before: before, after: after)
    }
    return Frame(canvas: canvas, redraws: redraws, grid: grid, hints: hints, help: help)
  }

  /// Draws the name of the selected picture, and its place among all.
  private func drawSelected(in area: CellRect, into canvas: inout Canvas) {
    guard let image = presenter.selected, let index = presenter.state.selectedIndex, !area.isEmpty
    else { return }
    let place = "\(index + 1)/\(presenter.list.count)"
    let end = area.columnRange.upperBound - place.columns
    guard end > area.column + 2 else { return }
    canvas.draw(place, at: CellPoint(column: end, row: area.row), ink: .secondary)
    let room = max(0, end - area.column - 1)
    let words =
      folder == nil
      ? ImageDescription(image).listed(upTo: room) : image.name.shortenedName(to: room)
    canvas.draw(words, at: CellPoint(column: area.column, row: area.row), ink: .plain)
  }

  /// Draws what is typed, or a message, and the hints; returns their places.
  private func drawBottom(
    _ layout: Layout, into canvas: inout Canvas
  ) -> [(rect: CellRect, hint: HintBar.Hint)] {
    let status = layout.status
    let point = CellPoint(column: status.column, row: status.row)
    let isShared = status.row == layout.hints.row
    if let help = model.help {
      return HintBar(Dialog.help(help).hints).draw(in: layout.hints, into: &canvas)
    } else if let field = model.filterField {
      let found = " \(presenter.list.count) found"
      canvas.clear(status)
      canvas.draw("/", at: point, ink: .key)
      field.draw(
        at: CellPoint(column: point.column + 1, row: point.row),
        columns: max(1, status.columns - 1 - found.columns), into: &canvas)
      canvas.draw(
        found,
        at: CellPoint(column: status.columnRange.upperBound - found.columns, row: point.row),
        ink: .secondary)
    } else if let message = model.message {
      if case .problem = message {
        canvas.draw(message.text.fitted(to: status.columns), at: point, ink: .problem)
      } else {
        canvas.draw(message.text.fitted(to: status.columns), at: point, ink: .plain)
      }
    } else {
      return HintBar(keys, commands).draw(in: layout.hints, into: &canvas)
    }
    guard !isShared else { return [] }
    let bar =
      model.filterField == nil ? HintBar(keys, commands) : HintBar(Self.typingHints)
    return bar.draw(in: layout.hints, into: &canvas)
  }

  private static let typingHints = [
    HintBar.Hint(key: "enter", text: "keep", command: nil, pressed: .enter),
    HintBar.Hint(key: "esc", text: "show all", command: nil, pressed: .escape),
  ]

  /// The hints, which differ from those of the program.
  private var commands: [(command: Command, text: String)] {
    let marked = presenter.marks.ids.count
    let back = marked > 0 ? "unmark" : presenter.filterText.isEmpty ? "cancel" : "show all"
    return [(.favorites(.show), marked > 0 ? "choose \(marked)" : "choose")]
      + (model.takesOne ? [] : [(.favorites(.favorite), "mark")])
      + [(.favorites(.filter), "filter"), (.program(.help), "help"), (.program(.cancel), back)]
  }

  func present(_ frame: Frame) {
    display.present(frame.canvas)
    hints = frame.hints
    // A key may have changed it since.
    if let help = frame.help, help.after != help.before, model.help == help.before {
      model.help = help.after
    }
    view.wasShown(frame.grid)
    // The first pictures need the processor before what is out of view.
    if view.shown.hasThumbnails { load() }
  }
}
