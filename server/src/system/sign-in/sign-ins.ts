import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import { sync as writeFileAtomicSync } from 'write-file-atomic'
import { z } from 'zod'
import { hashOf, newSecret } from '#server/data-dir/secrets.ts'

const DAY_MS = 24 * 3600_000
/** A sign-in ends when it is unused for `UNUSED_MS`, or `MAX_AGE_MS` after it began. */
export const UNUSED_MS = 14 * DAY_MS
export const MAX_AGE_MS = 90 * DAY_MS
const MAX_SIGN_INS = 100
/** The time of the last use is written at most this often. */
const WRITE_MS = 5 * 60_000
/** How many ended sign-ins are remembered with the reason, to show it in their browsers. */
const MAX_ENDED = 200

const Stored = z.object({
  id: z.string(),
  keyHash: z.string(),
  linkHash: z.string(),
  createdAt: z.number(),
  lastUsedAt: z.number(),
  userAgent: z.string(),
})
export type StoredSignIn = z.infer<typeof Stored>

export type EndReason = 'expired' | 'revoked' | 'everywhere' | 'reused' | 'replaced'

export interface SignIns {
  create(linkHash: string, userAgent: string): { key: string; signIn: StoredSignIn }
  /** Returns the sign-in of a key and records its use. Otherwise returns why it ended, null if unknown. */
  use(key: string): StoredSignIn | { ended: EndReason | null }
  /** Records the use of a sign-in; false if it has ended. */
  touch(id: string): boolean
  /** Sorted by last use, latest first. */
  list(): StoredSignIn[]
  /** Ends the matching sign-ins; returns their ids. */
  end(fits: (signIn: StoredSignIn) => boolean, reason: EndReason): string[]
  close(): void
}

export const expiryOf = ({ createdAt, lastUsedAt }: StoredSignIn): number => Math.min(lastUsedAt + UNUSED_MS, createdAt + MAX_AGE_MS)

/**
 * Sign-ins, stored as hashes of keys in a file of the data directory (0600). They are not in the database, so that a
 * stranger's backup cannot sign anyone in. If the file cannot be written it is removed, so that no ended sign-in is
 * valid again after a restart.
 */
export function createSignIns(file: string, options: { now: () => number; onUnwritten: (error: unknown) => void }): SignIns {
  const { now } = options
  const byKey = new Map<string, StoredSignIn>(read(file).map((signIn) => [signIn.keyHash, signIn]))
  const ended = new Map<string, EndReason>()
  let writtenAt = now()

  const save = () => {
    writtenAt = now()
    try {
      writeFileAtomicSync(file, `${JSON.stringify([...byKey.values()])}\n`, { mode: 0o600 })
    } catch (error) {
      fs.rmSync(file, { force: true })
      options.onUnwritten(error)
    }
  }
  const end: SignIns['end'] = (fits, reason) => {
    const matching = [...byKey.values()].filter(fits)
    for (const { keyHash } of matching) {
      byKey.delete(keyHash)
      ended.set(keyHash, reason)
    }
    for (const hash of ended.keys()) if (ended.size > MAX_ENDED) ended.delete(hash)
    if (matching.length > 0) save()
    return matching.map(({ id }) => id)
  }
  const isOver = (signIn: StoredSignIn) => expiryOf(signIn) <= now()
  const noteUse = (signIn: StoredSignIn) => {
    signIn.lastUsedAt = Math.max(signIn.lastUsedAt, now())
    if (now() - writtenAt >= WRITE_MS) save()
  }

  return {
    create(linkHash, userAgent) {
      end(isOver, 'expired')
      const oldest = [...byKey.values()].toSorted((a, b) => a.lastUsedAt - b.lastUsedAt)
      const excess = new Set(oldest.slice(0, Math.max(0, oldest.length - MAX_SIGN_INS + 1)))
      end((signIn) => excess.has(signIn), 'revoked')
      const key = newSecret('k')
      const signIn = { id: randomUUID(), keyHash: hashOf(key), linkHash, createdAt: now(), lastUsedAt: now(), userAgent }
      byKey.set(signIn.keyHash, signIn)
      save()
      return { key, signIn }
    },
    use(key) {
      const hash = hashOf(key)
      const signIn = byKey.get(hash)
      if (!signIn) return { ended: ended.get(hash) ?? null }
      if (isOver(signIn)) {
        end((one) => one === signIn, 'expired')
        return { ended: 'expired' }
      }
      noteUse(signIn)
      return signIn
    },
    touch(id) {
      const signIn = [...byKey.values()].find((one) => one.id === id)
      if (!signIn || isOver(signIn)) return false
      noteUse(signIn)
      return true
    },
    list() {
      end(isOver, 'expired')
      return [...byKey.values()].toSorted((a, b) => b.lastUsedAt - a.lastUsedAt)
    },
    end,
    close: save,
  }
}

/** Empty if the file is missing or not valid. */
function read(file: string): StoredSignIn[] {
  try {
    return z.array(Stored).parse(JSON.parse(fs.readFileSync(file, 'utf8')))
  } catch {
    return []
  }
}
