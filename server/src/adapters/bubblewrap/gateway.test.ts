import fs from 'node:fs'
import http from 'node:http'
import { once } from 'node:events'
import net, { type AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { processes } from '#server/process/marks.ts'
import { type Machine, type MachineEngine, type MachineSpec, openMachines } from '../sandbox/index.ts'
import { LIMITS } from '../sandbox/testing-machines.ts'

const here = fs.existsSync('/usr/bin/bwrap')

describe.skipIf(!here).each(['machine', 'strict'] as const)('a list of addresses, in the profile %s', (profile) => {
  let records: string
  let engine: MachineEngine
  let machine: Machine
  let recordOf: string
  const servers: net.Server[] = []
  let allowed: number
  let other: number

  const listening = async (server: net.Server): Promise<number> => {
    servers.push(server.listen(0, '127.0.0.1'))
    await once(server, 'listening')
    return (server.address() as AddressInfo).port
  }
  const specOf = (network: MachineSpec['network']): MachineSpec => ({ id: 'a', image: 'host', profile, workdir: null, env: {}, network, limits: LIMITS, labels: {} }) // prettier-ignore
  const inside = async (...argv: string[]) => {
    const channel = await machine.open({ argv, terminal: null })
    channel.input.end()
    const [stdout, stderr] = await Promise.all([text(channel.output), text(channel.errors!), channel.exit])
    return stdout + stderr
  }
  const bash = (script: string) => inside('bash', '-c', script)
  /** Sends these lines to the proxy, and returns its answer. */
  const ask = (lines: string[]) =>
    bash(`exec 3<>/dev/tcp/127.0.0.1/3128; printf '${[...lines, '', ''].join('\\r\\n')}' >&3; timeout 5 cat <&3`)
  const refused = () => machine.traffic()!.refused.map(({ address, reason }) => `${reason} ${address}`)

  beforeAll(async () => {
    if (!here) return
    records = fs.mkdtempSync(path.join(os.tmpdir(), 'records-'))
    engine = await openMachines(records)
    allowed = await listening(
      http.createServer((request, response) => {
        if (request.url === '/away') response.writeHead(302, { location: `http://127.0.0.1:${other}/` }).end()
        else response.end(`${request.method} ${request.url} for ${request.headers.host}`)
      }),
    )
    other = await listening(net.createServer((socket) => socket.end('reached')))
    machine = await engine.create(specOf({ allow: [{ host: '127.0.0.1', port: allowed }, { host: 'localhost.localdomain', port: allowed }] })) // prettier-ignore
  })
  beforeAll(() => void (here && ([recordOf] = fs.readdirSync(records) as [string])))
  afterAll(async () => {
    if (!here) return
    await machine.remove()
    for (const server of servers) server.close()
    fs.rmSync(records, { recursive: true })
  })

  it('is reported in the isolation, and allows connections to its addresses', async () => {
    expect(machine.isolation.network).toBe('allow-list')
    expect(machine.traffic()).toEqual({ passed: 0, refused: [], refusedOthers: 0 })
    expect(await inside('curl', '-sS', `http://127.0.0.1:${allowed}/x?y`)).toBe(`GET /x?y for 127.0.0.1:${allowed}`)
    const script = `import urllib.request
print(urllib.request.urlopen(urllib.request.Request("http://127.0.0.1:${allowed}/p", data=b"body")).read().decode())`
    expect(await inside('python3', '-c', script)).toContain('POST /p for')
    expect(machine.traffic()).toMatchObject({ passed: 2, refused: [] })
    const trusted = 'import ssl; print(len(ssl.create_default_context().get_ca_certs()))'
    const hasList = fs.existsSync('/etc/ssl/certs/ca-certificates.crt')
    expect(Number(await inside('python3', '-c', trusted)) > 10).toBe(hasList)
  })

  it('is the only way out: there is no other interface, address, name, raw packet or socket', async () => {
    const abstract = `\0sbx-${process.pid}`
    const listener = net.createServer((socket) => socket.end('reached')).listen(abstract)
    await once(listener, 'listening')
    const output = await inside('python3', '-c', `import socket, os
for family, address in [(2, ("127.0.0.1", ${allowed})), (2, ("127.0.0.1", ${other})), (2, ("169.254.169.254", 80)), (2, ("1.1.1.1", 53)), (10, ("::1", ${allowed}))]:
    try: s = socket.socket(family); s.settimeout(2); s.connect(address); print("connected", address)
    except OSError: pass
for kind in (socket.SOCK_RAW, socket.SOCK_DGRAM):
    for protocol in (1, 255):
        try: print("raw", socket.socket(2, kind, protocol))
        except OSError: pass
for family in (16, 17, 40):
    try: print("socket", socket.socket(family, socket.SOCK_RAW if family == 16 else socket.SOCK_DGRAM))
    except OSError: pass
try: s = socket.socket(socket.AF_UNIX); s.connect("\\0sbx-${process.pid}"); print("connected to an abstract socket")
except OSError: pass
for name in ("example.com", "localhost.localdomain"):
    try: print("found", socket.gethostbyname(name))
    except OSError: pass
for place in ("/d", "/../d", "/run/docker.sock"):
    if os.path.exists(place): print("sees", place)
print([line.split(":")[0].strip() for line in open("/proc/net/dev") if ":" in line], len(open("/proc/net/route").readlines()))
print([p for p in os.listdir("/proc") if p.isdigit() and int(p) > 2])`) // prettier-ignore
    listener.close()
    expect(output).toBe("['lo'] 1\n[]\n")
  })

  it('allows nothing else: ports, names, redirects, Host, CONNECT and the metadata address', async () => {
    const before = machine.traffic()!.passed
    expect(await ask([`GET http://127.0.0.1:${other}/ HTTP/1.1`, `Host: 127.0.0.1:${other}`, 'Connection: close'])).toMatch(
      /^HTTP\/1.1 403/,
    )
    // another name of the same address
    expect(await ask([`GET http://localhost:${allowed}/ HTTP/1.1`, `Host: localhost:${allowed}`, 'Connection: close'])).toMatch(
      /^HTTP\/1.1 403/,
    )
    expect(await ask([`CONNECT 127.0.0.1.:${other} HTTP/1.1`, `Host: 127.0.0.1:${other}`])).toMatch(/^HTTP\/1.1 403/)
    expect(await ask([`GET http://127.0.0.1:${allowed}/ HTTP/1.1`, 'Host: example.com', 'Connection: close'])).toMatch(/^HTTP\/1.1 403/)
    expect(await ask([`CONNECT 127.0.0.1:${allowed} HTTP/1.1`, 'Host: example.com:443'])).toMatch(/^HTTP\/1.1 403/)
    expect(await ask(['GET http://169.254.169.254/latest/meta-data/ HTTP/1.1', 'Host: 169.254.169.254', 'Connection: close'])).toMatch(
      /^HTTP\/1.1 403/,
    )
    expect(await ask(['CONNECT 169.254.169.254:80 HTTP/1.1', 'Host: 169.254.169.254:80'])).toMatch(/^HTTP\/1.1 403/)
    expect(await ask(['GET / HTTP/1.1', `Host: 127.0.0.1:${allowed}`, 'Connection: close'])).toMatch(/^HTTP\/1.1 403/)
    expect(await bash(`curl -sSL http://127.0.0.1:${allowed}/away`)).toContain('is not on the list')
    // Unencrypted bytes through a tunnel could be for any host.
    expect(await bash(`exec 3<>/dev/tcp/127.0.0.1/3128; printf 'CONNECT 127.0.0.1:${allowed} HTTP/1.1\\r\\nHost: 127.0.0.1:${allowed}\\r\\n\\r\\nGET / HTTP/1.1\\r\\nHost: evil\\r\\n\\r\\n' >&3; timeout 5 cat <&3`)).not.toContain('for evil') // prettier-ignore
    expect(refused()).toEqual(
      expect.arrayContaining([
        `not-listed 127.0.0.1:${other}`,
        `not-listed localhost:${allowed}`,
        `other-name 127.0.0.1:${allowed}`,
        'not-listed 169.254.169.254:80',
        'not-http /',
        `not-tls 127.0.0.1:${allowed}`,
      ]),
    )
    expect(machine.traffic()!.refused.find(({ address }) => address === `127.0.0.1:${other}`)!.times).toBe(3)
    expect(machine.traffic()!.passed).toBe(before + 1) // the redirect itself
  })

  it('lists only a limited number of refused addresses', async () => {
    await bash(
      'for n in {1..130}; do exec 3<>/dev/tcp/127.0.0.1/3128; printf "CONNECT a$n.example:1 HTTP/1.1\\r\\nHost: a$n.example:1\\r\\n\\r\\n" >&3; read -r _ <&3; done',
    )
    const { refused: listed, refusedOthers } = machine.traffic()!
    expect(listed).toHaveLength(100)
    expect(refusedOthers).toBeGreaterThan(20)
  })

  it('starts no programs after its gateway has ended, because they would have another network', async () => {
    for (let time = 0; time < 8; time += 1) {
      const lost = await engine.create(specOf({ allow: [{ host: 'a.example', port: 1 }] }))
      try {
        const name = fs.readdirSync(records).find((record) => record !== recordOf)!
        const { folder } = JSON.parse(fs.readFileSync(path.join(records, name, 'machine.json'), 'utf8')) as { folder: string }
        for (const { pid, argv } of processes()) if (argv.includes(`${folder}/d`)) process.kill(pid, 'SIGKILL')
        const opened = () => lost.open({ argv: ['true'], terminal: null }).then(() => 'opened', (error: Error) => error.message) // prettier-ignore
        await expect.poll(opened).toMatch(/network of the machine has ended/)
      } finally {
        await lost.remove()
      }
    }
    expect(fs.readdirSync(records)).toEqual([recordOf])
  })
})

describe.skipIf(!here).each(['machine', 'strict'] as const)('an endpoint, in the profile %s', (profile) => {
  it('leads to one port of the host, and nothing else can be reached', async () => {
    const records = fs.mkdtempSync(path.join(os.tmpdir(), 'records-'))
    const servers = ['ours', 'other'].map((name) => net.createServer((socket) => socket.end(name)).listen(0, '127.0.0.1'))
    await Promise.all(servers.map((server) => once(server, 'listening')))
    const [ours, other] = servers.map((server) => (server.address() as AddressInfo).port) as [number, number]
    const engine = await openMachines(records)
    const spec: MachineSpec = { id: 'a', image: 'host', profile, workdir: null, env: {}, network: 'none', limits: LIMITS, labels: {} }
    const tools = fs.mkdtempSync(path.join(os.tmpdir(), 'tools-'))
    fs.chmodSync(tools, 0o755)
    // programs of the user of this server may be shown, in a folder that is else hidden
    const shown = profile === 'strict' ? { readOnly: [{ place: '/root/tools', source: tools }] } : {}
    const machine = await engine.create({ ...spec, ...shown, endpoints: [{ port: 3129, to: ours }] })
    try {
      const script = `for port in 3129 ${ours} ${other} 3128; do cat <'/dev/tcp/127.0.0.1/'$port; done 2>/dev/null; cat <&4 2>/dev/null
        for at in 169.254.169.254/80 1.1.1.1/53 localhost/${other}; do cat <"/dev/tcp/$at"; done 2>/dev/null
        cut -d: -f1 /proc/net/dev | tail -n +3; env | grep -ci proxy; ls -A /root`
      const channel = await machine.open({ argv: ['bash', '-c', script], terminal: null })
      channel.input.end()
      expect((await text(channel.output)).replaceAll(' ', '')).toBe(`ourslo\n0\n${profile === 'strict' ? 'tools\n' : ''}`)
      expect([machine.isolation.network, machine.traffic()]).toEqual(['none', null])
      for (const wrong of [[{ port: 3128, to: ours }], [{ port: 80, to: ours }]])
        await expect(engine.create({ ...spec, endpoints: wrong })).rejects.toThrow(/port \d+ is reserved, below 1024 or used twice/)
    } finally {
      await machine.remove()
      for (const server of servers) server.close()
    }
    expect(fs.readdirSync(records)).toEqual([])
    for (const folder of [records, tools]) fs.rmSync(folder, { recursive: true })
  })
})
