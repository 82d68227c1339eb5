/** What a run changed: two commits in a separate bare repository, so that the settings and hooks of foreign repositories never apply. */
export interface TaskChange {
  /** Bare repository in the folder of the run. */
  gitDir: string
  /** Commit of the files as they were copied from the user's folder, including uncommitted changes. */
  start: string
  /** Commit of the files that the agent left. */
  end: string
  /** The user's folder; null if the run started with an empty folder or a cloned repository. */
  directory: string | null
  /** Commit that was checked out in `directory`; null if there is no repository or no commit. */
  head: string | null
}
