// A Docker Engine for tests. Its socket, its data and its one image are in a temporary folder that is removed at the end.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { BASE_IMAGE, cacheDir } from './probe.mjs'

/** Debian packages that the test image contains in addition to the base system. They do not need an image registry. */
const PACKAGES = 'git,python3,ca-certificates,procps'
const BASE = path.join(cacheDir, 'docker-base-2.tar')

/** Tried in this order: the first is faster, the second works on any file system. */
const STORAGE = ['overlay2', 'vfs']

/**
 * Starts dockerd without a bridge and without firewall rules, so that it does not change the network of this machine.
 * Containers can only use the host network or a network created for them. Throws with the reason if dockerd cannot start.
 * @returns {Promise<{ host: string, stop: () => Promise<void> }>}
 */
export async function startEngine() {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'engine-'))
  fs.writeFileSync(path.join(folder, 'daemon.json'), '{}\n') // ignore the machine's own settings
  const host = `unix://${path.join(folder, 'socket')}`
  try {
    const daemon = await startDaemon(folder, host)
    const stop = () => stopDaemon(daemon, folder)
    try {
      importBase(host)
    } catch (error) {
      await stop()
      throw error
    }
    return { host, stop }
  } catch (error) {
    removeFolder(folder)
    throw error
  }
}

async function startDaemon(folder, host) {
  const reasons = []
  for (const storage of STORAGE) {
    const args = ['--host', host, '--config-file', path.join(folder, 'daemon.json'), '--storage-driver', storage]
    for (const name of ['data-root', 'exec-root', 'pidfile']) args.push(`--${name}`, path.join(folder, name))
    args.push('--bridge', 'none', '--iptables=false', '--ip6tables=false', '--log-level', 'warn')
    const daemon = spawn('dockerd', args, { stdio: ['ignore', 'ignore', 'pipe'], detached: true })
    const failure = await started(daemon, host)
    if (failure === null) return daemon
    reasons.push(`with ${storage}: ${failure}`)
  }
  throw new Error(`dockerd does not start: ${reasons.join('; ')}`)
}

/** Returns null when the daemon answers, or the reason why it ended. */
async function started(daemon, host) {
  const lines = []
  createInterface({ input: daemon.stderr }).on('line', (line) => lines.splice(0, Math.max(0, lines.push(line) - 5)))
  const ended = once(daemon, 'exit').catch((error) => [error.message])
  const socket = host.slice('unix://'.length)
  for (;;) {
    const exit = await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, 50))])
    if (exit) return `it ended (${exit[0]}): ${lines.join(' | ')}`
    if (fs.existsSync(socket) && docker(host, ['version']).status === 0) return null
  }
}

async function stopDaemon(daemon, folder) {
  const ended = once(daemon, 'exit')
  daemon.kill('SIGTERM')
  await ended
  removeFolder(folder)
}

/** Unmounts what a killed daemon left mounted, then removes the folder. */
function removeFolder(folder) {
  const mounts = fs.readFileSync('/proc/self/mounts', 'utf8').split('\n')
  const mountPoints = mounts.map((line) => line.split(' ')[1] ?? '').filter((place) => place.startsWith(`${folder}/`))
  for (const place of mountPoints.toReversed()) spawnSync('umount', ['--lazy', place])
  fs.rmSync(folder, { recursive: true, force: true })
}

function importBase(host) {
  if (!fs.existsSync(BASE)) makeBase()
  const { status, stderr } = docker(host, ['import', BASE, BASE_IMAGE])
  if (status !== 0) throw new Error(`The base image could not be imported: ${stderr}`)
}

function makeBase() {
  fs.mkdirSync(cacheDir, { recursive: true })
  const folder = fs.mkdtempSync(path.join(cacheDir, 'base-'))
  const part = `${BASE}.${process.pid}`
  try {
    execute('debootstrap', ['--variant=minbase', `--include=${PACKAGES}`, 'bookworm', folder])
    // debootstrap copies these files from this machine
    for (const name of ['hostname', 'resolv.conf', 'hosts']) fs.rmSync(path.join(folder, 'etc', name), { force: true })
    fs.writeFileSync(path.join(folder, 'etc', 'hosts'), '127.0.0.1 localhost\n::1 localhost\n')
    execute('tar', ['-C', folder, '--exclude=./var/cache/apt/archives/*.deb', '--exclude=./var/lib/apt/lists/*_*', '-cf', part, '.'])
    fs.renameSync(part, BASE)
  } finally {
    fs.rmSync(folder, { recursive: true, force: true })
    fs.rmSync(part, { force: true })
  }
}

export const docker = (host, args) => spawnSync('docker', ['--host', host, ...args], { encoding: 'utf8' })

function execute(command, args) {
  const { status, error, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8', maxBuffer: 1 << 28 })
  if (error) throw new Error(`${command} could not be started: ${error.message}`)
  if (status !== 0) throw new Error(`${command} failed: ${(stderr || stdout).trim().split('\n').slice(-5).join(' | ')}`)
}
