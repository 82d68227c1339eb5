import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Installed, InstalledPart, PluginValidation } from '#contracts/entities/installed.ts'
import { AppError } from '#contracts/errors.ts'
import type { Core } from '#server/core.ts'
import { isoOf } from '#server/instant.ts'
import { excerptOf } from '../excerpt.ts'
import type { FoundPart, FoundParts, InstalledInput } from './found.ts'
import { createInstalledStore, NEVER, type SeenPart } from './store.ts'

const JOB = new URL('./read.job.ts', import.meta.url)
const MOST_PROJECTS = 100

interface Use {
  kind: string
  name: string
  calls: number
  sessions: number
  lastAt: number | null
}

export interface InstalledDeps {
  redact: (text: string) => string
  profiles: InstalledInput['profiles']
  managed: readonly string[]
  /** How often sessions used what has these names. */
  uses: () => Promise<Use[]>
  /** The folders of the newest sessions. */
  projects: (most: number) => Promise<string[]>
  /** A text says why the client could not be asked. */
  validate: (folder: string, signal: AbortSignal) => Promise<{ passed: boolean; text: string } | string>
}

/** What is installed in the user's Claude Code, what it may do, what changed, and how often it is used. */
export function createInstalled(core: Pick<Core, 'db' | 'tx' | 'workers' | 'now' | 'readsOnly'>, deps: InstalledDeps) {
  const { tx, workers, now, readsOnly } = core
  const store = createInstalledStore(core.db)
  const short = (text: string) => excerptOf(deps.redact(text))

  const find = async () => {
    const input: InstalledInput = { profiles: deps.profiles, managed: deps.managed, projects: await deps.projects(MOST_PROJECTS) }
    return workers.run<FoundParts>(JOB, input, { lane: 'query' })
  }

  /** Stores what is new or different, and returns what is known of each part. On the first reading nothing is new. */
  function compared(parts: readonly FoundPart[]): ReadonlyMap<string, SeenPart> {
    const known = store.all()
    const isFirst = known.size === 0
    const changes = parts.flatMap((part) => {
      const before = known.get(part.id)
      if (before?.hash === part.hash) return []
      const at = now()
      const row: SeenPart = before
        ? { ...before, hash: part.hash, changed_at: part.hash === before.seen_hash ? null : at }
        : { id: part.id, seen_hash: isFirst ? part.hash : NEVER, hash: part.hash, first_seen_at: at, changed_at: null }
      known.set(part.id, row)
      return [{ row, isNew: !before }]
    })
    if (!readsOnly && changes.length > 0)
      tx(() => {
        for (const { row, isNew } of changes) {
          if (isNew) store.add(row)
          else store.change(row.id, row.hash, row.changed_at)
        }
      })
    return known
  }

  async function list(): Promise<Installed> {
    const [{ parts, problems, projects }, uses] = await Promise.all([find(), deps.uses()])
    const known = compared(parts)
    const used = new Map(uses.map((use) => [`${use.kind} ${use.name.toLowerCase()}`, use]))
    const items: InstalledPart[] = []
    for (const { hash: _hash, ...part } of parts) {
      await nextTurn() // removing secrets takes time
      const seen = known.get(part.id)!
      const use = nameInSessions(part)
        .map((name) => used.get(`${part.kind} ${name.toLowerCase()}`))
        .find((one) => one !== undefined)
      items.push({
        ...part,
        name: short(part.name),
        description: part.description === null ? null : short(part.description),
        may: part.may.map(short),
        from: part.from === null ? null : short(part.from),
        firstSeenAt: isoOf(seen.first_seen_at),
        change: seen.seen_hash === NEVER ? 'new' : seen.seen_hash === seen.hash ? null : 'changed',
        changedAt: isoOf(seen.changed_at),
        uses: isCounted(part) ? { calls: use?.calls ?? 0, sessions: use?.sessions ?? 0, lastAt: isoOf(use?.lastAt ?? null) } : null,
      })
    }
    return { items, problems, profiles: deps.profiles.map(({ folder }) => folder), projects }
  }

  return {
    list,
    async markSeen(): Promise<Installed> {
      await list() // what the user saw is stored
      tx(() => store.markSeen())
      return list()
    },
    async validate(id: string, signal: AbortSignal): Promise<PluginValidation> {
      const part = (await find()).parts.find((one) => one.id === id)
      if (!part) throw new AppError('not_found', { message: `Nothing with the id ${id} is installed in Claude Code.` })
      if (part.kind !== 'plugin' && part.kind !== 'mod')
        return { passed: null, text: 'Claude Code checks plugins and mods only. This part is checked with the plugin that brings it.' }
      const result = await deps.validate(part.file, signal)
      return typeof result === 'string' ? { passed: null, text: result } : { passed: result.passed, text: deps.redact(result.text) }
    },
  }
}

const isCounted = ({ kind }: Pick<FoundPart, 'kind'>) => kind === 'mcp_server' || kind === 'skill' || kind === 'agent'

/** The names that sessions have for a part. */
function nameInSessions({ kind, name, plugin }: Pick<FoundPart, 'kind' | 'name' | 'plugin'>): string[] {
  const short = plugin?.split('@')[0]
  if (kind === 'mcp_server') {
    const plain = (text: string) => text.replaceAll(/[^a-zA-Z0-9_-]/g, '_')
    return short === undefined ? [plain(name)] : [`plugin_${plain(short)}_${plain(name)}`]
  }
  return short === undefined ? [name] : [`${short}:${name}`]
}
