/** Tests that the machines of every engine must pass: no escape, enforced limits, nothing left behind. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import { createServer } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Machine, type MachineEngine, type MachineSpec, NotRun } from './index.ts'
import { DENIED, LAST_KNOWN_CALL } from './system-calls.ts'

const MB = 1024 * 1024
export const LIMITS = { memoryBytes: 128 * MB, cpus: 1, processes: 64, diskBytes: 64 * MB, openFiles: 128, fileBytes: 32 * MB }

const IS_ARM = process.arch === 'arm64'
const DENIED_HERE = Object.entries(DENIED).flatMap(([name, numbers]) => {
  const number = numbers[IS_ARM ? 1 : 0]
  return number === null ? [] : [[name, number]]
})

/** What a program of a profile can see and do, which differs between engines. */
interface Expected {
  /** Further paths that must be hidden. */
  hidden: readonly string[]
  /** Tested paths that are writable, because they belong to the machine's files. */
  writable: readonly string[]
  /** Paths that `write` must refuse. */
  refused: readonly string[]
  /** CapInh, CapPrm, CapEff, CapBnd, CapAmb. */
  capabilities: string
  /** System calls that its capabilities allow. */
  may: readonly string[]
  disk: 'enforced' | 'watched'
  /** Folders whose size is limited. */
  bounded: readonly string[]
}

export interface EngineUnderTest {
  name: string
  image: string
  /** Opens the engine with a folder for its records. */
  open: (records: string) => Promise<MachineEngine>
  expected: Record<MachineSpec['profile'], Expected>
  /** Whether programs of one machine see each other. */
  seesOthers: boolean
  /** Whether a mount option makes set-user-id files ineffective; otherwise no-new-privileges does. */
  ignoresSetuid: boolean
  /** Whether the engine reports that the memory was used up. */
  knowsOutOfMemory: boolean
  terminal: RegExp
  /** Further requests that the engine must refuse. */
  refusedSpecs: [Partial<MachineSpec>, NotRun['code'], RegExp][]
}

/** Registers the tests; returns helpers for further tests of the engine. */
export function describeMachines(subject: EngineUnderTest) {
  let records: string
  let engine: MachineEngine
  beforeAll(async () => {
    records = fs.mkdtempSync(path.join(os.tmpdir(), 'records-'))
    engine = await subject.open(records)
  })
  afterAll(() => fs.rmSync(records, { recursive: true }))

  const specOf = (more: Partial<MachineSpec> = {}): MachineSpec => ({
    id: 'a',
    image: subject.image,
    profile: 'machine',
    workdir: null,
    env: {},
    network: 'none',
    limits: LIMITS,
    labels: {},
    ...more,
  })

  /** Runs `work` in its own machine. */
  async function within<Result>(more: Partial<MachineSpec>, work: (machine: Machine) => Promise<Result>): Promise<Result> {
    const machine = await engine.create(specOf(more))
    try {
      return await work(machine)
    } finally {
      await machine.remove()
    }
  }

  describe.each(['machine', 'strict'] as const)('a program of the profile %s', (profile) => {
    const expected = subject.expected[profile]
    const inside = <Result>(work: (machine: Machine) => Promise<Result>, more: Partial<MachineSpec> = {}) =>
      within({ profile, ...more }, work)

    it('reaches no network: no address, no name, not the host, and no other kind of socket', () =>
      inside(async (machine) => {
        const server = createServer((socket) => socket.end('reached')).listen(0, '127.0.0.1')
        await once(server, 'listening')
        const { port } = server.address() as { port: number }
        const { stdout } = await python(machine, `import socket
for family, address in [(2, ("127.0.0.1", ${port})), (2, ("169.254.169.254", 80)), (2, ("1.1.1.1", 53)), (10, ("::1", ${port}))]:
    try: s = socket.socket(family); s.settimeout(2); s.connect(address); print("connected", address)
    except OSError: pass
try: print(socket.gethostbyname("example.com"))
except OSError: pass
for family in set(range(3, 46)) - {10}: # netlink, packets, the kernel's ciphers, virtual machines, Bluetooth …
    for kind in (1, 2, 3, 5):
        for make in (socket.socket, socket.socketpair):
            try: make(family, kind); print("socket", family, kind)
            except OSError as e: e.errno in (1, 97) or print("socket", family, kind, e)
for path in ("/run/docker.sock", "/var/run/docker.sock"):
    try: s = socket.socket(socket.AF_UNIX); s.connect(path); print("connected", path)
    except OSError: pass
print([line.split(":")[0].strip() for line in open("/proc/net/dev") if ":" in line])`) // prettier-ignore
        server.close()
        expect(stdout).toBe("['lo']\n")
      }))

    it('sees neither the host nor other machines', () =>
      inside(async (machine) => {
        const secret = fs.mkdtempSync(path.join(os.tmpdir(), 'secret-'))
        const { stdout } = await within({ profile }, async (other) => {
          await other.write('/tmp/mine', Buffer.from('x'), 0o644)
          return python(machine, `import os
for place in ["/etc/ssh", "/root/.ssh", "/oldroot", "/tmp/mine", *${JSON.stringify([secret, records, process.cwd(), ...expected.hidden])}]:
    if os.path.exists(place): print("sees", place)
print(os.listdir("/tmp"), os.listdir("/var/tmp"), os.listdir("/dev/shm"))`) // prettier-ignore
        })
        fs.rmSync(secret, { recursive: true })
        expect(stdout).toBe('[] [] []\n')
      }))

    it('can write only its own files, even through links, /proc/1/root and descriptors', () =>
      inside(async (machine) => {
        const { stdout } = await python(machine, `import os
os.symlink("/usr/bin", "/tmp/link"); os.symlink("/", "/tmp/root")
for place in ["/usr/x", "/dev/x", "/proc/x", "/etc/alternatives/x", "/etc/ld.so.cache", "/tmp/link/x", "/tmp/root/usr/x", "/proc/1/root/usr/x", "/proc/self/root/usr/x", "/proc/1/cwd/../../../usr/x", "/proc/sysrq-trigger", "/proc/1/oom_score_adj"]:
    try: open(place, "w").write("x"); print("wrote", place)
    except OSError: pass
for folder, _, names in os.walk("/proc/sys"):
    for name in names:
        if os.access(os.path.join(folder, name), os.W_OK): print("writable", folder, name)
for fd in os.listdir("/proc/self/fd"):
    place = "/proc/self/fd/" + fd
    if os.path.isdir(place) and not os.readlink(place).startswith("/proc/"): print("folder", os.readlink(place))
own = ["/tmp/x", "/var/tmp/x", "/run/x", "/dev/shm/x", os.environ["HOME"] + "/x"]
for place in own: open(place, "w").write("x")
for place in ["/x", "/etc/x", "/opt/x"]:
    try: open(place, "w").write("x"); print("wrote", place)
    except OSError: pass`) // prettier-ignore
        expect(stdout).toBe(expected.writable.map((place) => `wrote ${place}\n`).join(''))
      }))

    it('has no privileges and cannot gain any: system calls, namespaces, devices, keys, the kernel, setuid programs', () =>
      inside(async (machine) => {
        const { stdout, stderr } = await python(machine, `import ctypes, fcntl, os, subprocess
status = dict(line.split(":", 1) for line in open("/proc/self/status"))
print(os.getuid(), os.getgid(), *(status[key].strip() for key in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb", "NoNewPrivs", "Seccomp")))
libc = ctypes.CDLL(None, use_errno=True)
def call(name, *arguments):
    if getattr(libc, name)(*arguments) != -1: print(name, "worked")
call("unshare", 0x10000000); call("unshare", 0x00020000)
try: call("setns", os.open("/proc/1/ns/net", 0), 0)
except OSError: pass
call("mount", b"none", b"/tmp", b"tmpfs", 0, None); call("umount2", b"/proc", 2); call("chroot", b"/tmp")
call("ptrace", 16, 1, 0, 0); call("klogctl", 3, None, 0); call("mknod", b"/tmp/disk", 0o60600, 0x801)
call("sethostname", b"x", 1)
for name, number in ${JSON.stringify(DENIED_HERE)}:
    if name in ("mknod", "mknodat", "reboot", "syslog"): continue # checked with arguments, or harmful where allowed
    ctypes.set_errno(0)
    if libc.syscall(number, 0, 0, 0, 0, 0) != -1 or ctypes.get_errno() not in (1, 38): print(name, "reached the kernel", ctypes.get_errno())
for number in (435, ${LAST_KNOWN_CALL + 1}, 2000): # clone3, and calls of later kernels
    if libc.syscall(number, 0, 0, 0, 0, 0) != -1 or ctypes.get_errno() != 38: print(number, "is known", ctypes.get_errno())
for request in (0x5412, 0x100005412, 0x541c, 0x7fffffff0000541c):
    if libc.syscall(${IS_ARM ? 29 : 16}, 0, ctypes.c_ulong(request), b"x") != -1 or ctypes.get_errno() != 1: print("ioctl", hex(request))
if libc.syscall(${IS_ARM ? 220 : 56}, 0x10000011, 0, 0, 0, 0) != -1 or ctypes.get_errno() != 1: print("clone")
os.system("(mount -t tmpfs none /tmp && echo mounted; unshare -Ur true && echo namespaced; dmesg && echo read) 2>/dev/null")
for name in ("/dev/mem", "/dev/kmsg", "/dev/vda", "/dev/sda", "/dev/fuse", "/proc/kcore", "/proc/kmsg"):
    try:
        with open(name, "rb") as f: os.fstat(f.fileno()).st_rdev == os.stat("/dev/null").st_rdev or print("opened", name, f.read(1))
    except OSError: pass
for place in ("/usr/bin/su", "/usr/bin/passwd", "/usr/bin/mount"):
    if not os.path.exists(place): continue
    if ${subject.ignoresSetuid ? 'True' : 'False'} and os.statvfs(place).f_flag & os.ST_NOSUID == 0: print("setuid", place)
    program = subprocess.Popen([place], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    uids = next(line.split()[1:] for line in open(f"/proc/{program.pid}/status") if line.startswith("Uid:"))
    program.kill()
    if set(uids) != {str(os.getuid())}: print("became", uids, place)
try: fcntl.ioctl(0, 0x5412, b"x"); print("terminal")
except OSError: pass
call("setgroups", 0, None); call("setuid", 1234)`) // prettier-ignore
        const uid = profile === 'machine' ? 0 : 1000
        expect(stderr).toBe('') // the script ran to its end
        expect(stdout).toBe([`${uid} ${uid} ${expected.capabilities} 1 2`, ...expected.may.map((name) => `${name} worked`), ''].join('\n'))
      }))

    it('sees no process of the host or of another program, and no name of the host, user or product', () =>
      inside(
        async (machine) => {
          const other = await machine.open({ argv: ['sleep', '1000'], terminal: null })
          const { stdout } = await python(machine, `import os, socket
own = ["/sbin/docker-init", "/bin/cat", "sleep", "python3"] if ${subject.seesOthers ? 'True' : 'False'} else []
def name(p):
    try: return open(f"/proc/{p}/cmdline").read().split("\\0")[0]
    except OSError: return ""
print([name(p) for p in os.listdir("/proc") if p.isdigit() and int(p) > 2 and name(p) not in own])
for pid in (${process.pid}, ${process.ppid}):
    try: os.kill(pid, 0); print("reached", pid)
    except ProcessLookupError: pass
def read(place):
    try: return open(place, "rb").read().decode("latin1")
    except OSError: return ""
pids = [p for p in os.listdir("/proc") if p.isdigit()]
words = "".join(read(f"/proc/{p}/{name}") for p in pids for name in ("cmdline", "environ", "mountinfo", "cgroup", "maps"))
words += "".join(os.readlink(f"/proc/self/fd/{fd}") for fd in (0, 1, 2)) + " ".join(f"{k}={v}" for k, v in os.environ.items()) + socket.gethostname()
print(read("/proc/1/environ") == "", sorted(os.environ))
print(words)`) // prettier-ignore
          await other.end()
          const [others, environment, ...words] = stdout.split('\n')
          expect([others, environment!.startsWith('True'), environment]).toEqual([
            '[]',
            !(subject.seesOthers && profile === 'machine'), // the first process has the same user
            expect.stringMatching(/^\w+ \['A', 'HOME', ('HOSTNAME', )?'LANG', ('LC_CTYPE', )?'PATH', ('PWD', )?'USER'\]$/),
          ])
          const output = words.join('\n')
          expect(output).toContain('python3') // the files could be read
          const ofOurs = [os.hostname(), process.cwd(), records, 'bashgym', os.homedir()].filter((word) => word !== '/root')
          const seen = new Set(output.split(/[^\w./-]/))
          expect(ofOurs.filter((word) => seen.has(word))).toEqual([])
        },
        { env: { A: 'b' } },
      ))

    it('starts with only three descriptors, even while other programs have terminals', () =>
      inside(async (machine) => {
        const other = await machine.open({ argv: ['sleep', '1000'], terminal: { columns: 80, rows: 24 } })
        const { stdout } = await python(machine, `import os
for fd in map(int, os.listdir("/proc/self/fd")):
    try: target = os.readlink(f"/proc/self/fd/{fd}")
    except OSError: continue
    if fd > 2 and target != "/dev/null" and (os.fstat(fd).st_size or not target.endswith("(deleted)")): print(fd, target)`) // prettier-ignore
        await other.end()
        expect(stdout).toBe('')
      }))

    it('can start processes only up to its limit, does not stop other machines, and ends within a second', () =>
      within({ profile }, async (other) => {
        const machine = await engine.create(specOf({ profile }))
        const bomb = await machine.open({ argv: ['bash', '-c', 'echo go; bomb() { bomb | bomb & }; bomb; sleep 1000'], terminal: null })
        bomb.errors!.resume()
        await until(bomb.output, 'go')
        await expect.poll(async () => (await machine.usage()).processes, { timeout: 30_000 }).toBeGreaterThan(30)
        expect((await sh(other, 'echo still here')).stdout).toBe('still here\n')
        const startedAt = performance.now()
        await machine.stop()
        expect(performance.now() - startedAt).toBeLessThan(1000)
        expect((await machine.usage()).processes).toBe(0)
        await machine.remove()
      }))

    it.skipIf(!subject.knowsOutOfMemory)('that uses too much memory is killed, and the reason is reported', () =>
      inside(async (machine) => {
        expect(machine.isolation.memory).toBe('together')
        const outcome = await python(machine, 'x = []\nwhile True: x.append(bytearray(1 << 22))')
        expect(outcome).toMatchObject({ code: null, signal: 'SIGKILL', outOfMemory: true })
        expect(await sh(machine, 'echo next')).toMatchObject({ stdout: 'next\n', code: 0, outOfMemory: false })
      }),
    )

    it.skipIf(expected.disk === 'enforced')('that fills the disk is stopped, even if the files are deleted but open', async () => {
      const scripts = ['for n in 1 2 3 4 5 6; do head -c 30M /dev/zero >/tmp/$n; done; sleep 1000']
      if (expected.bounded.length === 0)
        scripts.push('cd /dev/shm; for n in 3 4 5 6; do eval "exec $n>file"; rm file; head -c 30M /dev/zero >&$n; done; sleep 1000')
      for (const script of scripts)
        await inside(async (machine) => {
          expect(machine.isolation.disk).toBe('watched')
          expect(await sh(machine, script)).toMatchObject({ code: null, signal: 'SIGKILL', outOfMemory: false })
          await expect(sh(machine, 'true')).rejects.toThrow(/use \d+ bytes of disk/)
        })
    })

    it.skipIf(expected.bounded.length === 0).each(expected.bounded)(
      'that fills %s gets an error, and can delete files to continue',
      (place) =>
        inside(async (machine) => {
          expect(machine.isolation.disk).toBe(expected.disk)
          const script = 'cd "$0"; for n in 1 2 3 4; do head -c 30M /dev/zero >$n || break; done 2>&1; rm *; echo free >1; cat 1'
          const { stdout, code } = await run(machine, 'bash', '-c', script, place)
          expect([code, stdout]).toEqual([0, expect.stringMatching(/No space left on device\nfree\n$/)])
        }),
    )

    it('cannot exceed its limits for descriptors, file size and cores', () =>
      inside(async (machine) => {
        const { stdout } = await python(machine, `import os, signal
opened = 0
try:
    while True: os.open("/dev/null", 0); opened += 1
except OSError as e: print(e.errno, opened < 128)
for fd in range(3, 100): os.close(fd) if os.path.exists(f"/proc/self/fd/{fd}") else None
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
try:
    with open("/tmp/big", "wb", buffering=0) as f:
        while True: f.write(bytes(1 << 20))
except OSError as e: print(e.errno, os.path.getsize("/tmp/big"))`) // prettier-ignore
        expect(stdout).toBe(`24 True\n27 ${32 * MB}\n`)
        if (machine.isolation.cpus === 'none') return
        const hog = await machine.open({ argv: ['bash', '-c', 'for n in 1 2 3 4; do (while :; do :; done) & done; wait'], terminal: null })
        const [before, startedAt] = [(await machine.usage()).cpuSeconds!, performance.now()]
        await expect.poll(async () => (await machine.usage()).cpuSeconds! - before, { timeout: 30_000 }).toBeGreaterThan(1)
        expect(performance.now() - startedAt).toBeGreaterThan(800) // one core for a second, not four cores for a quarter of a second
        await hog.end()
      }))

    it('may print endlessly, only as fast as its output is read, until it is ended', () =>
      inside(async (machine) => {
        const endless = await machine.open({ argv: ['yes'], terminal: null })
        await until(endless.output, 'y\ny\n')
        await endless.end()
        expect(await endless.exit).toMatchObject({ code: null, signal: 'SIGKILL' })
      }))

    it('leaves no background job behind when it ends, but leaves its files', () =>
      inside(async (machine) => {
        const mark = `94${process.pid}`
        await sh(machine, `cd; echo kept >file; setsid sleep ${mark} </dev/null >/dev/null 2>&1 & disown; sleep 0.1`)
        expect(processes(`sleep ${mark}`)).toEqual([])
        expect((await sh(machine, 'cat ~/file')).stdout).toBe('kept\n')
      }))

    it('has a normal terminal with name, size, keys and job control', () =>
      inside(async (machine) => {
        const channel = await machine.open({ argv: ['bash', '--norc', '--noediting', '-i'], terminal: { columns: 91, rows: 33 } })
        expect(channel.errors).toBeNull()
        const typeAndWait = async (line: string, answer: string) => {
          channel.input.write(`${line}\n`)
          return until(channel.output, answer)
        }
        const first = await typeAndWait('test -t 0 && test -t 1 && tty && stty size && echo "$-" "$TERM" end$((1))', 'end1')
        expect(first).toMatch(subject.terminal)
        expect(first).toContain('\r\n33 91\r\n')
        expect(first).toMatch(/\r\n\w*m\w* xterm-256color end1/) // m: job control
        expect(first).not.toContain('no job control')
        channel.resize(120, 40)
        expect(await typeAndWait('stty size; echo end$((2))', 'end2')).toContain('40 120')
        const mark = `95${process.pid}`
        channel.input.write(`sleep ${mark}; echo not this\n`)
        await expect.poll(() => processes(`sleep ${mark}`)).toHaveLength(1) // before that, bash would get the key
        channel.input.write('\x03')
        expect(await typeAndWait('echo $? end$((4))', 'end4')).toContain('130 end4')
        await typeAndWait('sleep 1000 & echo end$((5))', 'end5')
        await expect.poll(() => channel.descendants()).toBe(1)
        await channel.signal('TERM', 'descendants')
        await expect.poll(() => channel.descendants()).toBe(0)
        channel.input.write('exit 7\n')
        channel.output.resume()
        expect(await channel.exit).toEqual({ code: 7, signal: null, outOfMemory: false })
        channel.resize(10, 10)
        channel.input.write('x')
      }))

    it('gets signals, alone or together with its descendants', () =>
      inside(async (machine) => {
        const script = 'trap "echo got" INT; sleep 1000 & echo ready; while :; do wait; [ $? = 143 ] && exit 5; done'
        const channel = await machine.open({ argv: ['bash', '-c', script], terminal: null })
        await until(channel.output, 'ready')
        await channel.signal('INT', 'all')
        await until(channel.output, 'got')
        await channel.signal('KILL', 'all')
        expect(await channel.exit).toEqual({ code: null, signal: 'SIGKILL', outOfMemory: false })
        expect(await channel.descendants()).toBe(0)
      }))

    it('has files that can be read and written from outside, without following links', () =>
      inside(async (machine) => {
        const userHome = profile === 'machine' ? '/root' : '/home/user'
        await machine.write(`${userHome}/new/a.sh`, Readable.from([Buffer.from('echo hi; '), Buffer.from('echo out >new/out')]), 0o755)
        expect((await sh(machine, `cd; new/a.sh; stat -c %a:%u new/a.sh`)).stdout).toBe(`hi\n755:${profile === 'machine' ? 0 : 1000}\n`)
        expect(await text(await machine.read(`${userHome}/new/out`))).toBe('out\n')
        await sh(
          machine,
          'cd; ln -s /etc/hostname file; ln -s / folder; mkfifo pipe; ln -s ../../../../../../../../etc up; mkdir dir; echo x >old',
        )
        for (const place of ['file', 'folder/etc/passwd', 'pipe', 'up/passwd', 'dir', 'none', 'old/x', 'a//b', '../x'])
          await expect(machine.read(`${userHome}/${place}`)).rejects.toBeInstanceOf(NotRun)
        for (const place of ['folder/tmp/x', 'up/x', 'dir', 'old/x'])
          await expect(machine.write(`${userHome}/${place}`, Buffer.from('x'), 0o644)).rejects.toBeInstanceOf(NotRun)
        for (const place of ['/proc/x', '/bin/x', 'x', '/', ...expected.refused])
          await expect(machine.write(place, Buffer.from('x'), 0o644)).rejects.toMatchObject({ code: 'invalid_request' })
        await machine.write(`${userHome}/file`, Buffer.from('replaced'), 0o600) // replaces the link, not its target
        expect((await sh(machine, 'cd; cat file; ls -A | grep -c "^\\.[0-9a-f]*$"')).stdout).toBe('replaced0\n')
        await expect(machine.write('/tmp/x', Buffer.alloc(LIMITS.fileBytes + 1), 0o644)).rejects.toThrow(/larger than/)
        expect((await sh(machine, 'ls -A /tmp')).stdout).toBe('')
      }))
  })
  describe('a machine', () => {
    it('has its environment and working directory, and runs several programs at the same time', () =>
      within({ env: { A: 'a', HOME: '/srv' }, workdir: '/work/app' }, async (machine) => {
        const channel = await machine.open({ argv: ['sh', '-c', 'echo $A$B $HOME $PWD; cat'], terminal: null, env: { B: 'b' } })
        expect(await until(channel.output, '\n')).toBe('ab /srv /work/app\n')
        expect((await run(machine, 'sh', '-c', 'echo "$A$B"')).stdout).toBe('a\n')
        channel.input.end('through')
        expect(await text(channel.output)).toBe('through')
        expect(await channel.exit).toEqual({ code: 0, signal: null, outOfMemory: false })
        const elsewhere = await machine.open({ argv: ['pwd'], terminal: null, cwd: '/tmp' })
        expect(await text(elsewhere.output)).toBe('/tmp\n')
        await expect(machine.open({ argv: ['pwd'], terminal: null, cwd: '/none' })).rejects.toThrow(/\/none/)
      }))

    it('is refused with the name of the part that is invalid', async () => {
      const limits = { ...LIMITS, processes: 0 }
      const refused: EngineUnderTest['refusedSpecs'] = [
        [{ image: 'no-such-image:1' }, 'image_unavailable', /^image/],
        [{ limits }, 'invalid_request', /^limits.processes/],
        [{ env: { 'A=B': 'c' } }, 'invalid_request', /^env/],
        [{ workdir: 'here' }, 'invalid_request', /^workdir/],
        [{ workdir: '/', profile: 'strict' }, 'invalid_request', /^workdir/],
        [{ workdir: '/usr/src', profile: 'strict' }, 'invalid_request', /^workdir/],
        ...subject.refusedSpecs,
      ]
      for (const [more, code, word] of refused)
        await expect(engine.create(specOf(more))).rejects.toMatchObject({ code, message: expect.stringMatching(word) })
      expect(fs.readdirSync(records)).toEqual([])
    })
  })

  return { engine: () => engine, records: () => records, specOf, within }
}

export async function run(machine: Machine, ...argv: string[]) {
  const channel = await machine.open({ argv, terminal: null })
  channel.input.end()
  const [stdout, stderr, exit] = await Promise.all([text(channel.output), text(channel.errors!), channel.exit])
  return { stdout, stderr, ...exit }
}
const sh = (machine: Machine, script: string) => run(machine, 'bash', '-c', script)
export const python = (machine: Machine, script: string) => run(machine, 'python3', '-c', script)

/** Reads until the text contains `word`, and returns the text. */
function until(stream: Readable, word: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let seen = ''
    const onEnd = () => reject(new Error(`It ended without ${word}: ${seen}`))
    const onData = (chunk: Buffer) => {
      seen += chunk.toString()
      if (!seen.includes(word)) return
      stream.off('data', onData).off('end', onEnd).pause()
      resolve(seen)
    }
    stream.on('data', onData).on('end', onEnd).resume()
  })
}

/** Starts a process with a machine in which `sleep MARK` runs twice; `args` are the arguments of testing-owner.ts. */
export async function startOwner(...args: string[]): Promise<ChildProcess> {
  const program = fileURLToPath(new URL('./testing-owner.ts', import.meta.url))
  const owner = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  const lines = createInterface({ input: owner.stdout })[Symbol.asyncIterator]()
  expect((await lines.next()).value).toBe('running')
  return owner
}

/** Pids of the host's processes with this command line, or, if it starts with `-- `, whose command line ends with it. */
export const processes = (command: string) =>
  fs.readdirSync('/proc').filter((pid) => {
    try {
      if (!/^\d+$/.test(pid)) return false
      const line = fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim()
      return command.startsWith('-- ') ? line.endsWith(command) : line === command
    } catch {
      return false
    }
  })
