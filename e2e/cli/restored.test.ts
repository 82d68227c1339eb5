import fs from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { BatchRequest } from '#contracts/entities/batch.ts'
import type { RestoredItem } from '#contracts/entities/restored.ts'
import { RolloutSettings } from '#contracts/entities/rollout.ts'
import { ShellGenerationRequest } from '#contracts/entities/shell-generation.ts'
import { type Task, TaskAsked } from '#contracts/entities/task.ts'
import { findBubblewrap } from '#server/adapters/bubblewrap/index.ts'
import { startStub, type Stub } from '#server/adapters/llm/testing-stub.ts'
import { loadConfig, pathsOf } from '#server/config.ts'
import { migrate } from '#server/db/migrate.ts'
import { type Database, openDatabase } from '#server/db/open.ts'
import { schema } from '#server/schema.ts'
import { writeBackup } from '#server/system/maintenance/backup.ts'
import { bashgym } from '../support/cli.ts'
import { makeWorkspace, type RunningServer, startServer, type Workspace } from '../support/server.ts'

const id = (letter: string) => letter.repeat(26)
const [QUEUED, ENDED, BATCH, SET, TRAINING, TRAINED] = [id('a'), id('b'), id('c'), id('d'), id('e'), id('f')]
const GENERATION = '11111111-1111-4111-8111-111111111111'
const SANDBOX = '22222222-2222-4222-8222-222222222222'
const SYNTHETIC = 'aug_0123456789abcdef0123'

let workspace: Workspace
let stub: Stub
let server: RunningServer | null
beforeEach(async () => {
  workspace = makeWorkspace()
  server = null
  stub = await startStub(() => ({ text: 'exit' }))
})
afterEach(async () => {
  await server?.stop()
  await stub.close()
  workspace.remove()
})

/** Rows as a stranger could write them; each kind names the stub with a model of its own. */
function fill(db: Database, secrets: string): void {
  const insert = (table: string, row: Record<string, unknown>) => {
    const values = Object.entries(row).map(([name, value]) => [name, typeof value === 'object' && value !== null ? JSON.stringify(value) : value]) // prettier-ignore
    const names = values.map(([name]) => String(name))
    db.prepare(`INSERT INTO ${table} (${names.join()}) VALUES (${names.map((name) => `@${name}`).join()})`).run(Object.fromEntries(values))
  }
  const url = (model: string) => ({ kind: 'url' as const, dialect: 'openai' as const, baseUrl: stub.url, model })
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

async function hostileBackup(secrets: string): Promise<string> {
  const from = path.join(workspace.dir, 'stranger')
  const paths = pathsOf(from)
  for (const folder of [paths.archive, paths.datasets, paths.backups]) fs.mkdirSync(folder, { recursive: true })
  const db = openDatabase(paths.database)
  migrate(db, { schema, backupDir: paths.backups })
  fill(db, secrets)
  const file = path.join(workspace.dir, 'backup.tar')
  await writeBackup({ db, paths, config: { ...loadConfig({ dataDir: from }, {}), dataDir: from }, now: Date.now }, file, '0.1.0')
  db.close()
  return file
}

/** The command lines of all processes below a process. */
function programsOf(pid: number): string[] {
  const parents = fs.readdirSync('/proc').flatMap((name): { pid: number; parent: number; line: string }[] => {
    try {
      const parent = Number(/^PPid:\s+(\d+)$/m.exec(fs.readFileSync(`/proc/${name}/status`, 'utf8'))?.[1])
      return [{ pid: Number(name), parent, line: fs.readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ') }]
    } catch {
      return [] // not a process, or it has ended
    }
  })
  return parents.filter(({ parent }) => parent === pid).flatMap((child) => [child.line, ...programsOf(child.pid)])
}

const modelsAsked = () => [...new Set(stub.received.map(({ body }) => body.model))]

it('a stranger\'s backup starts, sends and writes nothing until the user chooses "Use again", and then only that', async () => {
  const secrets = path.join(workspace.dir, '.ssh')
  fs.mkdirSync(secrets)
  fs.writeFileSync(path.join(secrets, 'id_rsa'), 'a key')
  const restored = await bashgym(workspace, ['restore', await hostileBackup(secrets), '--json'])
  expect(restored.code).toBe(0)
  const { toConfirm } = restored.json() as {
    toConfirm: { waiting: { kind: string; count: number; active: number }[]; settings: { key: string }[] }
  }
  expect(Object.fromEntries(toConfirm.waiting.map(({ kind, count, active }) => [kind, [count, active]]))).toEqual({
    'agent-run': [2, 1],
    batch: [1, 1],
    rollouts: [1, 1],
    generation: [1, 1],
    'synthetic-run': [1, 1],
    'training-run': [1, 1],
    'privacy-decision': [1, 1],
    model: [1, 0],
    sandbox: [1, 0],
  })
  expect(toConfirm.settings.map(({ key }) => key)).toEqual(['privacy.allowed', 'privacy.types'])

  server = await startServer(workspace)
  const call = async (method: string, place: string, body: unknown = {}) =>
    (await server!.api(place, { method, body }).catch((error: Error) => error.message)) as string | object
  const { items } = await server.api<{ items: RestoredItem[] }>('/api/restored')
  expect(items.find(({ id: one }) => one === QUEUED)).toMatchObject({
    wasActive: true,
    names: [
      { what: 'Address', value: stub.url },
      { what: 'Folder', value: secrets },
    ],
  })
  // what a user could click is refused as well
  for (const [method, place, body] of [
    ['POST', `/api/tasks/${ENDED}/messages`, { text: 'go on' }],
    ['POST', `/api/tasks/${ENDED}/hand-back`, { how: 'apply' }],
    ['POST', `/api/batches/${BATCH}/retry`],
    ['POST', `/api/rollouts/${SET}/resume`],
    ['POST', `/api/shell-tasks/generations/${GENERATION}/resume`],
    ['POST', `/api/factory/synthetic/runs/${SYNTHETIC}/resume`],
    ['POST', `/api/training/${TRAINING}/resume`],
    ['POST', `/api/models/${TRAINED}/serve`],
    ['POST', `/api/sandboxes/${SANDBOX}/start`],
    ['POST', '/api/tasks', { prompt: 'x', agent: 'shell', endpoint: { kind: 'model', modelId: TRAINED } }],
  ] as const)
    expect([place, await call(method, place, body)]).toEqual([place, expect.stringMatching(/restored_waits|invalid_request/)])
  expect(await call('POST', `/api/tasks/${ENDED}/messages`, { text: 'go on' })).toMatch(/restored_waits.*Use again/)

  const { settings } = await server.api<{ settings: { privacy: { types: string[]; allowed: string[] } } }>('/api/settings')
  expect([settings.privacy.types.includes('api_key'), settings.privacy.allowed]).toEqual([true, []])
  expect(programsOf(server.pid).filter((line) => /bwrap|docker|python/.test(line))).toEqual([])
  expect((await server.api<{ items: unknown[] }>('/api/jobs')).items.filter((job) => JSON.stringify(job).includes('augment'))).toEqual([])
  expect(stub.received).toEqual([])

  if (findBubblewrap() === null) return
  const used = await bashgym(workspace, ['restored', 'use', SET, '--yes'])
  expect([used.code, used.stderr]).toEqual([0, ''])
  await expect.poll(async () => (await server!.api<{ state: string }>(`/api/rollouts/${SET}`)).state).toBe('done')
  expect(modelsAsked()).toEqual(['rollouts'])
  expect((await server.api<Task>(`/api/tasks/${QUEUED}`)).state).toBe('stopped')
  expect((await bashgym(workspace, ['restored'])).stdout).not.toContain(SET)

  await bashgym(workspace, ['restored', 'use', QUEUED, '--yes'])
  await expect.poll(async () => (await server!.api<Task>(`/api/tasks/${QUEUED}`)).endedAt).not.toBeNull()
  expect(modelsAsked()).toEqual(['rollouts', 'task'])
  expect((await server.api<{ items: unknown[]; total: number }>('/api/batches')).items).toMatchObject([{ state: 'stopped' }])
})
