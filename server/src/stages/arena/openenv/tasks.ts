export interface EnvironmentTask {
  id: string
  split: string
  instruction: string
  setup: readonly string[]
  verify: readonly string[]
  difficulty: number | null
}

/** Tasks that `reset` can name. */
export interface TaskSet {
  name: string
  splits(): string[]
  /** In a stable order; null: there is no such split. */
  ofSplit(split: string): readonly EnvironmentTask[] | null
  get(id: string): EnvironmentTask | null
}

/** A source of these tasks, in their order. */
export function taskSet(name: string, tasks: readonly EnvironmentTask[]): TaskSet {
  const byId = new Map(tasks.map((task) => [task.id, task]))
  const bySplit = Map.groupBy(tasks, ({ split }) => split)
  return {
    name,
    splits: () => [...bySplit.keys()],
    ofSplit: (split) => bySplit.get(split) ?? null,
    get: (id) => byId.get(id) ?? null,
  }
}
