import { spawn } from 'node:child_process'
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
import { type Machine, type MachineEngine, type MachineSpec, NotRun, openMachines } from '../sandbox/index.ts'
import { findGroups } from './groups.ts'
import { groupsOf } from './testing-groups.ts'

const here = fs.existsSync('/usr/bin/bwrap')
const MB = 1024 * 1024
const LIMITS = { memoryBytes: 128 * MB, cpus: 1, processes: 64, diskBytes: 64 * MB, openFiles: 128, fileBytes: 32 * MB }
const specOf = (more: Partial<MachineSpec> = {}): MachineSpec => ({
  id: 'a',
  image: 'host',
  profile: 'machine',
  workdir: null,
  env: {},
  network: 'none',
  limits: LIMITS,
  labels: {},
  ...more,
})

let records: string
let engine: MachineEngine
beforeAll(async () => {
  if (!here) return
  records = fs.mkdtempSync(path.join(os.tmpdir(), 'records-'))
  engine = await openMachines(records)
})
afterAll(() => here && fs.rmSync(records, { recursive: true }))

/** Runs `work` in a machine of its own. */
async function within<Result>(more: Partial<MachineSpec>, work: (machine: Machine) => Promise<Result>): Promise<Result> {
  const machine = await engine.create(specOf(more))
  try {
    return await work(machine)
  } finally {
    await machine.remove()
  }
}
async function run(machine: Machine, ...argv: string[]) {
  const channel = await machine.open({ argv, terminal: null })
  channel.input.end()
  const [stdout, stderr, exit] = await Promise.all([text(channel.output), text(channel.errors!), channel.exit])
  return { stdout, stderr, ...exit }
}
const sh = (machine: Machine, script: string) => run(machine, 'bash', '-c', script)
const python = (machine: Machine, script: string) => run(machine, 'python3', '-c', script)

/** Reads until `word` has been seen; the text up to then. */
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

describe.skipIf(!here).each(['machine', 'strict'] as const)('a program of the profile %s', (profile) => {
  const inside = <Result>(work: (machine: Machine) => Promise<Result>, more: Partial<MachineSpec> = {}) =>
    within({ profile, ...more }, work)

  it('reaches no network: neither outside, names, the host, nor other kinds of sockets', () =>
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
for family in (16, 17, 40):
    try: print("socket", socket.socket(family, socket.SOCK_RAW if family == 16 else socket.SOCK_DGRAM))
    except OSError: pass
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
for place in ["/etc/shadow", "/etc/ssh", "/etc/resolv.conf", "/root/.ssh", "/sys", "/boot", "/var/lib", "/oldroot", "/tmp/mine", ${JSON.stringify(secret)}, ${JSON.stringify(records)}, ${JSON.stringify(process.cwd())}, "/proc/1/root/boot", "/proc/1/root/sys"]:
    if os.path.exists(place): print("sees", place)
print(os.listdir("/tmp"), os.listdir("/var/tmp"), os.listdir("/dev/shm"))`) // prettier-ignore
      })
      fs.rmSync(secret, { recursive: true })
      expect(stdout).toBe('[] [] []\n')
    }))

  it('writes only its own places, also through links, /proc/1/root and descriptors', () =>
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
      expect(stdout).toBe(profile === 'machine' ? 'wrote /x\nwrote /etc/x\nwrote /opt/x\n' : '')
    }))

  it('has no privileges, and gets none: calls, namespaces, devices, keys, the kernel, setuid programs', () =>
    inside(async (machine) => {
      const { stdout } = await python(machine, `import ctypes, fcntl, os
status = dict(line.split(":", 1) for line in open("/proc/self/status"))
print(os.getuid(), os.getgid(), *(status[key].strip() for key in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb", "NoNewPrivs", "Seccomp")))
libc = ctypes.CDLL(None, use_errno=True)
def call(name, *arguments):
    if getattr(libc, name)(*arguments) != -1: print(name, "worked")
call("unshare", 0x10000000); call("unshare", 0x00020000); call("setns", os.open("/proc/1/ns/net", 0), 0)
call("mount", b"none", b"/tmp", b"tmpfs", 0, None); call("umount2", b"/proc", 2); call("chroot", b"/tmp")
call("ptrace", 16, 1, 0, 0); call("klogctl", 3, None, 0); call("mknod", b"/tmp/disk", 0o60600, 0x801)
call("keyctl", 0, -3, 0); call("sethostname", b"x", 1); call("setgroups", 0, None); call("setuid", 1234)
for number in (425, 321, 298, 323, 304, 310, 438): call("syscall", number, 0, 0, 0, 0)
os.system("(mount -t tmpfs none /tmp && echo mounted; unshare -Ur true && echo namespaced; dmesg && echo read) 2>/dev/null")
for name in ("/dev/mem", "/dev/kmsg", "/dev/vda", "/dev/sda", "/dev/fuse", "/proc/kcore", "/proc/kmsg"):
    try: open(name, "rb").read(1); print("opened", name)
    except OSError: pass
for place in ("/usr/bin/su", "/usr/bin/passwd", "/usr/bin/mount"):
    if os.path.exists(place) and os.statvfs(place).f_flag & os.ST_NOSUID == 0: print("setuid", place)
try: fcntl.ioctl(0, 0x5412, b"x"); print("terminal")
except OSError: pass`) // prettier-ignore
      const uid = profile === 'machine' ? 0 : 1000
      expect(stdout).toBe(`${uid} ${uid} ${'0000000000000000 '.repeat(5)}1 2\n`)
    }))

  it('sees no process of the host or of another program of its machine, and no word of where it runs', () =>
    inside(
      async (machine) => {
        const beside = await machine.open({ argv: ['sleep', '1000'], terminal: null })
        const { stdout } = await python(machine, `import os, socket
print([p for p in os.listdir("/proc") if p.isdigit() and int(p) > 2])
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
        await beside.end()
        const [others, environment, ...words] = stdout.split('\n')
        expect([others, environment]).toEqual([
          '[]',
          expect.stringMatching(/^True \['A', 'HOME', 'LANG', ('LC_CTYPE', )?'PATH', ('PWD', )?'USER'\]$/),
        ])
        const told = words.join('\n')
        expect(told).toContain('/bin/sh') // it has read something
        const ofOurs = [os.hostname(), process.cwd(), records, 'bashgym', os.homedir()].filter((word) => word !== '/root')
        const seen = new Set(told.split(/[^\w./-]/))
        expect(ofOurs.filter((word) => seen.has(word))).toEqual([])
      },
      { env: { A: 'b' } },
    ))

  it('is born with its three descriptors alone, also while terminals of others are open', () =>
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

  it('multiplies up to its limit, others go on, and its machine is gone within a second', () =>
    within({ profile }, async (other) => {
      const machine = await engine.create(specOf({ profile }))
      const bomb = await machine.open({ argv: ['bash', '-c', 'echo go; bomb() { bomb | bomb & }; bomb; sleep 1000'], terminal: null })
      bomb.errors!.resume()
      await until(bomb.output, 'go')
      await expect.poll(async () => (await machine.usage()).processes, { timeout: 30_000 }).toBeGreaterThan(30)
      expect((await sh(other, 'echo still here')).stdout).toBe('still here\n')
      const began = performance.now()
      await machine.stop()
      expect(performance.now() - began).toBeLessThan(1000)
      expect((await machine.usage()).processes).toBe(0)
      await machine.remove()
    }))

  it.skipIf(here && findGroups() === null)('that eats the memory is killed, and it is known why', () =>
    inside(async (machine) => {
      expect(machine.isolation.memory).toBe('together')
      const outcome = await python(machine, 'x = []\nwhile True: x.append(bytearray(1 << 22))')
      expect(outcome).toMatchObject({ code: null, signal: 'SIGKILL', outOfMemory: true })
      expect(await sh(machine, 'echo next')).toMatchObject({ stdout: 'next\n', code: 0, outOfMemory: false })
    }),
  )

  it('that fills the disk is stopped, with files that have names and with deleted ones', async () => {
    for (const script of [
      'for n in 1 2 3 4 5 6; do head -c 30M /dev/zero >/tmp/$n; done; sleep 1000',
      'cd /dev/shm; for n in 3 4 5 6; do eval "exec $n>file"; rm file; head -c 30M /dev/zero >&$n; done; sleep 1000',
    ])
      await inside(async (machine) => {
        expect(machine.isolation.disk).toBe('watched')
        expect(await sh(machine, script)).toMatchObject({ code: null, signal: 'SIGKILL', outOfMemory: false })
        await expect(sh(machine, 'true')).rejects.toThrow(/took \d+ bytes of the disk/)
      })
  })

  it('has no more descriptors, bytes in a file or cores than it may', () =>
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
      const [before, began] = [(await machine.usage()).cpuSeconds!, performance.now()]
      await expect.poll(async () => (await machine.usage()).cpuSeconds! - before, { timeout: 30_000 }).toBeGreaterThan(1)
      expect(performance.now() - began).toBeGreaterThan(800) // one core for a second, not four for a quarter
      await hog.end()
    }))

  it('may print without end: who reads decides how much, and it is gone when it is ended', () =>
    inside(async (machine) => {
      const endless = await machine.open({ argv: ['yes'], terminal: null })
      await until(endless.output, 'y\ny\n')
      await endless.end()
      expect(await endless.exit).toMatchObject({ code: null, signal: 'SIGKILL' })
    }))

  it('leaves no job behind: with it ends what it started, its files stay', () =>
    inside(async (machine) => {
      const mark = `94${process.pid}`
      await sh(machine, `cd; echo kept >file; setsid sleep ${mark} </dev/null >/dev/null 2>&1 & disown; sleep 0.1`)
      expect(processes(`sleep ${mark}`)).toEqual([])
      expect((await sh(machine, 'cat ~/file')).stdout).toBe('kept\n')
    }))

  it('has a terminal like any other: name, size, keys, jobs', () =>
    inside(async (machine) => {
      const channel = await machine.open({ argv: ['bash', '--norc', '--noediting', '-i'], terminal: { columns: 91, rows: 33 } })
      expect(channel.errors).toBeNull()
      const says = async (line: string, answer: string) => {
        channel.input.write(`${line}\n`)
        return until(channel.output, answer)
      }
      const first = await says('test -t 0 && test -t 1 && tty && stty size && echo "$-" "$TERM" end$((1))', 'end1')
      expect(first).toContain('/dev/console\r\n33 91\r\n')
      expect(first).toMatch(/\r\n\w*m\w* xterm-256color end1/) // m: job control
      expect(first).not.toContain('no job control')
      channel.resize(120, 40)
      expect(await says('stty size; echo end$((2))', 'end2')).toContain('40 120')
      const mark = `95${process.pid}`
      channel.input.write(`sleep ${mark}; echo not this\n`)
      await expect.poll(() => processes(`sleep ${mark}`)).toHaveLength(1) // before that a key would be bash's
      channel.input.write('\x03')
      expect(await says('echo $? end$((4))', 'end4')).toContain('130 end4')
      await says('sleep 1000 & echo end$((5))', 'end5')
      await expect.poll(() => channel.descendants()).toBe(1)
      await channel.signal('TERM', 'descendants')
      await expect.poll(() => channel.descendants()).toBe(0)
      channel.input.write('exit 7\n')
      channel.output.resume()
      expect(await channel.exit).toEqual({ code: 7, signal: null, outOfMemory: false })
      channel.resize(10, 10)
      channel.input.write('x')
    }))

  it('gets its signals, alone or with what it started', () =>
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

  it('shares its files with the owner, who follows no link', () =>
    inside(async (machine) => {
      const home = profile === 'machine' ? '/root' : '/home/user'
      await machine.write(`${home}/new/a.sh`, Readable.from([Buffer.from('echo hi; '), Buffer.from('echo out >new/out')]), 0o755)
      expect((await sh(machine, `cd; new/a.sh; stat -c %a:%u new/a.sh`)).stdout).toBe(`hi\n755:${profile === 'machine' ? 0 : 1000}\n`)
      expect(await text(await machine.read(`${home}/new/out`))).toBe('out\n')
      await sh(
        machine,
        'cd; ln -s /etc/hostname file; ln -s / folder; mkfifo pipe; ln -s ../../../../../../../../etc up; mkdir dir; echo x >old',
      )
      for (const place of ['file', 'folder/etc/passwd', 'pipe', 'up/passwd', 'dir', 'none', 'old/x', 'a//b', '../x'])
        await expect(machine.read(`${home}/${place}`)).rejects.toBeInstanceOf(NotRun)
      for (const place of ['folder/tmp/x', 'up/x', 'dir', 'old/x'])
        await expect(machine.write(`${home}/${place}`, Buffer.from('x'), 0o644)).rejects.toBeInstanceOf(NotRun)
      for (const place of ['/usr/x', '/proc/x', '/dev/shm/x', '/bin/x', 'x', '/'])
        await expect(machine.write(place, Buffer.from('x'), 0o644)).rejects.toMatchObject({ code: 'invalid_request' })
      await machine.write(`${home}/file`, Buffer.from('replaced'), 0o600) // the link, not where it leads
      expect((await sh(machine, 'cd; cat file; ls -A | grep -c "^\\.[0-9a-f]*$"')).stdout).toBe('replaced0\n')
      await expect(machine.write('/tmp/x', Buffer.alloc(LIMITS.fileBytes + 1), 0o644)).rejects.toThrow(/larger than/)
      expect((await sh(machine, 'ls -A /tmp')).stdout).toBe('')
    }))
})

describe.skipIf(!here)('a machine', () => {
  it('has its environment, its working directory and several programs at once', () =>
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

  it('is refused with the part that cannot be held', async () => {
    const limits = { ...LIMITS, processes: 0 }
    const refused: [Partial<MachineSpec>, NotRun['code'], RegExp][] = [
      [{ network: 'open' }, 'isolation_unavailable', /^network/],
      [{ image: 'ubuntu:latest' }, 'image_unavailable', /^image/],
      [{ limits }, 'invalid_request', /^limits.processes/],
      [{ env: { 'A=B': 'c' } }, 'invalid_request', /^env/],
      [{ workdir: 'here' }, 'invalid_request', /^workdir/],
      [{ workdir: '/usr/src' }, 'invalid_request', /^workdir/],
      [{ workdir: '/', profile: 'strict' }, 'invalid_request', /^workdir/],
    ]
    for (const [more, code, word] of refused)
      await expect(engine.create(specOf(more))).rejects.toMatchObject({ code, message: expect.stringMatching(word) })
    expect(fs.readdirSync(records)).toEqual([])
  })

  it('is removed with all its files, however deep and closed', async () => {
    const machine = await engine.create(specOf({ profile: 'strict' }))
    await python(
      machine,
      'import os\nfor _ in range(60):\n    os.mkdir("d" * 100); os.chdir("d" * 100)\nos.chmod(".", 0)\nos.mkdir("/tmp/closed", 0)',
    )
    const folder = folderOf(records)
    expect(fs.statSync(folder).mode & 0o777).toBe(0o700)
    await machine.remove()
    expect([fs.existsSync(folder), fs.readdirSync(records)]).toEqual([false, []])
    await expect(machine.open({ argv: ['true'], terminal: null })).rejects.toThrow(/removed/)
  })

  it('starts programs and stops when a program inside has put its own in the place of /bin/sh', () =>
    within({ profile: 'machine' }, async (machine) => {
      const change = `rm /bin; mkdir /bin; printf '#!/usr/bin/bash\\nwhile :; do /usr/bin/sleep 1; done\\n' >/bin/sh; chmod +x /bin/sh`
      await (
        await machine.open({ argv: ['bash', '-c', change], terminal: null })
      ).exit
      const next = await machine.open({ argv: ['echo', 'begun'], terminal: null })
      expect(await text(next.output)).toBe('begun\n')
      await machine.open({ argv: ['/bin/sh', '-c', 'true'], terminal: null }) // never ends
      await machine.stop()
    }))

  it('leaves nothing once its owner was killed and a sweep has been', async () => {
    const theirs = fs.mkdtempSync(path.join(os.tmpdir(), 'theirs-'))
    const mark = `95${process.pid}`
    const owner = spawn(process.execPath, [fileURLToPath(new URL('./testing-owner.ts', import.meta.url)), theirs, mark], { stdio: ['ignore', 'pipe', 'inherit'] }) // prettier-ignore
    const lines = createInterface({ input: owner.stdout })[Symbol.asyncIterator]()
    expect((await lines.next()).value).toBe('running')
    expect(processes(`sleep ${mark}`)).toHaveLength(2)
    const folder = folderOf(theirs)
    const mine = await openMachines(theirs)
    expect(await mine.sweep()).toBe(0) // it lives
    owner.kill('SIGKILL')
    await once(owner, 'exit')
    await expect.poll(() => processes(`sleep ${mark}`), { timeout: 30_000, interval: 20 }).toEqual([])
    expect(await mine.sweep()).toBe(1)
    expect([fs.existsSync(folder), fs.readdirSync(theirs), groupsOf(owner.pid!)]).toEqual([false, [], []])
    fs.rmSync(theirs, { recursive: true })
  })

  it('leaves no descriptor, process, folder, mount or group behind, two hundred times', async () => {
    const names = new Set<string>()
    const look = () => ({
      descriptors: fs.readdirSync('/proc/self/fd').length,
      children: fs.readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8').trim(),
      folders: fs.readdirSync(records),
      places: [...names].filter((name) => fs.existsSync(`/var/tmp/${name}`)),
      mounts: fs.readFileSync('/proc/self/mountinfo', 'utf8'),
      groups: groupsOf(process.pid),
    })
    const once_ = (n: number) =>
      within({ profile: n % 2 ? 'strict' : 'machine' }, async (machine) => {
        for (const name of fs.readdirSync(records)) names.add(name)
        const terminal = n % 4 < 2 ? { columns: 80, rows: 24 } : null
        const channel = await machine.open({ argv: ['sh', '-c', `echo ${n} >/tmp/x; cat /tmp/x; exit 3`], terminal })
        expect((await text(channel.output)).trim()).toBe(String(n))
        expect((await channel.exit).code).toBe(3)
        if (n % 10 < 2) await (await machine.open({ argv: ['yes'], terminal })).end() // nobody reads it
      })
    await once_(0)
    const before = look()
    for (let n = 0; n < 200; n += 1) await once_(n)
    await expect.poll(look, { timeout: 10_000 }).toEqual(before)
  }, 300_000)
})

/** The folder of the only machine whose record lies there. */
function folderOf(place: string): string {
  const [name] = fs.readdirSync(place)
  return (JSON.parse(fs.readFileSync(path.join(place, name!, 'machine.json'), 'utf8')) as { folder: string }).folder
}

/** Processes of this machine whose command line this is. */
const processes = (command: string) =>
  fs.readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim() === command
    } catch {
      return false
    }
  })
