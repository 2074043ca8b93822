import Foundation
import Pantry
import Testing

@testable import Grove
@testable import PandaCore

@Suite struct FavoritesFilterTests {
  static func image(
    _ name: String, saved: TimeInterval = 0, source: String = "redpanda.club", title: String? = nil,
    caption: String? = nil, tags: [String] = [], bytes: Int = 10
  ) -> RemoteImage {
    RemoteImage(
      createdAt: Date(timeIntervalSince1970: 0), url: URL(string: "https://x/\(name)")!, width: 4,
      height: 3, dataRepresentation: Attachment(Data(count: bytes)), source: source, title: title,
      caption: caption, tags: tags, savedAt: Date(timeIntervalSince1970: saved))
  }

  // 3 October 2026 and 21 November 2026, at noon in every time zone's day.
  let images = [
    image(
      "1", saved: 1_790_985_600 + 43_200, caption: "Höhle im Schnee", tags: ["Winter", "cute"]),
    image("2", saved: 1_795_219_200 + 43_200, source: "Bamboo Grove", title: "A panda, drawn"),
    image("3", saved: 1_795_219_200 + 43_200, caption: "Straße", tags: ["winterly"]),
  ]
  let others = [
    Self.image("4", title: "sno snow"), Self.image("5", title: "레서판다"),
    Self.image("6", title: "sn"), Self.image("7", title: "s"),
  ]

  private func found(_ text: String) -> [String] {
    var index = FavoritesIndex()
    return FavoritesFilter(text).apply(to: images, index: &index).map(\.url.lastPathComponent)
  }

  @Test(arguments: [
    ("", "1 2 3"), ("   ", "1 2 3"), ("hohle", "1"), ("HÖHLE", "1"), ("höhle schnee", "1"),
    ("schnee drawn", ""), ("bamboo", "2"), ("strasse", "3"), ("winter", "1 3"), ("#winter", "1 3"),
    ("#winterl", "3"), ("#=winter", "1"), ("#=Winter cute", "1"), ("#=wint", ""),
    ("#cut winter", "1"), ("#nter", ""), ("oct 2026", "1"), ("2026-11", "2 3"),
    ("21 nov", "2 3"), ("zzz", ""), ("#", "1 3"),
  ])
  func `every word must match, ignoring case and accents`(_ text: String, _ names: String) {
    #expect(found(text).joined(separator: " ") == names)
  }

  @Test(arguments: [
    ("seen:never", "3"), ("SEEN:today", "1"), ("seen:week", "1 2"), ("seen:week drawn", "2"),
    ("seen:today seen:never", ""), ("seen:", ""), ("seen:later", ""), ("schnee seen:never", ""),
  ])
  func `favorites are found by when they were seen`(_ text: String, _ names: String) throws {
    let now = Date(timeIntervalSince1970: 1_795_300_000)
    var index = FavoritesIndex()
    index.lastSeen = [images[0].id: now - 60, images[1].id: now - 6 * 86_400]
    let filter = FavoritesFilter(text, now: { now }, in: TimeZone(secondsFromGMT: 0))
    #expect(
      filter.apply(to: images, index: &index).map(\.url.lastPathComponent)
        .joined(separator: " ") == names)
    #expect(filter.asksWhenSeen && !filter.isEmpty)
    let isKnown = !text.hasPrefix("seen:l") && text != "seen:"
    #expect((FavoritesFilter.problem(in: text) == nil) == isKnown)
  }

  @Test(arguments: [
    ("ISPARTA ığdır İzmir", "isparta igdir izmir"), ("Łódź żółw", "lodz zolw"),
    ("Ærø Þór Đà Nẵng", "aero thor da nang"), ("ＰＡＮＤＡ　１", "panda 1"),
    ("ﬂuﬀy ﬁr œuvre", "fluffy fir oeuvre"), ("Großſtadt STRAẞE", "grossstadt strasse"),
    ("Ǆ ĳs", "dz ijs"), ("Ελλάδα Йод 한국", "ελλαδα иод 한국"), ("ΣΙΣΥΦΟΣ", "Σίσυφος"),
    ("don’t “mid–day” …", "don't \"mid-day\" ..."), ("ﾚｯｻｰﾊﾟﾝﾀﾞ｡", "レッサーハンタ。"),
  ])
  func `text is compared as people type it`(_ text: String, _ typed: String) {
    #expect(TextFold.fold(text) == TextFold.fold(typed))
    #expect(TextFold.fold(typed).count == typed.count, "what is typed stays as it is")
  }

  @Test(arguments: [
    ("snow", "4"), ("now", "4"), ("sno", "4"), ("sn", "4 6"), ("snows", ""), ("판다", "5"),
    // A syllable that is being typed begins the whole one.
    ("파", "5"), ("다레", ""),
  ])
  func `a match may start anywhere, even after a partial match`(
    _ text: String, _ names: String
  ) {
    var index = FavoritesIndex()
    let found = FavoritesFilter(text).apply(to: others, index: &index)
    #expect(found.map(\.url.lastPathComponent).joined(separator: " ") == names)
  }

  @Test(arguments: [
    ("in:snow", "1"), ("IN:Snow", "1"), ("in:snow straße", ""), ("straße in:cold", "3"),
    ("in:cold in:snow", "1"), ("in:très-froid", "3"), ("in:\"tres  FROID\"", "3"),
    ("in:\"trés froid", "3"), ("in:sn", ""), ("in:", ""), ("in:none", ""),
    ("in:both", "1"), ("bin:snow", ""), ("in:café", "2"), ("in:cafe", "1"), ("in:CAFÉ drawn", "2"),
  ])
  func `in: stands for the filter of a collection`(_ text: String, _ names: String) {
    let collections = [
      ("Snow", "schnee"), ("Cold", "#winter"), ("Très froid", "in:cold #winterly"),
      ("Both", "in:snow in:cold in:snow"), ("cafe", "cute"), ("café", "drawn"),
    ].map(SavedFilter.init)
    var index = FavoritesIndex()
    let filter = FavoritesFilter(text, collections: collections)
    let found = filter.apply(to: images, index: &index)
    #expect(found.map(\.url.lastPathComponent).joined(separator: " ") == names)
    #expect(!filter.isEmpty)
  }

  @Test(
    arguments: [
      ("in:itself", .circular("Itself")), ("in:one", .circular("One")),
      ("in:two", .circular("Two")),
      ("in:to-one", .circular("One")), ("in:snow in:to-one", .circular("One")),
      ("in:none", .unknown("none")), ("in:to-none", .unknown("none")), ("in:snow", nil),
      ("in:twice", nil),
    ] as [(String, FavoritesFilter.Unresolved?)])
  func `fault 115: a filter that refers to itself, or to nothing, matches nothing`(
    _ text: String, _ unresolved: FavoritesFilter.Unresolved?
  ) {
    let collections = [
      ("Itself", "in:itself"), ("One", "in:two"), ("Two", "in:one"), ("To one", "in:one"),
      ("To none", "in:none"), ("Snow", "schnee"), ("Twice", "in:snow in:snow"),
    ].map(SavedFilter.init)
    let filter = FavoritesFilter(text, collections: collections)
    #expect(filter.unresolved == unresolved)
    var index = FavoritesIndex()
    #expect(filter.apply(to: images, index: &index).isEmpty == (unresolved != nil))
    #expect(!filter.isEmpty)
  }

  @Test func `a changed caption is searched again`() {
    var index = FavoritesIndex()
    var image = images[0]
    #expect(FavoritesFilter("sun").apply(to: [image], index: &index).isEmpty)
    image.caption = "In the sun"
    #expect(FavoritesFilter("sun").apply(to: [image], index: &index).count == 1)
  }

  @Test func `every order is stable, and the orders cycle`() {
    let images = [
      Self.image("a", saved: 3, source: "z", caption: "beta", bytes: 5),
      Self.image("b", saved: 1, source: "y", bytes: 9),
      Self.image("c", saved: 2, source: "z", caption: "Älpha", bytes: 5),
    ]
    func order(_ order: FavoritesOrder) -> String {
      order.sorted(images, now: Self.image("", saved: 9).savedAt!)
        .map(\.url.lastPathComponent).joined()
    }
    #expect(order(.newest) == "acb")
    #expect(order(.oldest) == "bca")
    #expect(order(.source) == "bac")
    #expect(order(.caption) == "cab")
    #expect(order(.size) == "bac")
    let seen = FavoritesOrder.unseen.sorted(images, now: .distantFuture) { id in
      id.hasSuffix("a") ? Sighting(id: id, lastSeenAt: .distantPast, count: 1, turn: 7) : nil
    }
    #expect(seen.map(\.url.lastPathComponent).joined() == "cba")
    var next = FavoritesOrder.newest
    for _ in FavoritesOrder.allCases { next = next.next }
    #expect(next == .newest)
  }

  @Test func `fault 93: a date in the future does not move a favorite`() {
    let images = [
      Self.image("a", saved: 1), Self.image("b", saved: 90 * 365 * 86_400),
      Self.image("c", saved: 3), Self.image("d", saved: 2),
    ]
    let sorted = FavoritesOrder.newest.sorted(images, now: Self.image("", saved: 9).savedAt!)
    #expect(sorted.map(\.url.lastPathComponent).joined() == "cdba")
    #expect(images[1].keptAt(asOf: images[2].savedAt!) == nil)
  }

  @Test(arguments: [
    ("cute, sleepy #bamboo  Cute", "cute sleepy bamboo"), ("", ""), (" # ,;", ""),
    ("##a #b,c", "a b c"), (String(repeating: "x", count: 50), String(repeating: "x", count: 40)),
  ])
  func `tags are parsed as users type them`(_ typed: String, _ text: String) {
    #expect(Tags.text(Tags.parse(typed)) == text)
  }

  @Test func `tags are counted in any case, the most used first`() {
    let images = [
      Self.image("1", tags: ["snow", "cute"]), Self.image("2", tags: ["Snow", "asleep"]),
      Self.image("3", tags: ["snow", "cute", "baby"]),
    ]
    let uses = Tags.uses(in: images).map { "\($0.tag) \($0.count)" }
    #expect(uses == ["snow 3", "cute 2", "asleep 1", "baby 1"])
  }

  @Test func `at most twenty tags are kept, and the excess is reported`() {
    func tags(_ range: ClosedRange<Int>) -> [String] { range.map { "t\($0)" } }
    #expect(Tags.parse(Tags.text(tags(1...30))).count == 20)
    #expect(Tags.excess(in: Tags.text(tags(1...20) + ["T1", "#t2"])) == nil)
    #expect(Tags.excess(in: Tags.text(tags(1...21))) == .manyTags)
    #expect(Tags.excess(in: "#" + String(repeating: "x", count: 40)) == nil)
    #expect(Tags.excess(in: "a " + String(repeating: "x", count: 41)) == .longTag)
    let edit = TagEdit("t20 t21 -t1")
    #expect(edit.excess == nil && !edit.overflows(tags(1...20)))
    #expect(TagEdit("t20 t21").overflows(tags(1...20)))
    #expect(TagEdit(String(repeating: "x", count: 41)).excess == .longTag)
  }
}
