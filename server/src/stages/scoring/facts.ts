import { createHash } from 'node:crypto'
import type { ParsedStep } from '#server/stages/traces/types.ts'
import { createCommandFacts, type CommandFacts } from './command-facts.ts'
import { commandPattern, inputPattern } from './complexity.ts'
import { overridesFor, declaredChecksFor, declaredKind, type ScoringOptions } from './options.ts'
import { joinFolder, type StatusSource } from './shell/read-command.ts'
import { scopeOf, type Scope } from './verification/coverage.ts'
import type { GitMark } from './verification/git-marks.ts'
import type { Recognised } from './verification/kinds.ts'
import { NO_REPORT, reportOf, type Report } from './verification/report.ts'
import { neverStartedWords, checkResult, type Outcome, type CheckOutcome } from './verification/result.ts'

export interface CheckFact extends CheckOutcome, Recognised {
  command: string
  scope: Scope
  /** For a background command: where its status would be visible in the output that later steps read. */
  inBackground: { status: StatusSource; followed: boolean } | null
}

/** A check, or a git command that changes which code the checks test. */
export type CheckEvent = CheckFact | { git: GitMark }

/** The data of a step that the score of a trace is computed from. */
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
  /** The output is not empty and contains no error text. */
  meaningful: boolean
  /** Equal for calls of the same tool with the same command or input. */
  key: string
  checkEvents: CheckEvent[] | null
  /** Ids under which later steps read the output of this background command. */
  background: string[] | null
  /** Output of a background command that this step read. */
  reads: { ids: string[]; report: Report; exitCode: number | null } | null
  /** A failure reported by a command that is neither a check nor read-only. */
  red: string | null
  /** The file that the step changed. */
  edited: string | null
}

const BEFORE_COLON = /(?:error|exception|failed|fatal)$/i
const LONGEST_BEFORE = 9
const TRACEBACK = /traceback/i

/** "error:", "exception:", "failed:", "fatal:" or "traceback". Searching for colons first is fast in long outputs. */
function hasErrorText(text: string): boolean {
  for (let colon = text.indexOf(':'); colon >= 0; colon = text.indexOf(':', colon + 1)) {
    if (BEFORE_COLON.test(text.slice(Math.max(0, colon - LONGEST_BEFORE), colon))) return true
  }
  return TRACEBACK.test(text)
}
const OWN_COMMAND_CHARS = 2_000
const SHORT_KEY_CHARS = 64

/** Reads steps; repeated commands (`npm test`, `git status`) are parsed once. */
export function createStepReader(): (step: ParsedStep, options: ScoringOptions) => StepFacts {
  const factsOf = createCommandFacts()
  return (step, options) => {
    const command = step.command?.trim() ? step.command : null
    const facts = command === null ? null : factsOf(command)
    const tool = step.tool.toLowerCase()
    const outcome = outcomeOf(step)
    const commands = facts && !step.rejected ? verifyCommands(step, facts, outcome, options) : NO_CHECKS
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
      meaningful: step.output !== null && /\S/.test(step.output) && !hasErrorText(step.output),
      key: keyOf(tool, command, step.input),
      ...commands,
      reads: readOfBackground(step, tool),
      edited: step.edits ? (step.file ?? step.id) : null,
    }
  }
}

const outcomeOf = ({ success }: ParsedStep): Outcome => (success === null ? 'unknown' : success ? 'success' : 'failure')

type VerifiedCommands = Pick<StepFacts, 'checkEvents' | 'background' | 'red'>
const NO_CHECKS: VerifiedCommands = { checkEvents: null, background: null, red: null }

/** Claude Code's answer when a command runs in the background, whether requested or moved there. */
const BACKGROUND_ANSWER = /^Command (?:running|was moved|moved|is running) (?:in|to) (?:the )?background(?:.{0,40}? with ID:? ([\w-]+))?/
const LONGEST_ID = 200
/** The id in the name of a background output file (`ID.output`). Searching for the extension first is fast in long texts. */
function backgroundFile(text: string): string | undefined {
  for (let at = text.indexOf('.output'); at >= 0; at = text.indexOf('.output', at + 1)) {
    const id = /[\w-]+$/.exec(text.slice(Math.max(0, at - LONGEST_ID), at))?.[0]
    if (id !== undefined && !/\w/.test(text[at + '.output'.length] ?? '')) return id
  }
  return undefined
}
const TIMED_OUT = /Command timed out after/

function verifyCommands(step: ParsedStep, facts: CommandFacts, outcome: Outcome, options: ScoringOptions): VerifiedCommands {
  const projectCommands = options.verificationCommands.length > 0 ? declaredChecksFor(step.cwd, options) : []
  const overrides = overridesFor(step.cwd, options)
  const answer = BACKGROUND_ANSWER.exec(step.output ?? '')
  const isBackground = step.input['run_in_background'] === true || answer !== null
  const checkEvents: CheckEvent[] = []
  let report: Report | null = null
  let isAllReadOnly = true
  let isStatusVisible = true
  for (const command of facts.commands) {
    const override = overrides.get(command.key)
    const recognised =
      override === 'not_a_run' ? null : override === 'test' ? TEST : (declaredKind(command, projectCommands) ?? command.recognised)
    if (command.git && !recognised) checkEvents.push({ git: withFolder(command.git, step.cwd, command.folder) })
    if (!recognised) {
      const isReadOnly = command.isReadOnly || override === 'not_a_run'
      isAllReadOnly &&= isReadOnly
      if (!isReadOnly && command.status?.by !== 'exit') isStatusVisible = false
      continue
    }
    const { status, followed } = command
    report ??= isBackground ? NO_REPORT : reportOf(step.output)
    const resultInput = {
      kind: recognised.kind,
      status,
      followed,
      outcome,
      exitCode: step.exitCode,
      report,
      neverStarted: outcome === 'success' && status?.by === 'exit' ? null : neverStartedWords(step.output, command.words, step.exitCode),
      isTimedOut: TIMED_OUT.test(step.output ?? ''),
    }
    checkEvents.push({
      ...recognised,
      command: command.text.length > OWN_COMMAND_CHARS ? `${command.text.slice(0, OWN_COMMAND_CHARS)}…` : command.text,
      scope: scopeOf(command.words, folderOf(step.cwd, command.folder)),
      inBackground: isBackground ? { status, followed } : null,
      ...(isBackground ? UNREAD : checkResult(resultInput)),
    })
  }
  const mayBeRed = report === null && !isBackground && !isAllReadOnly && (outcome !== 'success' || !isStatusVisible)
  return {
    checkEvents: checkEvents.length > 0 ? checkEvents : null,
    background: isBackground ? [answer?.[1], backgroundFile(step.output ?? '')].filter((id) => id !== undefined) : null,
    red: mayBeRed ? reportOf(step.output).failure : null,
  }
}

const TEST: Recognised = { kind: 'test', guessed: false }
const UNREAD: CheckOutcome = { result: 'unclear', why: 'ran in the background' }

/** The folder that a command runs in, relative to `.` if the folder of the step is unknown. */
const folderOf = (cwd: string | null, folder: string | null): string | null =>
  folder === null ? null : cwd === null ? (folder === '' ? '.' : folder) : joinFolder(cwd, folder === '' ? '.' : folder)

const withFolder = (git: GitMark, cwd: string | null, folder: string | null): GitMark =>
  typeof git === 'string' ? git : { worktree: joinFolder(folderOf(cwd, folder), git.worktree) ?? git.worktree }

/** Tools that read the output of a background command. */
const OUTPUT_TOOLS = new Set(['bashoutput', 'taskoutput', 'agentoutput', 'getbashoutput', 'killshell', 'killbash'])

function readOfBackground(step: ParsedStep, tool: string): StepFacts['reads'] {
  const idFields = OUTPUT_TOOLS.has(tool) ? ['bash_id', 'shell_id', 'task_id'].map((field) => step.input[field]) : []
  const file = tool === 'read' ? step.input['file_path'] : step.command
  const ids = [...idFields, typeof file === 'string' && file.includes('.output') ? backgroundFile(file) : null].filter(
    (id) => typeof id === 'string',
  )
  if (ids.length === 0) return null
  const code = /<exit_code>\s*(\d+)/.exec(step.output ?? '')?.[1]
  const exitCode = code !== undefined ? Number(code) : /<status>failed/.test(step.output ?? '') ? 1 : null
  return { ids, report: reportOf(step.output), exitCode }
}

function keyOf(tool: string, command: string | null, input: ParsedStep['input']): string {
  const text = command === null ? `i${canonicalJson(input)}` : `c${command}`
  return text.length <= SHORT_KEY_CHARS ? `${tool}\0${text}` : `${tool}\0#${createHash('sha1').update(text).digest('base64')}`
}

/** JSON with sorted keys, so that equal inputs have equal text. */
function canonicalJson(value: unknown): string {
  return (
    JSON.stringify(value, (_key, part: unknown) =>
      part !== null && typeof part === 'object' && !Array.isArray(part)
        ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
        : part,
    ) ?? 'null'
  )
}
