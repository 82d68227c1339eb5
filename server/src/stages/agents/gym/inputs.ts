import { z } from 'zod'
import type { Sandboxes } from '#server/stages/sandboxes/index.ts'
import type { AgentWork } from '../driver.ts'

/** What a tool refuses, in the words of the client. */
export class Refused extends Error {}

export interface ToolResult {
  text: string
  isError: boolean
}

export interface ToolPlace extends Pick<AgentWork, 'sandboxId' | 'workdir' | 'signal'> {
  sandboxes: Sandboxes
  placeOf: (file: string) => string
}

const number = z.coerce.number().int()
/** An argument of a program. */
const word = z
  .string()
  .min(1)
  .max(4096)
  .refine((text) => !text.includes('\0'), 'has a NUL byte')
export const Inputs = {
  Bash: z.object({ command: z.string().min(1), timeout: z.coerce.number().min(100).optional() }),
  Read: z.object({ file_path: word, offset: number.min(0).optional(), limit: number.min(1).optional() }),
  Write: z.object({ file_path: word, content: z.string() }),
  Edit: z.object({
    file_path: word,
    old_string: z.string(),
    new_string: z.string(),
    replace_all: z.coerce.boolean().default(false),
  }),
  Glob: z.object({ pattern: word, path: word.optional() }),
  Grep: z.object({
    pattern: word,
    path: word.optional(),
    glob: word.optional(),
    output_mode: z.enum(['content', 'files_with_matches', 'count']).default('files_with_matches'),
    '-i': z.boolean().default(false),
    '-n': z.boolean().default(true),
    '-A': number.min(0).optional(),
    '-B': number.min(0).optional(),
    '-C': number.min(0).optional(),
    head_limit: number.min(0).optional(),
  }),
}
export type ToolName = keyof typeof Inputs
export type Input<Name extends ToolName> = z.infer<(typeof Inputs)[Name]>

/** Throws `Refused`. */
export function inputOf<Name extends ToolName>(name: Name, input: unknown): Input<Name> {
  const { data, error } = Inputs[name].safeParse(input)
  if (!error) return data as Input<Name>
  const issues = error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
  throw new Refused(`InputValidationError: ${name} failed: ${issues.join('; ')}`)
}
