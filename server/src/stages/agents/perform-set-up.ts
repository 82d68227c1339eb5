import fs from 'node:fs'
import path from 'node:path'
import type { Task } from '#contracts/entities/task.ts'
import type { Git } from '#server/adapters/git/index.ts'
import { copyFolder } from '#server/stages/checks/index.ts'
import { extractInto } from '#server/foreign/index.ts'
import type { Sandboxes } from '#server/stages/sandboxes/index.ts'
import { AgentFailed } from './driver.ts'
import type { Performing } from './service.ts'
import { cacheFolderOf, removeOldCaches } from './set-up-cache.ts'
import { findSetUp, installsOnly } from './set-up.ts'
import type { Kept } from './store.ts'
import { type Box, factsOf, packagePlaces, packagesOf } from './working-copy.ts'

/** How many set-ups have their installed packages cached. */
const MAX_CACHED = 5

/** Sets up the copy of a run. Returns the folder with the installed packages, which the checks also need; null if there are none. */
export function createSetUp({ sandboxes, git }: { sandboxes: Sandboxes; git: Git }) {
  const copyInstalled = async ({ signal }: Performing, { id, root }: Box, from: string): Promise<string> => {
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
        : 'Its output is in the events of the run.',
    )
  }

  /** Only a new sandbox with nothing but the files of the start fills a cache: no agent or test has run in it. */
  return async (
    work: Performing,
    { id, root, tools }: Box & { tools: object },
    { kept, commit }: { kept: Kept; commit: string },
  ): Promise<string | null> => {
    const { folder, signal, row } = work
    const { request } = row
    const installed = path.join(folder, 'packages')
    if (commit === kept.end) return fs.existsSync(installed) ? copyInstalled(work, { id, root }, installed) : null
    const projectFacts = await factsOf(git, path.join(folder, 'change.git'), commit, signal)
    const requestedSteps = request.setup?.map((command) => ({ command, because: 'given' }))
    const copied = await packagesOf(kept.directory, projectFacts.files)
    const steps = requestedSteps ?? (await findSetUp(projectFacts, copied))
    const repository = kept.directory ?? request.repositoryUrl
    const isCacheable = requestedSteps === undefined && installsOnly(steps) && copied.length === 0 && repository !== undefined
    const { digest } = projectFacts
    const cacheFolder = isCacheable
      ? await cacheFolderOf(path.dirname(folder), { repository, head: kept.head, steps, request }, { digest, tools })
      : null
    if (cacheFolder !== null && fs.existsSync(cacheFolder)) {
      work.change({ facts: { setup: steps.map((step) => ({ ...step, cached: true })) } })
      fs.utimesSync(cacheFolder, new Date(), new Date())
      fs.rmSync(installed, { recursive: true, force: true })
      fs.cpSync(cacheFolder, installed, { recursive: true, verbatimSymlinks: true, force: true })
      return copyInstalled(work, { id, root }, installed)
    }
    const completedSteps: Task['setup'] = []
    for (const step of steps) {
      await runSetUp(work, { id, root }, step.command)
      completedSteps.push({ ...step, cached: false })
      work.change({ facts: { setup: [...completedSteps] } })
    }
    if (completedSteps.length === 0) return null
    const names = packagePlaces(projectFacts.files).filter((name) => !copied.includes(name))
    fs.rmSync(installed, { recursive: true, force: true })
    fs.mkdirSync(installed, { mode: 0o700 })
    await sandboxes.readNamed(id, root, names, (tar) => extractInto(installed, tar))
    if (cacheFolder !== null) {
      const temporaryFolder = `${cacheFolder}-${row.id}`
      fs.cpSync(installed, temporaryFolder, { recursive: true, verbatimSymlinks: true })
      if (fs.existsSync(cacheFolder)) fs.rmSync(temporaryFolder, { recursive: true })
      else fs.renameSync(temporaryFolder, cacheFolder)
      removeOldCaches(path.dirname(folder), MAX_CACHED)
    }
    return installed
  }
}
