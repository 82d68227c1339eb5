import { createHash } from 'node:crypto'
import type { Settings } from '#contracts/entities/settings.ts'
import type { CommandFact } from './command-facts.ts'
import { withoutFolder } from './shell/options.ts'
import type { Recognised, RunKind } from './verification/kinds.ts'

/** A command that the user declared to verify: its words must begin the command, with or without what wraps it. */
interface OwnCommand {
  words: readonly string[]
  kind: RunKind
}

/** What the analysis of a trace depends on besides its steps. Policy and thresholds are not part of it. */
export interface ScoringOptions {
  verificationCommands: Settings['scoring']['verificationCommands']
  /** What the user said of a command, by `commandKey`: beats every rule. */
  overrides?: CommandOverrides
}

export type CommandOverrides = ReadonlyMap<string, 'test' | 'not_a_run'>

/** Tells scores apart that were made with other commands of the user. */
export const commandsHash = ({ verificationCommands, overrides }: ScoringOptions): string => {
  const said = overrides && overrides.size > 0 ? [...overrides].toSorted(([a], [b]) => (a < b ? -1 : 1)) : null
  return createHash('sha256')
    .update(JSON.stringify(said ? [verificationCommands, said] : verificationCommands))
    .digest('hex')
    .slice(0, 16)
}

/** What the user declared a command to be, null where nothing. */
export function ownKind({ written, words, file }: CommandFact, own: readonly OwnCommand[]): Recognised | null {
  const begins = (found: readonly string[], wanted: readonly string[]) =>
    wanted.length > 0 &&
    wanted.every((word, index) => found[index] === word || (index === 0 && withoutFolder(found[0] ?? '') === withoutFolder(word)))
  const match = own.find((command) => [written, words, file].some((found) => begins(found, command.words)))
  return match ? { kind: match.kind, guessed: false } : null
}

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
