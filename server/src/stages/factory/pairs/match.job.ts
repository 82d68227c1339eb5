import { openGate, type Cleared, type GateInput } from '#server/stages/privacy/index.ts'
import { matchTasks } from './match.ts'
import type { FoundPair, LeftOut, Task } from './types.ts'
import { clearWords } from './words.ts'

export interface MatchInput {
  tasks: Task[]
  acrossRepositories: boolean
  /** Found inside sessions. */
  pairs: FoundPair[]
  /** For pairs that are stored: their words as the policy clears them. Null: they only pass through. */
  gate: GateInput | null
}

/** All pairs, sorted by id. Comparing the prompts of thousands of tasks takes seconds: never on the main thread. */
export default function match({ tasks, acrossRepositories, pairs, gate }: MatchInput): { pairs: FoundPair[]; left: LeftOut[] } {
  const matched = matchTasks(tasks, { acrossRepositories })
  const all = [...pairs, ...matched.pairs].toSorted((a, b) => (a.id < b.id ? -1 : 1))
  return { pairs: gate === null ? all : all.map(clearer(gate)), left: matched.left }
}

function clearer(input: GateInput): (pair: FoundPair) => Cleared<FoundPair> {
  const gate = openGate(input)
  return (pair) => ({ ...pair, ...clearWords(gate, pair, pair) }) // the rest are ids and figures
}
