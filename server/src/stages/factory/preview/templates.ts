import { hash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import type { ChatMessage } from '#contracts/entities/example.ts'
import { productRoot } from '#server/product.ts'

// The same rule as `bashgym_trainers/templates.py`, which explains it, with the same files.
const FOLDER = path.join(productRoot(), 'server', 'trainers', 'bashgym_trainers')
const TEMPLATES_FOLDER = path.join(FOLDER, 'training_templates')

let families: Map<string, string> | null = null
const trainingTemplates = new Map<string, string>()

/** The training template for a chat template; null if none is known. */
export function trainingTemplateOf(template: string): string | null {
  families ??= new Map(
    Object.entries(JSON.parse(fs.readFileSync(path.join(TEMPLATES_FOLDER, 'index.json'), 'utf8')) as Record<string, string>),
  ) // ours
  const family = families.get(hash('sha256', template.trim()))
  if (family === undefined) return null
  const trainingTemplate = trainingTemplates.get(family) ?? fs.readFileSync(path.join(TEMPLATES_FOLDER, `${family}.jinja`), 'utf8')
  trainingTemplates.set(family, trainingTemplate)
  return trainingTemplate
}

let chatmlTemplate: string | null = null

/** For base models without a template, and for estimates. */
export const chatml = (): string => (chatmlTemplate ??= fs.readFileSync(path.join(FOLDER, 'chatml.jinja'), 'utf8'))

/** True if an answer contains reasoning. */
export const thinks = (messages: readonly ChatMessage[]): boolean =>
  messages.some((message) => message.role === 'assistant' && (message.content.includes('</think>') || hasReasoning(message)))

/** Some data sets keep reasoning in a separate field, which templates of reasoning models print. */
const hasReasoning = (message: ChatMessage & { reasoning_content?: unknown }) => Boolean(message.reasoning_content)

/** Template options: disables reasoning for rows that have none. */
export const optionsOf = (template: string, thinking: boolean): { enable_thinking?: false } =>
  template.includes('enable_thinking') && !thinking ? { enable_thinking: false } : {}
