# Who checks: the GPUs of this machine, why the CPU or one of them checked, and the check of a GPU itself.

device-gpu = { $name } ({ $interface })
device-gpu-software = { $name } ({ $interface }, software)
device-some-gpu = the GPU
device-kind-discrete = graphics card
device-kind-integrated = part of the processor
device-kind-virtual = virtual GPU
device-kind-unknown = kind not stated
device-kind-software = software that plays a GPU
device-interface-other = another interface
device-auto = Automatic
device-cpu-name = CPU

## Who checked

device-on-gpu = Checked on the GPU: { $gpu }
device-on-gpu-why = Checked on the GPU: { $gpu }, { $why }
device-on-cpu = Checked by the CPU
device-on-cpu-why = Checked by the CPU: { $why }
device-fell-back = Begun on { $gpu }, which failed ({ $reason }); the CPU finished. Nothing was lost or counted twice.
device-skipped = { $gpu } was not used: { $reason }

device-why-no-array = there was no array that a GPU could check
device-why-nothing-large = no array was as large as { $size }
device-why-faster = { $times } times as fast as this CPU on this data
device-why-measured = { $times } times as fast as { $gpu } on this data
device-why-not-faster = { $gpu } was not faster on this data
device-why-done-before = quicker than a GPU could have been started
device-why-no-gpu = no graphics card was found that can check
device-why-failed = no GPU could be used ({ $reason })
device-why-busy = another check had the GPU
device-why-other-order = the array does not stand in reading order (Fortran order or transposed)

device-short-no-array = no array for a GPU
device-short-nothing-large = no large arrays
device-short-faster = { $times } times as fast as the CPU
device-short-measured = the GPU was slower here
device-short-not-faster = the GPU was not faster
device-short-done-before = quicker than a GPU starts
device-short-no-gpu = no graphics card found
device-short-failed = the GPU could not be used
device-short-busy = another check had the GPU
device-short-other-order = array in another order
device-short-fell-back = the GPU failed, the CPU finished

## Why a GPU does not check

gpu-error-not-built = This program was built without checks on the GPU
gpu-error-not-built-do = The CPU checks everything, with the same answers.
gpu-error-no-gpu = No GPU was found
gpu-error-no-gpu-do = Where there is one, its driver does not offer Vulkan or DirectX 12: a newer driver may.
gpu-error-no-such-gpu = There is no GPU number { $number }
gpu-error-no-such-gpu-do = Numbers count from 1, in the order of the list.
gpu-error-no-compute = The GPU does not run the checks
gpu-error-no-compute-do = It offers no compute shaders, or too small ones.
gpu-error-refused = The driver did not open the GPU
gpu-error-refused-do = It said: { $said }. A newer driver may help.
gpu-error-out-of-memory = The GPU has too little free memory
gpu-error-out-of-memory-do = Close what else uses it, a training for example.
gpu-error-lost = The driver took the GPU away
gpu-error-lost-do = It was reset or updated: { $said }.
gpu-error-timed-out = The GPU did not answer in time
gpu-error-timed-out-do = It may be busy or hang; the machine may need a restart.
gpu-error-inconsistent = The GPU computes wrongly
gpu-error-inconsistent-do = Its counts do not add up. A newer driver may help; the CPU checks with right answers.
gpu-error-rejected = The driver rejected a command
gpu-error-rejected-do = It said: { $said }. It may be a fault of this program; please report it.

gpu-reason-not-built = built without checks on the GPU
gpu-reason-no-gpu = no GPU was found
gpu-reason-no-such-gpu = there is no GPU number { $number }
gpu-reason-no-compute = it does not run the checks
gpu-reason-refused = the driver did not open it: { $said }
gpu-reason-out-of-memory = too little free memory
gpu-reason-lost = the driver took it away: { $said }
gpu-reason-timed-out = it did not answer in time
gpu-reason-inconsistent = its counts do not add up
gpu-reason-rejected = the driver rejected a command: { $said }

## The check of a GPU

health-check = Check the GPU
health-about = Compares known values of all types on the GPU and on the CPU. Takes seconds, and asks whether the card and its driver compute correctly.
health-running = Checking the GPU with known values
health-stopping = Stopping…
health-sound = The GPU computed correctly: { $types } value types, { $values } values, every answer equal to the CPU’s
health-sound-text = Comparing whole numbers and fractions, its memory and copying work outside PyTorch. That points to the data or the code, not to this card’s arithmetic or its driver. A rare fault under long load is not ruled out by this.
health-sound-software = Software that plays a GPU computed correctly: { $types } value types, { $values } values, every answer equal to the CPU’s
health-software-text = No graphics card was checked, so this says nothing of one. Where there is a card, its driver does not offer Vulkan or DirectX 12: a newer driver may.
health-differs = The GPU computed wrongly: in { $differ } of { $types } value types its answer is not the CPU’s
health-changed = The GPU changed what it was given: { $changed } of { $copied } copied bytes came back different
health-inconsistent = The GPU computed wrongly: its counts do not add up
health-wrong-text = The values are known, so it is the card, its memory, its driver, or a fault of this program. Check again: cooled down, without overclocking, with a newer driver. Until then a run on this card proves little about data or code.
health-broke = The check of the GPU broke off: { $reason }
health-broke-text = { $types ->
    [0] Nothing had been compared by then.
    [one] By then 1 value type had been compared, and no answer differed.
   *[other] By then { $types } value types had been compared, and no answer differed.
}
health-stopped = The check of the GPU was stopped
health-difference = { $type }, { $field }: CPU { $cpu }, GPU { $gpu }
health-difference-bytes = copied bytes: { $changed } of { $copied } changed
health-what = { $gpu } · { $values } values · { $copied } copied there and back · { $seconds } s
health-said = The GPU was checked
health-fault = The check of the GPU broke off through a fault of this program
health-again = Check again
health-away = Put this away

## The console program

cli-gpu-instead = --device auto checks without it; assert-doctor-cli gpus lists the GPUs.
cli-gpus-none = No GPU was found. The CPU checks everything, with the same answers.
cli-gpus-driver = driver { $driver }
cli-gpus-auto = --device auto takes number { $number } for large arrays, where it proves faster than the CPU.
cli-gpus-no-auto = --device auto takes none of these: software that plays a GPU is no faster than the CPU.
cli-gpus-progress = Checking the GPU: { $percent } %
cli-gpus-no-path = gpus takes no path, but “{ $value }” was given
cli-gpus-needs-health = --device with gpus says which GPU --health checks or --measure measures
cli-gpus-not-cpu = --health and --measure are about a GPU, not the CPU: use --device gpu or gpu:N
cli-only-gpus = { $value } belongs to the command gpus
cli-measured-gpu = { $gpu }; ready to check after { $seconds } s
cli-measured-copy = copies on the device: { $rate } GB/s (each byte read once and written once)
cli-measured-upload = uploads: { $rate } GB/s
cli-measured-kernel = check of { $type }, values on the device: { $rate } GB/s, { $share } % of the bytes a copy moves
cli-gpus-instead = assert-doctor-cli gpus lists the GPUs.
