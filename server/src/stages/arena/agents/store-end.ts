import fs from 'node:fs'
import path from 'node:path'
import type { CheckReport } from '#contracts/entities/check.ts'
import type { Git } from '#server/adapters/git/index.ts'
import { extractInto } from '../checks/restore/extract.ts'
import type { Checks } from '../checks/service.ts'
import { placeOf } from '../sandboxes/place.ts'
import type { Sandboxes } from '../sandboxes/service.ts'
import type { Performing } from './service.ts'
import type { Kept } from './store.ts'
import { type Box, LEFT_OUT, PACKAGES, packagesOf, writeFiles } from './working-copy.ts'

const READ_OUT_MS = 300_000

/** What an agent left: stored as the end of its run, and checked. */
export function createStoreEnd({ sandboxes, git, checks }: { sandboxes: Sandboxes; git: Git; checks: Checks }) {
  /** Once all its processes have ended, reads its files and stores them as the end. */
  const keepEnd = async (work: Performing, { id, root }: Box, kept: Kept): Promise<Kept> => {
    const { folder } = work
    const gitDir = path.join(folder, 'change.git')
    const files = path.join(folder, 'end')
    const signal = AbortSignal.timeout(READ_OUT_MS) // a run that is stopped keeps what it has done
    fs.rmSync(files, { recursive: true, force: true })
    fs.mkdirSync(files, { mode: 0o700 })
    try {
      const tracked = await git.files.names(gitDir, kept.start, signal)
      await sandboxes.readOut(
        id,
        root,
        PACKAGES.filter((name) => !tracked.some((one) => one.startsWith(`${name}/`))),
        (tar) => extractInto(files, tar),
      )
      const names = await git.files.list({ gitDir, folder: files, base: kept.start, excluded: LEFT_OUT, signal })
      const end = await git.files.store(gitDir, 'end', git.files.readPlain(files, names), signal)
      const change = await git.files.count(gitDir, kept.start, end, signal)
      const whole = { ...kept, end }
      work.change({ facts: { kept: whole, change } })
      return whole
    } finally {
      await fs.promises.rm(files, { recursive: true, force: true })
    }
  }

  const verify = async (work: Performing, { start, end, directory }: Kept, installed: string | null): Promise<CheckReport> => {
    const { folder, signal, row } = work
    const checked = path.join(folder, 'checked')
    const place = (name: string) => path.join(checked, name)
    const gitDir = path.join(folder, 'change.git')
    await fs.promises.rm(checked, { recursive: true, force: true })
    try {
      await writeFiles(place('start'), git.files.of(gitDir, start, signal))
      await writeFiles(place('end'), git.files.of(gitDir, end ?? start, signal))
      const { verify: command, checkTimeoutSec: timeoutSec } = row.request
      const from = (at: string | null) => packagesOf(at).map((name) => ({ from: path.join(at!, name), to: name }))
      const packages = [...from(directory), ...from(installed)]
      const change = {
        start: place('start'),
        end: place('end'),
        command,
        timeoutSec,
        packages,
        place: placeOf(row.request),
        ...(directory !== null && { project: directory }),
      }
      return await checks.runOfChange(change, { id: row.id, signal, progress: () => {} })
    } finally {
      await fs.promises.rm(checked, { recursive: true, force: true })
    }
  }

  return { keepEnd, verify }
}
