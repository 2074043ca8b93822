internal import PictureCodecs
internal import TerminalKit

/// Decides whether the favorites are beside the card or below it, as a pure state machine.
///
/// The picture decides, by its area and nothing else. The place changes for a picture that is
/// considerably larger in the other one, but seldom, so that a mixed series does not make it jump.
struct PanelPlacement: Equatable, Sendable {
  /// The least gain in area that is worth a change, in percent.
  static let leastGain = 15
  /// The least number of pictures between two changes.
  static let leastPictures = 10
  /// The shape that is assumed without a picture: that of an ordinary photo.
  static let usualShape = PixelSize(width: 4, height: 3)

  /// The screen that ``panel`` was chosen for.
  struct Screen: Equatable, Sendable {
    let size: CellSize
    let cell: PixelSize
  }

  private(set) var panel = Layout.Panel.beside
  private var screen: Screen?
  /// The identifier of the last picture.
  private var picture: String?
  /// The number of pictures since the last change.
  private var pictures = leastPictures

  /// Returns the placement for a picture; nil stands for none, which decides only at first.
  ///
  /// - Parameter isFolded: whether no favorites are shown, so that no change is seen.
  func following(
    _ image: (id: String, shape: PixelSize)?, on screen: Screen, isFolded: Bool = false
  ) -> PanelPlacement {
    guard screen != self.screen || image != nil && image?.id != picture else { return self }
    var next = self
    func area(_ panel: Layout.Panel) -> Int {
      Layout(screen.size, cell: screen.cell, panel: panel)
        .area(of: image?.shape ?? Self.usualShape, cell: screen.cell)
    }
    if screen != self.screen || isFolded {
      // A resized window is laid out again anyway.
      next.panel = area(.below) > area(.beside) ? .below : .beside
      next.screen = screen
      next.picture = image?.id
      return next
    }
    let other: Layout.Panel = panel == .beside ? .below : .beside
    next.picture = image?.id
    next.pictures = min(pictures + 1, Self.leastPictures)
    if next.pictures == Self.leastPictures,
      area(other) * 100 > area(panel) * (100 + Self.leastGain)
    {
      (next.panel, next.pictures) = (other, 0)
    }
    return next
  }
}
