import fs from 'node:fs'
import type { CaptureStatus } from '#contracts/entities/capture.ts'
import type { Paths } from '#server/config.ts'
import type { OutsideLink } from './walk.ts'

type Problem = CaptureStatus['problems'][number]

/** Recent problems, newest last, without duplicates. */
export function createProblems(limit = 20) {
  let problems: Problem[] = []
  return {
    add(kind: string, message: string, hint: string | null) {
      problems = [...problems.filter((problem) => problem.message !== message), { kind, message, hint }].slice(-limit)
    },
    clear(kind: string) {
      problems = problems.filter((problem) => problem.kind !== kind)
    },
    list: () => problems,
  }
}

export const linkSentence = ({ path, target }: OutsideLink): string =>
  `${path} is a symbolic link to ${target}, outside the session folders, so it was not followed.`
export const linkHint = ({ target }: OutsideLink): string =>
  `If you created this link, turn on Settings → Capture → Follow links, or run \`bashgym import ${target}\`. Otherwise remove it.`

/** Maximum number of links listed one by one. */
const MAX_LINKS = 5

export const linkProblems = (links: readonly OutsideLink[]): Problem[] => [
  ...links.slice(0, MAX_LINKS).map((link) => ({ kind: 'link', message: linkSentence(link), hint: linkHint(link) })),
  ...(links.length > MAX_LINKS
    ? [
        {
          kind: 'link',
          message: `${links.length - MAX_LINKS} more links were not followed.`,
          hint: 'Run `bashgym import` to list all of them.',
        },
      ]
    : []),
]

/** Listed as long as the disk is full. */
export const diskFullIn = (dataDir: string): Problem => ({
  kind: 'disk-full',
  message: `The disk with ${dataDir} is full: stored data can be read, but nothing new is saved.`,
  hint: 'Free some space. Bash Gym then continues by itself; nothing is lost unless an agent deletes its own files first.',
})

/** Space on the disk of the data directory; null if the system does not report it. */
export async function diskOf(dataDir: string, paths: Paths, archiveBytes: number): Promise<CaptureStatus['disk']> {
  try {
    const facts = await fs.promises.statfs(dataDir)
    const files = [paths.database, `${paths.database}-wal`, paths.search, `${paths.search}-wal`]
    const sizes = await Promise.all(
      files.map((file) =>
        fs.promises.stat(file).then(
          ({ size }) => size,
          () => 0,
        ),
      ),
    )
    return {
      freeBytes: facts.bavail * facts.bsize,
      totalBytes: facts.blocks * facts.bsize,
      usedByDataDirBytes: sizes.reduce((sum, size) => sum + size, archiveBytes),
    }
  } catch {
    return null
  }
}

/** A session counts as live until it ends or is silent for this long. */
const LIVE_MS = 10 * 60_000
/** A session whose client process has ended counts as live only this long after its last event. */
const ENDED_CLIENT_MS = 30_000
/** Writes this soon after the end of a session do not make it live again. */
const LAST_WRITES_MS = 5000

/** Sessions with recent events that have not ended. */
export function createLiveSessions(now: () => number, hasClientEnded: (session: string) => boolean) {
  const lastEventAt = new Map<string, number>()
  const ended = new Map<string, number>()
  return {
    recordEvent(session: string) {
      lastEventAt.set(session, now())
      ended.delete(session)
    },
    recordWrite(session: string) {
      if (now() - (ended.get(session) ?? -Infinity) > LAST_WRITES_MS) lastEventAt.set(session, now())
    },
    end(session: string) {
      lastEventAt.delete(session)
      ended.set(session, now())
    },
    count() {
      for (const [session, at] of lastEventAt) {
        const silentMs = now() - at
        if (silentMs > LIVE_MS || (silentMs > ENDED_CLIENT_MS && hasClientEnded(session))) lastEventAt.delete(session)
      }
      for (const [session, at] of ended) if (now() - at > LIVE_MS) ended.delete(session)
      return lastEventAt.size
    },
  }
}

export type NotificationKind = 'permission' | 'idle' | 'rate-limit' | 'error' | 'other'

/** Kind of a notification, by words in its type and message. */
export function notificationKind(type: string | undefined, message: string): NotificationKind {
  const words = `${type ?? ''} ${message}`.toLowerCase()
  if (/permission/.test(words)) return 'permission'
  if (/idle|waiting for your input/.test(words)) return 'idle'
  if (/rate.?limit|usage limit|limit reached/.test(words)) return 'rate-limit'
  if (/error|fail/.test(words)) return 'error'
  return 'other'
}
