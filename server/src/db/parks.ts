// Builds the decision of a table whose rows wait after a restore, and finds what such a row names.
import type { RestoredKind, RestoredName } from '#contracts/entities/restored.ts'
import { lookup } from '#contracts/lookup.ts'
import type { Parking, WaitingRow } from './schema.ts'

interface Parks {
  kind: RestoredKind
  /** SQL that selects `id`, `title`, `active` (0 or 1) and `named`, the JSON that may name something. */
  rows: string
  /** SQL that ends what is queued or running. Runs after `rows`. */
  end?: readonly string[]
}

interface SelectedRow {
  id: string
  title: string
  active: number
  named: string
}

/** Ids of rows that wait. Ids of ours are random. A short one could equal another word of a request, which would then be refused. */
export const WAITING_ID = /^[A-Za-z0-9][A-Za-z0-9_-]{11,63}$/
const MAX_TITLE_LENGTH = 200
/** An SQL literal: why a row of a restored backup does not go on. */
export const WAITS = `'Restored from a backup. It waits for "Use again" in Settings.'`

export const parks = ({ kind, rows, end = [] }: Parks): Parking => ({
  kind,
  park(db, { refuse }) {
    const waiting = db
      .prepare<[], SelectedRow>(rows)
      .all()
      .map(({ id, title, active, named }): WaitingRow => {
        if (!WAITING_ID.test(id)) throw refuse(`has a row with the id "${id.slice(0, 100)}"`)
        return { id, title: title.slice(0, MAX_TITLE_LENGTH), wasActive: active === 1, names: namesIn(JSON.parse(named)) }
      })
    for (const sql of end) db.prepare(sql).run()
    return waiting
  },
})

/** Fields that are always shown, the most important first. Others are shown if their value is an address or an absolute path. */
const LABELS: Readonly<Record<string, string>> = lookup({
  verify: 'Check command',
  check: 'Check command',
  success_condition: 'Check command',
  setup: 'Set-up command',
  setupCommands: 'Set-up command',
  baseUrl: 'Address',
  provider: 'Provider',
  repositoryUrl: 'Repository',
  directory: 'Folder',
  folder: 'Folder',
  workdir: 'Folder',
  harbor: 'Harbor task',
  network: 'Allowed address',
  allow: 'Allowed address',
  engine: 'Engine',
  image: 'Image',
  baseModelPath: 'Base model',
  basePath: 'Base model',
  baseModel: 'Base model',
  teacherPath: 'Teacher model',
  modelId: 'Model',
  train: 'Training data',
  val: 'Validation data',
  file: 'Training data',
  valFile: 'Validation data',
  keeps: 'Keeps unchanged',
})
const NOT_SHOWN = 'Not shown'
/** An agent run that gets the user's own settings. */
const OWN: RestoredName = { what: 'Own settings', value: 'your CLAUDE.md, skills, agents, commands and MCP servers' }
const ORDER = [...new Set(Object.values(LABELS)), OWN.what, 'Also named']
/** Texts in which an address is only mentioned. */
const TEXTS: ReadonlySet<string> = new Set(['prompt', 'title', 'name', 'task', 'text', 'note', 'description'])
const PLACE = /^(?:~?\/|\.\.?\/|[a-z][a-z0-9+.-]*:\/\/)/i
/** Shown of each kind at most, and in characters of all. A row that names more is shown as far as this, and cannot be used again. */
const [MAX_OF_A_KIND, MAX_CHARACTERS] = [1000, 400_000]

/** The addresses, folders, programs and commands in a document, each once. */
export function namesIn(document: unknown): RestoredName[] {
  const found = new Map<string, RestoredName>()
  const visit = (value: unknown, key: string): void => {
    if (typeof value === 'string') {
      if (key === 'context' && value === 'mine') found.set(OWN.what, OWN)
      const what = LABELS[key] ?? (PLACE.test(value) && !TEXTS.has(key) ? 'Also named' : null)
      if (what !== null && value !== '') found.set(`${what}\0${value}`, { what, value })
    } else if (Array.isArray(value)) value.forEach((entry) => visit(entry, key))
    else if (typeof value === 'object' && value !== null) {
      for (const [name, entry] of Object.entries(value)) {
        if (PLACE.test(name)) visit(name, '') // a map from files to their hashes
        visit(entry, name)
      }
    }
  }
  visit(document, '')
  const all = [...found.values()].toSorted((a, b) => ORDER.indexOf(a.what) - ORDER.indexOf(b.what))
  const counts = new Map<string, number>()
  let characters = 0
  const shown = all.filter(({ what, value }) => {
    counts.set(what, (counts.get(what) ?? 0) + 1)
    characters += value.length
    return counts.get(what)! <= MAX_OF_A_KIND && characters <= MAX_CHARACTERS
  })
  if (shown.length === all.length) return all
  return [{ what: NOT_SHOWN, value: `${all.length - shown.length} more, so it cannot be used again` }, ...shown]
}

/** Whether everything that a row names is shown, so that the user can allow it. */
export const isShownCompletely = (names: readonly RestoredName[]): boolean => names.every(({ what }) => what !== NOT_SHOWN)
