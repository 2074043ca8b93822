internal import Pantry

/// The data of the screens, each item once, and the actions on it.
///
/// Posts and authors are separate stores; the timeline is a list of identifiers of posts. The
/// server's answers go to the stores by `merge`, and so to all screens.
@MainActor
final class TimelineModel {
  let posts: Store<Post>
  let authors: Store<Author>
  /// The posts of the timeline, newest first; it survives a relaunch.
  let timeline: KeyList

  let timelineLoader: Loader<[String]>
  let postLoader = Loader<Post>()
  let authorLoader = Loader<Author>()

  private let client: TimelineClient

  /// Opens the stores in `directory`; with nil, empty stores in memory.
  ///
  /// - Throws: the engine's error if it cannot be read.
  init(directory: StorageDirectory?, client: TimelineClient) async throws {
    func engine(_ namespace: String) throws -> any StorageEngine {
      guard let directory else { return MemoryStorageEngine() }
      return try SQLiteStorageEngine(directory: directory, namespace: namespace)
    }
    posts = try await Store(storage: engine("posts"))
    authors = try await Store(storage: engine("authors"))
    timeline = try await KeyList(named: "timeline", storage: engine("lists"))
    timelineLoader = Loader(timeline.ids.isEmpty ? nil : timeline.ids)
    self.client = client
  }

  // MARK: Relations

  /// Returns the author of a post; a screen depends on what it reads here.
  func author(of post: Post) -> Author? { authors[post.author] }

  /// Returns the posts of an author, those of the timeline first.
  func posts(by author: String) -> [Post] {
    let shown = posts[timeline].filter { $0.author == author }
    return shown + posts.items.filter { $0.author == author && !timeline.contains($0.id) }
  }

  // MARK: Loading

  /// Loads the timeline; the result is in the loader's phase.
  func loadTimeline() async {
    await timelineLoader.load {
      let page = try await client.timeline()
      // The authors first, so that no post is shown without one.
      try await authors.merge(page.authors)
      try await posts.merge(page.posts)
      try await timeline.replaceAll(with: page.posts.map(\.id))
      return timeline.ids
    }
  }

  /// Loads a post and its author.
  func loadPost(_ id: String) async {
    await postLoader.load {
      let post = try await client.post(id)
      try await authors.merge([client.author(post.author)])
      try await posts.merge([post])
      return post
    }
  }

  /// Loads an author.
  func loadAuthor(_ id: String) async {
    await authorLoader.load {
      let author = try await client.author(id)
      try await authors.merge([author])
      return author
    }
  }

  // MARK: Actions

  /// Toggles a favorite on all screens at once, and rolls back if the server refuses.
  func toggleFavorite(_ id: String) async throws {
    guard let isFavorite = posts[id].map({ !$0.isFavorite }) else { return }
    try await posts.optimistically(posts.update(id) { $0.setFavorite(isFavorite) }) {
      // The server may count more favorites than this program knows of.
      try await posts.merge([client.setFavorite(isFavorite, post: id)])
    }
  }

  /// Renames an author, after the server has.
  func rename(_ author: String, to name: String) async throws {
    try await authors.merge([client.rename(author, to: name)])
  }
}
