import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { setImmediate as breathe } from 'node:timers/promises'
import type { z } from 'zod'
import type { Job } from '#contracts/entities/job.ts'
import type { ShellTaskProposals } from '#contracts/entities/shell-proposal.ts'
import type { ShellTask, ShellTaskImport, ShellTaskItem, ShellValidation } from '#contracts/entities/shell-task.ts'
import { AppError } from '#contracts/errors.ts'
import { given } from '#server/given.ts'
import type {
  changeShellTask,
  createShellTask,
  importShellTasks,
  lookUpShellTasks,
  ShellTaskFilter,
} from '#contracts/routes/shell-tasks.ts'
import type { Core } from '#server/core.ts'
import { createMeta } from '#server/db/meta.ts'
import type { JobContext, Progress } from '#server/jobs/jobs.ts'
import { requireFile } from '#server/outside-file.ts'
import { isHeldOutName } from './held-out.ts'
import { idOfContent } from './identity.ts'
import type { NearInput } from './near.job.ts'
import type { NearTask } from './near.ts'
import { validateAll, type ValidationDeps } from './validation.ts'
import { fetchSet, type HubOfTasks, lookUpSet } from './import/hub-set.ts'
import type { ImportInput } from './import/import-tasks.job.ts'
import type { SessionProposals } from './from-sessions/proposals.job.ts'
import type { ReadTask } from './import/read-row.ts'
import { readShipped } from './shipped.ts'
import { createShellTaskStore, type NewTask } from './store.ts'

const NEAR_JOB = new URL('./near.job.ts', import.meta.url)
const IMPORT_JOB = new URL('./import/import-tasks.job.ts', import.meta.url)
const SHIPPED = 'shell-tasks.shipped'
/** How many rows are stored before other requests get their turn. */
const BATCH_ROWS = 100
/** How many tasks are validated at the same time. */
const MAX_PARALLEL = 4

/** Read access to tasks for other parts of the arena. */
export interface ShellTaskSource {
  /** Throws `shell_split_not_found`. */
  ofSplit(split: string): ShellTaskItem[]
  /** Throws `shell_task_not_found`. */
  get(id: string): ShellTask
  /** In the order of the ids. Throws `shell_task_not_found`. */
  byIds(ids: readonly string[]): ShellTaskItem[]
  matching(filter: ShellTaskFilter): ShellTaskItem[]
  /** The tasks of all held-out splits. */
  heldOut(): ShellTaskItem[]
}

export interface ShellTasksDeps {
  validate: ValidationDeps['validate']
  /** Null if there is no such session. */
  propose: (traceId: string, signal: AbortSignal) => Promise<SessionProposals | null>
  /** How many sandboxes may run at the same time. */
  maxSandboxes: () => number
  hub: HubOfTasks
}

/** Manages shell tasks: shipped, imported, generated and written by the user. */
export function createShellTasks(core: Core, deps: ShellTasksDeps) {
  const { db, tx, events, jobs, workers, paths, config, log } = core
  const store = createShellTaskStore(db, core.now)
  const meta = createMeta(db)
  const scratch = paths.shellTasks
  let isShipped = false

  /** The store, after the starter set of this version has been stored on first use. */
  const ready = () => {
    if (!isShipped) ship()
    return store
  }
  const ship = () => {
    isShipped = true
    const shipped = readShipped(path.join(config.samplesDir, 'shell-tasks', 'starter.jsonl'))
    if (!shipped || meta.get(SHIPPED) === shipped.version) return
    const tasks = shipped.tasks()
    tx(() => {
      store.ship(tasks)
      meta.set(SHIPPED, shipped.version)
    })
  }

  const notFound = (id: string) => new AppError('shell_task_not_found', { message: `There is no shell task with the id "${id}".` })
  const source: ShellTaskSource = {
    ofSplit(split) {
      const tasks = ready().ofSplit(split)
      if (tasks.length > 0) return tasks
      const existingSplits = store.splits().map((one) => one.split)
      throw new AppError('shell_split_not_found', {
        message: `There is no split "${split}" of shell tasks. ${existingSplits.length === 0 ? 'No tasks are stored.' : `There are: ${existingSplits.join(', ')}.`}`,
      })
    },
    get(id) {
      const task = ready().get(id)
      if (!task) throw notFound(id)
      return task
    },
    byIds: (ids) =>
      ids.map((id) => {
        const task = ready().item(id)
        if (!task) throw notFound(id)
        return task
      }),
    matching: (filter) => ready().list(filter, undefined, Number.MAX_SAFE_INTEGER - 1).items,
    heldOut: () => ready().heldOut(),
  }

  /** Whether a split is held out: by its name, its tasks, or the request. Throws if these disagree. */
  const isHeldOut = (split: string, requested: boolean | undefined): boolean => {
    const existing = ready()
      .splits()
      .find((one) => one.split === split)
    const isAlreadyHeldOut = isHeldOutName(split) || existing?.isHeldOut
    if (isAlreadyHeldOut && requested === false)
      throw new AppError('invalid_request', { message: `The split "${split}" is held out. Choose another name for a training split.` })
    if (!isAlreadyHeldOut && requested && existing)
      throw new AppError('invalid_request', {
        message: `The split "${split}" has ${existing.tasks} tasks that are not held out. Choose another name for held-out tasks.`,
      })
    return isAlreadyHeldOut || requested === true
  }

  const changed = (id: string | null) => events.passing('shell-tasks:changed', { id })

  /** Throws if a training task nearly repeats a held-out task, or the reverse. */
  async function refuseNearHeldOut(task: string, isHeldOut: boolean, except: string | null): Promise<void> {
    const input: NearInput = { database: paths.database, task, heldOut: !isHeldOut, except }
    const near = await workers.run<NearTask | null>(NEAR_JOB, input, { lane: 'query' })
    if (!near) return
    throw new AppError('shell_task_near_held_out', {
      message: isHeldOut
        ? `The training task ${near.id} is nearly the same, so this one cannot be held out.`
        : `The held-out task ${near.id} is nearly the same, so this one cannot be used for training.`,
    })
  }

  const validate = (tasks: readonly ShellTaskItem[], subject: string | null): Job =>
    jobs.start(
      'shell-tasks-validate',
      (context) =>
        validateAll(
          tasks,
          {
            validate: deps.validate,
            keep(task, found) {
              const isKept = tx(() => store.setValidation(task, found))
              if (isKept) changed(task.id)
              return isKept
            },
            maxParallel: Math.max(1, Math.min(MAX_PARALLEL, deps.maxSandboxes())),
          },
          context,
        ),
      { atOnce: 1, ...(subject !== null && { subject }) },
    )

  /** Stores the rows that the worker wrote, in batches, so that other requests are answered in between. */
  async function storeRows(
    file: string,
    target: { split: string; isHeldOut: boolean },
    total: number,
    { signal, progress }: JobContext,
  ): Promise<number> {
    let stored = 0
    let batch: ReadTask[] = []
    const flush = async () => {
      signal.throwIfAborted()
      const added = tx(() => batch.filter((task) => store.add({ ...task, ...target, source: 'imported' })).length)
      stored += added
      batch = []
      progress({ phase: 'storing', done: stored, total, unit: 'rows' })
      await breathe()
    }
    for await (const line of createInterface({ input: fs.createReadStream(file), crlfDelay: Infinity })) {
      batch.push(JSON.parse(line) as ReadTask) // written by the worker
      if (batch.length >= BATCH_ROWS) await flush()
    }
    if (batch.length > 0) await flush()
    return stored
  }

  async function importFrom(
    files: ImportInput['files'],
    part: string,
    body: Pick<ImportInput, 'isHeldOut' | 'keepNear'> & { split: string },
    context: JobContext,
  ) {
    const { split, ...options } = body
    const input: ImportInput = { database: paths.database, files, to: part, ...options }
    try {
      const { imported, ...summary } = await workers.run<ShellTaskImport>(IMPORT_JOB, input, {
        lane: 'bulk',
        signal: context.signal,
        onProgress: (value) => context.progress(value as Progress),
      })
      const stored = await storeRows(part, { split, isHeldOut: options.isHeldOut }, imported, context)
      log.info({ split, stored, ...summary.duplicates, bad: summary.bad.length }, 'Shell tasks were imported')
      changed(null)
      return { imported: stored, ...summary } satisfies ShellTaskImport
    } catch (error) {
      throw importErrorOf(error)
    } finally {
      fs.rmSync(part, { force: true })
    }
  }

  return {
    ...source,
    list(filter: ShellTaskFilter, cursor: string | undefined, limit: number) {
      const page = ready().list(filter, cursor, limit)
      const heldOutSplits = store.splits().flatMap(({ split, isHeldOut }) => (isHeldOut ? split : []))
      return { ...page, counts: store.counts(filter), heldOutSplits }
    },
    /** Invalid tasks are exported only if the filter names that status. */
    exported: (filter: ShellTaskFilter): ShellTaskItem[] =>
      source.matching(filter.status === undefined ? { ...filter, status: ['valid', 'unknown', 'none'] } : filter),
    lookUp: (body: z.output<typeof lookUpShellTasks.body>, signal: AbortSignal) => lookUpSet(deps.hub, body, signal),
    importTasks(body: z.output<typeof importShellTasks.body>): Job {
      const { file, text, hub, split, keepNear } = body
      if ([file, text, hub].filter((one) => one !== undefined).length !== 1)
        throw new AppError('invalid_request', { message: 'Give either a file, the text of JSON lines, or a data set on the hub.' })
      if (hub) deps.hub.open()
      const source = file === undefined ? null : isFolder(file) ? file : requireFile(file, 'the file', config.dataDir)
      const heldOut = isHeldOut(split, body.isHeldOut)
      return jobs.start(
        'shell-tasks-import',
        async (context) => {
          fs.mkdirSync(scratch, { recursive: true, mode: 0o700 })
          const part = path.join(scratch, `import-${randomUUID()}.jsonl`)
          const written = `${part}.given`
          try {
            if (text !== undefined) await fs.promises.writeFile(written, text, { mode: 0o600, flag: 'wx' })
            const files = hub ? await fetchSet(deps.hub, { ...hub, split }, context) : [{ name: null, file: source ?? written }]
            return await importFrom(files, part, { split, isHeldOut: heldOut, keepNear }, context)
          } finally {
            fs.rmSync(written, { force: true })
          }
        },
        { atOnce: 1, subject: split },
      )
    },
    async propose(traceId: string, signal: AbortSignal): Promise<ShellTaskProposals> {
      const found = await deps.propose(traceId, signal)
      if (!found) throw new AppError('trace_not_found')
      const isStored = (id: string) => ready().item(id) !== null
      return { ...found, proposals: found.proposals.map((one) => ({ ...one, isStored: isStored(one.id) })) }
    },
    async create({ id, split, ...body }: z.output<typeof createShellTask.body>): Promise<ShellTask> {
      const task = {
        ...body,
        id: id ?? idOfContent(body),
        split,
        isHeldOut: isHeldOut(split, undefined),
      }
      await refuseNearHeldOut(task.task, task.isHeldOut, null)
      if (!tx(() => store.add(task)))
        throw new AppError('shell_task_exists', { message: `There is a shell task with the id "${task.id}".` })
      changed(task.id)
      return source.get(task.id)
    },
    async change(id: string, body: z.output<typeof changeShellTask.body>): Promise<ShellTask> {
      const before = source.get(id)
      if (body.task !== undefined && body.task !== before.task) await refuseNearHeldOut(body.task, before.isHeldOut, id)
      tx(() => store.change({ ...source.get(id), ...given(body) }))
      changed(id)
      return source.get(id)
    },
    remove(id: string): { id: string } {
      if (!tx(() => ready().remove(id))) throw notFound(id)
      changed(id)
      return { id }
    },
    validateOne: (id: string): Job => validate(source.byIds([id]), id),
    validateSeveral(body: { ids: string[] } | { filter: ShellTaskFilter }): Job {
      const tasks = 'ids' in body ? source.byIds(body.ids) : source.matching(body.filter)
      if (tasks.length === 0) throw new AppError('invalid_request', { message: 'No shell task matches, so there is nothing to validate.' })
      return validate(tasks, null)
    },
    /** Stores a new, validated task. Call in a transaction, and `announce` after it. */
    keep(task: NewTask, found: ShellValidation): void {
      ready().add(task)
      store.setValidation(source.byIds([task.id])[0]!, found)
    },
    announce: changed,
    /** Removes files of an import that was running when the server was killed. */
    sweep: (): void => fs.rmSync(scratch, { recursive: true, force: true }),
  }
}
export type ShellTasks = ReturnType<typeof createShellTasks>

/** A folder is a set of Harbor tasks; only the files of tasks are read. */
const isFolder = (place: string): boolean =>
  path.isAbsolute(place) && (fs.statSync(place, { throwIfNoEntry: false })?.isDirectory() ?? false)

/** Errors from worker threads arrive as plain errors with their code as cause. */
function importErrorOf(error: unknown): unknown {
  const code = (error as { cause?: { code?: string } }).cause?.code
  if (code === 'path_refused' || code === 'invalid_request')
    return new AppError('path_refused', { message: (error as Error).message, cause: error })
  if (code === 'ERR_STRING_TOO_LONG')
    return new AppError('path_refused', {
      message: 'A line of the file is longer than 512 MB.',
      hint: 'Write one task per line.',
      cause: error,
    })
  return error
}
