import type { ChatMessage, PairSource } from '#contracts/entities/example.ts'
import type { Block, Call } from '../examples/blocks.ts'
import { renderBlocks } from '../examples/render.ts'
import { placesOf, successOf, type Place } from '../examples/retries.ts'
import { pairId } from './id.ts'

/** Two continuations of one context: what failed or was refused, and what was accepted in its place. */
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

/** Decision points of a segment: a call that failed, or that the user refused, and the next one that did the same with success. */
export function decisionsOf(
  blocks: readonly Block[],
  render: { thinking: boolean; system: string | null; opening: string | null },
): Decision[] {
  const places = placesOf(blocks)
  return places.flatMap((place, at) => {
    const source = sourceOf(place.call)
    if (source === null) return []
    const later = successOf(place, places.slice(at + 1))
    return later ? [decision(source, blocks, place, later, render)] : []
  })
}

function sourceOf({ success, rejectedBy }: Call): Decision['source'] | null {
  if (rejectedBy === 'user') return 'correction'
  return success === false && rejectedBy === null ? 'decision' : null
}

function decision(
  source: Decision['source'],
  blocks: readonly Block[],
  rejected: Place,
  chosen: Place,
  render: Parameters<typeof renderBlocks>[1],
): Decision {
  const at = blocks[rejected.block]!
  const asked: Block = { ...at, id: null, thinking: [], texts: [], calls: [], marks: new Set() }
  const hasPrompt = (blocks[0]?.prompts.length ?? 0) > 0
  const opening = hasPrompt ? null : render.opening
  const prompt = renderBlocks([...blocks.slice(0, rejected.block), asked], { ...render, opening }).messages
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
    chosenMessages: attempt(at, chosen.call, render.thinking),
    rejectedMessages: attempt(at, rejected.call, render.thinking),
  }
}

/**
 * One call as the assistant's answer, after the words that led to the first try: what was said before the second speaks
 * of a failure that its side does not have. Results are not part of a side, as the environment wrote them.
 */
function attempt(block: Block, call: Call, thinking: boolean): ChatMessage[] {
  const { messages } = renderBlocks([{ ...block, prompts: [], calls: [call] }], { thinking, system: null, opening: null })
  return messages.filter(({ role }) => role === 'assistant')
}
