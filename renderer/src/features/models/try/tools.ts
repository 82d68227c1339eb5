import { z } from 'zod'
import { ToolSchema } from '#contracts/entities/example.ts'
import { plainWords } from '#contracts/plain-words.ts'

type Tool = Record<string, unknown>

/** A shell tool as coding agents have it. It is offered if the model's data set has no tools. */
export const SHELL: readonly Tool[] = [
  {
    type: 'function',
    function: {
      name: 'Bash',
      description: 'Runs a command in a shell and returns its output.',
      parameters: {
        type: 'object',
        properties: { command: { type: 'string', description: 'The command to run' } },
        required: ['command'],
      },
    },
  },
]

const Tools = z.array(z.looseObject({ type: z.literal('function'), function: ToolSchema.shape.function.partial({ description: true }) }))

/** Reads the typed list of tools: the list, or the error. Empty text means no tools. */
export function readTools(text: string): { tools: Tool[] } | { problem: string } {
  if (text.trim() === '') return { tools: [] }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    return { problem: `This is not JSON: ${(error as Error).message}` }
  }
  const result = Tools.safeParse(value)
  if (result.success) return { tools: value as Tool[] }
  const issue = result.error.issues[0]!
  return {
    problem: `Enter a list of {"type": "function", "function": {"name", "parameters"}}. ${issue.path.join('.') || 'Here'}: ${plainWords(issue)}`,
  }
}

const Messages = z.array(z.looseObject({ role: z.string(), content: z.string() }))

interface SamplePrompt {
  system: string
  prompt: string
}

/** The system message and first user message of a data set row; null if the row has no user message. */
export function samplePromptOf(row: Record<string, unknown>): SamplePrompt | null {
  const result = Messages.safeParse(row['prompt'] ?? row['messages'])
  const find = (role: string) => (result.success ? result.data.find((message) => message.role === role)?.content : undefined)
  const prompt = find('user')
  return prompt === undefined ? null : { system: find('system') ?? '', prompt }
}

/** The tools of a training row; null if it has none. */
export function toolsOf(row: Record<string, unknown> | undefined): Tool[] | null {
  const tools = row?.['tools']
  const list = typeof tools === 'string' ? parseJson(tools) : tools
  return Array.isArray(list) && list.length > 0 && Tools.safeParse(list).success ? (list as Tool[]) : null
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
