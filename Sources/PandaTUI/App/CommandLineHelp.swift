extension Invocation {
  /// The keys of all commands, from the one table.
  private static let keysText = KeyTable.standard.bindings.map { binding in
    let keys = binding.keys.map(\.label).joined(separator: " ")
    return "  " + keys.drawable.padded(to: 14) + binding.help
  }.joined(separator: "\n")

  /// What `panda --help` prints.
  static let helpText = """
    Usage: panda [options]
           panda doctor [options]
           panda show [--size COLUMNSxROWS] FILE

    Shows red pandas in the terminal and keeps the ones you favorite.
    doctor tells what was found out about the terminal, and how pictures are
    shown in it. show prints a picture file (- is standard input): in a terminal
    as --graphics says, in a pipe as symbols unless --graphics is given.

    Options:
      --source ADDRESS   fetch pictures from this http or https address
      --source grove     draw pandas instead of fetching them; needs no network
      --data-dir DIR     keep favorites in DIR
      --graphics WAY     show pictures by auto, kitty, sixel, iterm, symbols,
                         ascii or none, instead of what the terminal offers
      --config FILE      read settings from FILE
      --no-mouse         leave the mouse to the terminal
      --plain            a line-based interface for screen readers, for pipes
                         and for terminals that can only print lines
      -h, --help         show this help
      --version          show the version

    Keys (? shows them in the program):
    \(keysText)

    Files:
      $XDG_DATA_HOME/panda   favorites: the only thing to back up
                             (~/.local/share/panda when XDG_DATA_HOME is not set)
      $XDG_CONFIG_HOME/panda/config.json5
                             settings; the command line wins over them
                             (~/.config/panda/config.json5)
      $XDG_CACHE_HOME/panda  thumbnails; may be deleted at any time
      $XDG_STATE_HOME/panda  what the program remembers, such as party mode

    Settings, such as { reduceMotion: true, keys: { fetch: ["f", "n"] } }:
      reduceMotion       true: nothing moves by itself
      autoAdvance        false: no other panda comes after favoriting one
      mouse              false: as --no-mouse
      graphics, source   as --graphics and --source
      theme              auto, light or dark
      slideshowSeconds   how long a panda stays in the slideshow
      retrySeconds       how long until a lost network is tried again
      keys               a command's key, a list of keys, or [] for none

    Environment:
      NO_COLOR, COLORTERM, COLORFGBG
                             as everywhere (no-color.org)
      PANDA_ANSWER_SECONDS   how long a terminal on a slow line may take to
                             answer what it can do: 1 to 60

    Exit status:
      0      done
      1      failed
      2      wrong usage, or no terminal where one is needed
      3      network
      4      storage
      5      not found
      75     busy, try again
      128+n  ended by signal n
    --plain in a pipe ends with the worst status that it met: 4, 75, 3, 1, 5, 2.

    """
}
