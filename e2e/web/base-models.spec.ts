import fs from 'node:fs'
import path from 'node:path'
import { startTestHub, type TestHub } from '../../server/src/adapters/hub/testing-hub.ts'
import { writeHubModel } from '../../server/src/stages/gym/base-models/testing-hub-model.ts'
import { makeTinyModel, PYTHON } from '../support/trainer.ts'
import { axe, CONFIRMATION_ERRORS, confirmAsked, expect, open, reload, test as base, withServer } from './fixtures.ts'

const ID = 'acme/tiny-instruct'

const test = base.extend<{ hub: TestHub }>({
  // oxlint-disable-next-line no-empty-pattern -- a fixture names what it needs: nothing
  hub: async ({}, use) => {
    const hub = await startTestHub()
    await use(hub)
    await hub.close()
  },
  server: async ({ workspace, hub }, use) => {
    const env = { HF_ENDPOINT: hub.url, PATH: '/usr/bin:/bin', ...(PYTHON !== '' && { BASHGYM_PYTHON: PYTHON }) }
    await withServer(workspace, env, use)
  },
})

test.describe('at 1,024 px', () => {
  test.use({ viewport: { width: 1024, height: 700 } })

  test('a model is looked up by its id, downloaded, paused, resumed after a restart of the page, and discarded', async ({
    app,
    server,
    workspace,
    hub,
  }) => {
    hub.repos.set(ID, { folder: writeHubModel(path.join(workspace.dir, 'tiny')), license: 'apache-2.0' })
    await open(app, server, '/settings/models')
    await expect(app.getByText('No models were found on this machine.')).toBeVisible()
    const recommended = app.getByRole('list', { name: 'Recommended models' })
    await expect(recommended.getByText('Qwen/Qwen2.5-Coder-1.5B-Instruct')).toBeVisible()
    expect(await axe(app)).toEqual([])
    expect(hub.requests).toEqual([])

    await test.step('its facts are shown before the download', async () => {
      const field = app.getByRole('textbox', { name: 'Any other model, by its id on the hub' })
      await field.fill('tiny')
      await expect(app.getByRole('button', { name: 'Look up' })).toHaveAttribute('aria-disabled', 'true')
      await field.fill(ID)
      await app.getByRole('button', { name: 'Look up' }).click()
      const dialog = app.getByRole('dialog', { name: `Download ${ID}?` })
      await expect(dialog).toContainText(/Size82\.\d kB in 7 files/)
      await expect(dialog).toContainText('apache-2.0')
      await expect(dialog).toContainText('open to everyone')
      await expect(dialog).toContainText(/huggingface\/hub, [\d.]+ GB free/)
      expect(await axe(app)).toEqual([])
      hub.faults.set('model.safetensors', [{ holdAfter: 40_000 }, { holdAfter: 1000 }])
      await dialog.getByRole('button', { name: 'Download', exact: true }).click()
      await hub.holding()
    })
    const downloads = app.getByRole('list', { name: 'Downloads' })
    await expect(downloads).toContainText(/40\.\d kB of 82\.\d kB/)
    await downloads.getByRole('button', { name: 'Pause' }).click()
    await expect(downloads).toContainText(/paused at 40\.\d kB of 82\.\d kB/)
    expect(await axe(app)).toEqual([])
    await reload(app)
    await expect(downloads).toContainText(/paused at 40\.\d kB of 82\.\d kB/)
    await downloads.getByRole('button', { name: `Resume the download of ${ID}` }).click()
    await hub.holding()
    expect(hub.requests.at(-1)!.headers.range).toBe('bytes=40000-')
    await downloads.getByRole('button', { name: 'Pause' }).click()
    await downloads.getByRole('button', { name: `Discard the download of ${ID} …` }).click()
    await app.getByRole('dialog').getByRole('button', { name: 'Discard download' }).click()
    await expect(downloads).toHaveCount(0)

    await test.step('one that arrives damaged says so, and is whole the next time', async () => {
      hub.faults.set('model.safetensors', ['other-bytes'])
      await app.getByRole('textbox', { name: 'Any other model, by its id on the hub' }).fill(ID)
      await app.getByRole('button', { name: 'Look up' }).click()
      await app.getByRole('dialog').getByRole('button', { name: 'Download', exact: true }).click()
      await expect(downloads.getByRole('alert')).toContainText('does not match its hash, so it was deleted')
      await downloads.getByRole('button', { name: `Resume the download of ${ID}` }).click()
      await expect(app.getByRole('list', { name: 'Models on this machine' })).toContainText('tiny-instruct')
      await expect(downloads).toHaveCount(0)
      expect(await axe(app)).toEqual([])
    })
  })
})

test.describe('with a confirmation', () => {
  test.use({ expectedErrors: CONFIRMATION_ERRORS })
  test('a gated model says what to do; with a token it can be had', async ({ app, server, workspace, hub }) => {
    hub.repos.set('acme/gated', { folder: writeHubModel(path.join(workspace.dir, 'gated')), gated: 'manual', token: 'hf_right_token' })
    await open(app, server, '/settings/models')
    const lookUp = async () => {
      await app.getByRole('textbox', { name: 'Any other model, by its id on the hub' }).fill('acme/gated')
      await app.getByRole('button', { name: 'Look up' }).click()
      return app.getByRole('dialog', { name: 'Download acme/gated?' })
    }
    const dialog = await lookUp()
    await expect(dialog.getByRole('alert')).toContainText('Accept the terms on its page')
    await expect(dialog.getByRole('button', { name: 'Download', exact: true })).toHaveAttribute('aria-disabled', 'true')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    const hubSettings = app.getByRole('region', { name: 'Model hub' })
    await hubSettings.getByLabel('Access token').fill('hf_right_token')
    await hubSettings.getByRole('button', { name: 'Save token' }).click()
    await expect(hubSettings.getByText('A token is saved. It is not shown again.')).toBeVisible()
    await expect((await lookUp()).getByText('gated: its terms must be accepted')).toBeVisible()
    await expect(dialog.getByRole('button', { name: 'Download', exact: true })).not.toHaveAttribute('aria-disabled', 'true')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await app.getByLabel('Download folder').fill(path.join(workspace.dir, 'models'))
    await app.getByLabel('Download folder').press('Enter')
    await confirmAsked(app, server)
    await expect(hubSettings.getByText(`Downloads go to ${path.join(workspace.dir, 'models')}.`)).toBeVisible()
    await hubSettings.getByRole('button', { name: 'Remove token …' }).click()
    await app.getByRole('dialog').getByRole('button', { name: 'Remove token' }).click()
    await confirmAsked(app, server)
    await expect(hubSettings.getByText('No token saved.')).toBeVisible()
  })
})

test.describe('with a Python that trains', () => {
  test.skip(PYTHON === '', 'BASHGYM_TEST_PYTHON names no Python that trains')
  test('a model that New run downloads is chosen by itself, and trained', async ({ app, server, workspace, hub }) => {
    const folder = makeTinyModel()
    hub.repos.set(ID, { folder, license: 'apache-2.0' })
    const rows = path.join(workspace.dir, 'train.jsonl')
    const messages = [
      { role: 'user', content: 'List the folder' },
      { role: 'assistant', content: 'It has a.ts and b.ts' },
    ]
    fs.writeFileSync(rows, `${JSON.stringify({ messages })}\n`.repeat(8))
    await open(app, server, '/training/new')
    await app.getByText('A JSONL file').click()
    await app.getByRole('textbox', { name: 'JSONL file for training' }).fill(rows)
    await app.getByRole('textbox', { name: 'Any other model, by its id on the hub' }).fill(ID)
    await app.getByRole('button', { name: 'Look up' }).click()
    await app.getByRole('dialog').getByRole('button', { name: 'Download', exact: true }).click()
    const models = app.getByRole('radiogroup', { name: 'Base model' })
    await expect(models.getByRole('radio', { name: /tiny-instruct/ })).toBeChecked()
    expect(await axe(app)).toEqual([])
    await app.getByText('Quick check').click()
    await app.getByRole('region', { name: 'Settings' }).getByText('Steps', { exact: true }).click()
    await app.getByRole('textbox', { name: 'Max steps' }).fill('3')
    const begin = app.getByRole('complementary', { name: 'Plan' }).getByRole('button', { name: 'Start' })
    await expect(begin).not.toHaveAttribute('aria-disabled', 'true')
    await begin.click()
    await expect(app.getByText('Done', { exact: true })).toBeVisible({ timeout: 120_000 })
    fs.rmSync(folder, { recursive: true, force: true })
  })
})
