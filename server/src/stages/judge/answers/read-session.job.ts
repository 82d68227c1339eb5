import type { TranscriptItem } from '#contracts/entities/step.ts'
import { readOnlyOfThread } from '#server/db/thread.ts'
import { type GateInput, openGate } from '../../privacy/index.ts'
import { readWhole } from '../../traces/index.ts'

export interface ReadSessionInput {
  database: string
  archive: string
  traceId: string
  gate: GateInput
}

/** A session as the material of a grade, cleared by the gate. */
export interface SessionMaterial {
  title: string | null
  models: string[]
  /** What the user asked for first, and everything they asked for. */
  firstPrompt: string
  prompt: string
  /** Texts and calls of the agent, in order. */
  response: string
  findings: Record<string, number>
}

/** Characters that a model gets. Of long work the beginning and the end. */
const [MAX_PROMPT, MAX_RESPONSE_HEAD, MAX_RESPONSE_TAIL] = [8000, 6000, 18_000]
const MAX_OUTPUT = 400
/** The gate reads more of an output than is shown, so that no secret is cut before it is found. */
const CLEARED_OUTPUT = 8000

/** Null if there is no such session. */
export default function readSession({ database, archive, traceId, gate: input }: ReadSessionInput): SessionMaterial | null {
  const whole = readWhole(readOnlyOfThread(database), archive, traceId, { main: true })
  if (!whole) return null
  const gate = openGate(input)
  const { title, models, repo } = whole.trace
  const clear = (text: string): string => gate.clear({ text }, { traceId, project: repo }).text
  const prompts: string[] = []
  const parts: string[] = []
  for (const items of whole.items)
    for (const item of items) {
      if (item.kind === 'step' ? item.step.abandoned : item.abandoned) continue
      if (item.kind === 'prompt') prompts.push(clear(item.text))
      else if (item.kind === 'text' && item.asks === null) parts.push(clear(item.text))
      else if (item.kind === 'step') parts.push(callText(item.step, clear))
    }
  return {
    title: title === null ? null : clear(title),
    models,
    firstPrompt: cut(prompts[0] ?? '', MAX_PROMPT, 0),
    prompt: cut(prompts.join('\n\n'), MAX_PROMPT / 2, MAX_PROMPT / 2),
    response: cut(parts.join('\n\n'), MAX_RESPONSE_HEAD, MAX_RESPONSE_TAIL),
    findings: gate.report().findingsByType,
  }
}

type Step = Extract<TranscriptItem, { kind: 'step' }>['step']

function callText({ tool, command, input, output, success, exitCode, rejected }: Step, clear: (text: string) => string): string {
  const asked = clear(command ?? JSON.stringify(input ?? {}))
  const end = rejected
    ? 'not allowed'
    : success === null
      ? 'unknown result'
      : success
        ? 'succeeded'
        : `failed${exitCode === null ? '' : ` (exit code ${exitCode})`}`
  const shown = output === null ? '' : clear(output.slice(-CLEARED_OUTPUT)).slice(-MAX_OUTPUT).trim()
  return `[${tool}] ${cut(asked, MAX_OUTPUT, MAX_OUTPUT)}\n[${end}]${shown === '' ? '' : `\n${shown}`}`
}

const cut = (text: string, head: number, tail: number): string =>
  text.length <= head + tail
    ? text
    : `${text.slice(0, head)}\n[… ${text.length - head - tail} characters left out …]\n${tail === 0 ? '' : text.slice(-tail)}`
