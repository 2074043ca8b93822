/// The unsent pieces of the pictures on the screen.
///
/// A newer frame drops what it does not show any more. What it does show goes on, so that a frame
/// that changes ten times a second keeps no picture from being complete. Nothing is encoded before
/// its turn comes.
struct PictureQueue {
  private enum Work: Equatable {
    /// Has the terminal free old pictures.
    case begin
    /// Gives the terminal a picture that a later frame shows.
    case transmit(PicturePart)
    case erase(PicturePart)
    case draw(PicturePart, CellRect)

    /// The part that is sent.
    var part: PicturePart? {
      switch self {
      case .transmit(let part), .draw(let part, _): part
      case .begin, .erase: nil
      }
    }

    /// The part of a frame that is sent.
    var drawn: PicturePart? { isTransmitting ? nil : part }

    var isErasing: Bool { if case .erase = self { true } else { false } }
    var isTransmitting: Bool { if case .transmit = self { true } else { false } }
  }

  /// The parts that the screen shows once all is sent.
  private(set) var parts: [PicturePart] = []
  /// Those of which the terminal has at least a piece.
  private var begun: Set<PicturePart> = []
  private var work: [Work] = []
  /// The rest of the first work; nil before it begins.
  private var pieces: ArraySlice<ArraySlice<UInt8>>?
  /// Whether the first of the pieces is the rest of one.
  private var isWithinPiece = false

  /// Whether the terminal has all pictures.
  var isEmpty: Bool { work.allSatisfy { $0 == .begin } }

  /// Whether other output may come now.
  var isAtBoundary: Bool { !isWithinPiece }

  /// Whether the picture that is being sent is a part of a newer frame, too.
  func isNeeded(by parts: [PicturePart]) -> Bool {
    guard pieces != nil, let drawn = work.first?.drawn else { return true }
    return parts.contains(drawn)
  }

  /// The pictures that the terminal is being given ahead of their frame.
  var transmitted: [any PreparedPicture] {
    work.filter(\.isTransmitting).compactMap(\.part?.picture)
  }

  /// Gives the terminal a picture that a later frame shows, in place of others that have not begun.
  ///
  /// It goes on whatever frames come meanwhile.
  mutating func transmit(_ picture: any PreparedPicture) {
    let current = pieces == nil ? 0 : 1
    work = work.prefix(current) + work.dropFirst(current).filter { !$0.isTransmitting }
    // It has no place yet.
    let cells = CellRect(column: 0, row: 0, columns: 0, rows: 0)
    let part = PicturePart(picture: picture, cells: cells, point: CellPoint(column: 0, row: 0))
    work += [.begin, .transmit(part)]
  }

  /// Shows other parts from now on.
  ///
  /// The old ones go once the new ones are there, so that no moment is without a picture.
  ///
  /// - Parameter damage: the text that is written before the rest of the pictures.
  /// - Returns: whether a picture was cut off, which must be ended before any other byte.
  mutating func show(_ new: [PicturePart], _ damage: ScreenDamage) -> Bool {
    let wanted = Set(new)
    let unfinished = Set(work.compactMap(\.drawn))
    let isCut = !isNeeded(by: new) && cut()
    work.removeAll { work in work.drawn.map { !wanted.contains($0) } ?? false }
    let shown = parts.filter { !unfinished.contains($0) || wanted.contains($0) }
    // What has begun is ended; the others follow what is drawn now.
    let current = pieces == nil ? 0 : 1
    var erasing = work.dropFirst(current).filter(\.isErasing)
    work = work.prefix(current) + work.dropFirst(current).filter { !$0.isErasing }
    erasing += parts.filter { !wanted.contains($0) && begun.contains($0) }.map(Work.erase)
    if work.last != .begin { work.append(.begin) }
    for part in new {
      for cells in part.cells(missingFrom: shown, damage) {
        let drawing = Work.draw(part, cells)
        // A picture in progress does not repair cells that text overwrites now.
        if !work.dropFirst(current).contains(drawing) { work.append(drawing) }
      }
    }
    // What has the image and the place of an old part has replaced it.
    work += erasing.filter { work in
      guard case .erase(let part) = work, !wanted.contains(part) else { return false }
      guard let layer = part.picture.layer else { return true }
      return !new.contains { $0.point == part.point && $0.picture.layer === layer }
    }
    begun.formIntersection(wanted)
    parts = new
    return isCut
  }

  /// Forgets what is shown, since the terminal has lost its pictures; those for later frames are
  /// given anew.
  ///
  /// - Returns: whether a picture was cut off.
  mutating func forget() -> Bool {
    let ahead = work.filter(\.isTransmitting)
    let isCut = cut()
    self = PictureQueue()
    work = ahead
    return isCut
  }

  /// Drops the work that has begun.
  private mutating func cut() -> Bool {
    guard pieces != nil else { return false }
    work.removeFirst().part?.picture.wasCut()
    pieces = nil
    isWithinPiece = false
    return true
  }

  /// Returns the next bytes, at most so many; nil if nothing is left.
  mutating func next(_ output: (any PictureOutput)?, atMost count: Int) -> ArraySlice<UInt8>? {
    while !work.isEmpty {
      guard var rest = pieces else {
        begin(output)
        continue
      }
      guard let piece = rest.first else {
        work.removeFirst()
        pieces = nil
        continue
      }
      let slice = piece.prefix(count)
      isWithinPiece = slice.count < piece.count
      if isWithinPiece {
        rest[rest.startIndex] = piece.dropFirst(count)
      } else {
        rest.removeFirst()
      }
      pieces = rest
      if rest.isEmpty {
        work.removeFirst()
        pieces = nil
      }
      return slice
    }
    return nil
  }

  private mutating func begin(_ output: (any PictureOutput)?) {
    var bytes: [UInt8] = []
    switch work.first {
    case .begin: output?.beginFrame(into: &bytes)
    case .transmit(let part): part.picture.transmit(into: &bytes)
    case .erase(let part): part.picture.erase(part.cells, at: part.point, into: &bytes)
    case .draw(let part, let cells):
      let point = CellPoint(
        column: part.point.column + cells.column - part.cells.column,
        row: part.point.row + cells.row - part.cells.row)
      part.picture.draw(cells, at: point, into: &bytes)
      begun.insert(part)
    case nil: break
    }
    pieces = PicturePieces.split(bytes)[...]
  }
}
