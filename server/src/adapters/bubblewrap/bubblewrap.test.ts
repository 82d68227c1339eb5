import { type ChildProcess, spawn } from 'node:child_process'
import fs from 'node:fs'
import { createServer } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { createInterface } from 'node:readline'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { SandboxRequest, SandboxResponse } from '#contracts/trainer.ts'
import { newFolder } from '#server/testing/folders.ts'
import { findGroups } from './groups.ts'
import { type Outcome, runAlone, type SandboxEngine, sandboxWorkerArgv, strictPolicy } from '../sandbox/index.ts'
import { gatedCommand, isolationOptions } from './arguments.ts'
import { processes } from '../sandbox/testing-machines.ts'
import { openBubblewrap } from './index.ts'
import { seccompFilter } from './seccomp.ts'
import { groupsOf } from './testing-groups.ts'

const hasBwrap = fs.existsSync('/usr/bin/bwrap')

describe.skipIf(!hasBwrap)('a program in the sandbox', () => {
  let engine: SandboxEngine
  beforeAll(async () => {
    engine = await openBubblewrap()
  })
  const run = (argv: string[], files: Record<string, string> = {}, limits: { timeoutMs?: number; memoryMb?: number } = {}) =>
    runAlone(engine, { argv, files, timeoutMs: 20_000, memoryMb: 128, ...limits })
  const python = (source: string, limits = {}): Promise<Outcome> => run(['python3', 'x.py'], { 'x.py': source }, limits)
  const shell = (source: string, limits = {}): Promise<Outcome> => run(['sh', 'x.sh'], { 'x.sh': source }, limits)

  it('finds only its files in its folder, and returns output and exit code', async () => {
    const outcome = await run(['python3', 'a/main.py'], {
      'a/main.py':
        'import os, sys\nprint(sorted(os.listdir(".")), open("b.txt").read(), os.getcwd())\nprint("oh", file=sys.stderr)\nsys.exit(3)',
      'b.txt': 'naïve ✓',
    })
    expect(outcome).toMatchObject({ exitCode: 3, signal: null, timedOut: false, outOfMemory: false, stderr: 'oh\n' })
    expect(outcome.stdout).toBe("['a', 'b.txt'] naïve ✓ /home/user\n")
  })

  it('has no network: neither the outside nor the loopback of the host', async () => {
    const server = createServer((socket) => socket.end('reached')).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as { port: number }
    const { stdout } = await python(`import socket
for family, address in [(2, ("127.0.0.1", ${port})), (2, ("169.254.169.254", 80)), (2, ("1.1.1.1", 53)), (10, ("::1", ${port}))]:
    try:
        s = socket.socket(family); s.settimeout(2); s.connect(address); print("connected", address)
    except OSError as e: print("refused")
try: print(socket.gethostbyname("localhost.localdomain"))
except OSError: print("refused")
for family in (16, 17, 40):
    try: print("socket", socket.socket(family, socket.SOCK_RAW if family == 16 else socket.SOCK_DGRAM))
    except OSError as e: print("refused")`)
    server.close()
    expect(stdout.trim().split('\n')).toEqual(Array.from({ length: 8 }, () => 'refused'))
  })

  it('sees only the programs of the host', async () => {
    const folder = newFolder()
    const { stdout } = await python(`import os
for place in ["/etc/shadow", "/etc/ssh", "/root", "/sys", "/boot", "/var/lib", "/run/docker.sock", ${JSON.stringify(folder)}, ${JSON.stringify(process.cwd())}, "/proc/1/root/root"]:
    if os.path.exists(place): print("sees", place)
print(sorted(os.listdir("/home")), sorted(os.listdir("/tmp")), os.listdir("/dev/shm"))`)
    expect(stdout).toBe("['user'] [] []\n")
  })

  it('can write only its own folders, even through links, roots and descriptors of /proc', async () => {
    const { stdout } = await python(`import os
os.symlink("/usr/bin", "link"); os.symlink("/", "root")
for place in ["/x", "/usr/x", "/etc/x", "/dev/x", "/proc/x", "/proc/sys/kernel/hostname", "/proc/sys/net/ipv4/ip_forward", "/proc/sys/kernel/shmmax", "link/x", "root/etc/x", "/proc/self/root/usr/x", "/proc/1/root/usr/x", "/proc/1/cwd/../../usr/x", "/proc/1/fd/1", "/proc/sysrq-trigger"]:
    try:
        open(place, "w").write("x"); print("wrote", place)
    except OSError: pass
for place in ["x", "/tmp/x", "/var/tmp/x", "/dev/shm/x"]: open(place, "w").write("x")
for fd in os.listdir("/proc/self/fd"):
    target = os.readlink("/proc/self/fd/" + fd) if os.path.exists("/proc/self/fd/" + fd) else ""
    if os.path.isdir("/proc/self/fd/" + fd) and not target.startswith("/proc/"): print("folder", target)
print("done")`)
    expect(stdout).toBe('done\n')
  })

  it('has no privileges and cannot get any', async () => {
    const { stdout } = await python(`import ctypes, os
status = dict(line.split(":", 1) for line in open("/proc/self/status"))
print(os.getuid(), os.getgid(), status["CapEff"].strip(), status["CapBnd"].strip(), status["NoNewPrivs"].strip(), status["Seccomp"].strip())
libc = ctypes.CDLL(None, use_errno=True)
def call(name, *arguments):
    ctypes.set_errno(0)
    if getattr(libc, name)(*arguments) != -1: print(name, "worked")
call("unshare", 0x10000000); call("unshare", 0x00020000); call("setns", 0, 0)
call("mount", b"none", b"/tmp", b"tmpfs", 0, None); call("umount2", b"/proc", 2); call("chroot", b"/tmp")
call("ptrace", 16, 1, 0, 0); call("klogctl", 3, None, 0)
call("mknod", b"/tmp/disk", 0o60600, 0x801); call("keyctl", 0, -3, 0); call("sethostname", b"x", 1)
call("setuid", 0); call("setgroups", 0, None)
for number in (425, 321, 298, 323, 304): call("syscall", number, 0, 0, 0, 0)
os.system("su -c id 2>/dev/null; mount -t tmpfs none /tmp 2>/dev/null && echo mounted; unshare -r true 2>/dev/null && echo namespaced")
import fcntl
try: fcntl.ioctl(0, 0x5412, b"x"); print("terminal")
except OSError: pass`)
    expect(stdout).toBe('1000 1000 0000000000000000 0000000000000000 1 2\n')
  })

  it('sees and reaches no process of the host, and no name of the host, user or product', async () => {
    const { stdout } = await python(`import os, signal, socket
print(all(int(p) < 20 for p in os.listdir("/proc") if p.isdigit()))
for pid in (${process.pid}, ${process.ppid}):
    try: os.kill(pid, 0); print("reached", pid)
    except ProcessLookupError: pass
print(socket.gethostname(), sorted(os.environ))
text = "".join(open(f"/proc/{p}/{name}", "rb").read().decode("latin1") for p in os.listdir("/proc") if p.isdigit() for name in ("cmdline", "environ"))
text += "".join(os.readlink("/proc/self/fd/" + fd) for fd in ("0", "1", "2")) + open("/proc/self/mountinfo").read() + open("/proc/self/cgroup").read()
print([word for word in (${JSON.stringify([os.hostname(), process.cwd(), 'bashgym', os.userInfo().homedir])}) if word in text and word != "/"])`)
    const [pids, names, words] = stdout.trim().split('\n')
    expect(pids).toBe('True')
    expect(names).toMatch(/^sandbox \['HOME', 'LANG', ('LC_CTYPE', )?'PATH', 'PWD', 'PYTHONDONTWRITEBYTECODE', 'TMPDIR', 'USER'\]$/)
    expect(words).toBe('[]')
  })

  it('starts with only three descriptors', async () => {
    const { stdout } = await python(`import os
for fd in map(int, os.listdir("/proc/self/fd")):
    try: target = os.readlink(f"/proc/self/fd/{fd}")
    except OSError: continue
    if fd > 2 and os.fstat(fd).st_size: print(fd, target)
    if "pipe" in target or "socket" in target: print(fd, target)`)
    expect(stdout).toBe('')
  })

  it('can start only a limited number of processes', async () => {
    const { stdout } = await python(
      `import os, time
made = 0
while True:
    try: pid = os.fork()
    except OSError: break
    if pid == 0: time.sleep(60)
    made += 1
print(made, flush=True)
os._exit(0)`,
    )
    expect(Number(stdout)).toBeGreaterThan(10)
    expect(Number(stdout)).toBeLessThanOrEqual(64)
  })

  it('is stopped with all its descendants when a fork bomb reaches the timeout', async () => {
    const outcome = await shell('sleep 30 & bomb() { bomb | bomb & }; bomb; wait', { timeoutMs: 700 })
    expect(outcome).toMatchObject({ exitCode: null, signal: 'SIGKILL', timedOut: true })
    expect(outcome.ms).toBeLessThan(5000)
  })

  it('cannot use more memory than its limit', async () => {
    const outcome = await python('x = []\nwhile True: x.append(bytearray(1 << 22))', { memoryMb: 64 })
    expect(outcome.exitCode).not.toBe(0)
  })

  it.skipIf(!hasBwrap || findGroups() === null)(
    'cannot exceed it with many processes or files either, if there are control groups',
    async () => {
      expect(engine.isolation.memory).toBe('together')
      const alone = await python('x = []\nwhile True: x.append(bytearray(1 << 22))', { memoryMb: 64 })
      expect(alone).toMatchObject({ exitCode: 137, signal: 'SIGKILL', outOfMemory: true })
      const shared = await shell('for i in 1 2 3 4; do head -c 60m /dev/zero >/tmp/$i & done; wait', { memoryMb: 32 })
      expect(shared.outOfMemory).toBe(true)
    },
  )

  it('cannot fill the disk', async () => {
    const { stdout } = await python(`written = 0
try:
    for name in range(100):
        with open(str(name), "wb", buffering=0) as f:
            for _ in range(16): written += f.write(bytes(1 << 20))
except OSError as e: print(e.errno, written)`, { memoryMb: 512 }) // prettier-ignore
    expect(stdout).toMatch(/^28 \d+/) // no space left
    expect(Number(stdout.split(' ')[1])).toBeLessThanOrEqual(64 * 1024 * 1024)
  })

  it('may print any output: the first megabyte is returned, and 64 MB end the program', async () => {
    const outcome = await run(['yes'])
    expect(outcome).toMatchObject({ exitCode: 153, signal: 'SIGXFSZ' })
    expect(outcome.stdout).toHaveLength(1024 * 1024)
  })

  it('ends at its timeout, or when the caller aborts', async () => {
    const late = await python('while True: pass', { timeoutMs: 400 })
    expect(late).toMatchObject({ exitCode: null, signal: 'SIGKILL', timedOut: true })
    expect(late.ms).toBeLessThan(3000)
    const controller = new AbortController()
    const box = await engine.start(strictPolicy(64), {})
    const stopped = box.run({ argv: ['sleep', '60'], timeoutMs: 60_000 }, controller.signal)
    controller.abort()
    expect(await stopped).toMatchObject({ exitCode: null, signal: 'SIGKILL', timedOut: false })
    await box.end()
  })

  it('leaves no process, at whatever moment of its start it is stopped', async () => {
    const mark = `92${process.pid}`
    const stopAfter = async (ms: number) => {
      const controller = new AbortController()
      const box = await engine.start(strictPolicy(64), {})
      const stopped = box.run({ argv: ['sleep', mark], timeoutMs: 600_000 }, controller.signal)
      const startedAt = performance.now()
      while (performance.now() - startedAt < ms); // timers are too coarse for this
      controller.abort()
      expect(await stopped).toMatchObject({ exitCode: null, signal: 'SIGKILL', timedOut: false })
      await box.end()
    }
    for (let ms = 0; ms < 8; ms += 0.05) await stopAfter(ms)
    expect(processes(`-- sleep ${mark}`)).toEqual([]) // includes the command that starts it
  })

  it('leaves no background job behind when it ends', async () => {
    const mark = `90${process.pid}`
    await shell(`setsid sh -c 'sleep ${mark}' </dev/null >/dev/null 2>&1 & sleep 0.1`)
    expect(processes(`sleep ${mark}`)).toEqual([])
  })

  it('refuses file names that lead out of its folder', async () => {
    for (const name of ['../x', '/etc/x', 'a/../../x', '.', 'a//b', 'a/', '', 'a\0b', 'x'.repeat(300)])
      await expect(run(['true'], { [name]: '' })).rejects.toMatchObject({ code: 'invalid_request' })
    await expect(run(['true'], { a: '', 'a/b': '' })).rejects.toMatchObject({ code: 'invalid_request' })
    await expect(run(['no-such-program'])).rejects.toMatchObject({ code: 'program_not_found' })
    const odd = await run(['sh', '-c', 'ls -A1'], { '-rf': '', 'a b': '', '$(id)': '', '…': '' })
    expect(odd.stdout.trim().split('\n').toSorted()).toEqual(['$(id)', '-rf', 'a b', '…'])
  })

  it('sees the readable folders of its policy at the same paths, and cannot write there', async () => {
    const folder = newFolder()
    fs.chmodSync(folder, 0o755)
    fs.writeFileSync(path.join(folder, 'a'), 'read me')
    fs.chmodSync(path.join(folder, 'a'), 0o644) // whatever the umask is
    const box = await engine.start({ ...strictPolicy(64), readable: [folder] }, {})
    const { stdout, stderr } = await box.run({ argv: ['sh', '-c', `cat ${folder}/a; echo x >${folder}/b`], timeoutMs: 20_000 })
    await box.end()
    const refused = expect.stringContaining('Read-only file system') as unknown
    expect({ stdout, stderr, files: fs.readdirSync(folder) }).toEqual({ stdout: 'read me', stderr: refused, files: ['a'] })
    for (const place of [
      '/',
      '/home',
      '/tmp',
      '/dev/shm',
      '/etc',
      '/proc/self',
      '/proc',
      'x',
      `${folder}/../x`,
      `${folder}/a`,
      `${folder}/none`,
    ])
      await expect(engine.start({ ...strictPolicy(64), readable: [place] }, {})).rejects.toMatchObject({ code: 'invalid_request' })
  })

  it('exchanges input and output while it runs, next to other programs, until the sandbox is ended', async () => {
    const box = await engine.start(strictPolicy(64), { 'x.sh': 'while read -r line; do echo "<$line>"; echo oh >&2; done' })
    const startProgram = () => {
      const [input, output, errors] = [new PassThrough(), new PassThrough(), new PassThrough()]
      const outcome = box.run({ argv: ['sh', 'x.sh'], timeoutMs: 60_000, streams: { input, output, errors } })
      return { input, outcome, errors, lines: createInterface({ input: output })[Symbol.asyncIterator]() }
    }
    const [one, two] = [startProgram(), startProgram()]
    for (const [program, word] of [
      [one, 'a'],
      [two, 'b'],
      [one, 'c'],
    ] as const) {
      program.input.write(`${word}\n`)
      expect((await program.lines.next()).value).toBe(`<${word}>`)
    }
    one.input.end()
    expect(await one.outcome).toMatchObject({ exitCode: 0, stdout: '', stderr: '' })
    expect(await text(one.errors)).toBe('oh\noh\n')
    await box.end()
    expect(await two.outcome).toMatchObject({ exitCode: null, signal: 'SIGKILL', timedOut: false })
    await expect(box.run({ argv: ['true'], timeoutMs: 1000 })).rejects.toThrow('has been ended')
  })

  it('leaves nothing behind after a hundred runs', async () => {
    const before = footprint()
    for (let n = 0; n < 100; n += 1) expect((await shell(`echo ${n} >x; cat x`)).stdout).toBe(`${n}\n`)
    const after = footprint()
    // Descriptors of earlier test files may close in the meantime.
    expect(after.descriptors.filter((one) => !before.descriptors.includes(one))).toEqual([])
    expect({ ...after, descriptors: [] }).toEqual({ ...before, descriptors: [] })
  })
})

describe.skipIf(!hasBwrap)('the worker', () => {
  const children: ChildProcess[] = []
  afterEach(() => {
    for (const child of children.splice(0)) child.kill('SIGKILL')
  })
  const start = (options: { uid?: number; argv?: string[] } = {}) => {
    const [command, ...args] = options.argv ?? sandboxWorkerArgv()!
    const { uid } = options
    const child = spawn(command!, args, { stdio: ['pipe', 'pipe', 'inherit'], ...(uid === undefined ? {} : { uid, gid: uid, cwd: '/' }) })
    children.push(child)
    const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
    return {
      child,
      ask: (line: unknown) => void child.stdin.write(`${typeof line === 'string' ? line : JSON.stringify(line)}\n`),
      answer: async () => JSON.parse((await answers.next()).value as string) as SandboxResponse,
      end: async () => {
        child.stdin.end()
        return (await once(child, 'exit'))[0] as number | null
      },
    }
  }
  const request = (id: string, argv: string[], more: Partial<SandboxRequest> = {}) => ({ id, files: {}, argv, timeoutMs: 20_000, ...more })

  it('answers each request with its id as soon as it is done, and ends with its input', async () => {
    const several = os.availableParallelism() > 1 // otherwise each request waits for the previous one
    const busy = start()
    busy.ask(request('slow', ['sleep', several ? '600' : '0.5'], { timeoutMs: 600_000 }))
    busy.ask(request('fast', ['echo', 'hi']))
    const answers = several ? [await busy.answer()] : [await busy.answer(), await busy.answer()]
    expect(answers.map(({ id }) => id)).toEqual(several ? ['fast'] : ['slow', 'fast'])
    expect(answers.at(-1)).toMatchObject({ exitCode: 0, stdout: 'hi\n', error: null, timedOut: false })
    const worker = start()
    for (let n = 0; n < 5; n += 1) worker.ask(request(String(n), ['true']))
    const rest = worker.end()
    const ids = [await worker.answer(), await worker.answer(), await worker.answer(), await worker.answer(), await worker.answer()].map(({ id }) => id) // prettier-ignore
    expect(new Set(ids)).toEqual(new Set(['0', '1', '2', '3', '4']))
    expect(await rest).toBe(0)
  })

  it('answers invalid requests with an error, and continues', async () => {
    const worker = start()
    for (const line of ['{', '[]', 'null', '{"id":"a"}', { ...request('b', ['true']), files: { '../x': '' } }]) {
      worker.ask(line)
      expect((await worker.answer()).error?.code).toBe('invalid_request')
    }
    worker.ask('x'.repeat(17 * 1024 * 1024))
    expect((await worker.answer()).error?.message).toMatch(/longer than 16 MB/)
    worker.ask(request('c', ['echo', 'still here']))
    expect(await worker.answer()).toMatchObject({ id: 'c', stdout: 'still here\n', error: null })
  })

  it.skipIf(process.getuid?.() !== 0)('isolates programs also if it runs as an ordinary user', async () => {
    const worker = start({ uid: 1000 })
    worker.ask(request('a', ['sh', 'x.sh'], { files: { 'x.sh': 'id -u; cat /etc/shadow; cat /proc/net/dev | wc -l' } }))
    expect(await worker.answer()).toMatchObject({ id: 'a', exitCode: 0, stdout: '1000\n3\n', error: null })
    const bomb = 'import os\nn = 0\ntry:\n  while True:\n    if os.fork() == 0: __import__("time").sleep(9)\n    n += 1\nexcept OSError: print(n, flush=True)\nos._exit(0)' // prettier-ignore
    worker.ask(request('b', ['python3', 'x.py'], { files: { 'x.py': bomb } }))
    const forks = Number((await worker.answer()).stdout)
    expect(forks).toBeGreaterThan(10)
    expect(forks).toBeLessThanOrEqual(64)
    worker.ask(request('c', ['python3', '-c', 'x = bytearray(1 << 29)'], { memoryMb: 64 }))
    expect((await worker.answer()).exitCode).not.toBe(0)
  })

  it.skipIf(process.getuid?.() !== 0)('runs nothing if isolation is not available', async () => {
    // As another user in a namespace in which no further namespace can be created.
    const argv = ['/usr/bin/bwrap', '--dev-bind', '/', '/', '--unshare-user', '--uid', '1000', '--disable-userns', ...sandboxWorkerArgv()!]
    const worker = start({ argv })
    worker.ask(request('a', ['sh', '-c', 'echo ran']))
    const answer = await worker.answer()
    expect(answer).toMatchObject({ id: 'a', exitCode: null, stdout: '', error: { code: 'isolation_unavailable' } })
    expect(answer.error?.message).toMatch(/namespace|bubblewrap/i)
  })

  it('ends its programs when it is killed', async () => {
    const worker = start()
    const mark = `91${process.pid}`
    worker.ask(request('a', ['echo', 'ready']))
    await worker.answer()
    worker.ask(request('b', ['sh', '-c', `sleep ${mark}`]))
    await expect.poll(() => processes(`sleep ${mark}`).length, { timeout: 30_000 }).toBeGreaterThan(0)
    worker.child.kill('SIGKILL')
    await expect.poll(() => processes(`sleep ${mark}`), { timeout: 30_000, interval: 20 }).toEqual([])
  })

  it('starts no program after it is killed', async () => {
    const mark = `93${process.pid}`
    for (let ms = 1; ms < 14; ms += 2) {
      const worker = start()
      worker.ask(request('a', ['echo', 'ready']))
      await worker.answer()
      worker.ask(request('b', ['sleep', mark]))
      const startedAt = performance.now()
      while (performance.now() - startedAt < ms);
      worker.child.kill('SIGKILL')
      await once(worker.child, 'exit')
    }
    const last = start()
    last.ask(request('c', ['true'])) // takes as long as the killed starts would have taken
    await last.answer()
    expect(processes(`sleep ${mark}`)).toEqual([])
  })

  it('kills processes of an incomplete start whose owner was killed, and no others', async () => {
    const mark = `94${process.pid}`
    const command = [...isolationOptions('sandbox', 1000), ...'--ro-bind / / --json-status-fd 4 --'.split(' '), ...gatedCommand(3)]
    const bwrap = (device: string) => {
      const status = fs.openSync(device, 'w')
      const child = spawn('/usr/bin/bwrap', [...command, 'env', '--', 'sleep', mark], { stdio: ['ignore', 'ignore', 'ignore', 'pipe', status], detached: true }) // prettier-ignore
      fs.closeSync(status)
      children.push(child)
      return child
    }
    const living = bwrap('/dev/null')
    await once(living.stdio[3]!, 'data')
    const kept = processes(`-- sleep ${mark}`)
    expect(kept).toHaveLength(3)
    await once(bwrap('/dev/full'), 'exit') // its status cannot be written, as if its reader had been killed
    await expect.poll(async () => (await openBubblewrap(), processes(`-- sleep ${mark}`)), { timeout: 30_000 }).toEqual(kept)
  })
})

it('has a system-call filter for the supported architectures only', () => {
  expect(seccompFilter('x64').length % 8).toBe(0)
  expect(seccompFilter('arm64').length).toBeLessThan(seccompFilter('x64').length)
  expect(() => seccompFilter('mips')).toThrow(/mips/)
})

/** Things that a sandbox might leave: temporary files, descriptors and control groups. */
function footprint() {
  const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-/
  return {
    files: fs.readdirSync('/tmp').filter((name) => uuid.test(name)),
    descriptors: fs.readdirSync('/proc/self/fd').flatMap((fd) => {
      try {
        return [`${fd} ${fs.readlinkSync(`/proc/self/fd/${fd}`)}`]
      } catch {
        return [] // the descriptor of this listing itself
      }
    }),
    groups: groupsOf(process.pid),
  }
}
