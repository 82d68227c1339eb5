/** The profile of system calls for containers: what is not listed is refused, whatever the default of the Engine allows. */
import { ALLOWED_FAMILIES, NEW_NAMESPACE, PAIR_FAMILIES, TERMINAL_REQUESTS } from '../sandbox/system-calls.ts'

/** Calls that are allowed with any arguments. None of `DENIED` is among them; an Engine ignores names that it does not know. */
const ALLOWED =
  `accept accept4 access alarm arch_prctl bind brk cachestat capget capset chdir chmod chown clock_getres clock_gettime clock_nanosleep close
  close_range connect copy_file_range creat dup dup2 dup3 epoll_create epoll_create1 epoll_ctl epoll_pwait epoll_pwait2 epoll_wait eventfd
  eventfd2 execve execveat exit exit_group faccessat faccessat2 fadvise64 fallocate fchdir fchmod fchmodat fchmodat2 fchown fchownat fcntl
  fdatasync fgetxattr flistxattr flock fork fremovexattr fsetxattr fstat fstatfs fsync ftruncate futex futex_requeue futex_wait futex_waitv
  futex_wake futimesat get_robust_list get_thread_area getcpu getcwd getdents getdents64 getegid geteuid getgid getgroups getitimer
  getpeername getpgid getpgrp getpid getppid getpriority getrandom getresgid getresuid getrlimit getrusage getsockname getsockopt gettid
  gettimeofday getuid getxattr getxattrat inotify_add_watch inotify_init inotify_init1 inotify_rm_watch io_cancel io_destroy io_getevents
  io_pgetevents io_setup io_submit ioprio_get ioprio_set kill landlock_add_rule landlock_create_ruleset landlock_restrict_self lchown
  lgetxattr link linkat listen listxattr listxattrat llistxattr lremovexattr lseek lsetxattr lstat madvise map_shadow_stack membarrier
  memfd_create memfd_secret mincore mkdir mkdirat mlock mlock2 mlockall mmap mprotect mq_getsetattr mq_notify mq_open mq_timedreceive
  mq_timedsend mq_unlink mremap mseal msgctl msgget msgrcv msgsnd msync munlock munlockall munmap nanosleep newfstatat open openat openat2
  pause pidfd_open pidfd_send_signal pipe pipe2 pkey_alloc pkey_free pkey_mprotect poll ppoll prctl pread64 preadv preadv2 prlimit64
  process_mrelease pselect6 pwrite64 pwritev pwritev2 read readahead readlink readlinkat readv recvfrom recvmmsg recvmsg remap_file_pages
  removexattr removexattrat rename renameat renameat2 restart_syscall rmdir rseq rt_sigaction rt_sigpending rt_sigprocmask rt_sigqueueinfo
  rt_sigreturn rt_sigsuspend rt_sigtimedwait rt_tgsigqueueinfo sched_get_priority_max sched_get_priority_min sched_getaffinity sched_getattr
  sched_getparam sched_getscheduler sched_rr_get_interval sched_setaffinity sched_setattr sched_setparam sched_setscheduler sched_yield
  seccomp select semctl semget semop semtimedop sendfile sendmmsg sendmsg sendto set_robust_list set_thread_area set_tid_address setfsgid
  setfsuid setgid setgroups setitimer setpgid setpriority setregid setresgid setresuid setreuid setrlimit setsid setsockopt setuid setxattr
  setxattrat shmat shmctl shmdt shmget shutdown sigaltstack signalfd signalfd4 splice stat statfs statx symlink symlinkat sync
  sync_file_range syncfs sysinfo tee tgkill time timer_create timer_delete timer_getoverrun timer_gettime timer_settime timerfd_create
  timerfd_gettime timerfd_settime times tkill truncate umask uname unlink unlinkat utime utimensat utimes vfork vmsplice wait4 waitid write
  writev`.split(/\s+/)

interface Argument {
  index: number
  op: 'SCMP_CMP_EQ' | 'SCMP_CMP_MASKED_EQ'
  /** The mask, for `MASKED_EQ`. */
  value: number
  valueTwo?: number
}
interface Rule {
  names: string[]
  action: 'SCMP_ACT_ALLOW' | 'SCMP_ACT_ERRNO'
  errnoRet?: number
  args?: Argument[]
}

const EPERM = 1
const ENOSYS = 38
/** Personalities that change only how the kernel names itself (PER_LINUX, PER_LINUX32, UNAME26), and the question for the current one. */
const PERSONALITIES = [0, 8, 0x2_0000, 0x2_0008, 0xffff_ffff]
const FILE_KIND = 0o170_000
/** S_IFIFO, S_IFREG, S_IFSOCK and none: no devices. */
const NODES = [0o010_000, 0o100_000, 0o140_000, 0]

const allowIf = (name: string, ...args: Argument[]): Rule => ({ names: [name], action: 'SCMP_ACT_ALLOW', args })
const equal = (index: number, value: number): Argument => ({ index, op: 'SCMP_CMP_EQ', value })
const masked = (index: number, mask: number, value: number): Argument => ({ index, op: 'SCMP_CMP_MASKED_EQ', value: mask, valueTwo: value })

/**
 * Masks and values that together match every number of 32 bits except `values`. A filter compares 64 bits, of which the
 * kernel ignores the upper half for these calls, so that a comparison with "not equal" could be passed by setting a bit there.
 */
function allBut(values: readonly number[], mask = 0, prefix = 0, bit = 31): [mask: number, value: number][] {
  if (values.length === 0) return [[mask, prefix]]
  if (bit < 0) return []
  const weight = 2 ** bit
  return [0, 1].flatMap((side) => {
    const within = values.filter((value) => Math.floor(value / weight) % 2 === side)
    return allBut(within, mask + weight, prefix + side * weight, bit - 1)
  })
}

const rules: Rule[] = [
  { names: ALLOWED, action: 'SCMP_ACT_ALLOW' },
  ...ALLOWED_FAMILIES.map((family) => allowIf('socket', equal(0, family))),
  ...PAIR_FAMILIES.map((family) => allowIf('socketpair', equal(0, family))),
  ...PERSONALITIES.map((personality) => allowIf('personality', equal(0, personality))),
  ...NODES.flatMap((kind) => [allowIf('mknod', masked(1, FILE_KIND, kind)), allowIf('mknodat', masked(2, FILE_KIND, kind))]),
  ...allBut(TERMINAL_REQUESTS).map(([mask, value]) => allowIf('ioctl', masked(1, mask, value))),
  allowIf('clone', masked(0, NEW_NAMESPACE, 0)),
  { names: ['clone3'], action: 'SCMP_ACT_ERRNO', errnoRet: ENOSYS }, // a filter cannot read its flags; libraries fall back to clone
]

/** An entry of `SecurityOpt`. Programs for another architecture, like i386 on x64, are ended. */
export const seccompOption = `seccomp=${JSON.stringify({
  defaultAction: 'SCMP_ACT_ERRNO',
  defaultErrnoRet: EPERM,
  archMap: [
    { architecture: 'SCMP_ARCH_X86_64', subArchitectures: [] },
    { architecture: 'SCMP_ARCH_AARCH64', subArchitectures: [] },
  ],
  syscalls: rules,
})}`
