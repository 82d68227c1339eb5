import type { Core } from '#server/core.ts'
import { formAtWork } from '../factory/index.ts'

export interface ProofDeps {
  /** Hashes of the files of a model, by artifact, and the quantisation with which it is loaded: an export may change that. */
  filesOf: (modelId: string) => Record<string, string>
  /** The version of Claude Code on this machine; null if it is not known. */
  client: () => string | null
}

export interface Proof {
  /** Version of Claude Code at the time of the exam. */
  client: string
  /** The first verdict about the same things: what was measured before it does not count. */
  since: number
  /** What is no longer as it was. */
  changed: ('files' | 'form' | 'client')[]
}

interface Row {
  files: string
  form: string
  client: string
}

/** A verdict is about one model with one prompt and one set of tools in one client. When one of them changes, evidence begins anew. */
export function createProofs({ db, readsOnly }: Pick<Core, 'db' | 'readsOnly'>, { filesOf, client }: ProofDeps) {
  const add = db.prepare('INSERT INTO student_proofs (run, files, form, client, at) VALUES (?, ?, ?, ?, ?) ON CONFLICT (run) DO NOTHING')
  const one = db.prepare<[string], Row>('SELECT files, form, client FROM student_proofs WHERE run = ?')
  const first = db.prepare<Row, { at: number }>(
    'SELECT min(at) AS at FROM student_proofs WHERE files = @files AND form = @form AND client = @client',
  )

  return {
    /** Keeps what a new verdict is about; `at`: when it was decided. */
    remember(modelId: string, run: string, at: number): void {
      const version = client()
      if (version === null || readsOnly || one.get(run)) return
      add.run(run, JSON.stringify(filesOf(modelId)), formAtWork(version), version, at)
    },
    /** Null: it is not known what the verdict is about. */
    of(modelId: string, run: string): Proof | null {
      const row = one.get(run)
      if (!row) return null
      const [version, files] = [client(), filesOf(modelId)]
      const changed: Proof['changed'] = []
      const known = Object.entries(JSON.parse(row.files) as Record<string, string>)
      if (known.some(([id, sha]) => files[id] !== undefined && files[id] !== sha)) changed.push('files')
      if (version !== null && formAtWork(version) !== row.form) changed.push('form')
      if (version !== null && version !== row.client) changed.push('client')
      return { client: row.client, since: first.get(row)?.at ?? 0, changed }
    },
  }
}
