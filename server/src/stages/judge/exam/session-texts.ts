import { readOnlyOfThread } from '#server/db/thread.ts'
import type { TextsReader } from '../../factory/index.ts'

export interface SessionTextsInput {
  database: string
  examNo: number
}

/** What rows are compared with, for each session of an exam, in a worker. */
export const reader: TextsReader<SessionTextsInput> = function* ({ database, examNo }) {
  const sessions = readOnlyOfThread(database).prepare<[number], { trace_id: string; texts: string }>(
    'SELECT trace_id, texts FROM exam_sessions WHERE exam_no = ?',
  )
  for (const { trace_id: id, texts } of sessions.iterate(examNo)) for (const text of JSON.parse(texts) as string[]) yield { id, text } // written by add
}
