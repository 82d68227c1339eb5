/** What a run changed, in a bare repository of its own: two commits, of which no setting or hook of a stranger is ever used. */
export interface TaskChange {
  /** Bare repository in the folder of the run. */
  gitDir: string
  /** The start: the files of the user's folder as they were copied, uncommitted ones included. */
  start: string
  /** The end: the files that the agent left. */
  end: string
  /** The user's folder; null: the run began empty, or from an address. */
  directory: string | null
  /** Commit that was checked out in `directory`; null: no repository, or no commit. */
  head: string | null
}
