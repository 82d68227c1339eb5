import { type AgentCli, type AgentProgram, readableCopy, removeOldCopies } from '#server/adapters/agent-cli/index.ts'
import type { Core } from '#server/core.ts'
import { isReadableInSandbox } from '#server/stages/checks/index.ts'
import type { AgentDriver } from './driver.ts'

/** The program of an agent, or a text that says why it cannot run in a sandbox. */
export function readableProgram(cli: AgentCli): AgentProgram | string {
  const program = cli.program()
  if (typeof program === 'string' || program.folders.every(isReadableInSandbox)) return program
  const copy = process.getuid?.() === 0 ? readableCopy(program) : null
  if (copy?.folders.every(isReadableInSandbox)) return copy
  return `${cli.kind.name} is in ${program.folders.find((folder) => !isReadableInSandbox(folder))}, which a sandbox may not read. Install it in another folder.`
}

/** Only root makes copies. Never throws: a copy that cannot be removed only takes up space. */
export function removeOldPrograms(log: Core['log']): void {
  if (process.getuid?.() !== 0) return
  try {
    removeOldCopies()
  } catch (error) {
    log.warn({ err: error }, 'Old copies of agent programs could not be removed')
  }
}

export function programFolders(cli: AgentCli): readonly string[] {
  const program = readableProgram(cli)
  return typeof program === 'string' ? [] : program.folders
}

/** Refuses versions older than `oldest`, and programs without a version. */
export async function findVersionSince(cli: AgentCli, oldest: string): ReturnType<AgentDriver['find']> {
  const program = readableProgram(cli)
  if (typeof program === 'string') return { version: null, missing: program }
  const version = await cli.version()
  const { name, variable } = cli.kind
  if (version === null) return { version, missing: `${name} printed no version. Try its --version, or set ${variable} to another program.` }
  const isOld = version.localeCompare(oldest, 'en', { numeric: true }) < 0
  return { version, missing: isOld ? `${name} ${version} is too old for runs; update it to ${oldest} or newer.` : null }
}
