internal import FoundationEssentials

/// The server's data, and its answers.
struct ServerState {
  var page: Page
  var isOutOfOrder = false

  init(_ page: Page) { self.page = page }

  /// The server's answer to a request that it refuses.
  struct Refusal: Codable, Error {
    var status: Int
    var error: String

    static let noSuchThing = Refusal(status: 404, error: "there is no such thing")
  }

  /// Answers a request with a status and JSON.
  mutating func answer(method: String, path: String, body: Data) -> (status: String, body: Data) {
    do {
      if isOutOfOrder { throw Refusal(status: 503, error: "the server is out of order") }
      let words = path.split(separator: "/").map(String.init)
      switch (method, words.first, words.dropFirst().first, words.dropFirst(2).first) {
      case ("GET", "timeline", nil, nil): return try answer(page)
      case ("GET", "posts", let id?, nil): return try answer(page.posts[post(id)])
      case ("GET", "authors", let id?, nil): return try answer(page.authors[author(id)])
      case ("POST", "posts", let id?, "favorite"): return try setFavorite(true, id)
      case ("POST", "posts", let id?, "unfavorite"): return try setFavorite(false, id)
      case ("PATCH", "authors", let id?, nil): return try rename(id, body)
      default: throw Refusal.noSuchThing
      }
    } catch let refusal as Refusal {
      return refused(refusal)
    } catch {
      return refused(Refusal(status: 400, error: "this is not the JSON that was expected"))
    }
  }

  private mutating func setFavorite(
    _ isFavorite: Bool, _ id: String
  ) throws -> (status: String, body: Data) {
    let index = try post(id)
    page.posts[index].setFavorite(isFavorite)
    return try answer(page.posts[index])
  }

  private mutating func rename(_ id: String, _ body: Data) throws -> (status: String, body: Data) {
    let index = try author(id)
    let name = try JSONDecoder().decode(Renaming.self, from: body).name
    guard !name.isEmpty else { throw Refusal(status: 422, error: "a name has letters") }
    page.authors[index].name = name
    return try answer(page.authors[index])
  }

  private func post(_ id: String) throws -> Int {
    guard let index = page.posts.firstIndex(where: { $0.id == id }) else {
      throw Refusal.noSuchThing
    }
    return index
  }

  private func author(_ id: String) throws -> Int {
    guard let index = page.authors.firstIndex(where: { $0.id == id }) else {
      throw Refusal.noSuchThing
    }
    return index
  }

  private func answer(_ value: some Encodable) throws -> (status: String, body: Data) {
    ("200 OK", try JSONEncoder().encode(value))
  }

  private func refused(_ refusal: Refusal) -> (status: String, body: Data) {
    // The status line has the reason too.
    ("\(refusal.status) Refused", (try? JSONEncoder().encode(refusal)) ?? Data())
  }
}

/// The body of a request to rename an author.
struct Renaming: Codable {
  var name: String
}

extension Page {
  /// The initial data of the server.
  static let seed = Page(
    posts: [
      Post(id: "5", author: "mei", text: "Bamboo again. I am not complaining.", favorites: 7),
      Post(id: "4", author: "tian", text: "Slept in a tree. Woke up in another.", favorites: 12),
      Post(id: "3", author: "mei", text: "Snow! My fur was made for this.", favorites: 31),
      Post(id: "2", author: "ruo", text: "Who hid my apple?", favorites: 2),
      Post(id: "1", author: "tian", text: "Hello, forest.", favorites: 4),
    ],
    authors: [
      Author(id: "mei", name: "Mei", about: "Climbs, eats, repeats."),
      Author(id: "tian", name: "Tian", about: "Mostly asleep."),
      Author(id: "ruo", name: "Ruo", about: "Looks for apples."),
    ])
}
