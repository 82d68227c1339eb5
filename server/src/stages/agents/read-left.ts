import type { SandboxSpec } from '#contracts/entities/sandbox.ts'
import type { Sandboxes } from '#server/stages/sandboxes/index.ts'
import { type Archive, keepEndOf } from './drive.ts'
import { type AgentDriver, AgentFailed } from './driver.ts'
import { noteOf } from './listener.ts'
import { leftNameOf } from './pausing.ts'
import { readNow } from './resume-file.ts'
import type { Interrupted } from './service.ts'
import { type Box, isSystemFolder } from './working-copy.ts'
import type { Kept } from './store.ts'

interface ReadLeftDeps {
  sandboxes: Sandboxes
  drivers: readonly AgentDriver[]
  archive: Archive
  storeEnd: (work: Interrupted, box: Box, kept: Kept) => Promise<Kept>
}

/**
 * Reads what an interrupted agent left: its files, as the end of the run so far, and its conversation. Nothing of it is run again.
 * The files stay for the agent, who goes on with them. Throws if the sandbox cannot be started now.
 */
export function createReadLeft({ sandboxes, drivers, archive, storeEnd }: ReadLeftDeps) {
  const openLeft = async ({ row, current, signal }: Interrupted): Promise<string | null> => {
    const { sandboxId } = current()
    const stored = sandboxId === null ? null : sandboxes.store.get(sandboxId)
    if (!stored) return null
    const { id } = await sandboxes.create(specOf(stored.spec, stored.backend))
    sandboxes.leaveAs(id, leftNameOf(row.id))
    try {
      await sandboxes.start(id, { wait: true }, signal)
      if (sandboxes.goesOn(id)) return id
    } catch (error) {
      await sandboxes.stop(id, true).catch(() => null) // the first error is thrown
      throw error
    }
    await sandboxes.stop(id, true)
    return null
  }

  return async (work: Interrupted): Promise<Kept | null> => {
    const { row, folder, current, change, step } = work
    const { kept, workdir } = current()
    const driver = drivers.find(({ agent }) => agent === row.request.agent)!
    const id = await openLeft(work)
    if (id === null) step(noteOf(LOST))
    let newKept = kept
    try {
      if (id !== null && kept && workdir !== null && !isSystemFolder(workdir)) newKept = await storeEnd(work, { id, root: workdir }, kept)
      const { transcript, resume } = await driver.recover({ sandboxId: id, now: readNow(folder) })
      const failure = new AgentFailed('ours', 'It was interrupted.', null, transcript)
      const traceId = await keepEndOf(driver, archive, work, { end: null, failure, resume })
      const hasConversation = resume !== null && (id !== null || kept?.end != null)
      change({ facts: { hasConversation, ...(id === null && { added: LOST_FOR_AGENT }), ...(traceId !== null && { traceId }) } })
    } finally {
      if (id !== null) {
        await sandboxes.leave(id)
        await sandboxes.stop(id, true) // removes only its record
      }
    }
    return newKept
  }
}

const LOST = 'The sandbox of the agent is gone, so its files are those that were read from it before.'
const LOST_FOR_AGENT = 'Your sandbox was lost, so your files may be older than you think. Look at them first.'

/** Only our own programs read the files, so it needs no network and prepares nothing. */
const specOf = (spec: SandboxSpec, backend: SandboxSpec['backend']): SandboxSpec => ({
  ...spec,
  ...(backend && { backend }),
  network: 'none',
  files: [],
  setupCommands: [],
})
