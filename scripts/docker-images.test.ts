import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import { createServer } from 'node:net'
import { once } from 'node:events'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFailed } from 'vitest'
import { parse } from 'yaml'
import { BASE_IMAGE, probe } from './lib/probe.mjs'
import { root } from './lib/setup.mjs'

interface Service {
  read_only?: boolean
  cap_drop?: string[]
  security_opt?: string[]
  tmpfs?: string[]
  volumes?: string[]
  ports?: string[]
  profiles?: string[]
}
const compose = parse(fs.readFileSync(path.join(root, 'docker', 'compose.yml'), 'utf8'), { merge: true }) as {
  services: Record<string, Service>
}
const { arena, trainer, ...others } = compose.services

describe('compose', () => {
  it('isolates the services from the machine, and mounts the Docker socket only in a separate profile', () => {
    for (const service of [arena!, trainer!, others['arena-docker']!])
      expect(service).toMatchObject({ read_only: true, cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] })
    expect(arena!.ports).toEqual(['127.0.0.1:8002:8002'])
    const withSocket = Object.entries(compose.services).filter(([, { volumes }]) => volumes?.some((one) => one.includes('docker.sock')))
    expect(withSocket.map(([name, { profiles }]) => [name, profiles])).toEqual([['arena-docker', ['docker-socket']]])
  })
})

describe.skipIf(!probe().docker.found)('images', () => {
  const docker = (...args: string[]) => {
    const { status, stdout, stderr } = spawnSync('docker', args, {
      encoding: 'utf8',
      cwd: root,
      env: { ...process.env, DOCKER_BUILDKIT: '0' },
    })
    if (status !== 0) throw new Error(`docker ${args[0]}: ${stderr.slice(-2000)}${stdout.slice(-2000)}`)
    return stdout.trim()
  }
  /** Builds use the host network, because the test Engine has no other network. */
  const build = (file: string, tag: string, argument: string) =>
    docker('build', '--network', 'host', '--build-arg', argument, '-f', path.join('docker', file, 'Dockerfile'), '-t', tag, '.')

  // opening a data directory in the same worker leaves 077, and the image's user could not run the copied Node
  let umask = 0
  beforeAll(() => void (umask = process.umask(0o022)))
  const started: string[] = []
  const folders: string[] = []
  afterAll(() => {
    process.umask(umask)
    for (const name of started) docker('rm', '-f', '-v', name)
    for (const folder of folders) fs.rmSync(folder, { recursive: true })
  })

  it('the sandbox image has its tools, a user and a hosts file', () => {
    build('sandbox', 'bashgym-sandbox:test', `BASE=${BASE_IMAGE}`)
    const tools = ['bash', 'bats', 'ps', 'find', 'grep', 'sed', 'gawk', 'tar', 'git', 'curl', 'jq', 'python3']
    const script = `id -un; getent hosts localhost >/dev/null && for tool in ${tools.join(' ')}; do command -v $tool >/dev/null || echo "no $tool"; done`
    expect(docker('run', '--rm', '--network', 'none', 'bashgym-sandbox:test', 'sh', '-c', script)).toBe('user')
  })

  it('the server image runs as in compose: not as root, read-only, healthy, and stops on a signal', { timeout: 600_000 }, async () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'node-base-'))
    folders.push(folder)
    build('server', 'bashgym-server:test', `NODE_BASE=${nodeBase(folder)}`)
    const options = [
      '--read-only',
      ...arena!.cap_drop!.flatMap((name) => ['--cap-drop', name]),
      ...arena!.security_opt!.flatMap((option) => ['--security-opt', option]),
      ...arena!.tmpfs!.flatMap((place) => ['--tmpfs', place]),
      '--init',
      '--network',
      'host',
      '-v',
      '/data',
      '--health-interval',
      '2s',
      '--health-timeout', // the check starts a Node process while other tests run
      '60s',
      '-e',
      `BASHGYM_PORT=${await freePort()}`,
    ]
    const id = docker('run', '-d', ...options, 'bashgym-server:test', 'serve')
    started.push(id)
    onTestFailed(() => console.error(docker('logs', id), docker('inspect', '--format', '{{json .State}}', id)))
    const health = () => docker('inspect', '--format', '{{.State.Health.Status}}', id)
    await expect.poll(health, { timeout: 180_000, interval: 500 }).toBe('healthy')
    expect(docker('exec', id, 'sh', '-c', 'id -u; touch /app/x 2>/dev/null || echo read-only; stat -c %a /data/token')).toBe(
      '10001\nread-only\n600',
    )
    expect(docker('exec', id, 'node', 'dist/server/bashgym.js', 'traces', '--json')).toContain('"items":[]')
    docker('stop', '-t', '20', id)
    expect(docker('inspect', '--format', '{{.State.ExitCode}}', id)).toBe('0')
  })

  /** Replaces the published Node image, which needs a registry, with this checkout's Node and this machine's npm and CA certificates. */
  function nodeBase(folder: string): string {
    const local = path.join(folder, 'usr', 'local')
    fs.mkdirSync(path.join(local, 'bin'), { recursive: true })
    fs.copyFileSync(process.execPath, path.join(local, 'bin', 'node'))
    const program = fs.realpathSync(spawnSync('which', ['npm'], { encoding: 'utf8' }).stdout.trim())
    const npm = path.resolve(program, '..', '..')
    fs.cpSync(npm, path.join(local, 'lib', 'node_modules', 'npm'), { recursive: true })
    fs.symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', path.join(local, 'bin', 'npm'))
    const authorities = '/etc/ssl/certs/ca-certificates.crt'
    fs.copyFileSync(authorities, path.join(folder, 'authorities.crt'))
    fs.writeFileSync(
      path.join(folder, 'Dockerfile'),
      `FROM ${BASE_IMAGE}\nCOPY usr /usr\nCOPY authorities.crt ${authorities}\nENV NODE_EXTRA_CA_CERTS=${authorities}\n`,
    )
    docker('build', '-t', 'bashgym-node:test', folder)
    return 'bashgym-node:test'
  }
})

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}
