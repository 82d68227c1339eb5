import { isObject, type RawRecord, objectOf } from './record.ts'

export interface Outcome {
  success: boolean | null
  exitCode: number | null
  isError: boolean
  rejectedBy: 'user' | 'rule' | 'interrupt' | null
}

const SHELL_TOOLS: ReadonlySet<string> = new Set(['Bash', 'PowerShell'])

const INTERRUPTED = /^(?:\s*\[Request interrupted by user|The user interrupted)/
/** Anywhere in the text; separate, because an unanchored pattern is tried at every character of every output. */
const ABORTED = 'Command was aborted before completion'
const REFUSED_BY_USER = /^The user doesn't want to (proceed with this tool use|take this action right now)|^User rejected tool use/
const REFUSED_BY_RULE =
  /^(Claude requested permissions? to .* but you haven't granted it yet|Permission to use \S+ .*has been denied|.{0,80}\bhook (error|blocked|denied)\b|Permission for this action (has been|was) denied)/i
const EXIT_CODE = /^(?:Error: )?Exit code (\d+)/
const TIMED_OUT = /Command timed out after/

/**
 * The outcome of an answered call: refused or interrupted means neither success nor
 * failure; else the client's error mark is a failure; else a result without an error mark is a success.
 *
 * Exit code: Claude Code marks every non-zero exit of a shell as an error, except codes that a command uses as an
 * answer (`returnCodeInterpretation`, e.g. grep's 1). So a shell call without the mark has exit code 0; a failure has its
 * code as `Exit code N` (not in 1.0.128: null); a command that still runs in the background has none yet.
 */
export function outcomeOf(record: RawRecord, tool: string, text: string, isError: boolean): Outcome {
  const rejectedBy = rejection(record, text, isError)
  if (rejectedBy) return { success: null, exitCode: null, isError, rejectedBy }
  const isShell = SHELL_TOOLS.has(tool)
  if (isError) {
    const code = isShell ? EXIT_CODE.exec(text) : null
    return { success: false, exitCode: code ? Number(code[1]) : null, isError, rejectedBy: null }
  }
  const structured = objectOf(record.toolUseResult)
  const hasNoExitCode =
    structured.backgroundTaskId !== undefined ||
    structured.returnCodeInterpretation !== undefined ||
    text.startsWith('Command running in background with ID')
  return { success: true, exitCode: isShell && !hasNoExitCode ? 0 : null, isError, rejectedBy: null }
}

/**
 * Who stopped a call. `toolDenialKind: "user-rejected"` is ambiguous: without a user (`-p`) a
 * missing permission is recorded in the same way; `permissionDecision.source` distinguishes them. Esc on the question and Esc while
 * the call ran differ by `toolDenialBeforeRun` alone (observed in 2.1.329); clients that write no `toolDenialKind` do not
 * distinguish them, so both count as the user's refusal.
 */
function rejection(record: RawRecord, text: string, isError: boolean): Outcome['rejectedBy'] {
  // The client's own check refused it, or could not be asked; nobody else did.
  if (record.toolDenialKind?.startsWith('automode') === true) return 'rule'
  const decision = record.permissionDecision
  if (decision?.decision === 'reject') return decision.source?.startsWith('user') ? 'user' : 'rule'
  const structured = record.toolUseResult
  const denial = record.toolDenialKind
  if (denial !== undefined) {
    if (denial !== 'user-rejected') return /interrupt|abort|cancel/.test(denial) ? 'interrupt' : 'rule'
    return record.toolDenialBeforeRun === true ? 'user' : 'interrupt'
  }
  if (isObject(structured) && structured.interrupted === true && !TIMED_OUT.test(text) && structured.timedOutAfterMs === undefined)
    return 'interrupt'
  if (INTERRUPTED.test(text) || text.includes(ABORTED)) return 'interrupt'
  if (!isError) return null
  if (REFUSED_BY_USER.test(text) || structured === 'User rejected tool use' || structured === 'Error: User rejected tool use') return 'user'
  return REFUSED_BY_RULE.test(text) ? 'rule' : null
}
