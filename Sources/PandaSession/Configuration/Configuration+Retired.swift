extension Configuration {
  /// The settings of earlier versions that are no longer used, each with what holds instead.
  static let retired = [
    "colors": "colors are those of the theme and of the terminal's palette",
    "retrySeconds": "a lost network is retried after 5 seconds, with back-off",
    "log": "panda --log writes a log",
    "kiosk": UsageError.kioskSuccessor,
  ]
}
