internal import FoundationEssentials
internal import PandaCore
internal import Pantry
internal import TerminalKit

/// Lists, and the pictures with a number in the last one.
extension PlainSession {
  /// Lists the favorites that match a filter, in the chosen order.
  func listFavorites(_ text: String) async {
    guard await load() else { return }
    if let problem = FavoritesFilter.problem(in: text) {
      return refuse("\(problem.sanitized(upTo: 100)).", .usage)
    }
    let filter: FavoritesFilter
    do {
      filter = try await controller.library.filter(text, now: now)
    } catch {
      return fail("Your collections cannot be read", error)
    }
    if let unknown = filter.unknownCollection {
      return refuse("There is no collection \(unknown.sanitized(upTo: 40)).", .notFound)
    }
    if filter.findsSimilar {
      do {
        try await controller.library.hashFavorites()
      } catch {
        return fail("The favorites cannot be compared", error)
      }
    }
    let all = controller.images
    let images = filter.apply(
      to: remembered.order.wrappedValue.sorted(all, now: now()),
      index: &index)
    list = NumberedList(images: images, isTrash: false)
    let pandas = all.count == 1 ? "1 favorite" : "\(all.count) favorites"
    if all.isEmpty {
      say("You have no favorites yet. \(PlainWord.favorite) keeps the picture described last.")
    } else if filter.isEmpty {
      say("\(pandas), \(remembered.order.wrappedValue.words).")
    } else {
      say(
        "\(images.count) of \(pandas) with \(text.sanitized(upTo: 40)), \(remembered.order.wrappedValue.words)."
      )
    }
    sayNumbered(images)
  }

  /// Switches to the next order, and lists the favorites in it.
  func sort() async {
    remembered.order.set(remembered.order.wrappedValue.next)
    await listFavorites("")
  }

  /// Lists the trash, the last removed picture first.
  func listTrash() async {
    guard await load() else { return }
    do {
      try await controller.library.trash.itemsHaveLoaded()
    } catch {
      return fail("The trash cannot be read", error)
    }
    let images = Array(controller.library.trashed.reversed().map(\.image))
    list = NumberedList(images: images, isTrash: true)
    switch images.count {
    case 0: say("The trash is empty.")
    case 1: say("1 panda in the trash. \(PlainWord.restore) 1 makes it a favorite again.")
    default:
      say(
        "\(images.count) pandas in the trash, the last one first."
          + " \(PlainWord.restore.usage) makes one a favorite again.")
    }
    sayNumbered(images)
  }

  private func sayNumbered(_ images: [RemoteImage]) {
    for (number, image) in images.enumerated() { say("\(number + 1). \(image.entry(now()))") }
  }

  /// Describes the picture with a number.
  func show(_ number: Int) async {
    guard let (image, _) = numbered(number) else { return }
    await describe(image)
  }

  /// Returns the picture with a number in the last list.
  ///
  /// Says why if there is none.
  func numbered(_ number: Int) -> (image: RemoteImage, isTrash: Bool)? {
    guard let list else {
      refuse(
        "Nothing was listed yet, so nothing has a number. Type \(PlainWord.list) first.", .notFound)
      return nil
    }
    guard list.images.indices.contains(number - 1) else {
      refuse(
        list.images.isEmpty
          ? "The last list was empty."
          : list.images.count == 1
            ? "The last list has number 1 only."
            : "The last list has the numbers 1 to \(list.images.count).", .notFound)
      return nil
    }
    let image = list.images[number - 1]
    return (controller.saved(image) ?? image, list.isTrash)
  }
}

extension RemoteImage {
  /// The entry in a list.
  ///
  /// Such as "Sleepy, from redpanda.club, 3 Oct 2026. Tags: snow, cute."
  func entry(_ now: Date) -> String {
    let day = keptAt(asOf: now).map { PictureDay($0).words } ?? "on an unknown day"
    let line = "\(name), from \(source), \(day)."
    return (tags.isEmpty ? line : "\(line) Tags: \(tags.joined(separator: ", ")).")
      .sanitized(upTo: 1_500)
  }
}
