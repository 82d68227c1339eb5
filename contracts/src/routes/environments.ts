import { z } from 'zod'
import { route } from '../derive/route.ts'
import { RawText, TerminalToolCall } from '../entities/tool-call.ts'

const group = 'environments'

export const readToolCall = route({
  name: 'readToolCall',
  group,
  method: 'post',
  path: '/api/arena/tool-call',
  summary: 'Read the call of the tool `terminal` out of a message of a model; nothing is run, and a refused message says why',
  body: z.object({ text: z.string(), raw: RawText.optional() }),
  response: TerminalToolCall,
  errors: [],
})
