# The Labels tab.

labels-sources = 数据来源
