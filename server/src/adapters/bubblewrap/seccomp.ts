import { lookup } from '#contracts/lookup.ts'

/** System calls that a sandboxed program may not make, with their numbers; null if the architecture has no such call. Each fails with EPERM. */
const DENIED: Record<string, readonly [x64: number | null, arm64: number | null]> = lookup({
  // mounts and roots: bwrap has set them up
  mount: [165, 40],
  umount2: [166, 39],
  pivot_root: [155, 41],
  chroot: [161, 51],
  fsopen: [430, 430],
  fsconfig: [431, 431],
  fsmount: [432, 432],
  fspick: [433, 433],
  open_tree: [428, 428],
  move_mount: [429, 429],
  mount_setattr: [442, 442],
  // namespaces
  unshare: [272, 97],
  setns: [308, 268],
  // other processes
  ptrace: [101, 117],
  process_vm_readv: [310, 270],
  process_vm_writev: [311, 271],
  process_madvise: [440, 440],
  pidfd_getfd: [438, 438],
  kcmp: [312, 272],
  // the kernel itself
  kexec_load: [246, 104],
  kexec_file_load: [320, 294],
  init_module: [175, 105],
  finit_module: [313, 273],
  delete_module: [176, 106],
  bpf: [321, 280],
  perf_event_open: [298, 241],
  userfaultfd: [323, 282],
  io_uring_setup: [425, 425],
  io_uring_enter: [426, 426],
  io_uring_register: [427, 427],
  modify_ldt: [154, null],
  iopl: [172, null],
  ioperm: [173, null],
  uselib: [134, null],
  syslog: [103, 116],
  reboot: [169, 142],
  swapon: [167, 224],
  swapoff: [168, 225],
  acct: [163, 89],
  quotactl: [179, 60],
  quotactl_fd: [443, 443],
  vhangup: [153, 58],
  fanotify_init: [300, 262],
  // keys, handles, devices
  keyctl: [250, 219],
  add_key: [248, 217],
  request_key: [249, 218],
  open_by_handle_at: [304, 265],
  name_to_handle_at: [303, 264],
  mknod: [133, null],
  mknodat: [259, 33],
  // clocks and names
  settimeofday: [164, 170],
  clock_settime: [227, 112],
  clock_adjtime: [305, 266],
  adjtimex: [159, 171],
  sethostname: [170, 161],
  setdomainname: [171, 162],
})

interface Machine {
  audit: number
  column: 0 | 1
  clone: number
  clone3: number
  ioctl: number
  socket: number
  /** First number of the x32 calls, which are all refused. */
  x32From: number | null
}

const MACHINES: Partial<Record<string, Machine>> = lookup({
  x64: { audit: 0xc000_003e, column: 0, clone: 56, clone3: 435, ioctl: 16, socket: 41, x32From: 0x4000_0000 },
  arm64: { audit: 0xc000_00b7, column: 1, clone: 220, clone3: 435, ioctl: 29, socket: 198, x32From: null },
})

// classic BPF, see linux/filter.h and linux/seccomp.h
const LOAD = 0x20
const JUMP_EQUAL = 0x15
const JUMP_AT_LEAST = 0x35
const JUMP_BITS = 0x45
const RETURN = 0x06
const ALLOW = 0x7fff_0000
const KILL = 0x8000_0000
const errno = (number: number) => 0x0005_0000 | number
const EPERM = 1
const ENOSYS = 38
const EAFNOSUPPORT = 97

// offsets in struct seccomp_data; arguments have 64 bits, with the low half first on both architectures
const NUMBER = 0
const ARCHITECTURE = 4
const argument = (index: number) => 16 + 8 * index

/** CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET. */
const NEW_NAMESPACE = 0x7e02_0000
/** TIOCSTI types into a terminal, TIOCLINUX controls the console. */
const TERMINAL_REQUESTS = [0x5412, 0x541c]
/** AF_UNIX, AF_INET, AF_INET6: safe, because the sandbox has a separate network. AF_VSOCK would bypass it. */
const ALLOWED_FAMILIES = [1, 2, 10]

/** A classic BPF program for `bwrap --seccomp`. Throws if there is none for the architecture: then no sandbox can start. */
export function seccompFilter(architecture: string = process.arch): Buffer {
  const machine = MACHINES[architecture]
  if (!machine) throw new Error(`There is no system-call filter for the architecture ${architecture}.`)
  const program: [code: number, ifTrue: number, ifFalse: number, value: number][] = []
  const load = (offset: number) => program.push([LOAD, 0, 0, offset])
  const returnValue = (value: number) => program.push([RETURN, 0, 0, value])
  /** Returns `value` if the loaded word passes the test against `word`: equal, at least, or has one of its bits. */
  const returnIf = (test: number, word: number, value: number) => {
    program.push([test, 0, 1, word])
    returnValue(value)
  }
  /** Applies `rules` to one call only; they must end with `returnValue`. */
  const onlyFor = (call: number, rules: () => void) => {
    const jump = program.push([JUMP_EQUAL, 0, 0, call]) - 1
    rules()
    program[jump]![2] = program.length - jump - 1
  }

  load(ARCHITECTURE)
  program.push([JUMP_EQUAL, 1, 0, machine.audit])
  returnValue(KILL)
  load(NUMBER)
  if (machine.x32From !== null) returnIf(JUMP_AT_LEAST, machine.x32From, errno(ENOSYS))
  for (const numbers of Object.values(DENIED)) {
    const number = numbers[machine.column]
    if (number !== null) returnIf(JUMP_EQUAL, number, errno(EPERM))
  }
  returnIf(JUMP_EQUAL, machine.clone3, errno(ENOSYS)) // a filter cannot read its flags, which are behind a pointer; libraries fall back to clone
  onlyFor(machine.clone, () => {
    load(argument(0))
    returnIf(JUMP_BITS, NEW_NAMESPACE, errno(EPERM))
    returnValue(ALLOW)
  })
  onlyFor(machine.ioctl, () => {
    load(argument(1))
    for (const request of TERMINAL_REQUESTS) returnIf(JUMP_EQUAL, request, errno(EPERM))
    returnValue(ALLOW)
  })
  onlyFor(machine.socket, () => {
    load(argument(0))
    for (const family of ALLOWED_FAMILIES) returnIf(JUMP_EQUAL, family, ALLOW)
    returnValue(errno(EAFNOSUPPORT))
  })
  returnValue(ALLOW)

  const bytes = Buffer.alloc(program.length * 8)
  for (const [at, [code, ifTrue, ifFalse, value]] of program.entries()) {
    bytes.writeUInt16LE(code, at * 8)
    bytes.writeUInt8(ifTrue, at * 8 + 2)
    bytes.writeUInt8(ifFalse, at * 8 + 3)
    bytes.writeUInt32LE(value >>> 0, at * 8 + 4)
  }
  return bytes
}
