import { hash } from 'node:crypto'
import type { Core } from '#server/core.ts'
import type { TemplateFiles } from './model-facts.ts'

const CALLS_JOB = new URL('./writes-calls.job.ts', import.meta.url)

/** Whether a chat template can express tool calls. A model without one gets ChatML, which can. */
export type WritesCalls = (template: TemplateFiles | null) => Promise<boolean | null>

/** Remembers the answer for each template. Null: the template could not be tried. */
export function createWritesCalls(workers: Core['workers']): WritesCalls {
  const known = new Map<string, Promise<boolean | null>>()
  return (template) => {
    if (template === null) return Promise.resolve(true)
    const key = hash('sha256', JSON.stringify([template.jinja, template.config]))
    const found = known.get(key) ?? workers.run<boolean>(CALLS_JOB, template, { lane: 'query' }).catch(() => null)
    known.set(key, found)
    return found
  }
}
