import { afterAll, beforeAll, expect, it } from 'vitest'
import { bashgym } from '../support/cli.ts'
import { makeWorkspace, type Workspace } from '../support/server.ts'

// What it does with a real model stands in e2e/trainers/models.test.ts.
let workspace: Workspace
const run = (...args: string[]) => bashgym(workspace, args)

beforeAll(() => {
  workspace = makeWorkspace()
})
afterAll(() => workspace.remove())

it('lists none before the first run, and says what makes one', async () => {
  expect((await run('models', '--json')).json()).toEqual({ items: [] })
  expect((await run('models', 'list')).stdout).toMatch(/No models yet/)
})

it('fails for a model that is not there, and refuses wrong usage', async () => {
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
