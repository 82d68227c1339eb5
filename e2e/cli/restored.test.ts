import fs from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { RestoredItem } from '#contracts/entities/restored.ts'
import type { Task } from '#contracts/entities/task.ts'
import { findBubblewrap } from '#server/adapters/bubblewrap/index.ts'
import { startStub, type Stub } from '#server/adapters/llm/testing-stub.ts'
import { bashgym } from '../support/cli.ts'
import { BATCH, ENDED, GENERATION, hostileBackup, QUEUED, SANDBOX, SET, SYNTHETIC, TRAINED, TRAINING } from '../support/hostile-backup.ts'
import { makeWorkspace, type RunningServer, startServer, type Workspace } from '../support/server.ts'

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
  const restored = await bashgym(workspace, ['restore', await hostileBackup(workspace, secrets, stub.url), '--json'])
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
