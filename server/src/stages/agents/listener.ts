import type { Task } from '#contracts/entities/task.ts'
import type { ProxyUsage } from '#server/adapters/llm-proxy/index.ts'
import type { AgentEvent } from './driver.ts'
import type { Performing } from './service.ts'

/** Turns the events of an agent into states and steps of its run. */
export function createListener({ change, step, current }: Performing): (event: AgentEvent) => void {
  const factsBefore = current()
  return (event) => {
    switch (event.type) {
      case 'step':
        return step(event.step)
      case 'turn':
        return change({ quietly: true, facts: { turns: current().turns + 1 } })
      case 'usage':
        return change({
          quietly: true,
          facts: {
            tokens: sumOf(factsBefore.tokens, event.tokens),
            costUsd: event.costUsd === null ? factsBefore.costUsd : (factsBefore.costUsd ?? 0) + event.costUsd,
          },
        })
      case 'working':
        return change({ state: 'working', facts: { detail: null, waitingUntil: null, question: null } })
      case 'waiting':
        return change({ state: 'waiting', facts: { detail: event.detail, waitingUntil: event.until } })
      case 'asks':
        step({ kind: 'asked', text: event.question.title, tool: event.question.tool, isError: false, agent: null })
        return change({ state: 'needs_you', facts: { question: event.question } })
      case 'answered':
        if (current().question?.id === event.questionId) change({ state: 'working', facts: { question: null } })
        return
      case 'input':
        return change({ quietly: true, facts: { inputs: [...current().inputs, event.input] } })
    }
  }
}

/** Adds the tokens and cost of earlier messages of the run, whose cost is unknown if it has tokens and no cost. */
export const totalSpent = ({ tokens, costUsd }: Performing['row']['facts'], used: ProxyUsage) => ({
  tokens: sumOf(tokens, used),
  costUsd: used.costUsd === null || (costUsd === null && tokens.input !== null) ? null : (costUsd ?? 0) + used.costUsd,
})

function sumOf(before: Task['tokens'], added: Task['tokens']): Task['tokens'] {
  const sum = (name: keyof Task['tokens']) => (added[name] === null ? before[name] : (before[name] ?? 0) + added[name])
  return { input: sum('input'), output: sum('output'), cacheRead: sum('cacheRead'), cacheWrite: sum('cacheWrite') }
}

/** Tells the user what was not sent, once for each name. */
export function noteRemoved({ change, step, current }: Performing, names: readonly string[]): void {
  const before = current().removed
  const added = names.filter((name) => !before.includes(name)).slice(0, MAX_REMOVED - before.length)
  if (added.length === 0) return
  change({ quietly: true, facts: { removed: [...before, ...added] } })
  step(noteOf(`Not sent to the model's API, because it is not needed or could reach the network: ${added.join('; ')}.`))
}

/** An agent chooses the names. */
const MAX_REMOVED = 100

export const noteOf = (text: string) => ({ kind: 'note', text, tool: null, isError: false, agent: null }) as const
