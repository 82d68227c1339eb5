import type { Parity } from '#contracts/entities/model.ts'
import type { ExportAnswer } from '#contracts/trainer.ts'
import { promptText, type Prompt } from './prompts.ts'

const MAX_SHOWN = 4000

/** Compares an export's answers with the trained model's, prompt by prompt: their texts, then their calls. Calls are equal if names, arguments and order are. */
export function parityOf(
  prompts: readonly Prompt[],
  trained: readonly ExportAnswer[],
  exported: readonly ExportAnswer[],
  at: string,
): Parity {
  const items = prompts.map((prompt, index) => {
    const [trainedAnswer, exportedAnswer] = [trained[index]!, exported[index]!]
    const hasCalls = trainedAnswer.calls.length > 0 || exportedAnswer.calls.length > 0
    const sameCall = hasCalls ? canonical(trainedAnswer.calls) === canonical(exportedAnswer.calls) : null
    return {
      prompt: promptText(prompt).slice(0, MAX_SHOWN),
      trained: trainedAnswer.raw.slice(0, MAX_SHOWN),
      exported: exportedAnswer.raw.slice(0, MAX_SHOWN),
      same: trainedAnswer.raw === exportedAnswer.raw,
      sameCall,
    }
  })
  const withCalls = items.filter((_, index) => trained[index]!.calls.length > 0)
  return {
    prompts: items.length,
    sameText: items.filter(({ same }) => same).length,
    withCalls: withCalls.length,
    sameCalls: withCalls.filter(({ sameCall }) => sameCall).length,
    cut: prompts.filter((_, index) => !trained[index]!.ended || !exported[index]!.ended).length,
    tokenizedOtherwise: exported.filter(({ alike }) => alike === false).length,
    at,
    items,
  }
}

/** JSON with sorted keys at every depth. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  )
}
