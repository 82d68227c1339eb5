import { parseShallow } from '#server/shallow-json.ts'
import { z } from 'zod'
import { AppError } from '#contracts/errors.ts'
import type { ParsedStep } from '#server/stages/traces/types.ts'

/** One step of a steps file. Missing and null fields mean unknown; other fields are ignored. */
const FileStep = z.object({
  tool: z.string().min(1),
  command: z.string().nullish(),
  input: z.record(z.string(), z.unknown()).nullish(),
  output: z.string().nullish(),
  success: z.boolean().nullish(),
  exitCode: z.number().int().nullish(),
  isError: z.boolean().nullish(),
  cwd: z.string().nullish(),
  at: z.union([z.string(), z.number()]).nullish(),
})
type FileStep = z.infer<typeof FileStep>

const SHELL_TOOLS = new Set(['bash', 'shell', 'sh', 'terminal', 'run_shell_command', 'execute_bash'])
const EDIT_TOOLS = new Set(['edit', 'write', 'multiedit', 'notebookedit'])

/** A steps file is a JSON array; a transcript is JSON lines, which start with an object. */
export const looksLikeStepsFile = (text: string): boolean => /^\uFEFF?\s*\[/.test(text)

/** The steps of a steps file; a step's id is its index. Throws `invalid_request` with the invalid value and its position. */
export function parseStepsFile(text: string, file: string): ParsedStep[] {
  const steps = parseJson(text.replace(/^\uFEFF/, ''), file)
  if (!Array.isArray(steps)) throw invalidFile(`${file} is not a steps file: expected a JSON array of steps, found ${kindOf(steps)}.`)
  return parseSteps(steps, file)
}

/** The same for steps that are read. */
export function parseSteps(steps: readonly unknown[], file: string): ParsedStep[] {
  return steps.map((value: unknown, index) => {
    const parsed = FileStep.safeParse(value)
    if (parsed.success) return toStep(parsed.data, index)
    const [issue] = parsed.error.issues
    const field = issue?.path.join('.') ?? ''
    const where = field === '' ? `step ${index}` : `step ${index}, field "${field}"`
    const [invalidValue, message] = [valueAt(value, issue?.path ?? []), issue?.message ?? 'is not valid']
    throw invalidFile(`${file}: ${where}: ${field && invalidValue === undefined ? 'is missing' : message}.`, {
      index,
      field: field || null,
    })
  })
}

function parseJson(text: string, file: string): unknown {
  try {
    return parseShallow(text).value
  } catch (cause) {
    throw invalidFile(`${file} is not JSON: ${cause instanceof Error ? cause.message : String(cause)}.`, undefined, cause)
  }
}

const invalidFile = (message: string, details?: unknown, cause?: unknown) =>
  new AppError('invalid_request', {
    message,
    hint: 'A steps file is a JSON array of {tool, command?, input?, output?, success?, exitCode?, isError?, cwd?, at?}.',
    details,
    cause,
  })

const kindOf = (value: unknown): string => (value === null ? 'null' : typeof value === 'object' ? 'an object' : `a ${typeof value}`)

const valueAt = (value: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>((current, key) => (current !== null && typeof current === 'object' ? Reflect.get(current, key) : undefined), value)

function toStep(step: FileStep, index: number): ParsedStep {
  const input = step.input ?? {}
  const tool = step.tool.toLowerCase()
  const success = outcomeOf(step)
  const file = ['file_path', 'notebook_path', 'path'].map((field) => input[field]).find((value) => typeof value === 'string') ?? null
  const shellText = SHELL_TOOLS.has(tool) && typeof input['command'] === 'string' ? input['command'] : null
  return {
    id: String(index),
    conversation: 'main',
    tool: step.tool,
    command: step.command ?? shellText,
    input,
    output: step.output ?? null,
    success,
    exitCode: step.exitCode ?? null,
    isError: step.isError ?? false,
    rejected: false,
    answered: true,
    cwd: step.cwd ?? null,
    at: typeof step.at === 'number' ? step.at : step.at == null ? null : Date.parse(step.at) || null,
    file,
    edits: EDIT_TOOLS.has(tool) && success !== false,
    patch: null,
  }
}

/** Decided by `success`, else by `isError: true`, else by the exit code, else by `isError: false`. */
function outcomeOf({ success, exitCode, isError }: FileStep): boolean | null {
  if (success != null) return success
  if (isError === true) return false
  if (exitCode != null) return exitCode === 0
  return isError === false ? true : null
}
