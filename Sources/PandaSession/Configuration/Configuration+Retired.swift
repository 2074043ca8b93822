extension Configuration {
  /// The settings and commands of earlier versions that are gone, each with what holds instead.
  static let retired = [
    "colors": "colors are those of the theme and of the terminal's palette",
    "retrySeconds": "a lost network is retried after 5 seconds, with back-off",
    "log": "panda --log writes a log",
    "copyCredit": "the key of copyAddress copies the credit too",
    "kiosk": UsageError.kioskSuccessor,
  ]
}
