import { hash } from 'node:crypto'
import fs from 'node:fs'
import { isHeldOutName } from './held-out.ts'
import { readShellTask } from './import/read-row.ts'
import type { NewTask } from './store.ts'

/** The tasks that ship with Bash Gym, and the version of their file. Null if this installation has none. */
export function readShipped(file: string): { version: string; tasks: () => NewTask[] } | null {
  let text: string
  try {
    text = fs.readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
  return { version: hash('sha256', text), tasks: () => text.split('\n').filter(Boolean).map(toTask) }
}

function toTask(line: string, index: number): NewTask {
  const read = readShellTask(JSON.parse(line))
  if ('reason' in read) throw new Error(`Line ${index + 1} of the starter set: ${read.reason}`)
  const { split, ...extra } = read.task.extra
  const name = typeof split === 'string' ? split : 'starter'
  return { ...read.task, split: name, isHeldOut: isHeldOutName(name), source: 'starter', extra }
}
