internal import PandaCore

extension Anniversary {
  /// The sentence for a launch, without a period.
  ///
  /// Such as "A year ago today you kept “Snowy nap” and 2 others".
  ///
  /// - Parameter author: the user's name in a shared library.
  package func sentence(author: String?) -> String {
    let time = isOfOneYear ? Self.words(years) : "On this day in earlier years"
    let names = [image.caption, image.title].compactMap { $0?.sanitized(upTo: 200) }
    let name = names.first { name in name.contains { $0 != " " } }
    let what = name.map { "“\($0.shortened(to: 30))”" } ?? "a red panda"
    let more = others == 0 ? "" : " and \(others == 1 ? "another one" : "\(others) others")"
    guard image.savedBy != nil, image.savedBy != author || others > 0 else {
      return "\(time) you kept \(what)\(more)"
    }
    // Of several, others may have kept some.
    return others > 0
      ? "\(time) \(what)\(more) were kept"
      : "\(time) \(image.savedBy?.sanitized(upTo: 40) ?? "") kept \(what)"
  }

  /// The effect of the filter, after the key or the word for it.
  package var hint: String { "\(FavoritesFilter.today) shows \(others == 0 ? "it" : "them")" }
}
