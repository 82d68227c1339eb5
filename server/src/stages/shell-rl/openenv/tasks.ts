export interface EnvironmentTask {
  id: string
  split: string
  instruction: string
  setup: readonly string[]
  verify: readonly string[]
  difficulty: number | null
}

/** The tasks of a server, which `reset` selects by ID or index. */
export interface TaskSet {
  name: string
  splits(): string[]
  /** The tasks of a split in a fixed order; null if the split does not exist. */
  ofSplit(split: string): readonly EnvironmentTask[] | null
  get(id: string): EnvironmentTask | null
}

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
