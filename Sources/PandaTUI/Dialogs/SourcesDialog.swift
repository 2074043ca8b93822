internal import FoundationEssentials
internal import PandaCore
internal import PandaSession
internal import TerminalKit

/// Lists the sources with their health; each can be switched on or off and tested.
struct SourcesDialog: Equatable {
  enum Request: Equatable {
    case setEnabled(Bool, name: String)
    case test(name: String)
  }

  private static let greatestWidth = 90

  var statuses: [SourceRing.Status] {
    didSet { selection = max(0, min(selection, statuses.count - 1)) }
  }
  /// The user's request, until it is performed.
  private(set) var request: Request?
  private var selection = 0
  private var window = DialogWindow()
  private var list = CellRect(column: 0, row: 0, columns: 0, rows: 0)
  private var firstRow = 0

  init(_ statuses: [SourceRing.Status]) { self.statuses = statuses }

  var countsDown: Bool { statuses.contains { $0.rest != nil || $0.isAsked } }

  var selected: SourceRing.Status? {
    statuses.indices.contains(selection) ? statuses[selection] : nil
  }

  mutating func takeRequest() -> Request? {
    defer { request = nil }
    return request
  }

  mutating func handle(_ key: Key, keys: KeyTable) -> Dialog.Outcome {
    switch (key, keys.command(for: key)) {
    case (.escape, _), (_, .program(.quit)), (_, .card(.sources)): return .close
    case (.down, _), (_, .move(.down)), (.tab, _): move(1)
    case (.up, _), (_, .move(.up)), (.backTab, _): move(-1)
    case (.home, _), (_, .move(.first)): move(-statuses.count)
    case (.end, _), (_, .move(.last)): move(statuses.count)
    case (.character(" "), _), (.enter, _): toggle()
    case (.character("t"), _): request = selected.map { .test(name: $0.id) }
    default: break
    }
    return .stay
  }

  mutating func handle(_ event: MouseEvent) -> Dialog.Outcome {
    switch event.kind {
    case .scroll(.down): move(1)
    case .scroll(.up): move(-1)
    case .press(.left) where list.contains(event.point):
      let clicked = firstRow + (event.row - list.row) / 2
      if clicked == selection {
        toggle()
      } else {
        move(clicked - selection)
      }
    default: return window.closes(event) ? .close : .stay
    }
    return .stay
  }

  private mutating func move(_ amount: Int) {
    selection = max(0, min(statuses.count - 1, selection + amount))
  }

  private mutating func toggle() {
    request = selected.map { .setEnabled(!$0.isEnabled, name: $0.id) }
  }

  // MARK: Drawing

  mutating func draw(into canvas: inout Canvas) {
    let rows = statuses.map(SourceStatusLine.init)
    let width = rows.map { max($0.head.columns, $0.tail.columns + 4) }.max() ?? 0
    let inner = window.open(
      "Sources", columns: min(Self.greatestWidth, max(width, 40)), rows: statuses.count * 2,
      in: &canvas)
    list = inner
    let inView = max(1, inner.rows / 2)
    firstRow = max(selection - inView + 1, min(firstRow, selection))
    firstRow = max(0, min(firstRow, rows.count - inView))
    for (offset, row) in rows.dropFirst(firstRow).prefix(inView).enumerated() {
      let isSelected = firstRow + offset == selection
      let point = CellPoint(column: inner.column, row: inner.row + offset * 2)
      if isSelected { canvas.resting = point }
      let head = row.head.shortened(to: inner.columns)
      canvas.draw(
        isSelected ? head.padded(to: inner.columns) : head, at: point,
        ink: isSelected ? .selected : row.isUsable ? .plain : .secondary)
      guard offset * 2 + 1 < inner.rows else { continue }
      canvas.draw(
        row.tail.fitted(to: max(0, inner.columns - 4)),
        at: CellPoint(column: inner.column + 4, row: point.row + 1),
        ink: row.isProblem ? .problem : .secondary)
    }
    canvas.drawMore(
      above: firstRow > 0, below: firstRow + inView < rows.count, in: window.rect)
  }
}

/// Describes a source and its health in two sanitized lines of text.
struct SourceStatusLine {
  /// Whether it is on, and its name.
  let head: String
  /// Its health and its last answer.
  let tail: String
  /// Whether it currently takes turns.
  let isUsable: Bool
  /// Whether a problem keeps it from providing pictures.
  let isProblem: Bool

  init(_ status: SourceRing.Status) {
    let reserve = status.isReserve ? " · only when no other has a panda" : ""
    head = "[\(status.isEnabled ? "x" : " ")] \(status.label)\(reserve)".sanitized(upTo: 200)
    let state = Self.state(status)
    tail = [state, Self.answer(status.last)].compactMap(\.self).joined(separator: " · ")
    isUsable = status.isEnabled && status.rest == nil
    isProblem = status.rest != nil || status.failures > 0
  }

  /// Returns its state, including the reason for any wait.
  static func state(_ status: SourceRing.Status) -> String {
    if status.isAsked { return "being asked" }
    if !status.isEnabled { return "switched off" }
    if let rest = status.rest { return rest.words }
    guard status.failures > 0 else {
      return switch status.last {
      case nil: "not asked yet"
      case .picture: "answers"
      // Without a network, no source is to blame.
      case .failure: "no answer"
      }
    }
    return status.failures == 1 ? "failed once" : "failed \(status.failures) times"
  }

  private static func answer(_ answer: SourceRing.Answer?) -> String? {
    switch answer {
    case nil: nil
    case .picture(let title, let date):
      "\(ClockTime(date).words) \(title.map { "“\($0)”" } ?? "a panda")".sanitized(upTo: 200)
    case .failure(let reason, let date): "\(ClockTime(date).words) \(reason)".sanitized(upTo: 200)
    }
  }
}
