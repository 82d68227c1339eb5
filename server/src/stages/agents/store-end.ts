import fs from 'node:fs'
import path from 'node:path'
import type { CheckReport } from '#contracts/entities/check.ts'
import type { TaskStart } from '#contracts/entities/task.ts'
import type { Git, Unread } from '#server/adapters/git/index.ts'
import { extractInto } from '#server/foreign/index.ts'
import type { Checks } from '#server/stages/checks/index.ts'
import { placeOf, type Sandboxes } from '#server/stages/sandboxes/index.ts'
import { noteOf } from './listener.ts'
import type { Performing } from './service.ts'
import type { Kept } from './store.ts'
import { type Box, EXCLUDED_NAMES, notesOf, packagePlaces, packagesOf, writeFiles } from './working-copy.ts'

const READ_OUT_MS = 300_000

type Storing = Pick<Performing, 'folder' | 'step' | 'change'>

interface StoreEndDeps {
  sandboxes: Sandboxes
  git: Git
  checks: Checks
  /** Our repository with the states of an exam's tasks. */
  examFiles: (exam: ExamFiles) => string
}
export type ExamFiles = NonNullable<TaskStart['exam']>

/** Stores the files that an agent left as the end of its run, and checks them. */
export function createStoreEnd({ sandboxes, git, checks, examFiles }: StoreEndDeps) {
  /** Ends all processes of the agent, then stores its files as the end of the run. */
  type Read = Sandboxes['readFolder']
  const storeEnd = (work: Storing, box: Box, kept: Kept): Promise<Kept> => store(work, box, kept, sandboxes.stopAndReadFolder)
  /** The same while the agent works. */
  const storeNow = (work: Storing, box: Box, kept: Kept): Promise<Kept> => store(work, box, kept, sandboxes.readFolder)

  const store = async (work: Storing, { id, root }: Box, kept: Kept, read: Read): Promise<Kept> => {
    const { folder } = work
    const gitDir = path.join(folder, 'change.git')
    const files = path.join(folder, 'end')
    const signal = AbortSignal.timeout(READ_OUT_MS) // not the run's signal: a stopped run keeps its work
    await fs.promises.rm(files, { recursive: true, force: true })
    await fs.promises.mkdir(files, { mode: 0o700 })
    try {
      const tracked = await git.files.names(gitDir, kept.start, signal)
      await read(
        id,
        root,
        packagePlaces(tracked).filter((name) => !tracked.some((one) => one.startsWith(`${name}/`))),
        (tar) => extractInto(files, tar),
      )
      const names = await git.files.list({ gitDir, folder: files, base: kept.start, excluded: EXCLUDED_NAMES, signal })
      const unread: Unread[] = []
      const end = await git.files.store(
        gitDir,
        'end',
        git.files.readPlain(files, names, (file) => void unread.push(file)),
        signal,
      )
      for (const text of notesOf(unread, 'Not read from what the agent left')) work.step(noteOf(text))
      const change = await git.files.count(gitDir, kept.start, end, signal)
      const withEnd = { ...kept, end }
      work.change({ facts: { kept: withEnd, change } })
      return withEnd
    } finally {
      await fs.promises.rm(files, { recursive: true, force: true })
    }
  }

  const verify = async (work: Performing, { start, end, directory }: Kept, installed: string | null): Promise<CheckReport> => {
    const { folder, signal, row } = work
    const checkFolder = path.join(folder, 'checked')
    const inCheckFolder = (name: string) => path.join(checkFolder, name)
    const gitDir = path.join(folder, 'change.git')
    await fs.promises.rm(checkFolder, { recursive: true, force: true })
    try {
      const exam = row.request.start?.exam // its agent never had the checks
      const withChecks = exam ? git.files.of(examFiles(exam), exam.reference, signal) : git.files.of(gitDir, start, signal)
      await writeFiles(inCheckFolder('start'), withChecks)
      await writeFiles(inCheckFolder('end'), git.files.of(gitDir, end ?? start, signal))
      const { verify: command, checkTimeoutSec: timeoutSec } = row.request
      const committed = await git.files.names(gitDir, start, signal)
      const from = async (at: string | null) => (await packagesOf(at, committed)).map((name) => ({ from: path.join(at!, name), to: name }))
      const packages = [...(await from(directory)), ...(await from(installed))]
      const change = {
        start: inCheckFolder('start'),
        end: inCheckFolder('end'),
        command,
        timeoutSec,
        packages,
        place: placeOf(row.request),
        ...(directory !== null && { project: directory }),
      }
      return await checks.runOfChange(change, { id: row.id, signal, progress: () => {} })
    } finally {
      await fs.promises.rm(checkFolder, { recursive: true, force: true })
    }
  }

  return { storeEnd, storeNow, verify }
}
