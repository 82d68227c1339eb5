import { hash } from 'node:crypto'
import type { CheckKind } from '#contracts/entities/score.ts'
import type { Settings } from '#contracts/entities/settings.ts'
import type { CommandOverride } from '#contracts/entities/command-override.ts'
import type { CommandFact } from './command-facts.ts'
import { withoutFolder } from '#server/shell/options.ts'
import type { Recognised } from './verification/kinds.ts'

/** A check declared in the settings. It applies to commands that start with its words, with or without wrappers. */
interface DeclaredCheck {
  words: readonly string[]
  kind: CheckKind
}

/** What the analysis of a trace depends on besides its steps. Policy and thresholds are applied later. */
export interface ScoringOptions {
  verificationCommands: Settings['scoring']['verificationCommands']
  /** The user's marks on commands, by project folder; they override every rule. */
  commandOverrides?: readonly Pick<CommandOverride, 'project' | 'words' | 'verdict'>[]
  /** For this session only. */
  verified?: VerifiedResult | null
}

/** The result of our check on a session. */
export interface VerifiedResult {
  state: 'passed' | 'failed'
  by: string
  /** Tool calls of the session when it was checked; with more calls the result no longer applies. */
  calls: number
}

export type CommandOverrides = ReadonlyMap<string, 'test' | 'not_a_run'>

/** Changes with the verification commands, so that scores computed with other commands count as outdated. */
export const commandsHash = ({ verificationCommands }: ScoringOptions): string =>
  hash('sha256', JSON.stringify(verificationCommands)).slice(0, 16)

/** The kind that the settings declare for a command, or null. */
export function declaredKind({ written, words, file }: CommandFact, declared: readonly DeclaredCheck[]): Recognised | null {
  const startsWith = (actual: readonly string[], prefix: readonly string[]) =>
    prefix.length > 0 &&
    prefix.every((word, index) => actual[index] === word || (index === 0 && withoutFolder(actual[0] ?? '') === withoutFolder(word)))
  const match = declared.find((command) => [written, words, file].some((actual) => startsWith(actual, command.words)))
  return match ? { kind: match.kind, guessed: false } : null
}

const NONE: CommandOverrides = new Map()

/** The marks that apply in this working directory, by `commandKey`; the innermost folder wins. */
export function overridesFor(cwd: string | null, { commandOverrides }: ScoringOptions): CommandOverrides {
  if (!commandOverrides?.length) return NONE
  return new Map(overridesIn(cwd, commandOverrides).map(({ words, verdict }) => [words, verdict]))
}

/** The mark that applies to these words in this working directory. */
export const overrideFor = <T extends Override>(words: string, cwd: string | null, overrides: readonly T[]): T | null =>
  overridesIn(cwd, overrides).findLast((override) => override.words === words) ?? null

type Override = Pick<CommandOverride, 'project' | 'words' | 'verdict'>

/** Overrides that apply in this working directory, innermost folder last. */
const overridesIn = <T extends Override>(cwd: string | null, overrides: readonly T[]): T[] =>
  overrides
    .filter(({ project }) => project === '' || cwd === project || (cwd?.startsWith(`${project}/`) ?? false))
    .toSorted((a, b) => a.project.length - b.project.length)

/** The verification commands for a working directory: `project` is that folder, a parent, a folder name in it, a pattern with `*`, or empty for all. */
export function declaredChecksFor(cwd: string | null, options: ScoringOptions): DeclaredCheck[] {
  return options.verificationCommands
    .filter(({ project }) => appliesIn(project, cwd))
    .map(({ command, kind }) => ({ words: command.trim().split(/\s+/), kind }))
}

function appliesIn(project: string, cwd: string | null): boolean {
  const pattern = project.trim().replace(/(?<=.)\/+$/, '')
  if (pattern === '' || pattern === '*') return true
  if (cwd === null) return false
  if (pattern.includes('*')) {
    const source = pattern
      .split('*')
      .map((part) => part.replace(/[\\^$.|?+()[\]{}]/g, String.raw`\$&`))
      .join('.*')
    return new RegExp(`^${source}(/|$)`).test(cwd)
  }
  if (!pattern.includes('/')) return cwd.split('/').includes(pattern)
  return cwd === pattern || cwd.startsWith(`${pattern}/`)
}
