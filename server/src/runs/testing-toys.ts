import fs from 'node:fs'
import path from 'node:path'
import { createLocalEngine } from '#server/adapters/engine/index.ts'
import type { EngineHandle } from '#server/adapters/engine/types.ts'
import { openCore, type TestCore } from '#server/testing/core.ts'
import type { ToyPlan } from './fixtures/toy.ts'
import { createQueue, type Queue, type QueueStore } from './queue.ts'
import { createRunner } from './runner.ts'
import type { Run, RunKind, RunState, RunStore } from './types.ts'

/** The state that the events of a test run lead to. */
interface Toy {
  eventsAt: number
  logAt: number
  n: number
  end: 'done' | 'paused' | null
}
export type ToyRun = Run<Toy, string>

const TABLES = `
  CREATE TABLE IF NOT EXISTS toys (
    id TEXT PRIMARY KEY, state TEXT, handle TEXT, requested_action TEXT, live TEXT, error TEXT, queue_place REAL, started_at INTEGER,
    ended_at INTEGER
  );
  CREATE TABLE IF NOT EXISTS toy_rows (id TEXT, n INTEGER, line TEXT);
  CREATE TABLE IF NOT EXISTS toy_queue (name TEXT PRIMARY KEY, value);
`

type Row = Record<'id' | 'handle' | 'live' | 'state' | 'requested_action' | 'error' | 'queue_place' | 'started_at' | 'ended_at', unknown>
const toRun = (row: Row): ToyRun => ({
  id: row.id as string,
  state: row.state as RunState,
  handle: JSON.parse(row.handle as string) as EngineHandle | null,
  requestedAction: row.requested_action as ToyRun['requestedAction'],
  live: JSON.parse(row.live as string) as Toy,
  error: row.error as string | null,
  queuePlace: row.queue_place as number | null,
  startedAt: row.started_at as number | null,
  endedAt: row.ended_at as number | null,
})

function createStore({ db }: TestCore): RunStore<Toy, string, ToyRun> & QueueStore<ToyRun> & { add(id: string): void } {
  db.exec(TABLES)
  const rows = (where: string, values: object = {}) => (db.prepare(`SELECT * FROM toys WHERE ${where}`).all(values) as Row[]).map(toRun)
  const find = (id: string) => rows('id = @id', { id })[0] ?? null
  const require = (id: string) => find(id)!
  const saveRow = ({ id, state, handle, requestedAction, live, error, queuePlace, startedAt, endedAt }: ToyRun) =>
    db
      .prepare(
        'INSERT OR REPLACE INTO toys VALUES (@id, @state, @handle, @requestedAction, @live, @error, @queuePlace, @startedAt, @endedAt)',
      )
      .run({
        id,
        state,
        handle: JSON.stringify(handle),
        requestedAction,
        live: JSON.stringify(live),
        error,
        queuePlace,
        startedAt,
        endedAt,
      })
  const value = (name: string) =>
    (db.prepare('SELECT value FROM toy_queue WHERE name = @name').get({ name }) as { value: unknown } | undefined)?.value ?? null
  const setValue = (name: string, to: unknown) => db.prepare('INSERT OR REPLACE INTO toy_queue VALUES (@name, @to)').run({ name, to })
  const queue = () => rows("state = 'queued' ORDER BY queue_place").map(({ id }) => id)
  return {
    find,
    require,
    change: (id, change) => void saveRow({ ...require(id), ...change }),
    active: () => rows("state IN ('preparing', 'running', 'pausing')"),
    queue,
    flag: (name) => (value(name) === null ? null : value(name) === 1),
    setFlag: (name, to) => void setValue(name, Number(to)),
    pausedBy: () => value('pausedBy') as string | null,
    setPausedBy: (id) => void setValue('pausedBy', id),
    add(id) {
      const live = { eventsAt: 0, logAt: 0, n: 0, end: null }
      const queuePlace = queue().length + 1
      saveRow({ id, state: 'queued', handle: null, requestedAction: null, live, error: null, queuePlace, startedAt: null, endedAt: null })
    },
  }
}

/** Runs of a program that counts, over a real core. `places` is the size of the only lane. */
export async function openToys({ dataDir, places = 1 }: { dataDir?: string; places?: number } = {}) {
  const core = openCore({ ...(dataDir !== undefined && { dataDir }), keep: true })
  const store = createStore(core)
  const engine = createLocalEngine()
  const folderOf = (id: string) => path.join(core.config.dataDir, 'toys', id)
  const addRow = core.db.prepare('INSERT INTO toy_rows VALUES (@id, @n, @line)')
  const listeners = new Set<() => void>()
  const notify = () => listeners.forEach((listener) => listener())

  const kind: RunKind<Toy, string, ToyRun> = {
    async command({ id }) {
      fs.rmSync(path.join(folderOf(id), 'control.json'), { force: true })
      return {
        argv: [process.execPath, path.join(import.meta.dirname, 'fixtures', 'toy.ts'), path.join(folderOf(id), 'config.json')],
        env: {},
      }
    },
    place: (id) => ({ folder: folderOf(id), log: path.join(folderOf(id), 'log') }),
    intake: ({ id }) => ({
      log: {
        file: 'log',
        offset: ({ logAt }) => logAt,
        take(live, { text, end }) {
          addRow.run({ id, n: null, line: text })
          return { ...live, logAt: end }
        },
      },
      events: {
        file: 'events.jsonl',
        offset: ({ eventsAt }) => eventsAt,
        take(live, { text, end: eventsAt }) {
          const { n = live.n, end = null } = JSON.parse(text!) as Partial<Pick<Toy, 'n' | 'end'>>
          if (end === null) addRow.run({ id, n, line: null })
          return { ...live, n, end, eventsAt }
        },
      },
      begin: () => undefined,
      end: () => undefined,
      afterCommit: notify,
      afterRollback: () => undefined,
    }),
    begin: (live) => ({ ...live, end: null }),
    isAtWork: ({ n }) => n > 0,
    outcome({ requestedAction }, { code, signal }, live) {
      if (live.end === 'done') return { state: 'completed', error: null, live }
      if (requestedAction === 'cancel') return { state: 'cancelled', error: null, live }
      if (live.end === 'paused') return { state: 'paused', error: null, live }
      return { state: 'failed', error: `no last event, code ${code}, signal ${signal}`, live }
    },
    failure: (_run, cause) => (cause as Error).message,
  }
  const runner = createRunner({
    core,
    store,
    kind,
    engine: () => engine,
    changed: notify,
    unstored: notify,
    ended(id, state) {
      queue.ended(id, state === 'failed')
      notify()
    },
    onQuiet: () => undefined,
    onFree: () => queue.pump(),
  })
  const queue: Queue = createQueue({
    tx: core.tx,
    store,
    lane: () => ({ name: 'toys', places }),
    launch: (...input: Parameters<typeof runner.launch>) => runner.launch(...input),
    changed: notify,
    moved: notify,
  })
  const enqueue = (id: string) => {
    store.add(id)
    queue.pump()
  }
  await runner.pickUp()
  queue.open()
  queue.pump()
  return {
    dataDir: core.config.dataDir,
    runner,
    queue,
    run: store.require,
    folderOf,
    start(id: string, plan: ToyPlan): void {
      fs.mkdirSync(folderOf(id), { recursive: true })
      fs.writeFileSync(path.join(folderOf(id), 'config.json'), JSON.stringify(plan))
      enqueue(id)
    },
    /** Continues a paused run. */
    resume(id: string): void {
      store.change(id, { state: 'queued', queuePlace: 0 })
      queue.pump()
    },
    letGo: (id: string) => fs.writeFileSync(path.join(folderOf(id), 'go'), ''),
    numbers: (id: string) => core.db.prepare('SELECT n FROM toy_rows WHERE id = @id AND n IS NOT NULL ORDER BY rowid').pluck().all({ id }),
    printed: (id: string) => core.db.prepare('SELECT line FROM toy_rows WHERE id = @id AND n IS NULL ORDER BY rowid').pluck().all({ id }),
    /** Resolves when `condition` is true for the run. */
    until: (id: string, condition: (run: ToyRun) => boolean) =>
      new Promise<void>((resolve) => {
        const check = () => {
          if (!condition(store.require(id))) return
          listeners.delete(check)
          resolve()
        }
        listeners.add(check)
        check()
      }),
    /** Closes like the app; the programs keep running. */
    async close(): Promise<void> {
      queue.close()
      await runner.close()
      await core.close()
    },
  }
}
