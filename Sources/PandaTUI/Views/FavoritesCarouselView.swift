internal import Observation
internal import PandaCore
internal import Pantry
internal import TerminalKit

/// The carousel: the favorites, or the trash.
///
/// It owns an ``ImagesController`` of its own and shows the Store's items through it; no other view
/// tells it about favorites. Whatever it shows is observable.
@MainActor
@Observable
final class FavoritesCarouselView {
  /// The collection that is shown.
  enum Collection: Hashable, Sendable {
    case favorites, trash
  }

  @ObservationIgnored let controller: ImagesController
  var state = CarouselState()
  /// Why the favorites could not be read, if they could not.
  private(set) var problem: String?
  /// What else is said where there are no favorites.
  var emptyHint: String?
  var collection = Collection.favorites { didSet { markStale() } }
  /// The filter; empty for all.
  var filterText = "" { didSet { if filterText != oldValue { markStale() } } }
  var order: FavoritesOrder { didSet { markStale() } }
  @ObservationIgnored private var index = FavoritesIndex()
  @ObservationIgnored private var matches: [RemoteImage] = []
  @ObservationIgnored private var isFresh = false
  /// Changes when the list is no longer the newest.
  private var revision = 0

  @ObservationIgnored let keys: KeyTable
  /// Nil where pictures are not shown.
  private(set) var loader: PictureLoader?
  @ObservationIgnored private let thumbnails: ThumbnailCache
  @ObservationIgnored private let report: @MainActor (PaneReport) -> Void
  /// Whether thumbnails slide to their places; otherwise they jump.
  @ObservationIgnored private let maySlide: Bool
  @ObservationIgnored private(set) var slides = false
  @ObservationIgnored var row = SlidingRow()
  /// Where the pictures were drawn last, for the mouse.
  @ObservationIgnored var places: [(rect: CellRect, id: String)] = []

  /// Creates a carousel.
  ///
  /// - Parameters:
  ///   - output: shows its thumbnails; nil shows words instead.
  ///   - thumbnails: keeps them.
  ///   - order: the order of the favorites.
  ///   - slides: whether thumbnails may move.
  ///   - keys: the keys that its sentences name.
  ///   - report: receives messages and troubles.
  init(
    controller: ImagesController, output: (any PictureOutput)?, thumbnails: ThumbnailCache,
    order: FavoritesOrder, slides: Bool, keys: KeyTable,
    report: @escaping @MainActor (PaneReport) -> Void
  ) {
    self.controller = controller
    self.order = order
    self.keys = keys
    self.report = report
    self.thumbnails = thumbnails
    maySlide = slides
    show(by: output)
  }

  /// Shows thumbnails by `output` from now on; words where it is nil.
  func show(by output: (any PictureOutput)?) {
    slides = maySlide && output?.redrawsCheaply == true
    loader = output.map { PictureLoader(output: $0, thumbnails: thumbnails, capacity: 96) }
  }

  /// The selected picture.
  var selected: RemoteImage? {
    let list = list
    return state.selectedIndex.map { list[$0] }
  }

  /// The pictures in the order in which they are shown; observed.
  ///
  /// - Complexity: O(1) until the Store, the filter or the order changes; then O(n), or O(n log n)
  ///   if the order is not the Store's.
  var list: [RemoteImage] {
    _ = revision
    guard !isFresh else { return matches }
    isFresh = true
    matches = withObservationTracking(readList) { [weak self] in
      // The stores change on the main actor, and tell right before they do.
      MainActor.assumeIsolated { self?.markStale() }
    }
    let ids = matches.map(\.id)
    if state.ids != ids { state.update(ids) }
    return matches
  }

  private func markStale() {
    isFresh = false
    revision += 1
  }

  private func readList() -> [RemoteImage] {
    let all =
      switch collection {
      case .favorites: order.sorted(favorites)
      case .trash: controller.trashed.reversed().map(\.image)
      }
    return FavoritesFilter(filterText).apply(to: all, index: &index)
  }

  /// Reads the favorites, again after that has failed.
  ///
  /// - Throws: the engine's error if the storage cannot be read; ``problem`` tells it meanwhile.
  func load() async throws {
    do {
      try await controller.imagesHaveBeenRead()
      problem = nil
    } catch {
      if !controller.imagesHaveLoaded { problem = "Your favorites cannot be opened" }
      throw error
    }
  }

  /// The favorites; while they load, the newest of them.
  private var favorites: [RemoteImage] {
    guard !controller.imagesHaveLoaded else { return controller.images }
    // The newest say nothing about what is first in another order.
    return order == .newest ? controller.imagesExcerpt?.items ?? [] : []
  }

  /// Whether no favourite is missing, though they may still be being read.
  var hasAll: Bool {
    controller.imagesHaveLoaded
      || controller.imagesExcerpt.map { $0.items.count == $0.count } == true && order == .newest
  }

  /// Whether a filter or the trash hides the favorites, or some of them.
  var isNarrowed: Bool { !filterText.isEmpty || collection == .trash }

  /// Moves the selection.
  func move(_ move: CarouselState.Move, count: Int = 1) {
    _ = list
    state.move(move, count: count)
  }

  /// Selects a favourite, if it is one; a filter that hides it ends.
  func select(_ image: RemoteImage) {
    if collection != .favorites { collection = .favorites }
    if !filterText.isEmpty, !list.contains(where: { $0.id == image.id }) { filterText = "" }
    select(id: image.id)
  }

  /// The picture that was drawn at a place of the screen.
  func image(at point: CellPoint) -> RemoteImage? {
    guard let id = places.last(where: { $0.rect.contains(point) })?.id else { return nil }
    return list.first { $0.id == id }
  }

  /// Selects one of the pictures in view.
  func select(id: String) {
    _ = list
    state.select(id)
  }

  // MARK: What the user does

  private var actions: PictureActions { PictureActions(controller: controller) }

  /// Moves a favorite to the trash.
  func remove(_ image: RemoteImage) async { tell(await actions.remove(image)) }

  /// Moves all favorites to the trash; the caller has asked the user.
  func clear() async { tell(await actions.clear()) }

  /// The selected entry of the trash, if the trash is shown.
  var selectedEntry: TrashedImage? {
    guard collection == .trash, let image = selected else { return nil }
    return controller.trashed(image.id)
  }

  /// Makes a picture of the trash a favorite again.
  func restore(_ entry: TrashedImage) async { tell(await actions.restore(entry)) }

  private func tell(_ outcome: ActionOutcome) {
    PaneReport.all(for: outcome, ActionWords(names: keys)).forEach(report)
  }

  /// How many pictures there are, the filtered ones too; nil while that is not known.
  private var count: Int? {
    switch collection {
    case .favorites:
      controller.imagesHaveLoaded ? controller.images.count : controller.imagesExcerpt?.count
    case .trash: controller.trashHasLoaded ? controller.trashed.count : nil
    }
  }

  /// The title: what is shown, how many, in which order, by which filter.
  var title: String {
    let name = collection == .favorites ? "Favorites" : "Trash"
    guard let all = count else { return name }
    let filter = FavoritesFilter(filterText)
    var parts = [filter.isEmpty ? "\(name) (\(all))" : "\(name) (\(list.count) of \(all))"]
    if !filter.isEmpty { parts.append("/\(filterText.sanitized(upTo: 40))") }
    if collection == .favorites, order != .newest { parts.append(order.words) }
    return parts.joined(separator: " · ")
  }
}

extension FavoritesOrder {
  /// How the order is called.
  var words: String {
    switch self {
    case .newest: "newest first"
    case .oldest: "oldest first"
    case .source: "by source"
    case .caption: "by caption"
    case .size: "largest first"
    }
  }
}
