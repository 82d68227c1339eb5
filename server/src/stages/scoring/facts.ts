import { createHash } from 'node:crypto'
import type { ParsedStep } from '#server/stages/traces/types.ts'
import { createCommandFacts, type CommandFacts } from './command-facts.ts'
import { commandPattern, inputPattern } from './complexity.ts'
import { overridesFor, ownCommandsFor, type ScoringOptions } from './options.ts'
import { runResult, type Outcome, type RunOutcome } from './run-result.ts'
import type { RunKind } from './verification-commands.ts'

export interface RunFact extends RunOutcome {
  command: string
  kind: RunKind
}

/** What scoring keeps of a step: small plain data, from which the whole score of a trace is folded. */
export interface StepFacts {
  id: string
  conversation: string
  /** Lower case. */
  tool: string
  outcome: Outcome
  pattern: string | null
  hasIf: boolean
  hasLoop: boolean
  hasPipeline: boolean
  hasList: boolean
  /** §4.2: the output says something and holds no words of an error. */
  meaningful: boolean
  /** Equal for calls of the same tool with the same command or input. */
  key: string
  runs: RunFact[] | null
  /** The file that it changed. */
  edited: string | null
}

const BEFORE_COLON = /(?:error|exception|failed|fatal)$/i
const LONGEST_BEFORE = 9
const TRACEBACK = /traceback/i

/** "error:", "exception:", "failed:", "fatal:" or "traceback". Colons are found first: they are few, and outputs are long. */
function saysError(text: string): boolean {
  for (let colon = text.indexOf(':'); colon >= 0; colon = text.indexOf(':', colon + 1)) {
    if (BEFORE_COLON.test(text.slice(Math.max(0, colon - LONGEST_BEFORE), colon))) return true
  }
  return TRACEBACK.test(text)
}
const OWN_COMMAND_CHARS = 2_000
const SHORT_KEY_CHARS = 64

/** Reads steps; commands that come again (`npm test`, `git status`) are parsed once. */
export function createStepReader(): (step: ParsedStep, options: ScoringOptions) => StepFacts {
  const read = createCommandFacts()
  return (step, options) => {
    const command = step.command?.trim() ? step.command : null
    const facts =
      command === null
        ? null
        : read(command, options.verificationCommands.length ? ownCommandsFor(step.cwd, options) : [], overridesFor(step.cwd, options))
    const tool = step.tool.toLowerCase()
    const outcome = outcomeOf(step)
    return {
      id: step.id,
      conversation: step.conversation,
      tool,
      outcome,
      pattern: command === null || facts === null ? inputPattern(step.input) : commandPattern(command, facts.opening),
      hasIf: facts?.structure.hasIf ?? false,
      hasLoop: facts?.structure.hasLoop ?? false,
      hasPipeline: facts?.structure.hasPipeline ?? false,
      hasList: facts?.structure.hasList ?? false,
      meaningful: step.output !== null && /\S/.test(step.output) && !saysError(step.output),
      key: keyOf(tool, command, step.input),
      runs: facts && !step.rejected && facts.runs.length > 0 ? runsOf(step, facts.runs, outcome) : null,
      edited: step.edits ? (step.file ?? step.id) : null,
    }
  }
}

const outcomeOf = ({ success }: ParsedStep): Outcome => (success === null ? 'unknown' : success ? 'success' : 'failure')

/** What Claude Code answers for a command that it moved to the background, asked for or not. */
const BACKGROUND_ANSWER = /^Command running in background with ID/

/** A call that the client put in the background ends before its command does: its status is not the command's. */
function runsOf(step: ParsedStep, runs: CommandFacts['runs'], outcome: Outcome): RunFact[] {
  const isBackground = step.input['run_in_background'] === true || BACKGROUND_ANSWER.test(step.output ?? '')
  return runs.map(({ command, kind, decisive }) => ({
    command: command.length > OWN_COMMAND_CHARS ? `${command.slice(0, OWN_COMMAND_CHARS)}…` : command,
    kind,
    ...runResult(step.output, outcome, decisive && !isBackground),
  }))
}

function keyOf(tool: string, command: string | null, input: ParsedStep['input']): string {
  const text = command === null ? `i${canonicalJson(input)}` : `c${command}`
  return text.length <= SHORT_KEY_CHARS ? `${tool}\0${text}` : `${tool}\0#${createHash('sha1').update(text).digest('base64')}`
}

/** JSON with the keys of every object in order, so that equal inputs have equal text. */
function canonicalJson(value: unknown): string {
  return (
    JSON.stringify(value, (_key, part: unknown) =>
      part !== null && typeof part === 'object' && !Array.isArray(part)
        ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
        : part,
    ) ?? 'null'
  )
}
