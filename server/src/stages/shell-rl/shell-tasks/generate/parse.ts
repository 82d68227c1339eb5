import { parse as parseShell } from 'unbash'
import type { ShellTaskBody } from '#contracts/entities/shell-task.ts'

export type TaskDraft = Pick<ShellTaskBody, 'task' | 'setup' | 'check'>

const MAX_LENGTH = 4000
const HEADINGS = ['Description', 'Set-up commands', 'Success condition'] as const

/** Reads the task in an answer. An answer in another form is refused with the reason, never repaired. */
export function parseAnswer(text: string): TaskDraft | { reason: string } {
  const parts = HEADINGS.map((heading) => [...text.matchAll(new RegExp(`^## ${heading}[ \\t]*$`, 'gm'))])
  for (const [at, found] of parts.entries()) if (found.length !== 1) return { reason: `the heading "${HEADINGS[at]}" occurs ${found.length} times` } // prettier-ignore
  const [description, setup, check] = parts.map(([match]) => match!)
  if (!(description!.index < setup!.index && setup!.index < check!.index)) return { reason: 'the headings are in the wrong order' }
  const task = text.slice(description!.index + description![0].length, setup!.index).trim()
  const setupText = fenced(text.slice(setup!.index + setup![0].length, check!.index))
  const checkText = fenced(text.slice(check!.index + check![0].length))
  if (task === '') return { reason: 'the description is empty' }
  if (task.length > MAX_LENGTH) return { reason: 'the description is too long' }
  if (task.includes('```')) return { reason: 'the description contains a code block' }
  if (setupText === null) return { reason: 'the set-up is not a single bash block' }
  if (checkText === null || checkText.trim() === '') return { reason: 'the success condition is not a single bash block' }
  const commands = setupText.split('\n').filter((line) => line.trim() !== '')
  if (![...commands, checkText].every(isShell)) return { reason: 'a command cannot be read as bash' }
  return { task, setup: commands, check: checkText.trim() }
}

/** The content of the only code block, if there is nothing around it. */
const fenced = (text: string): string | null => {
  const found = /^\s*```(?:bash|sh)?\n([^]*?)\n?```\s*$/.exec(text)?.[1]
  return found === undefined || found.includes('```') ? null : found
}

function isShell(command: string): boolean {
  try {
    const { errors } = parseShell(command)
    return errors === undefined || errors.length === 0
  } catch (error) {
    if (error instanceof RangeError) return false // nested too deeply to parse
    throw error
  }
}
