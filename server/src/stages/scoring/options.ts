import { createHash } from 'node:crypto'
import type { Settings } from '#contracts/entities/settings.ts'
import type { OwnCommand } from './verification-commands.ts'

/** What the analysis of a trace depends on besides its steps. Policy and thresholds are not part of it. */
export interface ScoringOptions {
  verificationCommands: Settings['scoring']['verificationCommands']
  /** What the user said of a command, by `commandKey`: beats every rule. */
  overrides?: CommandOverrides
}

export type CommandOverrides = ReadonlyMap<string, 'test' | 'not_a_run'>

/** Tells scores apart that were made with other commands of the user. */
export const commandsHash = ({ verificationCommands }: ScoringOptions): string =>
  createHash('sha256').update(JSON.stringify(verificationCommands)).digest('hex').slice(0, 16)

/** The user's commands that hold in a working directory: `project` is that folder, one above it, a folder name in it, a pattern with `*`, or empty for all. */
export function ownCommandsFor(cwd: string | null, options: ScoringOptions): OwnCommand[] {
  return options.verificationCommands
    .filter(({ project }) => holdsIn(project, cwd))
    .map(({ command, kind }) => ({ words: command.trim().split(/\s+/), kind }))
}

function holdsIn(project: string, cwd: string | null): boolean {
  const wanted = project.trim().replace(/(?<=.)\/+$/, '')
  if (wanted === '' || wanted === '*') return true
  if (cwd === null) return false
  if (wanted.includes('*')) {
    const source = wanted
      .split('*')
      .map((part) => part.replace(/[\\^$.|?+()[\]{}]/g, String.raw`\$&`))
      .join('.*')
    return new RegExp(`^${source}(/|$)`).test(cwd)
  }
  if (!wanted.includes('/')) return cwd.split('/').includes(wanted)
  return cwd === wanted || cwd.startsWith(`${wanted}/`)
}
