# 数据检查的发现：发现了什么，为什么会出错，怎么处理。
#
# finding-{id}-{部分}，有变体时为 finding-{id}-{变体}-{部分}；变体没有的部分用该 id 的，再没有用 finding-{部分}。

finding-severity-error = 错误
finding-severity-warning = 警告
finding-severity-note = 说明

finding-answer-ignore = 忽略 { $value }
finding-none = 无
finding-range-from = ≥ { $lo }
finding-bound = （{ $bound }）
finding-bound-file = { $file }：{ $what }
finding-bound-user = 手动输入
finding-source-user = 你输入的范围
finding-bound-folders = 类别文件夹

## 位置

place-line = 第 { $line } 行
place-row = 数据第 { $row } 行
place-row-line = 数据第 { $row } 行（文件第 { $line } 行）
place-column = { $column } 列
place-annotation = 标注 { $key }
place-index = 索引 { $index }
place-pixel = 像素 ({ $x }, { $y })
place-document = 文档 [{ $document }]
place-position = 位置 [{ $position }]

## 通用

finding-certainty = { $certainty }
finding-detail = { $count ->
    [1] 仅此一处。
   *[other] { $files ->
        [1] 共 { $count } 处，都在一个文件中。
       *[other] 共 { $count } 处，分布在 { $files } 个文件中。
    }
}

## 越界的值

finding-too-big-title = { $place }的值为 { $value }：允许 { $range }{ $source }
finding-too-big-detail = { $count ->
    [1] 只有这一个值大于 { $hi }。
   *[other] { $files ->
        [1] 一个文件中有 { $count } 个值大于 { $hi }。
       *[other] { $files } 个文件中有 { $count } 个值大于 { $hi }。
    }
}
finding-too-big-explanation = 损失函数要取模型对这个类别的打分，而模型没有这个输出。在 GPU 上就会触发 device-side assert。
finding-too-big-suggestion = 更正这些标签；如果这些类别确实存在，就增加模型的输出数。
finding-too-big-embedding-explanation = 嵌入层只有 { $range } 这些行。更大的 id 会读到表外，在 GPU 上触发 device-side assert。
finding-too-big-embedding-suggestion = 把嵌入层的行数设为最大 id + 1，或把 id 映射为 0、1、2…，或改用与模型配套的分词器。
finding-too-big-position-explanation = 位置编码表只有 { $range } 这些行，更长的文本会超出表的末尾。
finding-too-big-position-suggestion = 把文本截断到模型的最大长度：truncation=True, max_length={ $size }。
finding-too-big-token-type-explanation = 这个模型的 token 类型表只有 { $range } 这些行。
finding-too-big-token-type-suggestion = 对这个模型不要传 token_type_ids，或改用 type_vocab_size 足够的模型。
finding-too-big-index-explanation = gather、scatter 和 index_select 在该维上只接受索引 { $range }。
finding-too-big-index-suggestion = 更正这些索引，并确认它们对应的是哪一维。
finding-too-big-probability-explanation = 二元交叉熵只接受 0 到 1 之间的值，其他值在 GPU 上通不过检查。
finding-too-big-probability-suggestion = 把数值变换到 0–1。模型的原始输出要先经过 sigmoid，或改用 binary_cross_entropy_with_logits。

finding-negative-title = { $place }的值为 { $value }：允许 { $range }{ $source }
finding-negative-detail = { $count ->
    [1] 只有这一个值小于 { $lo }。
   *[other] { $files ->
        [1] 一个文件中有 { $count } 个值小于 { $lo }。
       *[other] { $files } 个文件中有 { $count } 个值小于 { $lo }。
    }
}
finding-negative-explanation = 没有编号小于 { $lo } 的类别。损失函数只跳过忽略值（当前：{ $ignore }）。
finding-negative-suggestion = { $pattern ->
    [yes] 更正这些标签。它们可能的含义见下一条。
   *[no] 更正这些标签。如果 { $value } 表示“没有标签”，请传入 ignore_index={ $value }。
}
finding-negative-embedding-explanation = 嵌入层没有 0 以下的行，也不会跳过任何值。
finding-negative-embedding-suggestion = 检查 id 是怎样生成的：存成 int16 时，大于 32,767 的 id 会变成负数。
finding-negative-embedding-ignore-explanation = 只有标签中的 -100 会被跳过。用于查嵌入表的 id 里，它就是小于 0 的索引，会出错。
finding-negative-embedding-ignore-suggestion = 用 tokenizer.pad_token_id 填充 id，-100 只用于标签。
finding-negative-index-explanation = gather、scatter 和 index_select 不接受负的索引。
finding-negative-index-suggestion = 更正这些索引。只有 tensor[index] 会把负数当作从末尾数起。
finding-negative-probability-explanation = 二元交叉熵只接受 0 到 1 之间的值，其他值在 GPU 上通不过检查。
finding-negative-probability-suggestion = 把数值变换到 0–1。模型的原始输出要先经过 sigmoid，或改用 binary_cross_entropy_with_logits。
finding-negative-unlabelled-title = { $file } 的标签全是 { $value }：这是没有标签的测试集
finding-negative-unlabelled-explanation = 公开的测试集常常不带标签。只有在它上面计算损失时才会出错。
finding-negative-unlabelled-suggestion = 不要在这部分数据上计算损失，或传入 ignore_index={ $value }。

finding-nan-title = { $place }的值为 NaN
finding-nan-explanation = NaN 转成整数后是最小的 64 位整数，远小于 0，通不过类别检查。
finding-nan-suggestion = 先补全或去掉这些行。pandas 会把每个空单元格变成 NaN。
finding-nan-float-explanation = 一个 NaN 就会让整个损失变成 NaN，二元交叉熵也通不过检查。
finding-nan-float-suggestion = 找出 NaN 的来源：除以 0、对 0 取对数，或学习率过高。

finding-inf-title = { $place }的值为 { $value }
finding-inf-explanation = 无穷大不是类别。转成整数后是一个极大的数，通不过类别检查。
finding-inf-suggestion = 先更正这些值，常见的原因是除以 0。
finding-inf-float-explanation = 无穷大会让损失变成无穷大或 NaN，二元交叉熵也通不过检查。
finding-inf-float-suggestion = 找出无穷大的来源：除以 0、float16 溢出，或学习率过高。

finding-fraction-title = { $place }的值为 { $value }：这里需要整数
finding-fraction-explanation = 转成整数时小数部分会被悄悄截掉，模型会用错误的类别训练下去。
finding-fraction-suggestion = 更正这些值。如果它们是概率，请按概率检查。
finding-fraction-measured-title = { $place }的值为 { $value }：多数值带小数
finding-fraction-measured-detail = { $count } 个值带小数。
finding-fraction-measured-explanation = 它们看起来是概率或测量值，不是类别编号。做回归或使用软标签时可以是这样。
finding-fraction-measured-suggestion = 如果是概率，请按概率检查；如果应该是类别编号，请检查所选的列。

finding-text-title = { $place }的“{ $value }”不在 { $list } 中
finding-text-explanation = 名称要通过类别列表变成编号。列表里没有的名称会引发 KeyError，或者得到模型没有对应输出的编号。
finding-text-suggestion = 更正名称，或把它加进列表并给模型增加一个输出。
finding-text-nearest-detail = { $count ->
    [1] 列表中最接近的是“{ $nearest }”。
   *[other] 共 { $count } 处。列表中最接近的是“{ $nearest }”。
}
finding-text-nearest-suggestion = 如果指的就是它，请写成“{ $nearest }”；否则把这个名称加进列表。
finding-text-case-detail = { $count ->
    [1] 列表中是“{ $nearest }”，只差大小写、空格或连字符。
   *[other] 共 { $count } 处。列表中是“{ $nearest }”，只差大小写、空格或连字符。
}
finding-text-case-suggestion = 按列表写成“{ $nearest }”。
finding-text-no-list-title = { $place }的“{ $value }”混在数字之中
finding-text-no-list-explanation = 它不是类别编号：int() 会抛出 ValueError，pandas 会把整列变成文本。
finding-text-no-list-suggestion = 换成它的编号，或提供类别列表。

finding-missing-title = { $place }没有标签
finding-missing-explanation = pandas 把空单元格读成 NaN，转成整数后是最小的 64 位整数，通不过类别检查。
finding-missing-suggestion = 给这些行补上标签，或去掉它们。
finding-missing-unlabelled-title = { $file } 没有一行有标签：这是没有标签的测试集
finding-missing-unlabelled-explanation = 公开的测试集常常不带标签。只有在它上面计算损失时才会出错。
finding-missing-unlabelled-suggestion = 不要在这部分数据上计算损失。

finding-unknown-class-title = { $place }的 { $value } 不在文件自带的列表中
finding-unknown-class-explanation = 训练代码通过这个列表映射 id。列表里没有的 id 会引发 KeyError，或者得到模型没有对应输出的编号。
finding-unknown-class-suggestion = 更正这个 id，或把类别加进列表。
finding-unknown-class-colour-title = { $place }的颜色 ({ $value }) 不在颜色表中
finding-unknown-class-colour-detail = { $count ->
    [1] 有 1 个像素的颜色未知。
   *[other] 有 { $count } 个像素的颜色未知。
}
finding-unknown-class-colour-explanation = 彩色掩码按颜色解码。未知颜色会变成什么取决于代码：类别 0、被忽略，或直接报错。
finding-unknown-class-colour-suggestion = 把颜色加进颜色表，或重新涂这些像素。边缘模糊也会产生这类颜色：请用 PNG 和最近邻缩放。

## 规律

finding-one-based-title = 标签为 { $least }–{ $most }，从不出现 0：编号是从 1 开始的
finding-one-based-detail = { $files ->
    [1] 一个文件中的 { $count } 个标签。允许 { $range }{ $source }。
   *[other] { $files } 个文件中的 { $count } 个标签。允许 { $range }{ $source }。
}
finding-one-based-explanation = PyTorch 的类别从 0 开始编号，{ $size } 个类别中编号 { $size } 没有对应的输出。
finding-one-based-suggestion = 把每个标签减 1。
finding-one-based-certainty = { $certainty }从 1 开始
finding-one-based-files-title = { $files } 个文件只用 { $least }–{ $most }，从不出现 0：编号是从 1 开始的
finding-one-based-files-detail = { $others ->
    [1] 另一个文件从 0 开始。
   *[other] 其余 { $others } 个文件从 0 开始。
}
finding-one-based-files-suggestion = 只把这 { $files } 个文件里的标签减 1。
finding-one-based-unknown-detail = 共 { $count } 个标签，没有任何地方说明有多少个类别。
finding-one-based-unknown-explanation = PyTorch 的类别从 0 开始编号。如果一共就是这 { $size } 个类别，最后一个就没有对应的输出。
finding-one-based-unknown-suggestion = 把每个标签减 1，或指定类别数。

finding-off-by-one-count-title = 标签为 0–{ $size }：这是 { $more } 个类别，不是 { $size } 个
finding-off-by-one-count-detail = { $count ->
    [1] 有 1 个值为 { $size }。允许 { $range }{ $source }。
   *[other] 有 { $count } 个值为 { $size }。允许 { $range }{ $source }。
}
finding-off-by-one-count-explanation = 从 0 数起，{ $size } 个类别的最后一个是 { $hi }。常见的原因是只有一边把背景算作类别。
finding-off-by-one-count-suggestion = 让模型有 { $more } 个输出，或从标签中去掉多出的类别。
finding-off-by-one-count-certainty = { $certainty }多一个类别
finding-off-by-one-count-mask-suggestion = 如果 0 是背景或“其他”而不是类别：减 1 并传入 ignore_index=255，因为在 uint8 中 0 会变成 255。否则让模型有 { $more } 个输出。
finding-off-by-one-count-few-title = { $total } 个标签中只有 { $count } 个是 { $size }：更像是写错了，而不是多出一个类别
finding-off-by-one-count-few-detail = 允许 { $range }{ $source }。
finding-off-by-one-count-few-explanation = 真正的类别会出现得更多。从 0 数起，{ $size } 个类别的最后一个是 { $hi }。
finding-off-by-one-count-few-suggestion = 先查看这些行。如果确实有这个类别，再让模型有 { $more } 个输出。
finding-off-by-one-count-few-certainty = { $certainty }写错了

finding-double-shift-title = { $size } 个类别的标签为 { $least }–{ $most }：减了两次 1
finding-double-shift-detail = { $count ->
    [1] 有 1 个值为 -1。允许 { $range }{ $source }。
   *[other] 有 { $count } 个值为 -1。允许 { $range }{ $source }。
}
finding-double-shift-explanation = 标签本来就从 0 开始，又减了一次 1，第一个类别就成了 -1。
finding-double-shift-suggestion = 把每个标签加 1，或去掉其中一次减法。
finding-double-shift-certainty = { $certainty }减了两次
finding-plus-minus-one-title = 标签是 -1 和 1：用正负号表示的两个类别
finding-plus-minus-one-detail = { $count } 个标签是 -1。允许 { $range }{ $source }。
finding-plus-minus-one-explanation = SVM 等方法用 -1 和 1 表示两个类别，PyTorch 的损失函数要的是 0 和 1。
finding-plus-minus-one-suggestion = 把 -1 变成 0：labels = (labels + 1) // 2。不要忽略 -1，否则其中一个类别永远得不到训练。
finding-plus-minus-one-certainty = { $certainty }是两个类别

finding-binary-255-title = 只有 0 和 255 的掩码：用黑白表示的两个类别
finding-binary-255-detail = { $files ->
    [1] 一个文件中有 { $count } 个像素为 255。
   *[other] { $files } 个文件中有 { $count } 个像素为 255。
}
finding-binary-255-explanation = 这里的 255 是白色，不是类别 255。损失函数会把它当作类别编号而出错。
finding-binary-255-suggestion = 换成类别：mask // 255。不要忽略 255，否则目标永远得不到训练。
finding-binary-255-certainty = { $certainty }是黑白掩码

finding-blurred-mask-title = 有 { $distinct } 个值不属于任何类别：掩码被模糊了
finding-blurred-mask-detail = { $count } 个像素，占 { $share }。第一处：{ $place }。
finding-blurred-mask-explanation = 插值和 JPEG 会把相邻的类别编号混合成介于两者之间的数。
finding-blurred-mask-suggestion = 重新生成这些掩码：用最近邻缩放，存成 PNG。
finding-blurred-mask-certainty = { $certainty }被模糊

finding-ignore-not-set-title = { $value } 看起来是忽略值，但没有设置为忽略值
finding-ignore-not-set-detail = { $files ->
    [1] 一个文件中有 { $count } 个值。当前忽略：{ $ignore }。
   *[other] { $files } 个文件中有 { $count } 个值。当前忽略：{ $ignore }。
}
finding-ignore-not-set-explanation = { $value } 通常表示“不计入”。损失函数只跳过 ignore_index，其他值都当作类别。
finding-ignore-not-set-suggestion = 如果是这个意思，请给损失函数传入 ignore_index={ $value }。
finding-ignore-not-set-certainty = { $certainty }是忽略值
finding-ignore-not-set-unknown-explanation = { $value } 通常表示“不计入”。损失函数会把它当作类别，除非模型的输出多于 { $value } 个，否则会出错。
finding-ignore-not-set-few-title = { $total } 个标签中只有 { $count } 个是 { $value }：是写错了，还是表示“没有标签”？
finding-ignore-not-set-few-detail = 当前忽略：{ $ignore }。
finding-ignore-not-set-few-explanation = { $value } 可以表示“不计入”，但那样通常会出现得更多。
finding-ignore-not-set-few-suggestion = 先查看这些行。确实表示“没有标签”时，再给损失函数传入 ignore_index={ $value }。

finding-wrapped-title = { $value } 可能是存成 { $element } 的 -1
finding-wrapped-detail = { $count ->
    [1] 有 1 个值。允许 { $range }{ $source }。
   *[other] 有 { $count } 个值。允许 { $range }{ $source }。
}
finding-wrapped-explanation = 无符号类型没有 -1，它会变成该类型的最大值，而那不是类别。
finding-wrapped-suggestion = 转成 int64 并改写为 -100，或传入 ignore_index={ $value }。
finding-wrapped-certainty = { $certainty }是 -1
finding-wrapped-shifted-title = { $value } 可能是减了 1 的忽略值 255
finding-wrapped-shifted-certainty = { $certainty }是减了 1 的 255
finding-wrapped-shifted-explanation = 255 常表示“不计入”。所有标签减 1 时它也跟着变了。

finding-instance-ids-title = { $example } 这样的值是 类别 × { $factor } + 实例编号
finding-instance-ids-detail = { $example } 属于类别 { $class }。这样的值有 { $count } 个。
finding-instance-ids-explanation = 实例掩码给每个物体编号。损失函数会把这些编号当作类别而出错。
finding-instance-ids-suggestion = 整除 { $factor }，或改用类别掩码。
finding-instance-ids-certainty = { $certainty }是实例编号

finding-added-tokens-title = { $added ->
    [1] id { $value } 刚好超出词表：新增了 1 个 token
   *[other] id 超出词表后连续：新增了 { $added } 个 token
}
finding-added-tokens-detail = { $count ->
    [1] 有 1 个 id 不小于 { $size }。允许 { $range }{ $source }。
   *[other] 有 { $count } 个 id 不小于 { $size }。允许 { $range }{ $source }。
}
finding-added-tokens-explanation = 分词器新增了 token（例如填充用的），但嵌入层仍只有 { $size } 行。
finding-added-tokens-suggestion = 训练前调用 model.resize_token_embeddings(len(tokenizer))，需要 { $needed } 行。
finding-added-tokens-certainty = { $certainty }新增了 token

finding-float-ints-title = { $file } 把整数存成了浮点数
finding-float-ints-explanation = 对 cross_entropy 来说，浮点目标表示概率；类别编号必须是 int64。在 pandas 中这通常是空单元格留下的痕迹。
finding-float-ints-index-explanation = 嵌入层和索引操作只接受整数，浮点数会引发另一个错误。在 pandas 中这通常是空单元格留下的痕迹。
finding-float-ints-suggestion = 补全空单元格后，在训练前转成 int64。

finding-sparse-title = 有 { $distinct } 种 id，最大的却是 { $most }：编号不连续
finding-sparse-detail = { $count ->
    [1] 有 1 个值超出末尾。允许 { $range }{ $source }。
   *[other] 有 { $count } 个值超出末尾。允许 { $range }{ $source }。
}
finding-sparse-explanation = 只有 id 是连续的 0、1、2… 时，{ $size } 个输出（或行）才够用。
finding-sparse-suggestion = 把 id 映射为 0、1、2…，或把这一层的大小设为 { $needed }。
finding-sparse-certainty = { $certainty }编号不连续
finding-sparse-unused-title = { $count ->
    [1] { $size } 个类别中有 1 个没有出现
   *[other] { $size } 个类别中有 { $count } 个没有出现
}
finding-sparse-unused-detail = 没有标签的：{ $absent }。
finding-sparse-unused-explanation = 不会出错，但模型从未训练过这些类别。
finding-sparse-unused-suggestion = 如果出乎意料，请看看是否缺了文件。
finding-sparse-unused-certainty = { $certainty }
finding-sparse-unknown-title = 有 { $distinct } 种标签，最大的是 { $most }
finding-sparse-unknown-detail = 没有任何地方说明有多少个类别。
finding-sparse-unknown-explanation = 如果按标签的种数设定模型大小，最大的几个标签就没有对应的输出。
finding-sparse-unknown-suggestion = 让模型有 { $needed } 个输出，或把标签映射为 0、1、2…。
finding-sparse-unknown-certainty = { $certainty }
finding-sparse-category-title = { $distinct } 个类别的 id 为 { $least }–{ $most }，不是 0、1、2…
finding-sparse-category-detail = 见于 { $file }。
finding-sparse-category-explanation = 训练代码若按 id 的顺序映射就没有问题；若直接当作类别编号，则需要 { $needed } 个输出。
finding-sparse-category-suggestion = 请确认自己的代码也做了映射。
finding-sparse-category-certainty = { $certainty }

## 数据划分与列表

finding-val-only-title = 类别 { $class } 只出现在 { $split } 中
finding-val-only-detail = { $classes ->
    [1] { $files } 个文件中的 { $count } 个标签。
   *[other] 这样的类别有 { $classes } 个，{ $files } 个文件中的 { $count } 个标签。
}
finding-val-only-explanation = 由训练集名称生成的编号里没有它：会引发 KeyError，或者得到模型没有对应输出的类别。
finding-val-only-suggestion = 用所有划分一次性生成类别列表，并保存到文件。
finding-val-only-id-explanation = 训练文件的列表中没有它。通过该列表映射 id 的训练代码无法处理。
finding-val-only-id-suggestion = 让两个文件使用同一份类别列表。
finding-val-only-fixed-explanation = 它的编号由类别列表固定，所以不会出错，只是模型从未训练过它。
finding-val-only-fixed-suggestion = 增加训练样本，或评估时不计这个类别。
finding-val-only-numbers-explanation = 如果类别数取自训练标签，它就可能超出末尾。
finding-val-only-numbers-suggestion = 指定类别数，并按所有划分来统计。
finding-val-only-folder-title = 类别文件夹 { $class } 只存在于 { $split } 中
finding-val-only-folder-detail = { $classes ->
    [1] 位于 { $place }。
   *[other] 这样的文件夹有 { $classes } 个，都位于 { $place }。
}
finding-val-only-folder-explanation = ImageFolder 在那里得到的类别比模型的输出多，后面的编号也随之不同。
finding-val-only-folder-suggestion = 让每个划分都有相同的类别文件夹。

finding-order-title = “{ $class }”在 { $base } 中是 { $there }，在 { $split } 中是 { $here }
finding-order-detail = { $count ->
    [1] 有 1 个名称的编号不同。
   *[other] 有 { $count } 个名称的编号不同。
}
finding-order-explanation = 名称相同但顺序不同：预测会和错误的类别比较。不会崩溃，只是得分不对。
finding-order-suggestion = 处处使用同一份列表。
finding-order-ids-explanation = 两个文件的类别相同，但编号不同：预测会和错误的类别比较。不会崩溃，只是得分不对。
finding-order-ids-suggestion = 让两个文件的类别使用相同的编号。
finding-order-folders-explanation = ImageFolder 对每个划分单独编号。预测会和错误的类别比较，而且不会崩溃。
finding-order-folders-suggestion = 让每个划分都有相同的类别文件夹，或把训练集的编号用于其他划分。

finding-renumbered-title = { $has } 中有“{ $class }”文件夹，{ $without } 中没有：后面的类别都移了位
finding-renumbered-detail = 见于 { $place }。
finding-renumbered-explanation = 类别的编号就是它的文件夹在该划分中排序后的名次。
finding-renumbered-suggestion = 补上这个文件夹，或在两边都去掉它。

finding-hidden-folder-title = 隐藏文件夹 { $value } 被当作类别
finding-hidden-folder-detail = 位于 { $place }。
finding-hidden-folder-explanation = ImageFolder 会把每个子文件夹当作类别。隐藏文件夹排在最前，所有类别的编号都移后 1。
finding-hidden-folder-suggestion = 删除它，或移出数据集。

finding-case-clash-title = “{ $one }”和“{ $other }”只差大小写、空格或连字符
finding-case-clash-explanation = 它们会算作两个类别。
finding-case-clash-suggestion = 统一写成一种形式。
finding-case-clash-folders-explanation = 在 Linux 上是两个类别，在 Windows 上只有一个：编号会因机器而异。
finding-case-clash-folders-suggestion = 把两者的图片放进同一个文件夹。

finding-count-mismatch-title = { $first } 给出 { $first-size } 个类别，{ $other } 给出 { $other-size } 个
finding-count-mismatch-detail = 这里使用 { $first-size }。
finding-count-mismatch-explanation = 如果模型按一个数建立，标签按另一个数生成，标签就可能越界。
finding-count-mismatch-suggestion = 弄清哪个正确，并更正另一个。
finding-count-mismatch-names-title = { $file } 列出 { $names } 个名称，却写着 { $stated } 个类别
finding-count-mismatch-names-detail = 这里使用 { $names } 个名称。
finding-count-mismatch-names-explanation = 训练程序按其中之一建立模型。只符合另一个的标签会没有对应的输出，或没有名称。
finding-count-mismatch-names-suggestion = 补全名称，或更正数目。
finding-count-mismatch-labels-title = 标签有 { $names } 个不同的名称，但只允许 { $size } 个类别
finding-count-mismatch-labels-detail = 允许 { $range }{ $source }。
finding-count-mismatch-labels-explanation = 每个名称都会成为一个类别，最后几个就没有对应的输出。
finding-count-mismatch-labels-suggestion = 先检查名称有没有写错。如果都没错，让模型有 { $names } 个输出。

finding-duplicates-detail = { $count ->
    [1] { $before }
   *[other] 共 { $count } 处。{ $before }
}
finding-duplicates-before = 第一次出现：{ $place }。
finding-duplicates-annotation-id-title = 标注 id { $value } 出现了两次：{ $place }
finding-duplicates-annotation-id-explanation = 按 id 建立的索引只保留最后一个，标注会丢失。
finding-duplicates-annotation-id-suggestion = 给标注重新编号。
finding-duplicates-category-id-title = 类别 id { $value } 出现了两次：{ $place }
finding-duplicates-category-id-explanation = 两个名称共用一个编号，两个类别就成了一个。
finding-duplicates-category-id-suggestion = 给其中一个换一个独立的 id。
finding-duplicates-class-name-title = 类别名“{ $value }”出现了两次：{ $place }
finding-duplicates-class-name-explanation = 两个编号共用一个名称，按名称查找时其中一个永远用不到。
finding-duplicates-class-name-suggestion = 重命名或去掉其中一个。
finding-duplicates-image-title = 图片 { $value } 被列出两次：{ $place }
finding-duplicates-image-explanation = 它会被训练两倍的次数，或者标注分散在两个条目里。
finding-duplicates-image-suggestion = 去掉其中一个条目。
finding-duplicates-contradiction-title = { $value } 的标签既是 { $one } 又是 { $other }：{ $place }
finding-duplicates-contradiction-explanation = 同一张图片有两个不同的标签，其中一个是错的，而两个都会用于训练。
finding-duplicates-contradiction-suggestion = 看一下图片，保留正确的标签。

finding-empty-title = { $file } 中没有标签
finding-empty-detail = { $files ->
    [1] 有 1 个文件没有标签。
   *[other] 有 { $files } 个文件没有标签。
}
finding-empty-explanation = 无法用它训练。有的加载程序会在此停止，有的会在数据变少的情况下继续。
finding-empty-suggestion = 重新生成这个文件，或不再使用它。
finding-empty-class-title = 类别文件夹“{ $value }”是空的：{ $place }
finding-empty-class-detail = { $count ->
    [1] 有 1 个这样的文件夹。
   *[other] 有 { $count } 个这样的文件夹。
}
finding-empty-class-explanation = torchvision 会抛出 FileNotFoundError；其他加载程序会跳过它，后面的类别编号都会移位。
finding-empty-class-suggestion = 补充图片，或从每个划分中去掉这个文件夹。
finding-empty-no-pictures-title = 类别文件夹“{ $value }”中没有图片：{ $place }
finding-empty-no-pictures-detail = { $others ->
    [1] 里面有 1 个其他类型的文件。
   *[other] 里面有 { $others } 个其他类型的文件。
}
finding-empty-no-pictures-explanation = torchvision 只读取 .jpg、.jpeg、.png、.ppm、.bmp、.pgm、.tif、.tiff 和 .webp，没有图片的类别会报错。
finding-empty-no-pictures-suggestion = 转换图片格式，或传入自己的扩展名列表。

## 形状

finding-shape-title = 输出 { $outputs } 与目标 { $targets } 不匹配
finding-shape-detail = 比较的是 { $place }。
finding-shape-rank-explanation = cross_entropy 要求 (N, C, …) 对 (N, …)：目标比输出少一维，即类别维。
finding-shape-rank-suggestion = 把其中一个变成这种形状。
finding-shape-batch-explanation = 第一维是样本数，两边必须相同。
finding-shape-batch-suggestion = 确认两者来自同一份数据且顺序一致。
finding-shape-squeeze-explanation = cross_entropy 要求目标的形状为 (N,)，这里却是一列。
finding-shape-squeeze-suggestion = 使用 targets.squeeze(1)。
finding-shape-class-axis-explanation = cross_entropy 要求类别在第 1 维，这里却在最后一维。
finding-shape-class-axis-suggestion = 移动该维：outputs.movedim(-1, 1)。
finding-shape-classes-title = 输出 { $outputs } 有 { $classes } 个类别，目标却达到 { $most }
finding-shape-classes-explanation = 最大的目标没有对应的输出，在 GPU 上会触发 device-side assert。
finding-shape-classes-suggestion = 增加模型的输出数，或更正目标。
finding-shape-equal-explanation = 二元交叉熵要求两者形状相同。
finding-shape-equal-suggestion = 用 squeeze(1) 或 one_hot 把它们变成相同的形状。

## 文件

finding-bad-box-title = { $place }的框有问题：{ $why }
finding-bad-box-explanation = 没有大小或超出图片的框会使损失变成 NaN，或者整个文件只给出警告就被跳过。
finding-bad-box-suggestion = 更正或去掉这个框。
finding-bad-line-title = { $place }无法读取：{ $why }
finding-bad-line-explanation = 加载程序会停在这样的行，或者只给出警告就跳过整个文件。其他行都已检查。
finding-bad-line-suggestion = 更正或去掉这一行。
finding-why-ends-early = 内容提前结束
finding-why-no-key = 键没有加双引号
finding-why-comma = 多了一个逗号
finding-why-more-text = 结尾之后还有内容
finding-why-no-value = 该有值的地方没有值
finding-why-separator = 缺少逗号或括号
finding-why-control = 文本中有换行或控制字符
finding-why-escape = 反斜杠转义无效
finding-why-number = 数字的写法不符合 JSON
finding-why-deep = 嵌套过深
finding-why-python = { $a } 不是合法的 JSON（键 { $b }）
finding-why-long = 超过 { $a }
finding-why-quote = 引号没有闭合
finding-why-no-cell = 没有 { $a } 列
finding-why-cells = 有 { $a } 个单元格，应为 { $b } 个
finding-why-classes = { $b } 个类别中只有 { $a } 个
finding-why-no-label = 路径后面没有标签
finding-why-no-object = 不是标注
finding-why-category = 类别 id { $a } 不是整数
finding-why-no-name = 有目标没有名称
finding-why-fields = 有 { $a } 个字段
finding-why-no-class = 类别 { $a } 不是数字
finding-why-no-number = { $a } 不是数字
finding-why-width = 宽度为 { $a }
finding-why-height = 高度为 { $a }
finding-why-beyond = { $a } 在 { $b } 的图片之外
finding-why-field = 第 { $b } 个字段为 { $a }，超出 0–1
finding-why-no-coordinate = 第 { $b } 个字段的 { $a } 不是坐标
finding-why-sides = xmin { $a } 不小于 xmax { $b }
finding-why-tops = ymin { $a } 不小于 ymax { $b }
finding-why-begins = 起点 { $a }, { $b } 在图片之外
finding-why-ends = 终点 { $a } 在 { $b } 的图片之外
finding-why-nc = nc 的值 { $a } 不是类别数
finding-why-names = 名称的编号为 { $a } 到 { $b }，不是 0、1、2…
finding-why-not-text = 内容不是文本
finding-cut-short-title = { $file } 不完整：{ $of } 中只有 { $read }
finding-cut-short-detail = 已有的部分都检查过了。
finding-cut-short-explanation = 复制或下载提前中断，或者写文件的程序中途退出。
finding-cut-short-suggestion = 重新获取或重新生成这个文件。
finding-cut-short-unknown-size-title = { $file } 提前结束：读到了 { $read } 个
finding-cut-short-broken-title = { $file } 无法读到末尾：{ $why }
finding-cut-short-broken-detail = 在此之前的 { $read } 个标签都检查过了。
finding-cut-short-broken-explanation = Python 的 json 模块会因此拒绝整个文件。
finding-cut-short-broken-suggestion = 更正那一处，或重新生成这个文件。
finding-cut-short-broke-off-title = { $file } 无法读到末尾：{ $why }
finding-cut-short-broke-off-detail = 在此之前的 { $read } 个标签都检查过了。
finding-cut-short-broke-off-explanation = 之后的内容未知，因此不能说这个文件没有问题。
finding-cut-short-broke-off-suggestion = 更正那一处，或重新生成这个文件。
finding-cut-short-files-title = { $file } 中的文件超过 { $most } 个：其余的没有读取
finding-cut-short-files-explanation = 上限用来避免没完没了地读下去。超出的部分没有检查。
finding-cut-short-files-suggestion = 请分成几部分检查。
finding-cut-short-list-title = { $file } 列出的图片太多，没有全部查找
finding-cut-short-list-explanation = 上限用来避免没完没了地读下去。超出的部分没有检查。
finding-cut-short-list-suggestion = 把列表拆开，或直接给出标签文件所在的文件夹。
finding-cut-short-values-title = { $file } 的内容超出单个文件的读取上限
finding-cut-short-values-explanation = 上限用来避免没完没了地读下去。超出的部分没有检查。
finding-cut-short-values-suggestion = 把标签单独存成 .npy 或 .csv 再检查。
finding-cut-short-unlisted-title = 无法列出文件夹“{ $value }”
finding-cut-short-unlisted-detail = 系统提示：{ $said }。
finding-cut-short-unlisted-explanation = 其中的内容未知，因此不能说数据没有问题。
finding-cut-short-unlisted-suggestion = 检查该文件夹的权限，然后重新检查。
finding-cut-short-troubles-title = { $file } 只读了一部分：其中的错误太多
finding-cut-short-troubles-explanation = 已有几千处错误，再多也说明不了什么。之后的内容没有检查。
finding-cut-short-troubles-suggestion = 确认文件和格式是否正确，更正前面的错误后再检查一次。
finding-cut-short-changed-title = { $file } 在读取过程中发生了变化
finding-cut-short-changed-detail = 结果可能混有新旧两种数值。
finding-cut-short-changed-explanation = 另一个程序正在写入它。
finding-cut-short-changed-suggestion = 等它写完后再检查一次。
finding-code-not-run-title = { $file } 中有函数 { $value }，没有运行它
finding-code-not-run-detail = { $count ->
    [1] 文件的其余部分都检查过了。
   *[other] 共有 { $count } 个函数。其余部分都检查过了。
}
finding-code-not-run-explanation = pickle 可以指定任意函数，加载时就会运行。标签文件不需要函数。
finding-code-not-run-suggestion = 除非来源可信，不要加载这个文件。torch.load(…, weights_only=True) 会拒绝它。
finding-stale-cache-title = { $file } 比标签文件旧
finding-stale-cache-detail = { $files ->
    [1] 有 1 个缓存。
   *[other] 有 { $files } 个缓存。
}
finding-stale-cache-explanation = 训练程序可能继续使用其中保存的旧标签。
finding-stale-cache-suggestion = 删除缓存，它会自动重新生成。
finding-unknown-image-title = { $place }属于图片 { $value }，而图片列表中没有它
finding-unknown-image-explanation = 按图片查找的加载程序会因 KeyError 停止，其他的会丢掉这条标注。
finding-unknown-image-suggestion = 把图片加进“images”，或去掉这条标注。
finding-path-not-followed-title = { $file } 指向外部的 { $value }，没有打开
finding-path-not-followed-explanation = 只打开你给出的内容：路径可能指向任何地方，甚至另一台电脑。
finding-path-not-followed-suggestion = 如果它属于这份数据，请把那个文件夹也加进来。
finding-path-not-followed-missing-title = { $file } 指向 { $value }，但它不存在
finding-path-not-followed-missing-explanation = 训练程序会从自己的目录解析这类路径，所以对它们来说可能存在。
finding-path-not-followed-missing-suggestion = 检查路径，或把文件夹加进来。
finding-split-as-class-title = “{ $value }”被当作类别：这是各划分的上一级文件夹
finding-split-as-class-detail = 位于 { $place }。
finding-split-as-class-explanation = ImageFolder 会把每个子文件夹当作类别，而这里的子文件夹是各个划分。
finding-split-as-class-suggestion = 传入其中一个划分的文件夹，例如 train。

## 备注

finding-remark-int32-title = { $file } 是 { $element }，而 cross_entropy 需要 int64
finding-remark-int32-explanation = 这会引发另一个错误（“expected scalar type Long”），不是 device-side assert。NumPy 2 之前的版本在 Windows 上默认为 int32。
finding-remark-int32-suggestion = 转换目标：targets.long()。
finding-remark-yaml-words-title = YAML 把 { $file } 中的一些名称读成了别的东西：{ $words }
finding-remark-yaml-words-explanation = 不加引号时，no 和 yes 是布尔值，007 是数字。每个仍然是一个类别。
finding-remark-yaml-words-suggestion = 给这些名称加上引号。
finding-remark-encoding-title = { $file } 不是 UTF-8，已按 { $encoding } 读取
finding-remark-encoding-explanation = 如果编码猜错了，中文等非英文名称会变成乱码。Python 的 open() 可能因 UnicodeDecodeError 停止。
finding-remark-encoding-suggestion = 把文件另存为 UTF-8。
finding-remark-palette-title = { $file } 带调色板：打开方式决定数值
finding-remark-palette-explanation = Image.open 得到类别编号；convert("L") 和 OpenCV 得到的是颜色的亮度：{ $luminance }。
finding-remark-palette-suggestion = 只用 Image.open 打开掩码。
finding-remark-results-title = { $file } 是模型的结果，不是标注
finding-remark-results-explanation = 其中的 id 是模型代码写出的。
finding-remark-results-suggestion = 要检查训练数据，请用标注文件。
finding-remark-lost-digits-title = { $place }的 { $value } 对浮点数来说太长
finding-remark-lost-digits-explanation = 超过 2^53 后浮点数无法表示每个整数，最后几位可能与写的不同。
finding-remark-lost-digits-suggestion = 把 id 存成整数或文本。
finding-remark-root-files-title = { $count ->
    [1] 有 1 张图片直接放在 { $place } 下
   *[other] 有 { $count } 张图片直接放在 { $place } 下
}
finding-remark-root-files-explanation = ImageFolder 会忽略类别文件夹之外的图片。
finding-remark-root-files-suggestion = 如果它们应当计入，请移到类别文件夹中。
finding-remark-left-out-title = { $file } 没有全部读取：{ $names }
finding-remark-left-out-explanation = 这些部分看起来不是标签，或者本版本不读取它们的形式。
finding-remark-left-out-suggestion = 如果其中有标签，请指定列名或键名。
finding-remark-own-table-title = { $file } 未参与检查：它是本程序写出的
finding-remark-own-table-explanation = 它是之前某次检查导出的越界明细。当作标签检查，这些值会再次越界。
finding-remark-own-table-suggestion = 请放到数据集之外，以免训练时也读到它。
finding-remark-not-all-told-title = { $file } 的错误比这里列出的多
finding-remark-not-all-told-detail = 内容已全部读取。
finding-remark-not-all-told-explanation = 同一类错误已有很多，再多也说明不了什么。
finding-remark-not-all-told-suggestion = 更正前面的错误后再检查一次。
finding-remark-no-main-guard-title = { $place }在 if __name__ == "__main__": 之外启动了工作进程
finding-remark-no-main-guard-explanation = 在 Windows 上，每个工作进程都会从头运行脚本并失败。这与 device-side assert 是不同的错误。
finding-remark-no-main-guard-suggestion = 把训练代码放进函数，并在 if __name__ == "__main__": 之下调用。

finding-unreadable-title = { $count ->
    [1] 无法读取 { $file }
   *[other] 有 { $count } 个文件无法读取，第一个是 { $file }
}
finding-unreadable-detail = 其余文件都检查过了。
finding-unreadable-explanation = 其中的内容未知，因此不能说数据没有问题。
finding-unreadable-suggestion = 修好或移走它，然后重新检查。

finding-remark-ignored-title = 这里跳过了 { $value }：损失函数也要跳过它
finding-remark-ignored-explanation = 按你的设置，检查略过了这些值，但训练代码并不知道。
finding-remark-ignored-suggestion = 请给损失函数传入 ignore_index={ $value }，否则遇到第一个仍会失败。
