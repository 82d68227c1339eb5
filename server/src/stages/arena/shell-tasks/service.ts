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
import { given } from '#contracts/given.ts'
import type { changeShellTask, createShellTask, importShellTasks, ShellTaskFilter } from '#contracts/routes/shell-tasks.ts'
import type { Core } from '#server/core.ts'
import { createMeta } from '#server/db/meta.ts'
import type { JobContext, Progress } from '#server/jobs/jobs.ts'
import { requireFile } from '#server/outside-file.ts'
import { isHeldOutName } from './held-out.ts'
import { idOfContent } from './identity.ts'
import type { NearInput } from './near.job.ts'
import type { Near } from './near.ts'
import { validateAll, type ValidationDeps } from './validation.ts'
import type { Imported, ImportInput } from './import/import-tasks.job.ts'
import type { Proposed } from './from-sessions/proposals.job.ts'
import type { ReadTask } from './import/read-row.ts'
import { readShipped } from './shipped.ts'
import { createShellTaskStore, type NewTask } from './store.ts'

const NEAR_JOB = new URL('./near.job.ts', import.meta.url)
const IMPORT_JOB = new URL('./import/import-tasks.job.ts', import.meta.url)
const SHIPPED = 'shell-tasks.shipped'
/** Rows that are stored before other requests get their turn. */
const PORTION = 100
/** Tasks that are validated at once. */
const AT_ONCE = 4

/** The tasks, as other parts of the arena use them. */
export interface ShellTaskSource {
  /** Throws `shell_split_not_found`. */
  ofSplit(split: string): ShellTaskItem[]
  /** Throws `shell_task_not_found`. */
  get(id: string): ShellTask
  /** In the order of the ids. Throws `shell_task_not_found`. */
  byIds(ids: readonly string[]): ShellTaskItem[]
  matching(filter: ShellTaskFilter): ShellTaskItem[]
  /** Of every held-out split. */
  heldOut(): ShellTaskItem[]
}

export interface ShellTasksDeps {
  validate: ValidationDeps['validate']
  /** Null: there is no such session. */
  propose: (traceId: string, signal: AbortSignal) => Promise<Proposed | null>
  /** How many sandboxes may run at once. */
  atOnce: () => number
}

/** The store of shell tasks: shipped, imported, and the user's own. */
export function createShellTasks(core: Core, deps: ShellTasksDeps) {
  const { db, tx, events, jobs, workers, paths, config, log } = core
  const store = createShellTaskStore(db, core.now)
  const meta = createMeta(db)
  const scratch = paths.shellTasks
  let isShipped = false

  /** The starter set of this version of the product is in the store; looked at when tasks are first asked for. */
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
      const others = store.splits().map((one) => one.split)
      throw new AppError('shell_split_not_found', {
        message: `There is no split "${split}" of shell tasks. ${others.length === 0 ? 'No tasks are stored.' : `There are: ${others.join(', ')}.`}`,
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

  /** Whether rows of a split are held out: by its name, by its tasks, or as requested. Throws if these disagree. */
  const isHeldOut = (split: string, asked: boolean | undefined): boolean => {
    const known = ready()
      .splits()
      .find((one) => one.split === split)
    const is = isHeldOutName(split) || known?.isHeldOut
    if (is && asked === false)
      throw new AppError('invalid_request', { message: `The split "${split}" is held out. Choose another name for a split that trains.` })
    if (!is && asked && known)
      throw new AppError('invalid_request', {
        message: `The split "${split}" has ${known.tasks} tasks that are not held out. Choose another name for held-out tasks.`,
      })
    return is || asked === true
  }

  const changed = (id: string | null) => events.passing('shell-tasks:changed', { id })

  /** Throws if a text nearly repeats a task of the other kind: training tasks must not be in an evaluation. */
  async function refuseAcross(task: string, isHeldOut: boolean, except: string | null): Promise<void> {
    const input: NearInput = { database: paths.database, task, heldOut: !isHeldOut, except }
    const near = await workers.run<Near | null>(NEAR_JOB, input, { lane: 'query' })
    if (!near) return
    throw new AppError('shell_task_near_held_out', {
      message: isHeldOut
        ? `A task to train on, ${near.id}, is nearly the same, so this one cannot be held out.`
        : `The held-out task ${near.id} is nearly the same, so this one cannot be trained on.`,
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
            atOnce: Math.max(1, Math.min(AT_ONCE, deps.atOnce())),
          },
          context,
        ),
      { atOnce: 1, ...(subject !== null && { subject }) },
    )

  /** Stores the rows that the worker wrote, in portions, so that other requests are answered meanwhile. */
  async function take(
    file: string,
    of: { split: string; isHeldOut: boolean },
    total: number,
    { signal, progress }: JobContext,
  ): Promise<number> {
    let stored = 0
    let portion: ReadTask[] = []
    const flush = async () => {
      signal.throwIfAborted()
      const added = tx(() => portion.filter((task) => store.add({ ...task, ...of, source: 'imported' })).length)
      stored += added
      portion = []
      progress({ phase: 'storing', done: stored, total, unit: 'rows' })
      await breathe()
    }
    for await (const line of createInterface({ input: fs.createReadStream(file), crlfDelay: Infinity })) {
      portion.push(JSON.parse(line) as ReadTask) // written by the worker
      if (portion.length >= PORTION) await flush()
    }
    if (portion.length > 0) await flush()
    return stored
  }

  async function importFrom(
    file: string,
    part: string,
    body: Pick<ImportInput, 'isHeldOut' | 'keepNear'> & { split: string },
    context: JobContext,
  ) {
    const { split, ...how } = body
    const input: ImportInput = { database: paths.database, file, to: part, ...how }
    try {
      const { imported, ...summary } = await workers.run<Imported>(IMPORT_JOB, input, {
        lane: 'bulk',
        signal: context.signal,
        onProgress: (value) => context.progress(value as Progress),
      })
      const stored = await take(part, { split, isHeldOut: how.isHeldOut }, imported, context)
      log.info({ split, stored, ...summary.duplicates, bad: summary.bad.length }, 'Shell tasks were imported')
      changed(null)
      return { imported: stored, ...summary } satisfies ShellTaskImport
    } catch (error) {
      throw ofImport(error)
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
    /** Invalid ones only if they are asked for. */
    exported: (filter: ShellTaskFilter): ShellTaskItem[] =>
      source.matching(filter.status === undefined ? { ...filter, status: ['valid', 'unknown', 'none'] } : filter),
    importTasks(body: z.output<typeof importShellTasks.body>): Job {
      const { file, text, split, keepNear } = body
      if ((file === undefined) === (text === undefined))
        throw new AppError('invalid_request', { message: 'Give either a file or the text of JSON lines.' })
      const place = file === undefined ? null : isFolder(file) ? file : requireFile(file, 'the file', config.dataDir)
      const heldOut = isHeldOut(split, body.isHeldOut)
      return jobs.start(
        'shell-tasks-import',
        async (context) => {
          fs.mkdirSync(scratch, { recursive: true, mode: 0o700 })
          const part = path.join(scratch, `import-${randomUUID()}.jsonl`)
          const given = place ?? `${part}.given`
          try {
            if (text !== undefined) await fs.promises.writeFile(given, text, { mode: 0o600, flag: 'wx' })
            return await importFrom(given, part, { split, isHeldOut: heldOut, keepNear }, context)
          } finally {
            if (place === null) fs.rmSync(given, { force: true })
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
      await refuseAcross(task.task, task.isHeldOut, null)
      if (!tx(() => store.add(task)))
        throw new AppError('shell_task_exists', { message: `There is a shell task with the id "${task.id}".` })
      changed(task.id)
      return source.get(task.id)
    },
    async change(id: string, body: z.output<typeof changeShellTask.body>): Promise<ShellTask> {
      const before = source.get(id)
      if (body.task !== undefined && body.task !== before.task) await refuseAcross(body.task, before.isHeldOut, id)
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
    /** Stores a new, validated task. In a transaction; `announce` publishes it afterwards. */
    keep(task: NewTask, found: ShellValidation): void {
      ready().add(task)
      store.setValidation(source.byIds([task.id])[0]!, found)
    },
    announce: changed,
    /** What an import left when the server was killed. */
    sweep: (): void => fs.rmSync(scratch, { recursive: true, force: true }),
  }
}
export type ShellTasks = ReturnType<typeof createShellTasks>

/** Of Harbor tasks; only what a task is made of is read there. */
const isFolder = (place: string): boolean =>
  path.isAbsolute(place) && (fs.statSync(place, { throwIfNoEntry: false })?.isDirectory() ?? false)

/** Errors cross threads as plain ones with their code as cause. */
function ofImport(error: unknown): unknown {
  const code = (error as { cause?: { code?: string } }).cause?.code
  if (code === 'path_refused' || code === 'invalid_request')
    return new AppError('path_refused', { message: (error as Error).message, cause: error })
  if (code === 'ERR_STRING_TOO_LONG')
    return new AppError('path_refused', {
      message: 'A line of the file is longer than 512 MB.',
      hint: 'Write one task a line.',
      cause: error,
    })
  return error
}
