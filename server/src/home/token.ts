import { randomBytes } from 'node:crypto'
import fs from 'node:fs'

const TOKEN = /^[A-Za-z0-9_-]{43}$/

/** The token of a data directory: 256 random bits in base64url, mode 0600, made at the first start. */
export function readOrMakeToken(file: string): string {
  const known = readToken(file)
  if (known) return known
  const token = randomBytes(32).toString('base64url')
  const temporary = `${file}.new`
  fs.writeFileSync(temporary, `${token}\n`, { mode: 0o600 })
  fs.chmodSync(temporary, 0o600)
  fs.renameSync(temporary, file)
  return token
}

/** Null when there is none, or none that we made. */
export function readToken(file: string): string | null {
  try {
    const text = fs.readFileSync(file, 'utf8').trim()
    return TOKEN.test(text) ? text : null
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}
