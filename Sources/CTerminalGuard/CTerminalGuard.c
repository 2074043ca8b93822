#include "CTerminalGuard.h"
int tg(void){return 0;}
