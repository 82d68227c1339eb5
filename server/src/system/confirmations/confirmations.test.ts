import { afterAll, beforeAll, expect, test } from 'vitest'
import { overHttp } from '#server/cli/connect.ts'
import { startTestServer, type TestServer } from '#server/testing/server.ts'
import type { Confirmation } from '#contracts/entities/confirmation.ts'
import { AppError } from '#contracts/errors.ts'
import { createConfirmations } from './confirmations.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

async function browser() {
  const { url } = await server.client.createSignInLink()
  const { key } = await server.client.openSession({ body: { secret: new URL(url).hash.replace('#secret=', '') } })
  return overHttp(server.url, key).client
}
const askedIn = async (act: Promise<unknown>): Promise<Confirmation> => {
  const error = await act.then(
    () => new Error('It was done without a confirmation.'),
    (caught: unknown) => caught,
  )
  expect(error).toMatchObject({ code: 'confirmation_required' })
  return ((error as AppError).details as { confirmation: Confirmation }).confirmation
}
const ray = (part: object) => ({ training: { ray: { address: '', tokenFile: '', python: '', gpus: 0, ...part } } })

test.each([
  ['Python for training', { training: { python: '/tmp/evil' } }],
  ['Address of the Ray cluster', ray({ address: 'http://evil.example' })],
  ['Token file of the Ray cluster', ray({ tokenFile: '/home/me/.ssh/id_ed25519' })],
  ['Python on the Ray cluster', ray({ python: '/tmp/evil' })],
  ['Address of Anthropic', { providers: { anthropic: { baseUrl: 'https://evil.example', model: 'm' } } }],
  ['Address of NVIDIA NIM', { providers: { nim: { baseUrl: 'https://evil.example', model: 'm' } } }],
  ['Address of the OpenAI-compatible provider', { providers: { openai: { baseUrl: 'https://evil.example', model: 'm' } } }],
])('%s: a session key alone does not change it', async (what, body) => {
  const client = await browser()
  const before = await client.getSettings()
  const { id, changes, state } = await askedIn(client.patchSettings({ body }))
  expect(changes.map((change) => change.what)).toEqual([what])
  expect(state).toBe('open')
  await expect(client.confirmChange({ params: { id } })).rejects.toMatchObject({ code: 'owner_only' })
  expect(await client.getSettings()).toEqual(before)
})

test('once the owner has confirmed it, exactly that change goes through, once, for that browser', async () => {
  const [client, thief] = [await browser(), await browser()]
  const body = { training: { python: '/opt/venv/bin/python' } }
  const { id } = await askedIn(client.patchSettings({ body }))
  expect((await askedIn(client.patchSettings({ body }))).id).toBe(id)
  expect(await server.client.confirmChange({ params: { id: id.toLowerCase() } })).toMatchObject({ state: 'confirmed' })
  await askedIn(thief.patchSettings({ body }))
  await askedIn(client.patchSettings({ body: { training: { python: '/tmp/evil' } } }))
  expect((await client.patchSettings({ body })).settings.training.python).toBe('/opt/venv/bin/python')
  await client.patchSettings({ body: { training: { python: '' } } }) // back to the default: nothing to confirm
  await askedIn(client.patchSettings({ body }))
})

test('the token file needs no confirmation, nor do other settings', async () => {
  await server.client.patchSettings({ body: { training: { python: '/opt/other' } } })
  const client = await browser()
  await client.patchSettings({ body: { appearance: { theme: 'dark' } } })
  const { settings } = await client.patchSettings({ body: { training: { python: '/opt/other', baseModels: [] } } })
  expect([settings.training.python, settings.appearance.theme]).toEqual(['/opt/other', 'dark'])
})

test('codes expire after 10 minutes', () => {
  let clock = 0
  const confirmations = createConfirmations({ now: () => 0, clock: () => clock, onConfirmed: () => undefined })
  const caller = { kind: 'browser', signInId: 'a' } as const
  const ask = () => {
    try {
      confirmations.require(caller, [{ what: 'x', from: '', to: 'y' }])
      return null
    } catch (error) {
      return ((error as AppError).details as { confirmation: Confirmation }).confirmation.id
    }
  }
  const id = ask()!
  expect(id).toMatch(/^[A-Z2-9]{4}-[A-Z2-9]{4}$/)
  confirmations.confirm(id)
  clock = 10 * 60_000
  expect(() => confirmations.confirm(id)).toThrow(AppError)
  expect(ask()).not.toBe(id)
})
