import fs from 'node:fs'
import path from 'node:path'
import { axe, confirmAsked, CONFIRMATION_ERRORS, expect, open, test as base } from './fixtures.ts'
import { bashgym } from '../support/cli.ts'
import { BATCH, ENDED, hostileBackup, QUEUED, SET } from '../support/hostile-backup.ts'
import { makeWorkspace } from '../support/server.ts'

const test = base.extend({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixture's needs from this pattern
  workspace: async ({}, use) => {
    const workspace = makeWorkspace()
    const secrets = path.join(workspace.dir, '.ssh')
    fs.mkdirSync(secrets)
    const file = await hostileBackup(workspace, secrets, 'http://127.0.0.1:9')
    expect((await bashgym(workspace, ['restore', file])).code).toBe(0)
    await use(workspace)
    workspace.remove()
  },
})
test.use({ expectedErrors: CONFIRMATION_ERRORS })

test('what came from a backup is used again from its own page, after a confirmation outside the browser', async ({ app, server }) => {
  const waits = app.getByRole('region', { name: 'From a restored backup' })
  const button = waits.getByRole('button', { name: /^Use again: / })
  for (const place of [
    `/agents/tasks/${QUEUED}`,
    `/agents/batches/${BATCH}`,
    `/shell-tasks/rollouts/${SET}`,
    '/shell-tasks/new/generate',
  ]) {
    await open(app, server, place)
    await expect(button, place).toHaveCount(1)
  }
  await open(app, server, `/agents/tasks/${ENDED}`)
  await expect(waits).toContainText('http://127.0.0.1:9')
  expect(await axe(app)).toEqual([])
  await button.click()
  await expect(app.getByRole('dialog', { name: 'Confirm using this again' })).toContainText('agent run')
  await confirmAsked(app, server)
  await expect(waits).toBeHidden()
  expect(await server.api(`/api/restored?id=${ENDED}`)).toMatchObject({ items: [] })
  await open(app, server, `/agents/tasks/${QUEUED}`)
  await expect(button).toHaveCount(1)
})
