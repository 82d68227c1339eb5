/** A terminal (PTY) for a process that is started with descriptors. Linux only. */
import fs from 'node:fs'
import { Readable, Writable } from 'node:stream'
import type { ReadStream } from 'node:tty'
import { openTerminals } from './masters.ts'

export interface Pty {
  /** Descriptor for the input, output and errors of the process. The caller closes it when the process has started. */
  device: number
  input: Writable
  /** Ends when the terminal is closed. Unread output blocks the writing process. */
  output: Readable
  /** Sizes are limited to 2 to 500; no effect after the end. */
  resize: (columns: number, rows: number) => void
  /** Must be called when no process uses the device any more. Closes the terminal; unread data stays in `output`. */
  close: () => void
}

/** Parts of node-pty that its types lack. */
interface NativePty {
  fd: number
  ptsName: string
  master: ReadStream
  slave: ReadStream
  resize: (columns: number, rows: number) => void
}
type Open = (options: { cols: number; rows: number; encoding: null }) => NativePty

const MIN_SIZE = 2
const MAX_SIZE = 500
/** Limits a number of columns or rows. */
export const terminalSize = (size: number): number => Math.min(MAX_SIZE, Math.max(MIN_SIZE, Math.trunc(size) || MIN_SIZE))

/** `user` may open the device by name; by default the user of this process. */
export async function openPty(columns: number, rows: number, user?: { uid: number; gid: number }): Promise<Pty> {
  const { open } = (await import('@lydell/node-pty')) as unknown as { open: Open } // not in its types
  const pty = open({ cols: terminalSize(columns), rows: terminalSize(rows), encoding: null })
  const { master } = pty
  openTerminals.add(pty)
  master.removeAllListeners('error').on('error', () => undefined) // EIO when the last process closes the device
  const { O_RDWR, O_NOCTTY } = fs.constants
  const device = fs.openSync(pty.ptsName, O_RDWR | O_NOCTTY) // node-pty's descriptor does not block on input
  pty.slave.destroy()
  closeOthers(pty.ptsName, device)
  if (user) fs.fchownSync(device, user.uid, user.gid)

  let isOver = false
  const output = new Readable({
    read: () => void master.resume(),
    destroy(error, done) {
      master.destroy()
      done(error)
    },
  })
  const input = new Writable({
    write(bytes: Buffer, _encoding, done) {
      if (master.destroyed) done()
      else master.write(bytes, () => done())
    },
  })
  master.on('data', (bytes: Buffer) => {
    if (!output.push(bytes) && !isOver) master.pause()
  })
  master.once('close', () => {
    openTerminals.delete(pty)
    output.push(null)
  })
  return {
    device,
    input,
    output,
    resize(newColumns, newRows) {
      if (!master.destroyed) pty.resize(terminalSize(newColumns), terminalSize(newRows))
    },
    close() {
      isOver = true
      master.resume()
    },
  }
}

/** Closes other descriptors of the device. Node opens it twice, and with one left open the terminal would never end. */
function closeOthers(device: string, keptFd: number): void {
  for (const fd of fs.readdirSync('/proc/self/fd').map(Number)) {
    let target = ''
    try {
      target = fs.readlinkSync(`/proc/self/fd/${fd}`)
    } catch {} // the descriptor of this listing
    if (target === device && fd !== keptFd) fs.closeSync(fd)
  }
}
