import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import { sync as writeFileAtomicSync } from 'write-file-atomic'

const TOKEN = /^[A-Za-z0-9_-]{43}$/

/** The token of a data directory: 256 random bits in base64url, mode 0600. */
export interface FileToken {
  readonly value: string
  /** Writes a new token; the old one is no longer accepted. */
  renew(): void
}

/** Reads the token, or creates it at the first start. */
export function openToken(file: string): FileToken {
  let value = readToken(file) ?? writeToken(file)
  return {
    get value() {
      return value
    },
    renew() {
      value = writeToken(file)
    },
  }
}

/** Null if the file is missing or has no valid token. */
export function readToken(file: string): string | null {
  try {
    const text = fs.readFileSync(file, 'utf8').trim()
    return TOKEN.test(text) ? text : null
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

function writeToken(file: string): string {
  const token = randomBytes(32).toString('base64url')
  writeFileAtomicSync(file, `${token}\n`, { mode: 0o600 })
  return token
}
