import { openGate, type Cleared, type GateInput } from '#server/stages/privacy/index.ts'
import { pairAttempts } from './attempts.ts'
import { matchTasks } from './match.ts'
import type { FoundPair, DroppedCount, PreferredAttempt, Task } from './types.ts'
import { clearWords } from './words.ts'

export interface MatchInput {
  tasks: Task[]
  acrossRepositories: boolean
  preferred: readonly PreferredAttempt[]
  /** Pairs inside sessions. */
  pairs: FoundPair[]
  /** Clears the words of pairs that will be stored; null: leaves them uncleared. */
  gate: GateInput | null
}

/** All pairs, sorted by id. In a worker, because comparing thousands of prompts takes seconds. */
export default function match({ tasks, acrossRepositories, preferred, pairs, gate }: MatchInput): {
  pairs: FoundPair[]
  dropped: DroppedCount[]
} {
  const attempts = pairAttempts(tasks, preferred)
  const pairedExamples = new Set(attempts.pairs.map(({ rejected }) => rejected.exampleId))
  const matched = matchTasks(
    tasks.filter(({ exampleId }) => !pairedExamples.has(exampleId)),
    { acrossRepositories },
  )
  const all = [...pairs, ...attempts.pairs, ...matched.pairs].toSorted((a, b) => (a.id < b.id ? -1 : 1))
  return { pairs: gate === null ? all : all.map(createClearer(gate)), dropped: [...attempts.dropped, ...matched.dropped] }
}

function createClearer(input: GateInput): (pair: FoundPair) => Cleared<FoundPair> {
  const gate = openGate(input)
  return (pair) => ({ ...pair, ...clearWords(gate, pair, pair) }) // the other fields are ids and numbers
}
