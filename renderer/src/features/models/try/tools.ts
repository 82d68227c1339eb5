import { z } from 'zod'
import { ToolSchema } from '#contracts/entities/example.ts'
import { plainWords } from '#contracts/plain-words.ts'

type Tool = Record<string, unknown>

/** A shell, as coding agents have it: what a model is offered where its data set names no tools. */
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
  const read = Tools.safeParse(value)
  if (read.success) return { tools: value as Tool[] }
  const issue = read.error.issues[0]!
  return {
    problem: `Enter a list of {"type": "function", "function": {"name", "parameters"}}. ${issue.path.join('.') || 'Here'}: ${plainWords(issue)}`,
  }
}

const Messages = z.array(z.looseObject({ role: z.string(), content: z.string() }))

export interface HeldOut {
  system: string
  prompt: string
}

/** What a row of a data set asks for: its system message and the first message of the user; null if it has none. */
export function heldOutOf(row: Record<string, unknown>): HeldOut | null {
  const result = Messages.safeParse(row['prompt'] ?? row['messages'])
  const find = (role: string) => (result.success ? result.data.find((message) => message.role === role)?.content : undefined)
  const prompt = find('user')
  return prompt === undefined ? null : { system: find('system') ?? '', prompt }
}

/** The tools that a row was trained with; null if it names none. */
export function toolsOf(row: Record<string, unknown> | undefined): Tool[] | null {
  const tools = row?.['tools']
  const list = typeof tools === 'string' ? parsed(tools) : tools
  return Array.isArray(list) && list.length > 0 && Tools.safeParse(list).success ? (list as Tool[]) : null
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
