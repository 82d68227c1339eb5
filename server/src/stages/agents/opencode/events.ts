/** Converts the output of `opencode run --format json` (1.2.15 to 1.18.33) into events of a run. */
import { z } from 'zod'
import { summaryOf } from '../call-summary.ts'
import type { AgentEvent } from '../driver.ts'
import { type EventReader, stepOf } from '../by-message.ts'

const Part = z.discriminatedUnion('type', [
  z.object({ type: z.literal('step_start') }),
  z.object({ type: z.literal('text'), part: z.object({ text: z.string() }) }),
  z.object({ type: z.literal('reasoning'), part: z.object({ text: z.string() }) }),
  z.object({
    type: z.literal('tool_use'),
    part: z.object({
      tool: z.string(),
      state: z.object({
        status: z.string(),
        input: z.record(z.string(), z.unknown()).nullish(),
        output: z.string().nullish(),
        error: z.string().nullish(),
        metadata: z.object({ exit: z.number().nullish() }).nullish(),
      }),
    }),
  }),
  z.object({
    type: z.literal('error'),
    error: z.object({ name: z.string().nullish(), data: z.object({ message: z.string().nullish() }).nullish() }),
  }),
])
const Line = z.object({ sessionID: z.string() }).and(Part)
/** Error names of failed requests to the model. */
const PROVIDER_ERROR = /^(?:API|ProviderAuth|ContextOverflow|MessageOutputLength)/

export function createEventReader(emit: (event: AgentEvent) => void, resumed: string | null): EventReader {
  const step = stepOf(emit)
  const reader: EventReader = {
    session: resumed,
    message: '',
    failure: null,
    take(line) {
      const { data: event } = Line.safeParse(line)
      if (!event) return // a type from a later version, or one that is not needed
      reader.session = event.sessionID
      switch (event.type) {
        case 'step_start':
          reader.failure = null
          return emit({ type: 'turn' })
        case 'text':
          reader.message = event.part.text
          return step('message', event.part.text)
        case 'reasoning':
          return step('thinking', event.part.text)
        case 'tool_use': {
          const { tool, state } = event.part
          step('tool', summaryOf(state.input ?? {}), tool)
          const isError = state.status === 'error' || (state.metadata?.exit ?? 0) !== 0
          return step('result', state.error ?? state.output ?? '', tool, isError)
        }
        case 'error': {
          const name = event.error.name ?? 'unknown error'
          reader.failure = { boundary: PROVIDER_ERROR.test(name) ? 'provider' : 'harness', message: event.error.data?.message ?? name }
        }
      }
    },
  }
  return reader
}
