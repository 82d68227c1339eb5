import fs from 'node:fs'
import path from 'node:path'
import type { Task } from '#contracts/entities/task.ts'
import type { Git } from '#server/adapters/git/index.ts'
import { copyFolder } from '../checks/pack.ts'
import { extractInto } from '../checks/restore/extract.ts'
import { placeOf } from '../sandboxes/place.ts'
import type { Sandboxes } from '../sandboxes/service.ts'
import { AgentFailed } from './driver.ts'
import type { Performing } from './service.ts'
import { dropOldest, findSetUp, keptPlace } from './set-up.ts'
import type { Kept } from './store.ts'
import { type Box, factsOf, PACKAGES, packagesOf } from './working-copy.ts'

/** Set-ups whose installed packages are kept. */
const MAX_KEPT = 5

/** Makes the copy of a run ready; the folder with the packages that this installed, which the checks need too. */
export function createSetUp({ sandboxes, git }: { sandboxes: Sandboxes; git: Git }) {
  const useKept = async ({ signal }: Performing, { id, root }: Box, from: string): Promise<string> => {
    await copyFolder(from, '', (tar) => sandboxes.unpack(id, root, tar), signal)
    return from
  }
  const runSetUp = async (work: Performing, { id, root }: Box, command: string): Promise<void> => {
    work.change({ facts: { detail: `Set-up: ${command.slice(0, 200)}` } })
    const request = { command, session: 'main', standalone: true, wait: true, cwd: root, timeoutSec: 3600, maxOutputBytes: 65_536 }
    const { exitCode, output, timedOut } = await sandboxes.exec(id, request, work.signal)
    work.signal.throwIfAborted()
    work.step({ kind: 'note', text: `${command}\n${output}`, tool: 'bash', isError: exitCode !== 0, agent: null })
    if (exitCode === 0) return
    throw new AgentFailed(
      'task',
      `The set-up command ${timedOut ? 'took longer than an hour' : `ended with exit code ${exitCode}`}: ${command}`,
      work.row.request.network.length === 0
        ? 'The sandbox has no network. If the command downloads something, allow its addresses (host:port) for this run.'
        : 'Its output is among the events of the run.',
    )
  }

  return async (work: Performing, { id, root }: Box, { kept, commit }: { kept: Kept; commit: string }): Promise<string | null> => {
    const { folder, signal, row } = work
    const { request } = row
    const installed = path.join(folder, 'packages')
    if (commit === kept.end) return fs.existsSync(installed) ? useKept(work, { id, root }, installed) : null
    const found = await factsOf(git, path.join(folder, 'change.git'), commit, signal)
    const steps = request.setup?.map((command) => ({ command, because: 'given' }))
    const wanted = steps ?? findSetUp(found, packagesOf(kept.directory))
    const place = steps ? null : keptPlace(path.dirname(folder), wanted, found, placeOf(request))
    if (place !== null && fs.existsSync(place)) {
      work.change({ facts: { setup: wanted.map((step) => ({ ...step, cached: true })) } })
      fs.utimesSync(place, new Date(), new Date())
      fs.cpSync(place, installed, { recursive: true, verbatimSymlinks: true, force: true })
      return useKept(work, { id, root }, installed)
    }
    const done: Task['setup'] = []
    for (const step of wanted) {
      await runSetUp(work, { id, root }, step.command)
      done.push({ ...step, cached: false })
      work.change({ facts: { setup: [...done] } })
    }
    if (done.length === 0) return null
    const names = PACKAGES.filter((name) => !packagesOf(kept.directory).includes(name))
    fs.rmSync(installed, { recursive: true, force: true })
    fs.mkdirSync(installed, { mode: 0o700 })
    await sandboxes.copyOut(id, root, names, (tar) => extractInto(installed, tar))
    if (place !== null) {
      const making = `${place}-${row.id}`
      fs.cpSync(installed, making, { recursive: true, verbatimSymlinks: true })
      if (fs.existsSync(place)) fs.rmSync(making, { recursive: true })
      else fs.renameSync(making, place)
      dropOldest(path.dirname(folder), MAX_KEPT)
    }
    return installed
  }
}
