import { lookup } from '#contracts/lookup.ts'

// The rules for system calls that every engine applies: as a program for the kernel (bubblewrap), or as a profile (Docker).

/** System calls that a sandboxed program may not make, with their numbers; null if the architecture has no such call. Each fails with EPERM. */
export const DENIED: Record<string, readonly [x64: number | null, arm64: number | null]> = lookup({
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
  open_tree_attr: [467, 467],
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

/** Later calls are refused as unknown (ENOSYS), as on an older kernel: nobody has looked at them here. */
export const LAST_KNOWN_CALL = 467
/** Flags of clone: CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET. */
export const NEW_NAMESPACE = 0x7e02_0000
/** TIOCSTI types into a terminal, TIOCLINUX controls the console. */
export const TERMINAL_REQUESTS = [0x5412, 0x541c]
/** AF_UNIX, AF_INET, AF_INET6: safe, because the sandbox has a separate network. AF_VSOCK would bypass it. */
export const ALLOWED_FAMILIES = [1, 2, 10]
/** AF_UNIX, the only family with connected pairs. Another one could make the kernel load its module. */
export const PAIR_FAMILIES = [1]
