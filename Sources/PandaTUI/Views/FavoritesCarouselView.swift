internal import PandaCore
internal import Pantry
internal import TerminalKit

/// The carousel: the favourites, or what is in the trash.
///
/// It owns an ``ImagesController`` of its own and shows what the Store holds through it; nobody
/// tells it about favourites.
@MainActor
final class FavoritesCarouselView {
  /// What it shows.
  enum Collection: Hashable, Sendable {
    case favorites, trash
  }

  let controller: ImagesController
  var state = CarouselState()
  /// Why the favourites could not be read, if they could not.
  var problem: String?
  /// What else is said where there are no favorites.
  var emptyHint: String?
  /// What it shows now.
  var collection = Collection.favorites { didSet { update() } }
  /// What the person looks for among them; empty for all.
  var filterText = "" { didSet { if filterText != oldValue { update() } } }
  /// In which order favourites are shown.
  var order: FavoritesOrder { didSet { update() } }
  /// The pictures in the order in which they are shown.
  private(set) var list: [RemoteImage] = []
  private var index = FavoritesIndex()

  let keys: KeyTable
  /// Nil where pictures are not shown.
  var loader: PictureLoader?
  private let thumbnails: ThumbnailCache
  private let onChange: @MainActor () -> Void
  private let onMessage: @MainActor (Message) -> Void
  private let onTrouble: @MainActor (Trouble) -> Void
  /// Whether thumbnails slide to where they belong; otherwise they are there at once.
  private let maySlide: Bool
  private(set) var slides = false
  var row = SlidingRow()
  /// Where the pictures were drawn last, for the mouse.
  var places: [(rect: CellRect, id: String)] = []

  /// Creates a carousel.
  ///
  /// - Parameters:
  ///   - output: how its thumbnails are shown; nil shows words instead.
  ///   - thumbnails: where they are kept.
  ///   - order: in which order favourites are shown.
  ///   - slides: whether they may move.
  ///   - keys: which keys the messages name.
  ///   - onChange: told when the carousel looks different.
  ///   - onMessage: told what the person should read.
  ///   - onTrouble: told what went wrong.
  init(
    controller: ImagesController, output: (any PictureOutput)?, thumbnails: ThumbnailCache,
    order: FavoritesOrder, slides: Bool, keys: KeyTable,
    onChange: @escaping @MainActor () -> Void, onMessage: @escaping @MainActor (Message) -> Void,
    onTrouble: @escaping @MainActor (Trouble) -> Void
  ) {
    self.controller = controller
    self.order = order
    self.keys = keys
    self.onMessage = onMessage
    self.onChange = onChange
    self.onTrouble = onTrouble
    self.thumbnails = thumbnails
    maySlide = slides
    show(by: output)
  }

  /// Shows thumbnails by `output` from now on; words where it is nil.
  func show(by output: (any PictureOutput)?) {
    slides = maySlide && output?.redrawsCheaply == true
    loader = output.map {
      PictureLoader(output: $0, thumbnails: thumbnails, capacity: 96, onChange: onChange)
    }
  }

  /// The selected picture.
  var selected: RemoteImage? { state.selectedIndex.map { list[$0] } }

  /// Follows the Store: call it when what it holds has changed.
  ///
  /// - Complexity: O(n); O(n log n) where the order is not that of the Store.
  func update() {
    // They may have been read after all, at the next attempt.
    if controller.imagesHaveLoaded { problem = nil }
    let all =
      switch collection {
      case .favorites: order.sorted(favorites)
      case .trash: controller.library.trashed.reversed().map(\.image)
      }
    list = FavoritesFilter(filterText).apply(to: all, index: &index)
    state.update(list.map(\.id))
  }

  /// The favourites; while they are being read, the newest of them.
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
  func move(_ move: CarouselState.Move, count: Int = 1) { state.move(move, count: count) }

  /// Selects a favourite, if it is one; a filter that hides it ends.
  func select(_ image: RemoteImage) {
    if collection != .favorites { collection = .favorites }
    if !filterText.isEmpty, !list.contains(where: { $0.id == image.id }) { filterText = "" }
    state.select(image.id)
  }

  /// The picture that was drawn at a place of the screen.
  func image(at point: CellPoint) -> RemoteImage? {
    guard let id = places.last(where: { $0.rect.contains(point) })?.id else { return nil }
    return list.first { $0.id == id }
  }

  /// Selects one of the pictures in view.
  func select(id: String) { state.select(id) }

  // MARK: What the person does

  /// Removes a favourite.
  func remove(_ image: RemoteImage) async {
    await perform("Not removed", retriedBy: .remove) {
      keys.wordsForRemoved(try await controller.removeImage(image: image))
    }
  }

  /// Removes all favourites; who calls it has asked.
  func clear() async {
    await perform("Not cleared", retriedBy: .clear) {
      guard try await controller.clearAllImages() > 0 else {
        return "There are no favorites to remove"
      }
      return keys.sentence(
        "All favorites are in the trash for \(ImageLibrary.trashDays) days", then: .undo, "undoes")
    }
  }

  /// The selected entry of the trash, if the trash is shown.
  var selectedEntry: TrashedImage? {
    guard collection == .trash, let id = state.selection else { return nil }
    return controller.library.trash[id]
  }

  /// Makes a picture of the trash a favourite again.
  func restore(_ entry: TrashedImage) async {
    await perform("Not restored", retriedBy: .favorite) {
      try await controller.library.restore([entry]) > 0
        ? "A favorite again, in its place" : "It is a favorite already"
    }
  }

  /// Does what changes the Store, and says the words that it comes to.
  private func perform(
    _ failure: String, retriedBy command: Command, _ work: () async throws -> String
  ) async {
    do {
      onMessage(.info(try await work()))
    } catch {
      onTrouble(Trouble(failure, error))
      onMessage(
        .problem(
          keys.sentence("\(failure): \(userMessage(for: error))", then: command, "tries again")))
    }
  }

  /// How many pictures there are, the filtered ones too; nil while that is not known.
  private var count: Int? {
    switch collection {
    case .favorites:
      controller.imagesHaveLoaded ? controller.images.count : controller.imagesExcerpt?.count
    case .trash: controller.library.trash.hasLoaded ? controller.library.trashed.count : nil
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

extension KeyTable {
  /// What is said of a picture that was to be removed.
  @MainActor func wordsForRemoved(_ wasFavorite: Bool) -> String {
    // Who types a key twice must not read that it was done twice.
    guard wasFavorite else { return "It is in the trash already" }
    return sentence("In the trash for \(ImageLibrary.trashDays) days", then: .undo, "undoes")
  }
}
