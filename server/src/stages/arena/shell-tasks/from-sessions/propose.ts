import type { ShellTaskProposal, ShellTaskProposals } from '#contracts/entities/shell-proposal.ts'
import { commandsOf } from '../generate/diversity.ts'
import { idOfContent } from '../identity.ts'
import { type Begun, replay } from './replay.ts'
import { reached, type Effect } from './state.ts'
import { changesFiles, readCall } from './calls.ts'
import { beneath, workOf } from './folder.ts'
import { BASE } from './tree.ts'
import { Unfit } from './unfit.ts'

/** A call of the shell in a session's main conversation. */
export interface ShellCall {
  id: string
  command: string
  cwd: string | null
  succeeded: boolean
}

/** What the main conversation has that matters here, in its order. `other`: a call of another tool. */
export type ConversationItem = { kind: 'prompt'; text: string } | { kind: 'call'; call: ShellCall } | { kind: 'other' }

type Found = Pick<ShellTaskProposals, 'calls' | 'leftOut'> & { proposals: Omit<ShellTaskProposal, 'isStored'>[] }

interface Sequence {
  prompt: string | null
  calls: (Begun & { call: ShellCall; cwd: string | null })[]
  /** Why no task can be made of all of it. */
  reason: string | null
}

/** Shell tasks that sequences of successful calls allow; of the others that would change something, why they do not. */
export function proposeFrom(items: Iterable<ConversationItem>): Found {
  const proposals: Found['proposals'] = []
  const leftOut = new Map<string, string[]>()
  let calls = 0
  // a session begins in the folder of its project
  let project: string | null = null
  const leave = (reason: string, ids: readonly string[]) => leftOut.set(reason, [...(leftOut.get(reason) ?? []), ...ids])

  let sequence: Sequence = { prompt: null, calls: [], reason: null }
  const end = () => {
    const done = trimmed(sequence)
    sequence = { prompt: sequence.prompt, calls: [], reason: null }
    if (done.calls.length === 0) return
    const ids = done.calls.map(({ call }) => call.id)
    try {
      if (done.reason !== null) throw new Unfit(done.reason)
      const proposal = proposalOf(done)
      if (!proposals.some(({ id }) => id === proposal.id)) proposals.push(proposal)
    } catch (error) {
      if (!(error instanceof Unfit)) throw error
      leave(error.message, ids)
    }
  }

  for (const one of items) {
    if (one.kind === 'other') end()
    else if (one.kind === 'prompt') {
      end()
      sequence.prompt = one.text
    } else {
      calls += 1
      const { call } = one
      project ??= call.cwd
      if (!call.succeeded) {
        end()
        continue
      }
      const { command, cwd } = workOf(call.command, call.cwd, project)
      const read = readCall(command)
      if (read.kind === 'unknown') {
        end()
        leave(read.reason, [call.id])
        continue
      }
      const at = beneath(cwd, sequence.calls[0]?.cwd ?? cwd)
      if (at === null) end()
      if (read.kind === 'unfit') sequence.reason ??= read.reason
      sequence.calls.push({ call, cwd, at: at ?? '', actions: read.kind === 'known' ? read.actions : [] })
    }
  }
  end()
  return { calls, proposals, leftOut: [...leftOut].map(([reason, steps]) => ({ reason, steps })) }
}

/** Without what only looks, before and after. One that cannot be a task is kept whole. */
function trimmed(sequence: Sequence): Sequence {
  if (sequence.reason !== null) return sequence
  const works = ({ actions }: Begun) => actions.some(changesFiles)
  const first = sequence.calls.findIndex(works)
  return { ...sequence, calls: first === -1 ? [] : sequence.calls.slice(first, sequence.calls.findLastIndex(works) + 1) }
}

function proposalOf({ prompt, calls }: Sequence): Found['proposals'][number] {
  const { tree, solution, changes } = replay(calls)
  const { setup, effects, madeUp } = reached(tree)
  if (effects.length === 0) throw new Unfit('Nothing of what it changed is left in the end.')
  const [only, ...more] = effects
  if (more.length === 0 && only!.isTrivial) throw new Unfit('A single thoughtless action reaches its end, so it would be no test.')
  const referenceSolution = solution.join('\n')
  const { text, notes } = instructionOf(prompt, effects, new Set([...commandsOf(referenceSolution), ...calls.flatMap(({ call }) => commandsOf(call.command))])) // prettier-ignore
  const body = {
    task: text,
    setup,
    check: [...new Set(effects.flatMap(({ checks }) => checks))].join(' && '),
    difficulty: changes === 1 ? 1 : changes <= 3 ? 2 : 4,
    referenceSolution,
  }
  return {
    ...body,
    id: idOfContent(body),
    prompt,
    steps: calls.map(({ call }) => ({ id: call.id, command: call.command })),
    notes: [
      ...notes,
      ...(madeUp.length === 0
        ? []
        : [`The session does not tell what ${madeUp.join(', ')} held at the start; the set-up writes a line there.`]),
    ],
  }
}

const LONGEST_PROMPT = 600

/** The prompt, without sentences that name a command, and what has to be so in the end. */
function instructionOf(
  prompt: string | null,
  effects: readonly Effect[],
  commands: ReadonlySet<string>,
): { text: string; notes: string[] } {
  const notes: string[] = []
  const named = [...commands].filter((name) => /^\w+$/.test(name))
  const names = named.length === 0 ? null : new RegExp(String.raw`(?<![\w/.-])(?:${named.join('|')})(?![\w/-]|\.\w)`, 'i')
  const sentences = (prompt ?? '')
    .trim()
    .split(/(?<=[.!?])\s+|\n+/)
    .filter((one) => one.trim() !== '')
  const quiet = sentences.filter((sentence) => names?.test(sentence) !== true)
  if (quiet.length < sentences.length) notes.push('Sentences of the prompt that name a command were left out.')
  const whole = quiet.join(' ')
  const isLong = whole.length > LONGEST_PROMPT
  if (isLong) notes.push('The prompt is long, so the task only has what has to be so in the end.')
  if (sentences.length === 0) notes.push('No prompt in words led to it.')
  const wanted = [`Work in ${BASE}. In the end:`, ...effects.map(({ description }) => `- ${description}`)].join('\n')
  return { text: isLong || whole === '' ? wanted : `${whole}\n\n${wanted}`, notes }
}
