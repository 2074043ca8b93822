import Pantry

// The snippets of the guide on one entity and many screens, compiled.

enum EntitySnippets {
  // snippet: entities
  struct Post: Codable, Equatable, Identifiable, Sendable {
    var id: String
    var author: String  // the id of an Author
    var text: String
    var favorites = 0
    var isFavorite = false
    var isRead = false  // the server knows nothing of it
  }

  struct Author: Codable, Equatable, Identifiable, Sendable {
    var id: String
    var name: String
  }
  // end

  struct Server {
    func timeline() async throws -> (posts: [Post], authors: [Author]) { ([], []) }
    func favorite(_ id: String) async throws -> Post { Post(id: id, author: "", text: "") }
  }

  @MainActor static func read(
    _ posts: Store<Post>, _ authors: Store<Author>, id: String, ids: [String]
  ) async {
    // snippet: entity-reading
    let post = posts[id]  // nil if there is none
    let shown = posts[ids]  // in the order of the ids, without those that are missing
    // end
    print(post as Any, shown)

    // snippet: entity-watching
    for await post in posts.watch(id) {
      print(post?.text ?? "it is gone")
    }
    // end

    // snippet: entity-relation
    let author = Watch { posts[id].flatMap { authors[$0.author] } }
    for await author in author { print(author?.name ?? "somebody") }
    // end
  }

  @MainActor static func list(
    _ posts: Store<Post>, _ page: [Post], _ older: [Post], directory: StorageDirectory
  ) async throws {
    // snippet: key-list
    let timeline = try await KeyList(
      named: "timeline",
      storage: SQLiteStorageEngine(directory: directory, namespace: "lists"))
    try await timeline.replaceAll(with: page.map(\.id))
    try await timeline.append(older.map(\.id))
    print(posts[timeline])  // in the order of the list
    // end
  }

  @MainActor static func merge(
    _ posts: Store<Post>, rows: [Post], gone: [String], id: String
  ) async throws {
    // snippet: merge
    try await posts.merge(rows, removing: gone) { old, new in
      var kept = new
      kept.isRead = old.isRead  // ours, not the server's
      return kept
    }
    // end

    // snippet: update
    try await posts.update(id) { $0.isRead = true }
    // end
  }

  @MainActor static func favorite(
    _ posts: Store<Post>, _ server: Server, id: String
  ) async throws {
    // snippet: optimistically
    try await posts.optimistically(
      posts.update(id) {
        $0.isFavorite = true
        $0.favorites += 1
      }
    ) {
      try await posts.merge([server.favorite(id)])
    }
    // end
  }

  // snippet: loader
  @MainActor final class TimelineController {
    let posts: Store<Post>
    let timeline: KeyList
    let loader: Loader<[String]>

    init(posts: Store<Post>, timeline: KeyList) {
      (self.posts, self.timeline) = (posts, timeline)
      loader = Loader(timeline.ids)  // what was there at the last launch
    }

    func load(_ server: Server) async {
      await loader.load {
        let page = try await server.timeline()
        try await posts.merge(page.posts)
        try await timeline.replaceAll(with: page.posts.map(\.id))
        return timeline.ids
      }
    }

    func draw() {
      switch loader.phase {
      case .initial, .loaded: break
      case .loading: print("Loading...")
      case .empty: print("There is nothing here.")
      case .failed(let error, _): print("Could not load: \(error)")
      }
      for post in posts[timeline] { print(post.text) }
    }
  }
  // end
}
