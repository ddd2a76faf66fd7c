# The console program.

cli-help = assert-doctor-cli { $version }: why did a PyTorch run die?

    Usage
      assert-doctor-cli diagnose PATH…      read logs or notebooks and say what failed
      some-command 2>&1 | assert-doctor-cli diagnose -

    Options
      --json          one JSON object on standard output (English unless --lang is given)
      --lang en|zh-CN the language of the answer
      --help, --version

    Exit code
      0  nothing wrong found
      1  something wrong found
      2  nothing could be read
cli-see-help = assert-doctor-cli --help shows what it can do
cli-no-command = Say what to do, for example: assert-doctor-cli diagnose train.log
cli-no-path = Name a log to read, for example: assert-doctor-cli diagnose train.log
cli-unknown-command = “{ $value }” is neither a command nor a file
cli-unknown-option = The option { $value } is not known
cli-missing-value = The option { $value } needs a value
cli-unknown-language = The language “{ $value }” is not available: use en or zh-CN
cli-not-written = The answer could not be written: { $said }
cli-next = Next
cli-fixes = How to fix it, likeliest first
cli-others = What else it could be
cli-remarks = Good to know
cli-other-logs = The other logs
