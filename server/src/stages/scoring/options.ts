import { hash } from 'node:crypto'
import type { CheckKind } from '#contracts/entities/score.ts'
import type { Settings } from '#contracts/entities/settings.ts'
import type { CommandOverride } from '#contracts/entities/command-override.ts'
import type { CommandFact } from './command-facts.ts'
import { withoutFolder } from '#server/shell/options.ts'
import type { Recognised } from './verification/kinds.ts'

/** A command that the settings declare a check: the command must start with its words, with or without wrappers. */
interface OwnCommand {
  words: readonly string[]
  kind: CheckKind
}

/** What the analysis of a trace depends on besides its steps. Policy and thresholds are applied later. */
export interface ScoringOptions {
  verificationCommands: Settings['scoring']['verificationCommands']
  /** The user's marks on commands, by project folder; they override every rule. */
  commandOverrides?: readonly Pick<CommandOverride, 'project' | 'words' | 'verdict'>[]
  /** For this session only. */
  verified?: Verified | null
}

/** The result of our check on a session. */
export interface Verified {
  state: 'passed' | 'failed'
  by: string
  /** Calls that the session had then; the result is void once there are more. */
  calls: number
}

export type CommandOverrides = ReadonlyMap<string, 'test' | 'not_a_run'>

/** Changes when the verification commands change, so that scores made with other ones are outdated. */
export const commandsHash = ({ verificationCommands }: ScoringOptions): string =>
  hash('sha256', JSON.stringify(verificationCommands)).slice(0, 16)

/** The kind that the settings declare for a command, or null. */
export function ownKind({ written, words, file }: CommandFact, own: readonly OwnCommand[]): Recognised | null {
  const begins = (found: readonly string[], wanted: readonly string[]) =>
    wanted.length > 0 &&
    wanted.every((word, index) => found[index] === word || (index === 0 && withoutFolder(found[0] ?? '') === withoutFolder(word)))
  const match = own.find((command) => [written, words, file].some((found) => begins(found, command.words)))
  return match ? { kind: match.kind, guessed: false } : null
}

const NONE: CommandOverrides = new Map()

/** The marks that apply in this working directory, by `commandKey`; the innermost folder wins. */
export function overridesFor(cwd: string | null, { commandOverrides }: ScoringOptions): CommandOverrides {
  if (!commandOverrides?.length) return NONE
  return new Map(applying(cwd, commandOverrides).map(({ words, verdict }) => [words, verdict]))
}

/** The mark that applies to these words in this working directory. */
export const overrideFor = <T extends Override>(words: string, cwd: string | null, all: readonly T[]): T | null =>
  applying(cwd, all).findLast((one) => one.words === words) ?? null

type Override = Pick<CommandOverride, 'project' | 'words' | 'verdict'>

/** The innermost folder last. */
const applying = <T extends Override>(cwd: string | null, all: readonly T[]): T[] =>
  all
    .filter(({ project }) => project === '' || cwd === project || (cwd?.startsWith(`${project}/`) ?? false))
    .toSorted((a, b) => a.project.length - b.project.length)

/** The verification commands for a working directory: `project` is that folder, a parent, a folder name in it, a pattern with `*`, or empty for all. */
export function ownCommandsFor(cwd: string | null, options: ScoringOptions): OwnCommand[] {
  return options.verificationCommands
    .filter(({ project }) => appliesIn(project, cwd))
    .map(({ command, kind }) => ({ words: command.trim().split(/\s+/), kind }))
}

function appliesIn(project: string, cwd: string | null): boolean {
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
