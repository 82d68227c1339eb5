import { hash } from 'node:crypto'
import type { Settings } from '#contracts/entities/settings.ts'
import type { CommandOverride } from '#contracts/entities/command-override.ts'
import type { CommandFact } from './command-facts.ts'
import { withoutFolder } from '#server/shell/options.ts'
import type { Recognised } from './verification/kinds.ts'
import type { RunKind } from './verification/run-kind.ts'

/** A command that the user declared to verify: its words must begin the command, with or without what wraps it. */
interface OwnCommand {
  words: readonly string[]
  kind: RunKind
}

/** What the analysis of a trace depends on besides its steps. Policy and thresholds are not part of it. */
export interface ScoringOptions {
  verificationCommands: Settings['scoring']['verificationCommands']
  /** What the user said of commands, by project folder: beats every rule. */
  commandOverrides?: readonly Pick<CommandOverride, 'project' | 'words' | 'verdict'>[]
  /** Of this session alone. */
  verified?: Verified | null
}

/** What a verifier that ran said of a session. */
export interface Verified {
  state: 'passed' | 'failed'
  by: string
  /** Calls that the session had then: it holds until there are more. */
  calls: number
}

export type CommandOverrides = ReadonlyMap<string, 'test' | 'not_a_run'>

/** Tells scores apart that were made with other commands of the user. */
export const commandsHash = ({ verificationCommands }: ScoringOptions): string =>
  hash('sha256', JSON.stringify(verificationCommands)).slice(0, 16)

/** What the user declared a command to be, null where nothing. */
export function ownKind({ written, words, file }: CommandFact, own: readonly OwnCommand[]): Recognised | null {
  const begins = (found: readonly string[], wanted: readonly string[]) =>
    wanted.length > 0 &&
    wanted.every((word, index) => found[index] === word || (index === 0 && withoutFolder(found[0] ?? '') === withoutFolder(word)))
  const match = own.find((command) => [written, words, file].some((found) => begins(found, command.words)))
  return match ? { kind: match.kind, guessed: false } : null
}

const NONE: CommandOverrides = new Map()

/** What the user said of commands in this working directory, by `commandKey`; a folder further in beats one above it. */
export function overridesFor(cwd: string | null, { commandOverrides }: ScoringOptions): CommandOverrides {
  if (!commandOverrides?.length) return NONE
  return new Map(holding(cwd, commandOverrides).map(({ words, verdict }) => [words, verdict]))
}

/** The one that decides about these words in this working directory. */
export const overrideFor = <T extends Override>(words: string, cwd: string | null, all: readonly T[]): T | null =>
  holding(cwd, all).findLast((one) => one.words === words) ?? null

type Override = Pick<CommandOverride, 'project' | 'words' | 'verdict'>

/** The innermost folder last. */
const holding = <T extends Override>(cwd: string | null, all: readonly T[]): T[] =>
  all
    .filter(({ project }) => project === '' || cwd === project || (cwd?.startsWith(`${project}/`) ?? false))
    .toSorted((a, b) => a.project.length - b.project.length)

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
