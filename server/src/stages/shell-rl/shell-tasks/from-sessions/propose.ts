import type { ShellTaskProposal, ShellTaskProposals } from '#contracts/entities/shell-proposal.ts'
import { commandsOf } from '../generate/diversity.ts'
import { idOfContent } from '../identity.ts'
import { type StartedCall, replay } from './replay.ts'
import { findEffects, type Effect } from './state.ts'
import { changesFiles, readCall } from './calls.ts'
import { relativePath, splitLeadingCd } from './folder.ts'
import { BASE } from './tree.ts'
import { UnfitError } from './unfit.ts'

/** A call of the shell in a session's main conversation. */
export interface ShellCall {
  id: string
  command: string
  cwd: string | null
  succeeded: boolean
}

/** An item of the main conversation, in order. `other`: a call of another tool. */
export type ConversationItem = { kind: 'prompt'; text: string } | { kind: 'call'; call: ShellCall } | { kind: 'other' }

type Proposals = Pick<ShellTaskProposals, 'calls' | 'leftOut'> & { proposals: Omit<ShellTaskProposal, 'isStored'>[] }

interface Sequence {
  prompt: string | null
  calls: (StartedCall & { call: ShellCall; cwd: string | null })[]
  /** Why no task can be made of the sequence; null if nothing prevents it so far. */
  reason: string | null
}

/** Proposes a shell task for each suitable sequence of successful calls, with the reasons why other changing calls are left out. */
export function proposeFrom(items: Iterable<ConversationItem>): Proposals {
  const proposals: Proposals['proposals'] = []
  const leftOut = new Map<string, string[]>()
  let calls = 0
  // a session starts in the folder of its project
  let project: string | null = null
  const leaveOut = (reason: string, ids: readonly string[]) => leftOut.set(reason, [...(leftOut.get(reason) ?? []), ...ids])

  let sequence: Sequence = { prompt: null, calls: [], reason: null }
  const end = () => {
    const ended = trimmed(sequence)
    sequence = { prompt: sequence.prompt, calls: [], reason: null }
    if (ended.calls.length === 0) return
    const ids = ended.calls.map(({ call }) => call.id)
    try {
      if (ended.reason !== null) throw new UnfitError(ended.reason)
      const proposal = proposalOf(ended)
      if (!proposals.some(({ id }) => id === proposal.id)) proposals.push(proposal)
    } catch (error) {
      if (!(error instanceof UnfitError)) throw error
      leaveOut(error.message, ids)
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
      const { command, cwd } = splitLeadingCd(call.command, call.cwd, project)
      const read = readCall(command)
      if (read.kind === 'unknown') {
        end()
        leaveOut(read.reason, [call.id])
        continue
      }
      const at = relativePath(cwd, sequence.calls[0]?.cwd ?? cwd)
      if (at === null) end()
      if (read.kind === 'unfit') sequence.reason ??= read.reason
      sequence.calls.push({ call, cwd, at: at ?? '', actions: read.kind === 'known' ? read.actions : [] })
    }
  }
  end()
  return { calls, proposals, leftOut: [...leftOut].map(([reason, steps]) => ({ reason, steps })) }
}

/** Removes read-only calls at the start and the end. A sequence that cannot be a task is not changed. */
function trimmed(sequence: Sequence): Sequence {
  if (sequence.reason !== null) return sequence
  const isChanging = ({ actions }: StartedCall) => actions.some(changesFiles)
  const first = sequence.calls.findIndex(isChanging)
  return { ...sequence, calls: first === -1 ? [] : sequence.calls.slice(first, sequence.calls.findLastIndex(isChanging) + 1) }
}

function proposalOf({ prompt, calls }: Sequence): Proposals['proposals'][number] {
  const { tree, solution, changes } = replay(calls)
  const { setup, effects, inventedFiles } = findEffects(tree)
  if (effects.length === 0) throw new UnfitError('None of its changes exist at the end.')
  const [firstEffect, ...otherEffects] = effects
  if (otherEffects.length === 0 && firstEffect!.isTrivial)
    throw new UnfitError('A single trivial action would solve it, so it would not be a test.')
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
      ...(inventedFiles.length === 0
        ? []
        : [`The session does not show the original content of ${inventedFiles.join(', ')}; the set-up writes a line there.`]),
    ],
  }
}

const LONGEST_PROMPT = 600

/** The prompt without sentences that name a command, followed by the required result. */
function instructionOf(
  prompt: string | null,
  effects: readonly Effect[],
  commands: ReadonlySet<string>,
): { text: string; notes: string[] } {
  const notes: string[] = []
  const commandNames = [...commands].filter((name) => /^\w+$/.test(name))
  const names = commandNames.length === 0 ? null : new RegExp(String.raw`(?<![\w/.-])(?:${commandNames.join('|')})(?![\w/-]|\.\w)`, 'i')
  const sentences = (prompt ?? '')
    .trim()
    .split(/(?<=[.!?])\s+|\n+/)
    .filter((one) => one.trim() !== '')
  const usableSentences = sentences.filter((sentence) => names?.test(sentence) !== true)
  if (usableSentences.length < sentences.length) notes.push('Sentences of the prompt that name a command were removed.')
  const promptText = usableSentences.join(' ')
  const isLong = promptText.length > LONGEST_PROMPT
  if (isLong) notes.push('The prompt is long, so the task contains only the required result.')
  if (sentences.length === 0) notes.push('There is no prompt for it.')
  const requirements = [`Work in ${BASE}. In the end:`, ...effects.map(({ description }) => `- ${description}`)].join('\n')
  return { text: isLong || promptText === '' ? requirements : `${promptText}\n\n${requirements}`, notes }
}
