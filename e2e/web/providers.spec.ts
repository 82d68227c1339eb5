import fs from 'node:fs'
import path from 'node:path'
import { axe, CONFIRMATION_ERRORS, confirmAsked, expect, open, test } from './fixtures.ts'

const KEY = 'sk-ant-api03-not-a-real-key-0123456789abcdef'

test.describe('with a key', () => {
  test.use({ expectedErrors: CONFIRMATION_ERRORS })
  test('a provider is set up from Generate more: its key is kept, replaced and removed, and never shown', async ({
    app,
    server,
    workspace,
  }) => {
    const answers: Promise<string>[] = []
    app.on('response', (response) => void answers.push(response.text().catch(() => '')))
    const file = path.join(workspace.dataDir, 'provider-keys.json')
    const kept = () => JSON.parse(fs.readFileSync(file, 'utf8')) as Record<string, string>

    await open(app, server, '/factory/examples/grow')
    await expect(app.getByRole('heading', { name: 'This provider is not set up' })).toBeVisible()
    await expect(app.getByText('ANTHROPIC_API_KEY').first()).toBeVisible()
    await expect(app.getByRole('button', { name: 'Estimate cost' })).toHaveCount(0)
    expect(await axe(app)).toEqual([])
    await app.getByRole('link', { name: 'Set up provider' }).click()
    await expect(app.getByRole('heading', { level: 1 })).toHaveText('Providers')
    const anthropic = app.getByRole('region', { name: 'Anthropic' })
    await expect(anthropic).toContainText('not set up')
    await expect(anthropic).toContainText('ANTHROPIC_API_KEY')
    await expect(anthropic.getByRole('button', { name: 'Remove key …' })).toHaveCount(0)

    await anthropic.getByLabel('Key').fill(KEY)
    await anthropic.getByRole('button', { name: 'Save key' }).click()
    await expect(anthropic.getByText('ready', { exact: true })).toBeVisible()
    await expect(anthropic.getByLabel('Key')).toHaveValue('')
    await anthropic.getByLabel('Key').fill(`${KEY}-second`)
    await anthropic.getByRole('button', { name: 'Replace key' }).click()
    await confirmAsked(app, server)
    await expect(anthropic.getByLabel('Key')).toHaveValue('')
    expect(kept()).toEqual({ anthropic: `${KEY}-second` })
    expect(fs.statSync(file).mode & 0o777).toBe(0o600)

    await anthropic.getByRole('button', { name: 'Remove key …' }).click()
    await app.getByRole('button', { name: 'Remove key' }).click()
    await confirmAsked(app, server)
    await expect(anthropic).toContainText('not set up')
    expect(kept()).toEqual({})
    expect((await Promise.all(answers)).join('\n')).not.toContain('not-a-real-key')
    await expect(app.locator('body')).not.toContainText('not-a-real-key')
  })
})

test.describe('with a confirmation', () => {
  test.use({ expectedErrors: CONFIRMATION_ERRORS })
  test('address, model and limits are saved as they are left, with the way back; what is none is not', async ({ app, server }) => {
    const saved = async () => (await server.api<{ settings: { providers: Record<string, unknown> } }>('/api/settings')).settings.providers
    await open(app, server, '/settings/providers')
    const own = app.getByRole('region', { name: 'OpenAI-compatible' })
    await own.getByLabel('Address').fill('http://localhost:11434/v1')
    await own.getByLabel('Address').press('Enter')
    await confirmAsked(app, server)
    await expect(own).toContainText('needs a model name')
    await own.getByLabel('Model').fill('qwen')
    await own.getByLabel('Model').blur()
    await expect(own.getByText('ready', { exact: true })).toBeVisible()
    expect(await saved()).toMatchObject({ openai: { baseUrl: 'http://localhost:11434/v1', model: 'qwen' } })

    const wait = app.getByLabel('Timeout (seconds)')
    await wait.fill('0')
    await wait.press('Enter')
    await expect(app.getByRole('alert')).toContainText('1 to 600')
    expect(await saved()).toMatchObject({ timeoutSec: 120 })
    await wait.press('Escape')
    await expect(wait).toHaveValue('120')
    await wait.fill('60')
    await wait.press('Enter')
    await expect.poll(saved).toMatchObject({ timeoutSec: 60 })
    await app.getByRole('button', { name: 'Reset Timeout (seconds) to 120' }).click()
    await expect.poll(saved).toMatchObject({ timeoutSec: 120 })

    await app.getByRole('combobox', { name: 'For variants and new tasks' }).click()
    await app.getByRole('option', { name: 'OpenAI-compatible' }).click()
    await expect.poll(saved).toMatchObject({ augmentation: 'openai' })
    await open(app, server, '/factory/examples/grow')
    await expect(app.getByRole('combobox', { name: 'Provider' })).toHaveText('OpenAI-compatible')
  })
})

test.describe('looked at', () => {
  test.use({ looks: true })
  test('the screen is found in the settings and in the palette', async ({ app, server }) => {
    await open(app, server, '/settings/about')
    await app.getByRole('searchbox', { name: 'Search settings' }).fill('nvidia key')
    await app.getByRole('link', { name: 'Providers' }).click()
    await expect(app.getByRole('region', { name: 'NVIDIA NIM' })).toBeVisible()
    await open(app, server, '/')
    await app.keyboard.press('ControlOrMeta+k')
    await app.keyboard.type('providers')
    await app.keyboard.press('Enter')
    await expect(app.getByRole('region', { name: 'Limits' })).toBeVisible()
  })
})

test.describe('when they cannot be asked for', () => {
  test.use({ expectedErrors: /500 \(Internal Server Error\)/, looks: true })
  test('their screens say so, and keep what does not need them', async ({ app, server }) => {
    const error = { error: { code: 'internal', message: 'Something went wrong inside Bash Gym.' } }
    await app.route('**/api/providers', (route) => route.fulfill({ status: 500, json: error }))
    const alert = app.getByRole('alert').filter({ hasText: "Couldn't load the providers" })
    await open(app, server, '/factory/examples/grow')
    await expect(alert).toBeVisible({ timeout: 30_000 })
    await expect(app.getByRole('heading', { level: 1 })).toHaveText('Generate more')
    await open(app, server, '/settings/providers')
    await expect(alert).toBeVisible({ timeout: 30_000 })
    await expect(app.getByLabel('Timeout (seconds)')).toBeEnabled()
    await app.unroute('**/api/providers')
    await alert.getByRole('button', { name: 'Try again' }).click()
    await expect(app.getByRole('region', { name: 'Anthropic' })).toBeVisible()
  })
})
