enum Pose: CaseIterable, Sendable {
  case portrait
  case sitting
  case greeting
  case dozing
  case peeking
}

/// The place and time of the scene.
enum Setting: CaseIterable, Sendable {
  case morning
  case noon
  case dusk
  case night
  case snow
  case autumn
}

enum Expression: CaseIterable, Sendable {
  case curious
  case happy
  case tongue
  case wink
  case asleep
}

/// A natural adornment on the panda's head.
enum Adornment: Sendable {
  case nothing
  case bambooLeaf
  case mapleLeaf
  case blossom
  case snow
  case butterfly
}

/// A momentary pose of the panda; not a choice of the seed.
package enum GroveMoment: CaseIterable, Sendable {
  case still
  case blink
  /// An ear is turned.
  case twitch
}

/// All the choices that a seed makes about a drawing.
struct Recipe: Sendable {
  var moment = GroveMoment.still
  var pose: Pose
  var setting: Setting
  var expression: Expression
  var adornment: Adornment
  /// The color of the fur, from ginger (0) to brick red (1).
  var hue: Double
  /// The shape of the ears, from round (0) to pointed (1).
  var earPoint: Double
  var earSize: Double
  var cheekWidth: Double
  var eyeSize: Double
  /// The tilt of the head, in radians.
  var tilt: Double
  /// The direction of the eyes, -1 to 1 on each axis.
  var gaze: Point
  var mirrored: Bool
  var blush: Bool

  init(from generator: inout SeededGenerator) {
    pose = generator.pick(Pose.allCases)
    setting = generator.pick(Setting.allCases)
    expression = generator.pick([
      .curious, .curious, .curious, .happy, .happy, .tongue, .tongue, .wink,
    ])
    switch setting {
    case .snow: adornment = generator.pick([.snow, .snow, .bambooLeaf, .nothing])
    case .autumn: adornment = generator.pick([.mapleLeaf, .mapleLeaf, .butterfly, .nothing])
    case .night: adornment = generator.pick([.nothing, .nothing, .bambooLeaf, .blossom])
    case .morning, .noon, .dusk:
      adornment = generator.pick([.nothing, .bambooLeaf, .blossom, .butterfly, .blossom])
    }
    hue = generator.unit()
    earPoint = generator.unit()
    earSize = generator.number(0.92, 1.1)
    cheekWidth = generator.number(0.96, 1.07)
    eyeSize = generator.number(0.93, 1.12)
    tilt = generator.number(-0.22, 0.22)
    gaze = Point(generator.number(-1, 1), generator.number(-0.7, 0.8))
    mirrored = generator.chance(0.5)
    blush = generator.chance(0.6)
    if pose == .dozing { expression = .asleep }
    if pose == .greeting, expression == .curious, generator.chance(0.5) { expression = .happy }
  }

  /// What the panda does where, in a few words: "dozing in snow".
  var title: String {
    let subject =
      switch pose {
      case .portrait: mood
      case .sitting: "munching bamboo"
      case .greeting: "arms up"
      case .dozing: "dozing"
      case .peeking: "peeking"
      }
    return "\(subject) \(time)"
  }

  private var mood: String {
    switch expression {
    case .curious: "looking about"
    case .happy: "beaming"
    case .tongue: "tongue out"
    case .wink: "winking"
    case .asleep: "asleep"
    }
  }

  private var time: String {
    switch setting {
    case .morning: "in mist"
    case .noon: "at noon"
    case .dusk: "at dusk"
    case .night: "at night"
    case .snow: "in snow"
    case .autumn: "in autumn"
    }
  }
}
