/** A terminal (PTY) to give to a process that is started with descriptors. Linux only. */
import fs from 'node:fs'
import { Readable, Writable } from 'node:stream'
import type { ReadStream } from 'node:tty'
import { openTerminals } from './masters.ts'

export interface Pty {
  /** For the process, as its input, output and errors. Whoever opened the terminal closes it, once the process is started. */
  device: number
  /** Input. */
  input: Writable
  /** Output; ends with the terminal. Unread output blocks its writer. */
  output: Readable
  /** Sizes are limited to 2 to 500; no effect after the end. */
  resize: (columns: number, rows: number) => void
  /** To be called once no process has the device: what is left is kept in `output`, and the terminal is closed. */
  close: () => void
}

/** Parts of node-pty that its types leave out. */
interface Opened {
  fd: number
  ptsName: string
  master: ReadStream
  slave: ReadStream
  resize: (columns: number, rows: number) => void
}
type Open = (options: { cols: number; rows: number; encoding: null }) => Opened

const SMALLEST = 2
const LARGEST = 500
/** A number of columns or rows that a terminal can have. */
export const terminalSize = (size: number): number => Math.min(LARGEST, Math.max(SMALLEST, Math.trunc(size) || SMALLEST))

/** `user`: who may open the device by its name; without it, this process's user. */
export async function openPty(columns: number, rows: number, user?: { uid: number; gid: number }): Promise<Pty> {
  const { open } = (await import('@lydell/node-pty')) as unknown as { open: Open } // not in its types
  const pty = open({ cols: terminalSize(columns), rows: terminalSize(rows), encoding: null })
  const { master } = pty
  openTerminals.add(pty)
  master.removeAllListeners('error').on('error', () => undefined) // EIO: the last process has closed the device
  const { O_RDWR, O_NOCTTY } = fs.constants
  const device = fs.openSync(pty.ptsName, O_RDWR | O_NOCTTY) // that of node-pty does not wait for input
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

/** Node opens the device again when it is given one, and leaves the first descriptor open: the end would never be seen. */
function closeOthers(device: string, kept: number): void {
  for (const fd of fs.readdirSync('/proc/self/fd').map(Number)) {
    let target = ''
    try {
      target = fs.readlinkSync(`/proc/self/fd/${fd}`)
    } catch {} // the one that lists them
    if (target === device && fd !== kept) fs.closeSync(fd)
  }
}
