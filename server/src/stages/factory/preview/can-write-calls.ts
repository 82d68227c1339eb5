import type { ChatMessage, ToolSchema } from '#contracts/entities/example.ts'
import { RenderError, renderRow } from './render.ts'
import { toolTemplate } from './tokenizer.ts'

const call = { id: 'call_1', type: 'function', function: { name: 'Read', arguments: { file_path: 'notes.md' } } } as const
const TOOLS: ToolSchema[] = [
  {
    type: 'function',
    function: {
      name: 'Read',
      description: 'Reads a file.',
      parameters: { type: 'object', properties: { file_path: { type: 'string' } }, required: ['file_path'] },
    },
  },
]
/** The smallest row with everything that rows of sessions have. */
const ROW: ChatMessage[] = [
  { role: 'system', content: 'You work in /work.' },
  { role: 'user', content: 'What do the notes say?' },
  { role: 'assistant', content: '', tool_calls: [call] },
  { role: 'tool', content: 'Ship on Friday.', tool_call_id: 'call_1', name: 'Read' },
  { role: 'assistant', content: 'They say to ship on Friday.' },
]

/** Whether a model's chat template can express calls of tools and their results. `jinja` and `config`: texts of its files. */
export function canWriteCalls({ jinja, config }: { jinja: string | null; config: string | null }): boolean {
  try {
    renderRow(toolTemplate(jinja, config), { messages: ROW, tools: TOOLS })
    return true
  } catch (error) {
    if (error instanceof RenderError || error instanceof SyntaxError) return false
    throw error
  }
}
