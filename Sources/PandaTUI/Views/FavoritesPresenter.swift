internal import FoundationEssentials
internal import Observation
internal import PandaCore
internal import PandaSession
internal import Pantry

/// The logic of the favorites' pane: which are shown in which order, selected and marked.
///
/// It owns an ``ImagesController`` and shows the Store's items through it; it learns about
/// favorites from nothing else. Everything that a frame shows of it is observable, and reading it
/// changes nothing.
@MainActor
final class FavoritesPresenter {
  enum Collection: Hashable, Sendable {
    case favorites, trash
    /// Those of `files`, such as a folder's.
    case files(named: String)
  }

  /// The pictures that are no favorites, in their order.
  @Observed var files: [RemoteImage] = [] { didSet { markStale() } }

  let controller: ImagesController
  /// The selection when it was changed last, by the user or by a change of the list.
  private var settled = CarouselState()
  /// ``state``, until something changes.
  private var current: CarouselState?
  /// Incremented when the user changes the selection.
  @Observed private(set) var moves = 0
  /// The reason why the favorites could not be read; nil if they could.
  @Observed private(set) var problem: String?
  /// The time at which the shared library's server was lost; nil while it is reached.
  @Observed var cutOffSince: Date?
  @Observed var collection = Collection.favorites {
    didSet {
      if collection != oldValue { marks.clear() }
      markStale()
    }
  }
  @Observed var marks = Marks()
  /// The filter; an empty text shows all.
  @Observed var filterText = "" {
    didSet {
      guard filterText != oldValue else { return }
      markStale()
      if filter.findsSimilar { hashFavorites() }
    }
  }
  private var filter: FavoritesFilter {
    FavoritesFilter(filterText, collections: controller.library.collections, now: now)
  }
  /// Why nothing can match the filter; nil if something can.
  var unresolved: FavoritesFilter.Unresolved? { filter.unresolved }
  /// What the pictures are limited to, as a filter that stays; empty for all.
  var world = ""
  private var worldCount = 0
  /// Returns when favorites count as seen in place of now; nil for now.
  ///
  /// The context sets it.
  var seenBefore: @MainActor () -> [String: Date]? = { nil }
  @Observed var order: FavoritesOrder { didSet { markStale() } }
  /// The size of thumbnails in the grid of the whole screen.
  @Observed var gridSize = GridSize.standard
  /// The rows of the list in the grid that was drawn last.
  private var arranged: (rows: GridRows, isSectioned: Bool)?
  /// The sections of the list; nil until they are needed.
  private var knownSections: [GridRows.Section]?
  private var index = FavoritesIndex()
  private var isHashing = false
  let collectionCounts = CollectionCounts()
  private var matches: [RemoteImage] = []
  private var isFresh = false
  /// Incremented when the list has become outdated.
  @Observed private var revision = 0

  let keys: KeyTable
  private let report: @MainActor (PaneReport) -> Void
  private let now: () -> Date

  /// Creates a presenter.
  ///
  /// - Parameters:
  ///   - order: the order of the favorites.
  ///   - keys: the keys for its hints.
  ///   - now: returns the date.
  ///   - report: receives messages and problems.
  init(
    controller: ImagesController, order: FavoritesOrder, keys: KeyTable,
    now: @escaping () -> Date, report: @escaping @MainActor (PaneReport) -> Void
  ) {
    self.controller = controller
    self.order = order
    self.keys = keys
    self.now = now
    self.report = report
  }

  // MARK: The selection

  /// The selected favorite and the visible ones, as the list is now; observed.
  var state: CarouselState {
    _ = moves
    let list = list
    if let current { return current }
    var state = settled
    state.update(list.map(\.id))
    current = state
    return state
  }

  func select(_ change: (inout CarouselState) -> Void) {
    var state = state
    change(&state)
    (settled, current) = (state, state)
    moves += 1
  }

  /// Takes over how a frame has arranged the favorites, unless the user has moved since.
  func wasDrawn(_ state: CarouselState, after moves: Int) {
    guard moves == self.moves, let current, current.ids == state.ids else { return }
    (settled, self.current) = (state, state)
  }

  var selected: RemoteImage? {
    let list = list
    return state.selectedIndex.map { list[$0] }
  }

  /// Returns the selected picture and those after it, at most so many.
  func selected(_ count: Int) -> [RemoteImage] {
    let list = list
    return state.selectedIndex.map { Array(list[$0...].prefix(count)) } ?? []
  }

  /// The pictures in display order; observed.
  ///
  /// - Complexity: O(1) until the Store, the filter or the order changes; then O(n), or O(n log n)
  ///   if the order is not the Store's.
  var list: [RemoteImage] {
    _ = revision
    guard !isFresh else { return matches }
    isFresh = true
    matches = withObservationTracking(readList) { [weak self] in
      // The stores change on the main actor, and notify right before a change.
      MainActor.assumeIsolated { self?.markStale() }
    }
    (arranged, knownSections, current) = (nil, nil, nil)
    return matches
  }

  /// Returns the rows of the list in a grid.
  ///
  /// - Parameter isSectioned: whether each month or source begins a row.
  /// - Complexity: O(1) until the list or the grid changes; then O(n).
  func gridRows(columns: Int, isSectioned: Bool = false) -> GridRows {
    let list = list
    if let arranged, arranged.rows.columns == columns, arranged.isSectioned == isSectioned {
      return arranged.rows
    }
    let rows = GridRows(
      count: list.count, columns: columns, sections: isSectioned ? sections : [])
    arranged = (rows, isSectioned)
    return rows
  }

  /// The sections of the list: months or sources; empty in the trash and in other orders.
  ///
  /// - Complexity: O(1) until the list changes; then O(n).
  var sections: [GridRows.Section] {
    let list = list
    if let knownSections { return knownSections }
    let sections = collection == .favorites ? order.sections(of: list, now: now()) : []
    knownSections = sections
    return sections
  }

  private func markStale() {
    isFresh = false
    revision += 1
    // A selection whose picture goes is settled before the next one goes.
    Task { [weak self] in
      guard let self else { return }
      settled = state
    }
  }

  private func readList() -> [RemoteImage] {
    let all =
      switch collection {
      case .favorites:
        order.sorted(favorites, now: now()) { controller.library.sightings[$0] }
      case .trash: controller.library.trashed.reversed().map(\.image)
      case .files: files
      }
    let filter = filter
    let worldFilter = FavoritesFilter(
      world, collections: controller.library.collections, now: now)
    if filter.asksWhenSeen || worldFilter.asksWhenSeen {
      index.lastSeen = seenBefore() ?? controller.library.sightings.dates
    }
    guard !world.isEmpty else { return filter.apply(to: all, index: &index) }
    let world = worldFilter.apply(to: all, index: &index)
    worldCount = world.count
    return filter.apply(to: world, index: &index)
  }

  /// Returns how many favorites match each filter, as far as they were counted; observed.
  func counts(of filters: [String]) -> [String: Int] {
    collectionCounts.counts(of: filters, named: controller.library.collections, at: now()) {
      (favorites, controller.library.sightings.dates)
    }
  }

  /// Makes all favorites comparable; those of earlier versions may not be.
  private func hashFavorites() {
    guard !isHashing else { return }
    isHashing = true
    Task {
      defer { isHashing = false }
      do {
        let count = try await controller.library.hasher.incomparableCount
        if count > 0 {
          report(.message(.info("Comparing \(count == 1 ? "1 panda" : "\(count) pandas")")))
        }
        try await controller.library.hasher.hashFavorites()
        if count > 0, try await controller.library.hasher.incomparableCount == 0 {
          report(.message(.info("All pandas were compared")))
        }
      } catch {
        let what = "The favorites cannot be compared"
        report(.trouble(Trouble(what, error, at: now())))
        report(.message(.problem("\(what): \(userMessage(for: error))")))
      }
    }
  }

  /// Reads the favorites; also retries after a failure.
  ///
  /// - Throws: the engine's error if the storage cannot be read; ``problem`` has its message.
  func load() async throws {
    do {
      try await controller.imagesHaveBeenRead()
      problem = nil
    } catch {
      if !controller.imagesHaveLoaded {
        problem =
          switch ExitStatus(for: error) {
          case .busy: userMessage(for: error)
          case .network: "The server of your favorites cannot be reached"
          default: StorageWords.unreadable
          }
      }
      throw error
    }
  }

  /// The favorites; while they load, the newest ones.
  private var favorites: [RemoteImage] {
    guard !controller.imagesHaveLoaded else { return controller.images }
    // In another order, the newest favorites are not the first ones.
    return order == .newest ? controller.imagesExcerpt?.items ?? [] : []
  }

  /// Whether all favorites are known, even if some are still being read.
  var hasAll: Bool {
    controller.imagesHaveLoaded || !files.isEmpty
      || controller.imagesExcerpt.map { $0.items.count == $0.count } == true && order == .newest
  }

  var isFiltered: Bool { collection == .favorites && !filter.isEmpty }

  /// Whether a filter or the trash hides some or all favorites.
  var isNarrowed: Bool { !filterText.isEmpty || collection == .trash }

  func move(_ move: Command.Move, count: Int = 1) { select { $0.move(move, count: count) } }

  /// Selects a favorite; a filter that hides it is removed.
  func select(_ image: RemoteImage) {
    if collection != .favorites { collection = .favorites }
    if !filterText.isEmpty, !list.contains(where: { $0.id == image.id }) { filterText = "" }
    select(id: image.id)
  }

  /// Selects the favorite that was undone or redone last, so that the user sees it.
  func select(after outcome: ActionOutcome) {
    switch outcome {
    case .done(.undone(let changes)), .done(.redone(let changes)):
      guard collection == .favorites, let change = changes.last(where: { $0.image != nil }),
        let image = change.image, controller.isSaved(image)
      else { return }
      // A changed picture stays where it is, even outside of a filter.
      if change.bringsBack || list.contains(where: { $0.id == image.id }) { select(image) }
    default: break
    }
  }

  func select(id: String) { select { $0.select(id) } }

  // MARK: User actions

  /// Moves favorites to the trash, in one step that can be undone.
  ///
  /// Those that were marked no longer are; after a failure they still are.
  ///
  /// - Returns: whether they were moved.
  @discardableResult
  func remove(_ images: [RemoteImage]) async -> Bool {
    guard announce(await controller.remove(images)) else { return false }
    marks.remove(images.map(\.id))
    return true
  }

  /// Moves all favorites to the trash; the caller has asked for confirmation.
  func clear() async { announce(await controller.clear()) }

  /// Makes trashed pictures favorites again; marked ones no longer are, as above.
  func restore(_ entries: [TrashedImage]) async {
    if announce(await controller.restore(entries)) { marks.remove(entries.map(\.id)) }
  }

  /// Deletes trashed pictures for good; the caller has asked for confirmation.
  func purge(_ entries: [TrashedImage]) async {
    if announce(await controller.purge(entries)) { marks.remove(entries.map(\.id)) }
  }

  /// Reports an outcome; returns whether something was changed.
  @discardableResult
  private func announce(_ outcome: ActionOutcome) -> Bool {
    PaneReport.all(for: outcome, ActionWords(names: keys), at: now()).forEach(report)
    if case .done = outcome { return true }
    return false
  }

  /// The number of pictures, including filtered ones; nil while it is unknown.
  private var count: Int? {
    if !world.isEmpty {
      _ = list
      return worldCount
    }
    return switch collection {
    case .favorites:
      controller.imagesHaveLoaded ? controller.images.count : controller.imagesExcerpt?.count
    case .trash: controller.library.trash.hasLoaded ? controller.library.trashed.count : nil
    case .files: files.count
    }
  }

  /// Whether there are certainly no favorites, and nothing else is shown in their place.
  var isKnownEmpty: Bool { collection == .favorites && problem == nil && count == 0 }

  /// Whether there is nothing to show yet, or at all: the favorites are one line.
  var isFolded: Bool {
    isKnownEmpty
      || collection == .favorites && problem == nil && !controller.imagesHaveLoaded && list.isEmpty
  }

  /// The title: the collection, its count, its order and its filter.
  var title: String { title(upTo: .max) }

  /// The title in fewer columns: where it does not fit, a star stands for the word, and what
  /// matters least is left out.
  func title(upTo columns: Int) -> String {
    var parts = titleParts(named: collection.name)
    func title() -> String { parts.map(\.text).joined(separator: " · ") }
    if title().columns > columns, collection == .favorites { parts = titleParts(named: "★") }
    while title().columns > columns, parts.count > 1 {
      let least = parts.map(\.rank).max()
      parts.removeAll { $0.rank == least }
    }
    return title()
  }

  /// The parts of the title; the higher the rank, the less it matters.
  private func titleParts(named name: String) -> [(text: String, rank: Int)] {
    let filter = filter
    var parts = [(text: name, rank: 0)]
    if let count {
      let number = filter.isEmpty ? "\(count)" : "\(list.count) of \(count)"
      parts = [(name == "★" ? "★ \(number)" : "\(name) (\(number))", 0)]
    }
    if !filter.isEmpty {
      parts.append(("/\(filterText.sanitized(upTo: 200).shortened(to: 41))", 4))
    }
    if collection == .favorites, order != .newest { parts.append((order.words, 5)) }
    let marked = marked.count
    if marked > 0 { parts.append(("\(marked) marked", 3)) }
    if controller.library.reasonNotSaved != nil { parts.append(("not saved", 1)) }
    if let cutOffSince { parts.append(("cut off since \(ClockTime(cutOffSince).words)", 2)) }
    return parts
  }
}

extension FavoritesPresenter.Collection {
  /// The name in the title, sanitized.
  fileprivate var name: String {
    switch self {
    case .favorites: "Favorites"
    case .trash: "Trash"
    case .files(let name): name.sanitized(upTo: 60)
    }
  }
}
