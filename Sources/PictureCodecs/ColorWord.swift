/// A color with a name in plain English, as an example of similar ones.
struct ColorWord: Sendable {
  /// A group of similar names, of which a description uses only one: the most frequent.
  enum Family: CaseIterable, Sendable {
    case white, gray, black, cream, brown, rust, yellow, green, teal, blue, purple, pink, red
  }

  package let family: Family
  package let name: String
  package let color: OklabColor

  /// Returns the word whose color is most similar; the first in case of a tie.
  package static func nearest(to color: OklabColor) -> ColorWord {
    var nearest = all[0]
    var least = Double.infinity
    for word in all {
      let difference = color.difference(from: word.color)
      if difference < least { (nearest, least) = (word, difference) }
    }
    return nearest
  }

  /// A name has several examples where it covers a wide range of colors: many for the surroundings
  /// of red pandas, and for their fur in sun and in shade.
  private static let all: [ColorWord] = examples.flatMap { family, names in
    names.flatMap { name, colors in
      colors.map { ColorWord(family: family, name: name, color: OklabColor($0)) }
    }
  }

  private static let examples: [(Family, [(String, [UInt32])])] = [
    (.white, [("white", [0xFFFFFF, 0xF2F2F0])]),
    (
      .gray,
      [
        ("light gray", [0xCCCCCC, 0xC4CCC8]), ("gray", [0x8E8E8E, 0x888F8C]),
        ("dark gray", [0x4A4A4A]),
      ]
    ),
    (.black, [("black", [0x000000, 0x1C1A1A, 0x1E1A26])]),
    (.cream, [("cream", [0xF8ECD2, 0xF3E0BC]), ("beige", [0xD9C3A0])]),
    (
      .brown,
      [
        ("dark brown", [0x3B2314]), ("brown", [0x6B4426, 0x7F5A3C]), ("light brown", [0xA98258]),
        ("gray brown", [0x7A6A5C]),
      ]
    ),
    (
      .rust,
      [
        ("rust brown", [0xA8461A, 0x8A3312, 0xB5522A, 0xC9662B]), ("dark rust", [0x5E200C]),
        ("orange", [0xF08020, 0xE07028, 0xFFA500]), ("light orange", [0xF4AE6A]),
      ]
    ),
    (
      .yellow,
      [("yellow", [0xF6D23A, 0xFFFF20]), ("pale yellow", [0xF4EAA0]), ("dark yellow", [0xB8962A])]
    ),
    (
      .green,
      [
        ("dark green", [0x1E4420, 0x37502C]), ("light green", [0x9CCB9D, 0xB2DAAE]),
        ("green", [0x3C8A3C, 0x5E9A55, 0x64863F, 0x7C9C5C, 0x4F7A3A]),
        ("bright green", [0x30E030]), ("olive green", [0x6B6B30, 0x8F8C50]),
        ("yellow green", [0xA8C84A]), ("gray green", [0x7E917C]),
      ]
    ),
    (
      .teal,
      [
        ("teal", [0x2A8A88]), ("dark teal", [0x17494C]), ("light teal", [0x8CC7B8]),
        ("turquoise", [0x30E0E0]),
      ]
    ),
    (
      .blue,
      [
        ("blue", [0x2F6FD0, 0x2020F0]), ("dark blue", [0x16264E, 0x0E1B3A]),
        ("sky blue", [0x6DB8E4, 0x87CEEB]), ("light blue", [0xA9D3EA]), ("gray blue", [0x7088A4]),
      ]
    ),
    (
      .purple,
      [
        ("purple", [0x7A3FA0]), ("dark purple", [0x3A2454]), ("light purple", [0xB79AD4]),
        ("mauve", [0x8A5A6C, 0xA37682]), ("gray purple", [0x5E4E66]),
      ]
    ),
    (.pink, [("pink", [0xF09AB0, 0xE85A92]), ("pale pink", [0xF6D2D6])]),
    (.red, [("red", [0xD0202A, 0xFF0000]), ("dark red", [0x7A1220])]),
  ]
}
