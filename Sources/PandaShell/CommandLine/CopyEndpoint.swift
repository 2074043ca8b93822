internal import Glibc
internal import PandaCore
internal import PandaSession

enum CopyEndpoint: Hashable, Sendable {
  case choice(LibraryChoice)
  /// The data directory of a library on this machine, as typed.
  case directory(String)

  /// Parses the value of `--from` or `--to`; nil if it is not given.
  init?(_ arguments: Arguments, _ option: CommandLineOption) throws(UsageError) {
    guard let argument = arguments[option] else { return nil }
    if argument == "local" || LibraryAddress(argument) != nil {
      self = .choice(try LibraryChoice(argument: argument, of: option.spelling))
      return
    }
    guard !argument.isEmpty, argument.utf8.count < PATH_MAX, !argument.contains("://") else {
      throw UsageError(
        problem: "\(option.spelling) takes \(LibraryChoice.accepted), or a directory")
    }
    self = .directory(argument)
  }
}
