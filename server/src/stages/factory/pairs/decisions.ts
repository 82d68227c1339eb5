import type { ChatMessage, PairSource } from '#contracts/entities/example.ts'
import { type Block, type Call, isAsk } from '../examples/blocks.ts'
import { renderBlocks } from '../examples/render.ts'
import { locateCalls, findSuccess, type LocatedCall } from '../examples/retries.ts'
import { pairId } from './id.ts'

/** Two calls in the same context: one failed or was refused, a later one succeeded. */
export interface Decision {
  id: string
  source: Extract<PairSource, 'decision' | 'correction'>
  why: string
  chosen: Call
  rejected: Call
  prompt: ChatMessage[]
  chosenMessages: ChatMessage[]
  rejectedMessages: ChatMessage[]
}

/** All such pairs of calls in a segment. */
export function decisionsOf(
  blocks: readonly Block[],
  render: { thinking: boolean; system: string | null; opening: string | null },
): Decision[] {
  const places = locateCalls(blocks)
  return places.flatMap((place, rejectedBlock) => {
    const source = sourceOf(place.call)
    if (source === null) return []
    const success = findSuccess(place, places.slice(rejectedBlock + 1))
    return success ? [toDecision(source, blocks, place, success, render)] : []
  })
}

function sourceOf({ success, rejectedBy }: Call): Decision['source'] | null {
  if (rejectedBy === 'user') return 'correction'
  return success === false && rejectedBy === null ? 'decision' : null
}

function toDecision(
  source: Decision['source'],
  blocks: readonly Block[],
  rejected: LocatedCall,
  chosen: LocatedCall,
  render: Parameters<typeof renderBlocks>[1],
): Decision {
  const rejectedBlock = blocks[rejected.block]!
  const promptBlock: Block = { ...rejectedBlock, id: null, thinking: [], texts: [], calls: [], marks: new Set() }
  const hasPrompt = blocks[0]?.prompts.some(isAsk) === true
  const opening = hasPrompt ? null : render.opening
  const prompt = renderBlocks([...blocks.slice(0, rejected.block), promptBlock], { ...render, opening }).messages
  const name = rejected.call.file ?? rejected.call.command?.split('\n')[0] ?? rejected.call.tool
  return {
    id: pairId(source, chosen.call.stepId, rejected.call.stepId),
    source,
    why:
      source === 'correction'
        ? `The user rejected one ${rejected.call.tool} call and accepted a later one: ${name}`
        : `${rejected.call.tool} failed, then succeeded on the same target: ${name}`,
    chosen: chosen.call,
    rejected: rejected.call,
    prompt,
    chosenMessages: toAnswer(rejectedBlock, chosen.call, render.thinking),
    rejectedMessages: toAnswer(rejectedBlock, rejected.call, render.thinking),
  }
}

/**
 * A single call as an answer, with the text before the rejected call: the text before the later one mentions a failure that
 * this answer does not have. Without results, as the environment wrote them.
 */
function toAnswer(block: Block, call: Call, thinking: boolean): ChatMessage[] {
  const { messages } = renderBlocks([{ ...block, prompts: [], calls: [call] }], { thinking, system: null, opening: null })
  return messages.filter(({ role }) => role === 'assistant')
}
