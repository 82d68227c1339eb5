import fs from 'node:fs'
import path from 'node:path'
import type { Agent } from '#contracts/entities/common.ts'
import { inForeign } from '#server/foreign/index.ts'
import { type AgentDriver, type AgentEnd, AgentFailed, type AgentWork } from './driver.ts'
import { createListener } from './listener.ts'
import { readResume, writeNow, writeResume } from './resume-file.ts'
import type { Performing } from './service.ts'

/** Imports the transcripts of a folder into the archive. Returns the id of their trace, or null. */
export type Archive = (
  sessions: { agent: Agent; folder: string; session: string; run: { taskId: string; title: string; repo: string | null } },
  signal: AbortSignal,
) => Promise<string | null>

/** Runs the agent until it ends or its time limit is reached. */
export async function drive(
  driver: AgentDriver,
  work: Performing,
  { box, endpoint, timeSec }: { box: { id: string; workdir: string }; endpoint: AgentWork['endpoint']; timeSec: number },
): Promise<AgentEnd> {
  const { row, folder, prompt, inbox, ledger, redaction, signal } = work
  const timeLimit = AbortSignal.timeout(timeSec * 1000)
  try {
    return await driver.run({
      request: row.request,
      prompt,
      resume: row.facts.canResume ? readResume(folder) : null,
      sandboxId: box.id,
      workdir: box.workdir,
      model: row.facts.model,
      endpoint,
      emit: createListener(work),
      keep: (now) => writeNow(folder, now),
      inbox,
      ledger,
      redaction,
      signal: AbortSignal.any([signal, timeLimit]),
    })
  } catch (error) {
    if (timeLimit.aborted && !signal.aborted)
      throw new AgentFailed('task', `It was stopped at its limit of ${timeSec} s.`, 'Allow it more time.')
    throw error
  }
}

/** Name of the repository that a run works on; null for an empty folder. */
const repositoryName = ({ directory, repositoryUrl }: Performing['row']['request']): string | null =>
  (directory ?? repositoryUrl)
    ?.split(/[\\/]/)
    .findLast((part) => part !== '')
    ?.replace(/\.git$/, '') ?? null

/** Stores the end of a run, and its session in the archive. Returns the id of the session's trace, or null. */
export async function keepEndOf(
  { sessions: { agent, idOf } }: AgentDriver,
  archive: Archive,
  work: Pick<Performing, 'row' | 'folder' | 'change' | 'signal'>,
  { end, failure, resume }: { end: AgentEnd | null; failure: unknown; resume: string | null },
): Promise<string | null> {
  if (end) work.change({ facts: { claim: end.claim, exitCode: end.exitCode } })
  const transcript = end?.transcript ?? (failure instanceof AgentFailed ? failure.transcript : [])
  const sessionsFolder = path.join(work.folder, 'sessions')
  await fs.promises.rm(sessionsFolder, { recursive: true, force: true })
  await fs.promises.mkdir(sessionsFolder, { mode: 0o700 })
  await inForeign(sessionsFolder, async (folder) => {
    for (const { path: name, content } of transcript) {
      const plainName = name.split('/').filter((part) => part !== '' && part !== '.' && part !== '..').join('/') // prettier-ignore
      await folder.writeFile(plainName, content, { mode: 0o600, limitBytes: content.length })
    }
  })
  if (resume !== null) {
    writeResume(work.folder, resume)
    work.change({ facts: { canResume: true } })
  }
  const [main] = transcript
  if (main === undefined) return null
  const { id: taskId, title, request } = work.row
  return archive(
    { agent, folder: sessionsFolder, session: idOf(main.path), run: { taskId, title, repo: repositoryName(request) } },
    work.signal,
  )
}
