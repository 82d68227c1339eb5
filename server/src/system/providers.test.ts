import fs from 'node:fs'
import { afterEach, expect, it } from 'vitest'
import { startTestServer, testConfig, type TestServer } from '#server/testing/server.ts'

const KEY = 'sk-ant-api03-not-a-real-key-0123456789abcdef'
const NOTHING = { augmentation: null, nimEndpoint: null, anthropicBaseUrl: null, keys: { anthropic: null, nim: null } }

const servers: TestServer[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close()
})
async function start(providers: Parameters<typeof testConfig>[0] = { providers: NOTHING }) {
  const server = await startTestServer({ config: testConfig(providers) })
  servers.push(server)
  return server
}

it('saves, replaces and removes a key, and never returns it', async () => {
  const { client, config, app } = await start()
  const file = app.core.paths.providerKeys
  expect((await client.listProviders({})).items.map(({ id, ready, keyFrom }) => [id, ready, keyFrom])).toEqual([
    ['anthropic', false, null],
    ['nim', false, null],
    ['openai', false, null],
  ])
  const kept = await client.setProviderKey({ params: { id: 'anthropic' }, body: { key: KEY } })
  expect(kept).toMatchObject({ ready: true, missing: null, keyFrom: 'file' })
  expect(fs.statSync(file).mode & 0o777).toBe(0o600)
  await client.setProviderKey({ params: { id: 'anthropic' }, body: { key: `${KEY}-second` } })
  const json = JSON.stringify([kept, await client.listProviders({}), await client.getSettings({}), config.origins])
  expect(json).not.toContain('not-a-real-key')
  expect(JSON.parse(fs.readFileSync(file, 'utf8'))).toEqual({ anthropic: `${KEY}-second` })
  expect(await client.deleteProviderKey({ params: { id: 'anthropic' } })).toMatchObject({ ready: false, keyFrom: null })
  expect(fs.readFileSync(file, 'utf8')).toBe('{}')
})

it('says which variable gives what, and refuses to change a key that one gives', async () => {
  const { client } = await start({
    providers: { augmentation: 'nim', anthropicBaseUrl: null, nimEndpoint: 'https://nim.example/v1', keys: { anthropic: null, nim: KEY } },
  })
  const { items, augmentation, augmentationVariable } = await client.listProviders({})
  expect([augmentation, augmentationVariable]).toEqual(['nim', 'AUGMENTATION_PROVIDER'])
  expect(items.find(({ id }) => id === 'nim')).toMatchObject({
    ready: true,
    keyFrom: 'environment',
    baseUrl: 'https://nim.example/v1',
    baseUrlVariable: 'NIM_ENDPOINT',
  })
  await expect(client.setProviderKey({ params: { id: 'nim' }, body: { key: `${KEY}-other` } })).rejects.toMatchObject({
    code: 'settings_read_only',
  })
  await expect(client.deleteProviderKey({ params: { id: 'nim' } })).rejects.toMatchObject({ code: 'settings_read_only' })
})

it('names what is missing of an endpoint, in the order in which it is set up', async () => {
  const { client } = await start()
  const own = async () => (await client.listProviders({})).items.find(({ id }) => id === 'openai')!
  const set = (baseUrl: string, model: string) => client.patchSettings({ body: { providers: { openai: { baseUrl, model } } } })
  expect((await own()).missing).toMatch('address')
  await set('http://model.example/v1', '')
  expect((await own()).missing).toMatch('a model name')
  await set('http://model.example/v1', 'own')
  expect(await own()).toMatchObject({ ready: true, keyFrom: null, baseUrlVariable: null })
  await client.setProviderKey({ params: { id: 'openai' }, body: { key: KEY } })
  expect((await own()).missing).toMatch('would be sent unencrypted')
  await set('https://model.example/v1', 'own')
  expect((await own()).ready).toBe(true)
})
