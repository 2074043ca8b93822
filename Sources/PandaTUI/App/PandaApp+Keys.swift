internal import PandaCore
internal import TerminalKit

/// What a key leads to, whatever is open.
extension PandaApp {
  func handle(_ key: Key) {
    deferred = nil
    // Who stops fetching wants to stop it, not to let it go on behind the picture.
    if keys.command(for: key) != .cancel { card.touch() }
    if dialog != nil {
      handleInDialog(key)
    } else if filterField != nil {
      handleInFilter(key)
    } else if slideshow.isRunning, keys.command(for: key)?.pausesSlideshow != false {
      pauseSlideshow()
    } else if !count.take(key) {
      handleCommand(key)
    }
  }

  private func handleCommand(_ key: Key) {
    let count = count.end()
    message = nil
    guard let command = keys.command(for: key) else { return }
    // Esc forgets a count that was begun, and no more.
    if command == .cancel, count != nil { return }
    guard count == nil || command.takesCount else {
      say(.info("A count does not work with \(key.label)"))
      return
    }
    perform(command, count: count ?? 1)
  }

  private func handleInDialog(_ key: Key) {
    guard let outcome = dialog?.handle(key, keys: keys) else { return }
    follow(outcome)
    if keys.command(for: key) == .redraw { screen.invalidate() }
  }

  /// Does what a dialog came to.
  func follow(_ outcome: Dialog.Outcome) {
    switch outcome {
    case .stay: followSources()
    case .close: dialog = nil
    case .confirmed:
      dialog = nil
      write { await self.carousel.clear() }
    case .perform(let command):
      dialog = nil
      perform(command, count: 1)
    case .submit(let text):
      if case .input(let input) = dialog { submit(text, of: input) }
    }
  }

  private func handleInFilter(_ key: Key) {
    switch key {
    case .enter:
      filterField = nil
      if !carousel.list.isEmpty { focus = .carousel }
    case .escape, .control("g"):
      filterField = nil
      carousel.filterText = ""
    case .up, .backTab: carousel.move(.left)
    case .down, .tab: carousel.move(.right)
    default:
      guard var field = filterField, field.handle(key) else { return }
      filterField = field
      carousel.filterText = field.text
    }
  }

  /// Takes pasted text where text is typed; elsewhere it is no command.
  func paste(_ text: String) {
    if dialog != nil {
      dialog?.paste(text)
    } else if var field = filterField {
      field.paste(text)
      filterField = field
      carousel.filterText = field.text
    }
  }
}
