import type { Parity } from '#contracts/entities/model.ts'
import type { ExportAnswer } from '#contracts/trainer.ts'
import { shownPrompt, type Prompt } from './prompts.ts'

const MAX_SHOWN = 4000

/** Compares the answers of an export with those of the trained model, prompt by prompt: what was written, then the calls in it, which are the same when names and arguments are, in their order. */
export function parityOf(
  prompts: readonly Prompt[],
  trained: readonly ExportAnswer[],
  exported: readonly ExportAnswer[],
  at: string,
): Parity {
  const items = prompts.map((prompt, index) => {
    const [mine, theirs] = [trained[index]!, exported[index]!]
    const hasCalls = mine.calls.length > 0 || theirs.calls.length > 0
    const sameCall = hasCalls ? canonical(mine.calls) === canonical(theirs.calls) : null
    return {
      prompt: shownPrompt(prompt).slice(0, MAX_SHOWN),
      trained: mine.raw.slice(0, MAX_SHOWN),
      exported: theirs.raw.slice(0, MAX_SHOWN),
      same: mine.raw === theirs.raw,
      sameCall,
    }
  })
  const called = items.filter((_, index) => trained[index]!.calls.length > 0)
  return {
    prompts: items.length,
    sameText: items.filter(({ same }) => same).length,
    withCalls: called.length,
    sameCalls: called.filter(({ sameCall }) => sameCall).length,
    cut: prompts.filter((_, index) => !trained[index]!.ended || !exported[index]!.ended).length,
    tokenizedOtherwise: exported.filter(({ alike }) => alike === false).length,
    at,
    items,
  }
}

/** Keys in one order at every depth. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  )
}
