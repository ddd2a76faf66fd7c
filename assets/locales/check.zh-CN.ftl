# The data check: what was read, why a file could not be read, the console command.

check-nothing-wrong = 没有越界的值
