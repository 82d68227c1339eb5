import fs from 'node:fs'
import path from 'node:path'
import type { Parity } from '#contracts/entities/model.ts'
import { ExportAnswer } from '#contracts/trainer.ts'
import { parityOf } from './parity.ts'
import { readPrompts } from './prompts.ts'
import type { Weights, Workshop } from './types.ts'

/** A whole edit of a file fits. */
const ANSWER_TOKENS = 1024

/** Asks the trained model and an export the same held-out prompts. Null if there are none. */
export async function compareAnswers(
  { part, signal, tool }: Workshop,
  trained: Weights,
  exported: string,
  heldOut: string | null,
  now: () => number,
): Promise<Parity | null> {
  const prompts = heldOut === null ? [] : await readPrompts(heldOut)
  if (prompts.length === 0) return null
  const listed = path.join(part, 'prompts.jsonl')
  fs.writeFileSync(listed, prompts.map((prompt) => `${JSON.stringify(prompt)}\n`).join(''), { mode: 0o600 })
  const ask = async ({ model, adapter }: Weights, who: string) => {
    const output = path.join(part, `answers-of-${who}.jsonl`)
    const tokenizer = trained.adapter ?? trained.model // whose template the training wrote
    const config = {
      command: 'answer' as const,
      model,
      adapter,
      tokenizer,
      prompts: listed,
      output,
      maxTokens: ANSWER_TOKENS,
      threads: null,
    }
    await tool(config, `parity: ${who}`)
    signal.throwIfAborted()
    const lines = fs.readFileSync(output, 'utf8').trimEnd().split('\n')
    return lines.map((line) => ExportAnswer.parse(JSON.parse(line)))
  }
  const mine = await ask(trained, 'trained model')
  const theirs = await ask({ model: exported, adapter: null }, 'export')
  return { ...parityOf(prompts, mine, theirs, new Date(now()).toISOString()), maxTokens: ANSWER_TOKENS }
}
