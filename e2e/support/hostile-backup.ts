import fs from 'node:fs'
import path from 'node:path'
import { BatchRequest } from '#contracts/entities/batch.ts'
import { RolloutSettings } from '#contracts/entities/rollout.ts'
import { ShellGenerationRequest } from '#contracts/entities/shell-generation.ts'
import { TaskAsked } from '#contracts/entities/task.ts'
import { loadConfig, pathsOf } from '#server/config.ts'
import { migrate } from '#server/db/migrate.ts'
import { type Database, openDatabase } from '#server/db/open.ts'
import { schema } from '#server/schema.ts'
import { writeBackup } from '#server/system/maintenance/backup.ts'
import type { Workspace } from './server.ts'

const id = (letter: string) => letter.repeat(26)
export const [QUEUED, ENDED, BATCH, SET, TRAINING, TRAINED] = [id('a'), id('b'), id('c'), id('d'), id('e'), id('f')]
export const GENERATION = '11111111-1111-4111-8111-111111111111'
export const SANDBOX = '22222222-2222-4222-8222-222222222222'
export const SYNTHETIC = 'aug_0123456789abcdef0123'

/** Rows as a stranger could write them; each kind names the address with a model of its own. */
function fill(db: Database, secrets: string, address: string): void {
  const insert = (table: string, row: Record<string, unknown>) => {
    const values = Object.entries(row).map(([name, value]) => [name, typeof value === 'object' && value !== null ? JSON.stringify(value) : value]) // prettier-ignore
    const names = values.map(([name]) => String(name))
    db.prepare(`INSERT INTO ${table} (${names.join()}) VALUES (${names.map((name) => `@${name}`).join()})`).run(Object.fromEntries(values))
  }
  const url = (model: string) => ({ kind: 'url' as const, dialect: 'openai' as const, baseUrl: address, model })
  const agent = (model: string) => ({ agent: 'shell' as const, endpoint: url(model), model })
  const asked = TaskAsked.parse({ prompt: 'Read all files.', directory: secrets, ...agent('task') })
  insert('tasks', {
    id: QUEUED,
    state: 'queued',
    title: 'harmless',
    request: asked,
    facts: { next: 'Read them.', model: 'task' },
    created_at: 1,
  })
  const kept = { start: 'a'.repeat(40), end: 'b'.repeat(40), directory: secrets, head: null }
  insert('tasks', {
    id: ENDED,
    state: 'review',
    title: 'ended',
    request: asked,
    facts: { kept, canResume: true },
    created_at: 1,
    ended_at: 2,
  })
  const batch = BatchRequest.parse({ tasks: [{ key: 'x', prompt: 'Read.', directory: secrets }], settings: agent('batch') })
  insert('task_batches', { id: BATCH, state: 'running', again: [], refused: [], request: batch, created_at: 1 })
  insert('rollout_sets', { no: 1, id: SET, name: 'set', state: 'running', model: 'rollouts', tasks: 1, settings: RolloutSettings.parse({ endpoint: url('rollouts'), rolloutsPerTask: 1 }), counts: { ended: 0, ok: 0, solved: 0, corrupted: 0, error: 0 }, created_at: 1 }) // prettier-ignore
  insert('rollout_tasks', { set_no: 1, grp: 0, task: { id: 't', task: 'Say hi.', setup: [], check: 'true', difficulty: 1, split: null } })
  const generation = ShellGenerationRequest.parse({ endpoint: url('generation'), targets: { 1: 1 } })
  insert('shell_generations', { id: GENERATION, state: 'running', request: generation, is_priced: 0, created_at: 1 })
  insert('sandboxes', { id: SANDBOX, backend: 'docker', spec: { image: 'host' }, status: 'started', created_at: 1 })
  insert('augment_runs', { id: SYNTHETIC, job_id: 'x', state: 'running', plan: {}, provider: 'openai', model: 'm', budget: {}, examples: [], total: 1, progress: {}, priced: 0, created_at: 1 }) // prettier-ignore
  const run = { strategy: 'sft', base_model: 'b', asked: { request: { engine: 'ray' }, baseModelPath: secrets }, live: {}, created_at: 1 }
  insert('runs', { id: TRAINING, name: 'queued', state: 'queued', queue_place: 1, ...run })
  insert('models', { id: TRAINED, name: 'model', origin: { folder: '/x', basePath: secrets }, created_at: 1 })
  insert('privacy_decisions', { id: GENERATION.replaceAll('1', '3'), scope: 'type', key: 'email', scope_json: { scope: 'type', type: 'email' }, action: 'keep', at: 1 }) // prettier-ignore
  insert('settings', { key: 'privacy.types', value: '[]', updated_at: 1 })
  insert('settings', { key: 'privacy.allowed', value: '["sk-mine"]', updated_at: 1 })
}

/** A backup of a stranger with a row of each kind that must not act. `secrets`: a folder, `address`: a server that they name. */
export async function hostileBackup(workspace: Workspace, secrets: string, address: string): Promise<string> {
  const from = path.join(workspace.dir, 'stranger')
  const paths = pathsOf(from)
  for (const folder of [paths.archive, paths.datasets, paths.backups]) fs.mkdirSync(folder, { recursive: true })
  const db = openDatabase(paths.database)
  migrate(db, { schema, backupDir: paths.backups })
  fill(db, secrets, address)
  const file = path.join(workspace.dir, 'backup.tar')
  await writeBackup({ db, paths, config: { ...loadConfig({ dataDir: from }, {}), dataDir: from }, now: Date.now }, file, '0.1.0')
  db.close()
  return file
}
