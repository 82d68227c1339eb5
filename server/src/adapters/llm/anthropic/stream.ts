import { z } from 'zod'
import type { StreamEvent, StreamReader } from '../types.ts'
import { Block, callOf, readRefusal, stopOf, Used, usageOf } from './answer.ts'

const Index = z.number().int()
const Delta = z.object({ text: z.string().optional(), thinking: z.string().optional(), partial_json: z.string().optional() })
const Start = z.object({ type: z.literal('message_start'), message: z.object({ usage: Used }) })
const BlockStart = z.object({ type: z.literal('content_block_start'), index: Index, content_block: Block })
const BlockDelta = z.object({ type: z.literal('content_block_delta'), index: Index, delta: Delta })
const End = z.object({
  type: z.literal('message_delta'),
  delta: z.object({ stop_reason: z.string().nullish() }),
  usage: Used.partial().extend({ input_tokens: Used.shape.input_tokens.nullish() }).optional(),
})
const Stop = z.object({ type: z.literal('message_stop') })
const Event = z.discriminatedUnion('type', [Start, BlockStart, BlockDelta, End, Stop])
const KNOWN = new Set<string>(Event.options.map(({ shape }) => shape.type.value))
const Kind = z.object({ type: z.string() })

/** Blocks of an answer may be interleaved; each event names its block. */
export function createReader(): StreamReader {
  const blocks = new Map<number, { block: Block; json: string }>()
  let text = ''
  let thinking = ''
  let used: Used | null = null
  let stopReason: string | null = null
  let isOver = false

  const addText = (given: { text?: string | undefined; thinking?: string | undefined }): StreamEvent[] => {
    text += given.text ?? ''
    thinking += given.thinking ?? ''
    return (['thinking', 'text'] as const).flatMap((type): StreamEvent[] => (given[type] ? [{ type, text: given[type] }] : []))
  }
  const startBlock = ({ index, content_block: block }: z.infer<typeof BlockStart>): StreamEvent[] => {
    blocks.set(index, { block, json: '' })
    return block.type === 'tool_use' ? [{ type: 'call', name: block.name ?? '', json: '' }] : addText(block)
  }
  const continueBlock = ({ index, delta }: z.infer<typeof BlockDelta>): StreamEvent[] | null => {
    const open = blocks.get(index)
    if (!open) return null
    const json = delta.partial_json
    if (json === undefined) return addText(delta)
    open.json += json
    return [{ type: 'call', name: open.block.name ?? '', json }]
  }
  const updateMessage = ({ delta, usage }: z.infer<typeof End>): StreamEvent[] => {
    stopReason = delta.stop_reason ?? stopReason
    if (!used || !usage) return []
    // Counts are for the answer so far; a count that is missing has not changed.
    used = {
      input_tokens: usage.input_tokens ?? used.input_tokens,
      output_tokens: usage.output_tokens ?? used.output_tokens,
      cache_creation_input_tokens: usage.cache_creation_input_tokens ?? used.cache_creation_input_tokens,
      cache_read_input_tokens: usage.cache_read_input_tokens ?? used.cache_read_input_tokens,
      cache_creation: usage.cache_creation ?? used.cache_creation,
    }
    return [{ type: 'measured', tokens: used.output_tokens, tokensPerSec: null }]
  }

  return {
    addEvent(given) {
      const kind = Kind.safeParse(given).data?.type
      if (kind === 'error') return readRefusal(given)
      if (kind !== undefined && !KNOWN.has(kind)) return [] // `ping`, and events of later versions
      const { data: event } = Event.safeParse(given)
      if (!event) return null
      if (event.type === 'content_block_start') return startBlock(event)
      if (event.type === 'content_block_delta') return continueBlock(event)
      if (event.type === 'message_delta') return updateMessage(event)
      if (event.type === 'message_start') used = event.message.usage
      else isOver = true
      return []
    },
    get state() {
      return isOver ? 'over' : 'open'
    },
    answer() {
      const calls = [...blocks].toSorted(([a], [b]) => a - b).filter(([, { block }]) => block.type === 'tool_use')
      return {
        text,
        thinking,
        toolCalls: calls.map(([, { block, json }]) => callOf(block, json)),
        stopped: stopOf(stopReason),
        usage: used && usageOf(used),
      }
    },
  }
}
