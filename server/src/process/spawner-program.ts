/**
 * `node spawner-program.ts NAME`: starts programs for the process on the other end of descriptor 1, one JSON line a message,
 * and ends them all when that end is closed. It is small, so its forks are cheap. Each stream of a program is a connection of its
 * own to the abstract socket NAME, so that no output passes through here.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import net from 'node:net'
import { lineSplitter } from './lines.ts'
import type { SpawnerAnswer, SpawnerRequest, StartRequest } from './spawner-protocol.ts'

const address = `\0${process.argv[2]!}`
const channel = new net.Socket({ fd: 1, readable: true, writable: true })
const children = new Map<number, ChildProcess>()
const answer = (message: SpawnerAnswer) => void channel.write(`${JSON.stringify(message)}\n`)

channel.on('error', () => undefined) // `close` follows
channel.once('close', () => {
  for (const child of children.values()) signalGroup(child, 'SIGKILL')
  process.exit()
})
const lines = lineSplitter((line) => {
  const { id, start, signal } = JSON.parse(line) as SpawnerRequest // written by spawner.ts
  if (start) {
    perform(id, start).catch((error: NodeJS.ErrnoException) => answer({ id, error: { code: error.code ?? null, message: error.message } }))
    return
  }
  const child = children.get(id)
  if (child && signal) signalGroup(child, signal)
}, Infinity)
channel.on('data', (chunk: Buffer) => lines.write(chunk))

async function perform(id: number, { program, args, cwd, env, user, stdio, token, leavesOthers }: StartRequest): Promise<void> {
  const opened: number[] = []
  const sockets: net.Socket[] = []
  try {
    const given = await Promise.all(
      stdio.map(async (what, number) => {
        if (what === 'ignore') return what
        if (what !== 'pipe') {
          const fd = openAgain(what)
          opened.push(fd)
          return fd
        }
        const socket = net.connect({ path: address }).pause() // what arrives is for the program
        sockets.push(socket)
        await once(socket, 'connect')
        socket.write(`${token}${String(number).padStart(2, '0')}`)
        makeBlocking(socket)
        return socket
      }),
    )
    const child = spawn(program, args, { cwd, env, stdio: given, detached: true, ...user })
    child.once('exit', (code, name) => {
      children.delete(id)
      if (!leavesOthers) signalGroup(child, 'SIGKILL') // at once, before the system can reuse the number
      answer({ id, exit: { code, signal: name } })
    })
    const { pid } = child
    if (pid === undefined) return void (await once(child, 'spawn')) // throws the error of the system
    children.set(id, child)
    answer({ id, pid })
  } finally {
    for (const socket of sockets) socket.destroy()
    for (const fd of opened) fs.closeSync(fd)
  }
}

/** Opens a descriptor of the process that asks. A terminal does not become that of this process. */
function openAgain(fd: number): number {
  const { O_RDWR, O_APPEND, O_NOCTTY } = fs.constants
  return fs.openSync(`/proc/${process.ppid}/fd/${fd}`, O_RDWR | O_APPEND | O_NOCTTY)
}

/** Programs do not expect a descriptor that answers "try again". Node has no other way to say so. */
function makeBlocking(socket: net.Socket): void {
  ;(socket as unknown as { _handle: { setBlocking: (on: boolean) => void } })._handle.setBlocking(true)
}

function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, signal)
  } catch {} // all its processes have ended
}
