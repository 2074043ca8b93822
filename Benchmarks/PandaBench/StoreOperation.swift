/// One row of the store's table: the operation and the number of items.
///
/// The parent process passes its raw value to the child that runs it.
enum StoreOperation: String, CaseIterable {
  case writeOne, writeMany, loadMany, loadAHundredThousand, addToMany, addToFew,
    addToAHundredThousand
  case updateOne, removeOne, removeAll
  case addTogether, updateTogether
  case writePictures, loadPictures, readPictures
  case mainActorDuringLoad, mainActorWorkDuringLoad

  /// The contents of the file before the clock starts.
  enum Contents: Hashable {
    case nothing
    case notes(Int)
    case pictures

    init?(_ name: String) {
      switch name.split(separator: "-").map(String.init) {
      case ["nothing"]: self = .nothing
      case ["pictures"]: self = .pictures
      case let words where words.count == 2 && words[0] == "notes":
        guard let count = Int(words[1]) else { return nil }
        self = .notes(count)
      default: return nil
      }
    }

    var name: String {
      switch self {
      case .nothing: "nothing"
      case .notes(let count): "notes-\(count)"
      case .pictures: "pictures"
      }
    }
  }

  /// The numbers of items that the titles name.
  static let many = Extent.count(10_000)
  static let hundredThousand = Extent.count(100_000)
  static let together = Extent.count(1_000)
  static let pictures = Extent.count(200)

  var title: String {
    switch self {
    case .writeOne: "write 1"
    case .writeMany: "write 10,000 in one call"
    case .loadMany: "load 10,000"
    case .loadAHundredThousand: "load 100,000"
    case .addToMany: "add 1 to 9,999"
    case .addToFew: "add 1 to 100"
    case .addToAHundredThousand: "add 1 to 100,000"
    case .updateOne: "update 1 of 10,000"
    case .removeOne: "remove 1 of 10,000"
    case .removeAll: "remove all 10,000"
    case .addTogether: "add 1,000 in as many tasks"
    case .updateTogether: "update 1,000 in as many tasks"
    case .writePictures: "write 200 images of 200 KB"
    case .loadPictures: "load 200 images, items only"
    case .readPictures: "load 200 images and read their bytes"
    case .mainActorDuringLoad: "main actor kept, loading 10,000"
    case .mainActorWorkDuringLoad: "main actor's work, loading 10,000"
    }
  }

  var contents: Contents {
    switch self {
    case .writeOne, .writeMany, .writePictures: .nothing
    case .loadMany, .updateOne, .removeOne, .removeAll, .addTogether, .updateTogether,
      .mainActorDuringLoad, .mainActorWorkDuringLoad:
      .notes(Self.many)
    case .addToMany: .notes(Self.many - 1)
    case .addToFew: .notes(100)
    case .addToAHundredThousand, .loadAHundredThousand: .notes(Self.hundredThousand)
    case .loadPictures, .readPictures: .pictures
    }
  }

  /// The shapes of notes to run it with.
  var shapes: [NoteShape] {
    switch self {
    case .writePictures, .loadPictures, .readPictures: [.flat]
    default: NoteShape.allCases
    }
  }

  /// The number of times the operation is repeated in one process.
  ///
  /// Operations shorter than a millisecond need that: the median of all but the first counts.
  var repetitions: Int {
    switch self {
    case .writeOne, .addToMany, .addToFew, .addToAHundredThousand, .updateOne, .removeOne:
      Extent.isShort ? 3 : 101
    default: 1
    }
  }
}

/// The implementation being timed.
enum Side: String, CaseIterable {
  case pantry, plain
}

/// One process's measurement of one operation.
struct Sample {
  let milliseconds: Double
  /// The process's peak resident memory (VmHWM), in MB of 10^6 bytes.
  let peakMegabytes: Double
}
