import { randomBytes } from 'node:crypto'
import fs from 'node:fs'

const BYTES = 32

/** The secret key of a data directory, created on first use. It is written to a temporary file and linked, so it is never incomplete. */
export function readOrCreateKey(file: string): Buffer {
  const existing = readKey(file)
  if (existing) return existing
  const temporary = `${file}.${process.pid}.new`
  fs.writeFileSync(temporary, randomBytes(BYTES).toString('hex'), { mode: 0o600 })
  fs.chmodSync(temporary, 0o600)
  try {
    fs.linkSync(temporary, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error // another process was first
  } finally {
    fs.rmSync(temporary, { force: true })
  }
  return readKey(file)!
}

function readKey(file: string): Buffer | null {
  try {
    const text = fs.readFileSync(file, 'utf8').trim()
    if (/^[0-9a-f]{64}$/.test(text)) return Buffer.from(text, 'hex')
    throw new Error(
      `${file} is not a valid key file. Restore it from a backup. If you move it away instead, decisions about single values are lost.`,
    )
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}
