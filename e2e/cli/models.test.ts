import fs from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { DownloadedModel, HubModel } from '#contracts/entities/base-model.ts'
import { commitOf, startTestHub } from '#server/adapters/hub/testing-hub.ts'
import { writeHubModel } from '#server/stages/gym/base-models/testing-hub-model.ts'
import { bashgym } from '../support/cli.ts'
import { makeWorkspace, type Workspace } from '../support/server.ts'

// Tests with a real model are in e2e/trainers/models.test.ts.
let workspace: Workspace
const run = (...args: string[]) => bashgym(workspace, args)

beforeAll(() => {
  workspace = makeWorkspace()
})
afterAll(() => workspace.remove())

it('lists no models before the first run, and explains how to get one', async () => {
  expect((await run('models', '--json')).json()).toEqual({ items: [] })
  expect((await run('models', 'list')).stdout).toMatch(/No models yet/)
})

it('fails for a model that does not exist, and refuses wrong usage', async () => {
  const id = 'a'.repeat(26)
  for (const args of [
    ['show', id],
    ['card', id],
    ['export', id],
    ['delete', id, '--name', 'x'],
  ]) {
    const done = await run('models', ...args)
    expect(done).toMatchObject({ code: 1, stdout: '' })
    expect(done.stderr).toMatch(/There is no model with the id/)
  }
  for (const args of [['show'], ['delete', id], ['export', id, '--format', 'zip'], ['sell', id], ['list', 'x']])
    expect((await run('models', ...args)).code).toBe(2)
})

it('pulls a base model: shows its details, continues after kill -9, and prints one JSON document', async () => {
  const hub = await startTestHub()
  try {
    const id = 'acme/tiny-instruct'
    hub.repos.set(id, { folder: writeHubModel(path.join(workspace.dir, 'tiny')), license: 'apache-2.0' })
    const pull = (args: string[] = [], signal?: AbortSignal) =>
      bashgym(workspace, ['models', 'pull', id, ...args], { env: { HF_ENDPOINT: hub.url }, ...(signal && { signal }) })
    const looked = await pull(['--dry-run', '--json'])
    expect([looked.code, looked.stderr]).toEqual([0, ''])
    expect(HubModel.parse(looked.json())).toMatchObject({ id, license: 'apache-2.0', problem: null, bytesHere: 0 })
    expect(fs.existsSync(path.join(workspace.dir, '.cache', 'huggingface'))).toBe(false)

    hub.faults.set('model.safetensors', [{ holdAfter: 50_000 }])
    const kill = new AbortController()
    const killed = pull([], kill.signal)
    await hub.holding()
    const blobs = path.join(workspace.dir, '.cache', 'huggingface', 'hub', 'models--acme--tiny-instruct', 'blobs')
    const part = () => fs.readdirSync(blobs).find((name) => name.endsWith('.incomplete'))
    await expect.poll(() => fs.statSync(path.join(blobs, part()!)).size).toBe(50_000)
    kill.abort()
    expect((await killed).code).toBeNull()

    const done = await pull(['--json'])
    expect(done.stderr).toMatch(/licence {3}apache-2\.0[^]*access {4}open[^]*free/)
    const model = DownloadedModel.parse(done.json())
    expect([done.code, model.revision]).toEqual([0, commitOf(id)])
    expect(hub.requests.at(-1)!.headers.range).toBe('bytes=50000-')
    expect(fs.readFileSync(path.join(model.path, 'model.safetensors')).equals(fs.readFileSync(path.join(workspace.dir, 'tiny', 'model.safetensors')))).toBe(true) // prettier-ignore

    const missing = await bashgym(workspace, ['models', 'pull', 'acme/missing'], { env: { HF_ENDPOINT: hub.url } })
    expect([missing.code, missing.stderr]).toEqual([1, expect.stringContaining('has no acme/missing')])
    expect((await bashgym(workspace, ['models', 'pull', 'missing'])).code).toBe(2)
  } finally {
    await hub.close()
  }
})
