# The Labels tab.

labels-sources = Sources
