# 由谁检查：本机的 GPU，为什么由 CPU 或 GPU 检查，以及对 GPU 本身的检测。

device-gpu = { $name } ({ $interface })
device-gpu-software = { $name } ({ $interface }，软件模拟)
device-some-gpu = 这个 GPU
device-kind-discrete = 独立显卡
device-kind-integrated = 集成显卡
device-kind-virtual = 虚拟显卡
device-kind-unknown = 类型未说明
device-kind-software = 软件模拟的 GPU
device-interface-other = 其他接口
device-auto = 自动
device-cpu-name = CPU

## 由谁检查

device-on-gpu = 用 GPU 检查：{ $gpu }
device-on-gpu-why = 用 GPU 检查：{ $gpu }，{ $why }
device-on-cpu = 用 CPU 检查
device-on-cpu-why = 用 CPU 检查：{ $why }
device-fell-back = 开始时用 { $gpu }，但它中途失败（{ $reason }），由 CPU 完成。没有遗漏，也没有重复计数。
device-skipped = 没有使用 { $gpu }：{ $reason }

device-why-no-array = 没有可由 GPU 检查的数组
device-why-nothing-large = 没有达到 { $size } 的数组
device-why-faster = 在这些数据上速度是这个 CPU 的 { $times } 倍
device-why-measured = 在这些数据上速度是 { $gpu } 的 { $times } 倍
device-why-not-faster = { $gpu } 在这些数据上并不更快
device-why-done-before = 检查很快完成，比启动 GPU 还快
device-why-no-gpu = 没有找到可用于检查的显卡
device-why-failed = 没有可用的 GPU（{ $reason }）
device-why-busy = 另一项检查正在使用 GPU
device-why-other-order = 数组不是按读取顺序存放的（Fortran 顺序或经过转置）

device-short-no-array = 没有适合 GPU 的数组
device-short-nothing-large = 没有大数组
device-short-faster = 速度是 CPU 的 { $times } 倍
device-short-measured = 这里 GPU 更慢
device-short-not-faster = 用 GPU 并不更快
device-short-done-before = 比启动 GPU 还快
device-short-no-gpu = 没有找到显卡
device-short-failed = GPU 无法使用
device-short-busy = 另一项检查正在使用 GPU
device-short-other-order = 数组的存放顺序不同
device-short-fell-back = GPU 中途失败，由 CPU 完成

## GPU 为什么不能检查

gpu-error-not-built = 这个程序编译时没有包含 GPU 检查
gpu-error-not-built-do = 全部由 CPU 检查，结果相同。
gpu-error-no-gpu = 没有找到 GPU
gpu-error-no-gpu-do = 如果确实有 GPU，说明驱动没有提供 Vulkan 或 DirectX 12，更新驱动可能有用。
gpu-error-no-such-gpu = 没有编号为 { $number } 的 GPU
gpu-error-no-such-gpu-do = 编号从 1 开始，按列表的顺序。
gpu-error-no-compute = 这个 GPU 不能运行检查
gpu-error-no-compute-do = 它不支持计算着色器，或支持的规模太小。
gpu-error-refused = 驱动没有打开 GPU
gpu-error-refused-do = 驱动提示：{ $said }。更新驱动可能有用。
gpu-error-out-of-memory = GPU 的空闲显存不够
gpu-error-out-of-memory-do = 请关闭占用显存的程序，例如正在进行的训练。
gpu-error-lost = 驱动收回了 GPU
gpu-error-lost-do = 它被重置或更新了：{ $said }。
gpu-error-timed-out = GPU 没有及时响应
gpu-error-timed-out-do = 它可能正忙或已卡死，也许需要重启电脑。
gpu-error-inconsistent = GPU 计算有误
gpu-error-inconsistent-do = 它的计数前后矛盾。更新驱动可能有用；CPU 的检查结果是正确的。
gpu-error-rejected = 驱动拒绝了一条命令
gpu-error-rejected-do = 驱动提示：{ $said }。这可能是本程序的错误，请反馈。

gpu-reason-not-built = 编译时没有包含 GPU 检查
gpu-reason-no-gpu = 没有找到 GPU
gpu-reason-no-such-gpu = 没有编号为 { $number } 的 GPU
gpu-reason-no-compute = 它不能运行检查
gpu-reason-refused = 驱动没有打开它：{ $said }
gpu-reason-out-of-memory = 空闲显存不够
gpu-reason-lost = 驱动收回了它：{ $said }
gpu-reason-timed-out = 它没有及时响应
gpu-reason-inconsistent = 它的计数前后矛盾
gpu-reason-rejected = 驱动拒绝了一条命令：{ $said }

## 检测 GPU

health-check = 检测 GPU
health-about = 用已知的各类数值，分别在 GPU 和 CPU 上计算并比较。只需几秒，用来判断显卡和驱动的计算是否正确。
health-running = 正在用已知数值检测 GPU
health-stopping = 正在停止…
health-sound = GPU 计算正确：{ $types } 种数值类型，{ $values } 个值，每个结果都与 CPU 相同
health-sound-text = 在 PyTorch 之外，整数和小数的比较、显存、数据复制都正常。这说明问题应在数据或代码里，而不是这块显卡的运算或驱动。长时间高负载下的偶发故障，这项检测无法排除。
health-sound-software = 软件模拟的 GPU 计算正确：{ $types } 种数值类型，{ $values } 个值，每个结果都与 CPU 相同
health-software-text = 没有检测任何显卡，所以不能说明显卡的情况。如果有显卡，说明驱动没有提供 Vulkan 或 DirectX 12，更新驱动可能有用。
health-differs = GPU 计算有误：{ $types } 种数值类型中有 { $differ } 种的结果与 CPU 不同
health-changed = GPU 改变了收到的数据：复制的 { $copied } 个字节中有 { $changed } 个读回时不同
health-inconsistent = GPU 计算有误：它的计数前后矛盾
health-wrong-text = 数值是已知的，所以问题出在显卡、显存或驱动上，也可能是本程序的错误。请再检测一次：先让它冷却，取消超频，更新驱动。在那之前，在这块显卡上的运行很难说明数据或代码有没有问题。
health-broke = GPU 检测中断：{ $reason }
health-broke-text = { $types ->
    [0] 在那之前还没有比较任何结果。
   *[other] 在那之前比较了 { $types } 种数值类型，没有不同的结果。
}
health-stopped = GPU 检测已停止
health-difference = { $type }，{ $field }：CPU 为 { $cpu }，GPU 为 { $gpu }
health-difference-bytes = 复制的字节：{ $copied } 个中有 { $changed } 个改变
health-what = { $gpu } · { $values } 个值 · 往返复制 { $copied } · { $seconds } 秒
health-said = GPU 检测完成
health-fault = GPU 检测因本程序的错误而中断
health-again = 再检测一次
health-away = 收起

## 控制台程序

cli-gpu-instead = 用 --device auto 则不需要它；assert-doctor-cli gpus 会列出所有 GPU。
cli-gpus-none = 没有找到 GPU。全部由 CPU 检查，结果相同。
cli-gpus-driver = 驱动 { $driver }
cli-gpus-auto = 对于大数组，--device auto 会使用第 { $number } 个，前提是实测比 CPU 快。
cli-gpus-no-auto = --device auto 不会使用它们：软件模拟的 GPU 不比 CPU 快。
cli-gpus-progress = 正在检测 GPU：{ $percent } %
cli-gpus-no-path = gpus 命令不需要路径，却给出了“{ $value }”
cli-gpus-needs-health = gpus 的 --device 用来指定 --health 检测或 --measure 测量哪个 GPU
cli-gpus-not-cpu = --health 和 --measure 针对的是 GPU，不是 CPU：请用 --device gpu 或 gpu:N
cli-only-gpus = { $value } 是 gpus 命令的选项
cli-measured-gpu = { $gpu }；{ $seconds } 秒后可以开始检查
cli-measured-copy = 设备内复制：{ $rate } GB/s（每个字节读一次、写一次）
cli-measured-upload = 上传：{ $rate } GB/s
cli-measured-kernel = 检查 { $type }（数值已在设备上）：{ $rate } GB/s，为复制字节数的 { $share }%
cli-gpus-instead = 用 assert-doctor-cli gpus 可以列出 GPU。
