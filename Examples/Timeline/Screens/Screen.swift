internal import Pantry

/// One of the three screens.
enum Screen: Equatable {
  case timeline
  case post(String)
  case author(String)
}

/// Renders the screens as lines, from the stores: a screen has no data of its own.
@MainActor
struct ScreenRenderer {
  let model: TimelineModel

  /// Returns the title, and below it the lines of a screen.
  func lines(of screen: Screen, selection: Int) -> [String] {
    switch screen {
    case .timeline:
      ["Timeline"] + status(of: model.timelineLoader.phase)
        + list(posts(of: screen), selection: selection)
    case .post(let id): ["Post"] + status(of: model.postLoader.phase) + detail(id)
    case .author(let id):
      ["Profile"] + status(of: model.authorLoader.phase) + profile(id)
        + list(posts(of: screen), selection: selection)
    }
  }

  /// Returns the posts that can be selected on a screen.
  func posts(of screen: Screen) -> [Post] {
    switch screen {
    case .timeline: model.posts[model.timeline]
    case .post(let id): model.posts[[id]]
    case .author(let id): model.posts(by: id)
    }
  }

  private func list(_ posts: [Post], selection: Int) -> [String] {
    posts.enumerated().map { index, post in
      "\(index == selection ? ">" : " ") \(favorites(post)) \(name(post)): \(post.text)"
    }
  }

  private func detail(_ id: String) -> [String] {
    guard let post = model.posts[id] else { return ["There is no such post."] }
    return ["", post.text, "", "by \(name(post))", favorites(post)]
  }

  private func profile(_ id: String) -> [String] {
    guard let author = model.authors[id] else { return ["There is no such author."] }
    return ["", author.name, author.about, ""]
  }

  private func name(_ post: Post) -> String { model.author(of: post)?.name ?? "somebody" }

  private func favorites(_ post: Post) -> String {
    "[\(post.isFavorite ? "*" : " ")\(post.favorites)]"
  }

  /// Returns the loading state; the previous content is shown below.
  private func status<Value>(of phase: Phase<Value>) -> [String] {
    switch phase {
    case .initial, .loaded: []
    case .loading: ["Loading..."]
    case .empty: ["There is nothing here."]
    case .failed(let error, _): ["Could not load: \(error)"]
    }
  }
}
