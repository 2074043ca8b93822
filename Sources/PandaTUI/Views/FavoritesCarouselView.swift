internal import PandaCore
internal import PandaSession
internal import Pantry
internal import TerminalKit

/// The carousel: the favorites, or the trash.
///
/// It draws the state of its ``FavoritesPresenter``.
@MainActor
final class FavoritesCarouselView {
  let presenter: FavoritesPresenter
  /// Nil if pictures are not shown.
  private(set) var loader: PictureLoader?
  /// Plays the selected picture of the grid.
  private(set) var player: MotionPlayer?
  private let thumbnails: ThumbnailCache
  private let log: Log
  private let attachment: PictureAttachment
  /// Whether thumbnails slide into place; otherwise they jump.
  private let maySlide: Bool
  private(set) var slides = false
  private(set) var shown = Drawing()

  var keys: KeyTable { presenter.keys }

  /// A drawn frame, with the places of its pictures.
  struct Drawing {
    var state = CarouselState()
    /// The number of times that the user had moved the selection.
    var moves = 0
    var row = SlidingRow()
    /// The places of the pictures, for the mouse.
    var places: [(rect: CellRect, id: String, picture: (any PreparedPicture)?)] = []
    /// The section at the top of the grid on the whole screen.
    var section: GridRows.Section?
    var hasMotion = false
    /// Whether no thumbnail is still being loaded.
    ///
    /// Those near it may be: nothing is drawn once they are there.
    var hasThumbnails = true
  }

  /// Creates a carousel.
  ///
  /// - Parameters:
  ///   - output: shows the thumbnails; nil shows text instead.
  ///   - thumbnails: caches them.
  ///   - slides: whether thumbnails may be animated.
  ///   - log: receives why a thumbnail cannot be shown.
  ///   - attachment: returns the bytes of a picture.
  init(
    _ presenter: FavoritesPresenter, output: (any PictureOutput)?, thumbnails: ThumbnailCache,
    slides: Bool, log: Log = .off,
    attachment: @escaping PictureAttachment = { $0.dataRepresentation }
  ) {
    self.attachment = attachment
    self.presenter = presenter
    self.thumbnails = thumbnails
    self.log = log
    maySlide = slides
    show(by: output)
  }

  /// Switches to another output for thumbnails; nil shows text instead.
  func show(by output: (any PictureOutput)?) {
    loader?.rest()
    player?.rest()
    slides = maySlide && output?.redrawsCheaply == true
    player = output.map { MotionPlayer(output: $0, isCropping: true, log: log) }
    loader = output.map {
      PictureLoader(
        output: $0, thumbnails: thumbnails, capacity: $0.mostPictures, log: log,
        attachment: attachment)
    }
  }

  func wasShown(_ drawing: Drawing) {
    shown = drawing
    presenter.wasDrawn(drawing.state, after: drawing.moves)
  }

  /// Returns the picture drawn at a place on the screen.
  func image(at point: CellPoint) -> RemoteImage? {
    guard let id = shown.places.last(where: { $0.rect.contains(point) })?.id else { return nil }
    return presenter.list.first { $0.id == id }
  }

  /// Returns the time until the next frame of a moving picture; nil if none moves.
  func nextFrame(after moment: Duration) -> Duration? { player?.nextFrame(after: moment) }

  func isMoving(at moment: Duration) -> Bool { shown.row.isMoving(at: moment) }
}
