# The rerun kit: the commands for those who train elsewhere.

kit-title = Run it again elsewhere
