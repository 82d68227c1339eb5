import type { ShellTaskProposals } from '#contracts/entities/shell-proposal.ts'
import { readOnlyOfThread } from '#server/db/thread.ts'
import { type Cleared, type GateInput, openGate } from '#server/stages/privacy/index.ts'
import { readWhole } from '#server/stages/traces/index.ts'
import { proposeFrom, type ConversationItem } from './propose.ts'

export interface ProposalsInput {
  database: string
  archive: string
  traceId: string
  project: string | null
  gate: GateInput
}

export type SessionProposals = Omit<ShellTaskProposals, 'proposals'> & {
  proposals: Omit<ShellTaskProposals['proposals'][number], 'isStored'>[]
}

/** Proposes shell tasks from a session, using only texts that passed the gate. Null if there is no such session. */
export default function proposals({ database, archive, traceId, project, gate: input }: ProposalsInput): SessionProposals | null {
  const whole = readWhole(readOnlyOfThread(database), archive, traceId, { main: true, kinds: ['prompt', 'call'] })
  if (!whole) return null
  const items: ConversationItem[] = []
  const ids: (string | null)[] = []
  for (const item of [...whole.items].flat()) {
    if (item.kind === 'step' ? item.step.abandoned : item.abandoned) continue
    if (item.kind === 'prompt') items.push({ kind: 'prompt', text: item.text })
    else if (item.kind !== 'step') continue
    else {
      const { id, command, cwd, success, rejected, answered, input: toolInput } = item.step
      const isInBackground = (toolInput as { run_in_background?: unknown } | null)?.run_in_background === true
      if (command === null) items.push({ kind: 'other' })
      else items.push({ kind: 'call', call: { id, command, cwd, succeeded: success === true && answered && !rejected && !isInBackground } })
    }
    ids.push(item.kind === 'step' ? item.step.id : item.id)
  }
  const gate = openGate(input)
  const texts = items.map((one) => (one.kind === 'prompt' ? [one.text] : one.kind === 'call' ? [one.call.command, one.call.cwd] : []))
  const cleared: Cleared<typeof texts> = gate.clear(texts, {
    traceId,
    project,
    stepOf: ([index]) => (typeof index === 'number' ? (ids[index] ?? null) : null),
  })
  const proposed = proposeFrom(
    items.map((one, index) => {
      const [text, cwd] = cleared[index]!
      if (one.kind === 'prompt') return { ...one, text: text! }
      return one.kind === 'call' ? { ...one, call: { ...one.call, command: text!, cwd: cwd! } } : one
    }),
  )
  return { traceId, ...proposed }
}
