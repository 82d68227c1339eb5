import fs from 'node:fs'
import path from 'node:path'
import type { Parity } from '#contracts/entities/model.ts'
import { ExportAnswer } from '#contracts/trainer.ts'
import { parityOf } from './parity.ts'
import { readPrompts } from './prompts.ts'
import type { Weights, ExportContext } from './types.ts'

/** Enough for a whole edit of a file. */
const ANSWER_TOKENS = 1024

/** Asks the trained model and an export the same held-out prompts. Null if there are none. */
export async function compareAnswers(
  { workFolder, signal, tool }: ExportContext,
  trained: Weights,
  exported: string,
  heldOut: string | null,
  now: () => number,
): Promise<Parity | null> {
  const prompts = heldOut === null ? [] : await readPrompts(heldOut)
  if (prompts.length === 0) return null
  const promptsFile = path.join(workFolder, 'prompts.jsonl')
  fs.writeFileSync(promptsFile, prompts.map((prompt) => `${JSON.stringify(prompt)}\n`).join(''), { mode: 0o600 })
  const ask = async ({ model, adapter }: Weights, label: string, before: number) => {
    const output = path.join(workFolder, `answers-of-${label}.jsonl`)
    const tokenizer = trained.adapter ?? trained.model // training saved the chat template there
    const config = {
      command: 'answer' as const,
      model,
      adapter,
      tokenizer,
      prompts: promptsFile,
      output,
      maxTokens: ANSWER_TOKENS,
      threads: null,
    }
    // both models answer each prompt
    await tool(config, ({ done }) => ({ phase: 'Comparing answers', done: before + done, total: 2 * prompts.length, unit: 'answers' }))
    signal.throwIfAborted()
    const lines = fs.readFileSync(output, 'utf8').trimEnd().split('\n')
    return lines.map((line) => ExportAnswer.parse(JSON.parse(line)))
  }
  const trainedAnswers = await ask(trained, 'trained model', 0)
  const exportedAnswers = await ask({ model: exported, adapter: null }, 'export', prompts.length)
  return { ...parityOf(prompts, trainedAnswers, exportedAnswers, new Date(now()).toISOString()), maxTokens: ANSWER_TOKENS }
}
