import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { hashOf, newSecret } from '#server/data-dir/secrets.ts'

const GOOD_FOR_MS = 60_000
const MAX_OPEN = 100

export interface SignInLinks {
  /** Creates a link. With `openPage`, the address of the app, it also writes a private file that opens the link. */
  create(openPage: string | null): { secret: string; file: string | null; expiresInMs: number }
  /** True once for each secret, within its time. */
  redeem(secret: string): boolean
  /** Invalidates all links. */
  clear(): void
}

interface Link {
  until: number
  file: string | null
}

/**
 * One-time secrets of sign-in links. Browsers are started with a file (0600, in a folder 0700), because every user of the
 * machine can read the arguments of a process. `clock` is monotonic, so setting the clock back does not extend a link.
 */
export function createSignInLinks(dir: string, clock: () => number = () => performance.now()): SignInLinks {
  const open = new Map<string, Link>()
  fs.rmSync(dir, { recursive: true, force: true })
  const drop = (hash: string) => {
    const link = open.get(hash)
    if (link?.file) fs.rmSync(link.file, { force: true })
    return open.delete(hash)
  }
  const dropOld = () => {
    for (const [hash, { until }] of open) if (until <= clock() || open.size > MAX_OPEN) drop(hash)
  }
  return {
    create(openPage) {
      const secret = newSecret('l')
      const file = openPage === null ? null : writePage(dir, `${openPage}/#secret=${secret}`)
      open.set(hashOf(secret), { until: clock() + GOOD_FOR_MS, file })
      dropOld()
      if (file !== null) setTimeout(dropOld, GOOD_FOR_MS + 1).unref() // deletes the file of an unused link
      return { secret, file, expiresInMs: GOOD_FOR_MS }
    },
    redeem(secret) {
      dropOld()
      return drop(hashOf(secret))
    },
    clear() {
      for (const hash of open.keys()) drop(hash)
    },
  }
}

/** The address needs no escaping, because it consists of our own URL and base64url. */
function writePage(dir: string, address: string): string {
  fs.mkdirSync(dir, { recursive: true, mode: 0o700 })
  fs.chmodSync(dir, 0o700)
  const file = path.join(dir, `${randomUUID()}.html`)
  const page = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0;url=${address}"><title>Bash Gym</title>
<p><a href="${address}">Open Bash Gym</a></p></html>
`
  fs.writeFileSync(file, page, { mode: 0o600, flag: 'wx' })
  return file
}
