# 以同样方式失败的小脚本，以及没有脚本的原因。

reproduction-title = 最小复现
reproduction-sentence = 一个在 CPU 上以同样方式失败的脚本，不需要你的模型和数据。
reproduction-sentence-names-it = 一个指出越界标签的脚本，不需要你的模型和数据。
reproduction-expect = 它以这一行结束：{ $message }
reproduction-expect-print = 它会打印：{ $message }
reproduction-other-wordings = 其他 PyTorch 版本的措辞不同，见脚本最后几行。
reproduction-since = 从 PyTorch { $version } 起，CPU 才做这项检查；更早的版本会直接运行完，不报错。
reproduction-why-ctc = 在 CPU 上 ctc_loss 不检查标签，因此不会报错。脚本补上了它缺少的检查。
reproduction-stand-ins = 未知的内容用替代值填充，脚本开头的注释会说明。

reproduction-none-nothing-failed = 没有需要复现的内容：日志中没有失败。
reproduction-none-not-a-value = 这个问题没有对应的小脚本：它来自内存、驱动、进程或启动过程，与数值无关。
reproduction-none-check-unknown = 这个问题没有对应的小脚本：日志没有说明是哪项检查失败。
reproduction-none-own-code = 这个问题没有对应的小脚本：这项检查属于你自己的代码或某个扩展。
reproduction-none-other-framework = 这个问题没有对应的小脚本：失败的不是 PyTorch。
reproduction-none-gpu-only = 这个问题没有对应的小脚本：CPU 上没有这项检查。
reproduction-none-too-little-known = 这个问题没有对应的小脚本：对该操作的输入了解得还不够。
