import { randomUUID } from 'node:crypto'
import type { CommandOverride, CommandVerdict } from '#contracts/entities/command-override.ts'
import { AppError } from '#contracts/errors.ts'
import type { Core } from '#server/core.ts'

interface Row {
  id: string
  project: string
  words: string
  verdict: CommandVerdict
  created_at: number
}

const toOverride = (row: Row): CommandOverride => ({
  id: row.id,
  project: row.project,
  words: row.words,
  verdict: row.verdict,
  createdAt: new Date(row.created_at).toISOString(),
})

export type CommandOverrideStore = ReturnType<typeof createCommandOverrides>

/** The user's marks on commands. They survive a rebuild and are part of backups. */
export function createCommandOverrides({ db, now }: Pick<Core, 'db' | 'now'>) {
  const all = db.prepare<[], Row>('SELECT * FROM command_overrides ORDER BY project, words')
  const find = db.prepare<[string, string], Row>('SELECT * FROM command_overrides WHERE project = ? AND words = ?')
  const byId = db.prepare<[string], Row>('SELECT * FROM command_overrides WHERE id = ?')
  const upsert = db.prepare(
    `INSERT INTO command_overrides (id, project, words, verdict, created_at) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (project, words) DO UPDATE SET verdict = excluded.verdict, created_at = excluded.created_at`,
  )
  const deleteById = db.prepare<[string]>('DELETE FROM command_overrides WHERE id = ?')
  // scores computed before a mark changed are outdated until the session is rescored
  const markOutdated = db.prepare<[{ project: string }]>(
    `UPDATE scores SET commands_hash = '' WHERE trace_id IN (
       SELECT id FROM session_heads WHERE :project = '' OR cwd = :project OR substr(cwd, 1, length(:project) + 1) = :project || '/')`,
  )
  const outdated = db.prepare<[], string>("SELECT trace_id FROM scores WHERE commands_hash = '' ORDER BY trace_id").pluck()

  return {
    list: (): CommandOverride[] => all.all().map(toOverride),
    set(project: string, words: string, verdict: CommandVerdict): CommandOverride {
      upsert.run(randomUUID(), project, words, verdict, now())
      markOutdated.run({ project })
      return toOverride(find.get(project, words)!)
    },
    remove(id: string): CommandOverride {
      const row = byId.get(id)
      if (!row) throw new AppError('command_override_not_found')
      deleteById.run(id)
      markOutdated.run({ project: row.project })
      return toOverride(row)
    },
    /** Traces whose scores were computed before the marks changed. */
    outdated: (): string[] => outdated.all(),
  }
}
