internal import CNcurses
internal import CChafa
internal import PandaCore
internal import Foundation
@preconcurrency internal import Glibc
fputs("hi\n", stderr)
optind = 1
print(w(), chafa_canvas_config_new() as Any, Date())
