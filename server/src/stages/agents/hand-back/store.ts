import type { ReviewComment } from '#contracts/entities/task.ts'
import type { Database } from '#server/db/open.ts'

export interface StoredComment extends ReviewComment {
  /** The text of the commented line. */
  quote: string | null
}

export interface Review {
  /** Files that were read, with the version that was read. */
  read: [path: string, version: string][]
  comments: StoredComment[]
}

export function createReviewStore(db: Database) {
  const byTask = db.prepare<[string], { review: string }>('SELECT review FROM task_reviews WHERE task_id = ?')
  const put = db.prepare(
    'INSERT INTO task_reviews (task_id, review) VALUES (@taskId, @review) ON CONFLICT (task_id) DO UPDATE SET review = excluded.review',
  )
  const remove = db.prepare('DELETE FROM task_reviews WHERE task_id = ?')
  return {
    of(taskId: string): Review {
      const row = byTask.get(taskId)
      return row ? (JSON.parse(row.review) as Review) : { read: [], comments: [] }
    },
    put: (taskId: string, review: Review): void => void put.run({ taskId, review: JSON.stringify(review) }),
    remove: (taskId: string): void => void remove.run(taskId),
  }
}

export type ReviewStore = ReturnType<typeof createReviewStore>
