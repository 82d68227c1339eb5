import type { Parity } from '#contracts/entities/model.ts'
import type { ExportAnswer } from '#contracts/trainer.ts'
import { shownPrompt, type Prompt } from './prompts.ts'

const MOST_SHOWN = 4000

/** How the answers of an export stand to those of the trained model, prompt by prompt. Calls are the same when names and arguments are, in their order. */
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
      prompt: shownPrompt(prompt).slice(0, MOST_SHOWN),
      trained: shown(mine),
      exported: shown(theirs),
      same: mine.text === theirs.text && sameCall !== false,
      sameCall,
    }
  })
  const called = items.filter((_, index) => trained[index]!.calls.length > 0)
  return {
    prompts: items.length,
    sameText: items.filter(({ same }) => same).length,
    withCalls: called.length,
    sameCalls: called.filter(({ sameCall }) => sameCall).length,
    at,
    items,
  }
}

const shown = ({ text, calls }: ExportAnswer): string =>
  [text, ...calls.map((call) => JSON.stringify(call))].filter(Boolean).join('\n').slice(0, MOST_SHOWN)

/** Keys in one order at every depth. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  )
}
