import { hash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import type { ChatMessage } from '#contracts/entities/example.ts'
import { productRoot } from '#server/product.ts'

// The same rule as `bashgym_trainers/templates.py`, where it is put into words, over the same files.
const FOLDER = path.join(productRoot(), 'server', 'trainers', 'bashgym_trainers')
const TEMPLATES_FOLDER = path.join(FOLDER, 'training_templates')

let families: Map<string, string> | null = null
const trainingTemplates = new Map<string, string>()

/** The training template of a family by the text of its own; null: none is known. */
export function trainingTemplateOf(template: string): string | null {
  families ??= new Map(
    Object.entries(JSON.parse(fs.readFileSync(path.join(TEMPLATES_FOLDER, 'index.json'), 'utf8')) as Record<string, string>),
  ) // ours
  const family = families.get(hash('sha256', template.trim()))
  if (family === undefined) return null
  const known = trainingTemplates.get(family) ?? fs.readFileSync(path.join(TEMPLATES_FOLDER, `${family}.jinja`), 'utf8')
  trainingTemplates.set(family, known)
  return known
}

let plain: string | null = null
/** For a base model without a template, and for estimates where the base model's own is not at hand. */
export const chatml = (): string => (plain ??= fs.readFileSync(path.join(FOLDER, 'chatml.jinja'), 'utf8'))

/** Whether an answer holds what the model thought before. */
export const thinks = (messages: readonly ChatMessage[]): boolean =>
  messages.some((message) => message.role === 'assistant' && (message.content.includes('</think>') || hasReasoning(message)))

/** Some data keep thoughts in a separate field, which families that think write. */
const hasReasoning = (message: ChatMessage & { reasoning_content?: unknown }) => Boolean(message.reasoning_content)

/** Options of a template: a model that learns rows without thoughts is asked without them. */
export const optionsOf = (template: string, thinking: boolean): { enable_thinking?: false } =>
  template.includes('enable_thinking') && !thinking ? { enable_thinking: false } : {}
