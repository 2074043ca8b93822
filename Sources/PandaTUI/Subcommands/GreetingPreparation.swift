internal import FoundationEssentials
internal import Glibc
internal import PandaCore
internal import Pantry
internal import PictureCodecs
internal import SystemSupport
internal import TerminalKit

/// `panda today --prepare`: makes ready what greetings show, today and on the next days.
///
/// A greeting starts it beside itself. It says nothing, and changes no favorite.
@MainActor
struct GreetingPreparation: SessionCommand {
  let session: CommandSession
  let file: URL

  /// The number of days, for a shell that is opened on Monday morning.
  private static let dayCount = 7
  /// The time after which a server counts as silent.
  private static let patience = Duration.seconds(20)

  func run() async {
    // Ten shells that are opened at once prepare once.
    let folder = Descriptors.open(
      file.deletingLastPathComponent().path(percentEncoded: false), O_RDONLY | O_DIRECTORY)
    defer { if folder >= 0 { close(folder) } }
    guard folder < 0 || flock(folder, LOCK_EX | LOCK_NB) == 0 else { return }
    let library = UnopenedLibrary(session.configuration, dataDirectory: options.dataDirectory)
    let former = GreetingRecord(file: file).flatMap { $0.library == library.name ? $0 : nil }
    let reading = Task { try await choose(keeping: former?.days ?? []) }
    var (days, problem) = (former?.days ?? [], nil as String?)
    var count = former?.count ?? 0
    switch await reading.result(within: Self.patience, on: ContinuousClock()) {
    case .success(let prepared):
      days = prepared
      count = controller.images.count
    case .failure(let error): problem = userMessage(for: error).sanitized(upTo: 200)
    case nil: problem = "The server of your favorites does not answer"
    }
    await controller.library.close()
    Self.write(
      GreetingRecord(
        library: library.name, stamp: library.stamp, preparedAt: session.now(), count: count,
        days: days, problem: problem), to: file, output.log)
  }

  /// Records that there is no favorite where none was ever kept; returns whether that is so.
  ///
  /// To open the library would make an empty one.
  static func recordNothing(
    _ options: Options, _ configuration: Configuration, now: () -> Date, log: Log
  ) -> Bool {
    let library = UnopenedLibrary(configuration, dataDirectory: options.dataDirectory)
    guard library.isMissing else { return false }
    write(
      GreetingRecord(
        library: library.name, stamp: library.stamp, preparedAt: now(), count: 0, days: [],
        problem: nil), to: GreetingRecord.standardFile, log)
    return true
  }

  private static func write(_ record: GreetingRecord, to file: URL, _ log: Log) {
    do {
      try record.write(to: file)
    } catch {
      // A full or read-only disk: the next greeting has less to show.
      log.error(.storage, "No greeting was prepared: \(technicalCause(of: error))")
    }
  }

  /// Chooses the favorites of the days, and makes their thumbnails.
  ///
  /// - Parameter former: those that were chosen before, which stay.
  private func choose(keeping former: [GreetingRecord.Day]) async throws -> [GreetingRecord.Day] {
    if let reason = controller.library.reasonNotReadable { throw reason }
    try await controller.imagesHaveBeenRead()
    let images = controller.images
    let thumbnails = ThumbnailCache(directory: session.thumbnails)
    var days: [GreetingRecord.Day] = []
    for number in 0..<Self.dayCount {
      let moment = session.now() + Double(number) * 86_400
      let day = PictureDay(moment).numbers
      var address = former.first { $0.day == day }?.address
      if number == 0, let pick = session.remembered.today.wrappedValue, pick.day == day {
        address = pick.address
      }
      let kept = address.flatMap { address in images.first { $0.id == address } }
      guard let image = kept ?? TodayCommand.choice(among: images, on: moment) else { return [] }
      var prepared = GreetingRecord.Day(image, on: moment)
      defer { days.append(prepared) }
      do {
        let picture = image.dataRepresentation
        _ = try await thumbnails.thumbnail(of: picture, decoder: PictureDecoder())
        prepared.isPictured =
          await thumbnails.kept(picture.digest, decoder: PictureDecoder()) != nil
      } catch {
        // A picture that cannot be shown is greeted with in words.
        output.log.notice(.pictures, "\(image.name): \(technicalCause(of: error))")
      }
    }
    return days
  }
}

extension GreetingRecord.Day {
  fileprivate init(_ image: RemoteImage, on moment: Date) {
    let parts = [ImageDescription(image).maker, image.license, image.source]
    self.init(
      day: PictureDay(moment).numbers, address: image.id,
      digest: image.dataRepresentation.digest.hexadecimal, name: image.name,
      years: CalendarDay(moment).flatMap { image.years(on: $0) },
      credit: parts.compactMap { $0?.sanitized(upTo: 100) }.joined(separator: " · "))
  }
}
