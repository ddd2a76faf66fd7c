# The data check: what was read, why a file could not be read, the console command.

check-nothing-wrong = No value is out of range
