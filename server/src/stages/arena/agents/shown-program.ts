import { type AgentCli, type AgentProgram, readableCopy } from '#server/adapters/agent-cli/index.ts'
import { canBeShown } from '../checks/toolchains.ts'
import type { AgentDriver } from './driver.ts'

/** The program of an agent, if a sandbox may read it. Text: why it cannot run in a sandbox. */
export function shownProgram(cli: AgentCli): AgentProgram | string {
  const program = cli.program()
  if (typeof program === 'string' || program.folders.every(canBeShown)) return program
  const copy = process.getuid?.() === 0 ? readableCopy(program) : null
  if (copy?.folders.every(canBeShown)) return copy
  return `A sandbox cannot be shown ${program.folders.find((folder) => !canBeShown(folder))}, where ${cli.kind.name} is. Install it in another folder.`
}

export function shownFolders(cli: AgentCli): readonly string[] {
  const program = shownProgram(cli)
  return typeof program === 'string' ? [] : program.folders
}

/** Refuses versions older than `oldest`, and programs without a version. */
export async function findSince(cli: AgentCli, oldest: string): ReturnType<AgentDriver['find']> {
  const program = shownProgram(cli)
  if (typeof program === 'string') return { version: null, missing: program }
  const version = await cli.version()
  const { name, variable } = cli.kind
  if (version === null) return { version, missing: `${name} printed no version. Try its --version, or set ${variable} to another program.` }
  const isOld = version.localeCompare(oldest, 'en', { numeric: true }) < 0
  return { version, missing: isOld ? `${name} ${version} is too old for runs here; update it to ${oldest} or newer.` : null }
}
