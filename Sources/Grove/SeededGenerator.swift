/// A reproducible stream of random numbers: the same seed always produces the same numbers.
///
/// SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014). The
/// range functions are our own: the standard library may change how it maps bits to a range.
struct SeededGenerator: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// Creates a stream; every seed, including 0, is equally good.
  init(seed: UInt64) {
    state = seed
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var bits = state
    bits = (bits ^ (bits &>> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits &>> 27)) &* 0x94D0_49BB_1331_11EB
    return bits ^ (bits &>> 31)
  }

  /// Returns a number from 0 up to but not including 1.
  mutating func unit() -> Double {
    Double(next() &>> 11) * 0x1p-53
  }

  mutating func number(_ low: Double, _ high: Double) -> Double {
    low + (high - low) * unit()
  }

  /// Returns an integer from 0 up to but not including `count`, which must be positive.
  mutating func index(below count: Int) -> Int {
    precondition(count > 0, "an index needs something to choose from")
    return Int(next().multipliedFullWidth(by: UInt64(count)).high)
  }

  mutating func chance(_ probability: Double) -> Bool {
    unit() < probability
  }

  /// Returns one of `choices`, which must not be empty.
  mutating func pick<Choice>(_ choices: [Choice]) -> Choice {
    choices[index(below: choices.count)]
  }

  /// Returns an independent stream, so that drawing more of one thing does not change another.
  mutating func fork() -> SeededGenerator {
    SeededGenerator(seed: next())
  }
}
