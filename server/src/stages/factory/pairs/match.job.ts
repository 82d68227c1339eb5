import { openGate, type Cleared, type GateInput } from '#server/stages/privacy/index.ts'
import { pairAttempts } from './attempts.ts'
import { matchTasks } from './match.ts'
import type { FoundPair, LeftOut, Preferred, Task } from './types.ts'
import { clearWords } from './words.ts'

export interface MatchInput {
  tasks: Task[]
  acrossRepositories: boolean
  preferred: readonly Preferred[]
  /** Found inside sessions. */
  pairs: FoundPair[]
  /** For pairs that are stored: their words as the policy clears them. Null: they only pass through. */
  gate: GateInput | null
}

/** All pairs, sorted by id. Comparing the prompts of thousands of tasks takes seconds: never on the main thread. */
export default function match({ tasks, acrossRepositories, preferred, pairs, gate }: MatchInput): { pairs: FoundPair[]; left: LeftOut[] } {
  const attempts = pairAttempts(tasks, preferred)
  const settled = new Set(attempts.pairs.map(({ rejected }) => rejected.exampleId))
  const matched = matchTasks(
    tasks.filter(({ exampleId }) => !settled.has(exampleId)),
    { acrossRepositories },
  )
  const all = [...pairs, ...attempts.pairs, ...matched.pairs].toSorted((a, b) => (a.id < b.id ? -1 : 1))
  return { pairs: gate === null ? all : all.map(clearer(gate)), left: [...attempts.left, ...matched.left] }
}

function clearer(input: GateInput): (pair: FoundPair) => Cleared<FoundPair> {
  const gate = openGate(input)
  return (pair) => ({ ...pair, ...clearWords(gate, pair, pair) }) // the rest are ids and figures
}
