import fs from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { serverMessages } from '#contracts/messages.ts'
import { routes } from '#contracts/routes/index.ts'
import { createApp, inProcessClient } from './app.ts'
import { bySpecificity } from './http/answer.ts'
import { createSettings } from './system/settings.ts'
import { startTestServer, testConfig, type TestServer } from './testing/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

test('every route of the contract is mounted, and every mounted one is in the contract, once', () => {
  const defined = Object.values(routes).map(({ name }) => name)
  const mounted = server.app.implementations.map(({ route }) => route.name)
  expect(defined.filter((name) => !mounted.includes(name))).toEqual([])
  expect(mounted.filter((name) => !defined.includes(name as never))).toEqual([])
  expect(mounted.length).toBe(new Set(mounted).size)
})

test('no route is shadowed by one with a parameter in its place', () => {
  const ordered = bySpecificity(server.app.implementations).map(({ route }) => route)
  const shadowed = ordered.filter((route, index) =>
    ordered
      .slice(0, index)
      .some(
        ({ method, path: earlier }) =>
          method === route.method && new RegExp(`^${earlier.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(route.path),
      ),
  )
  expect(shadowed.map(({ name }) => name)).toEqual([])
})

const sources = (dir: string): string =>
  fs
    .readdirSync(dir, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !/\.test\.tsx?$|^testing/.test(entry.name))
    .map((entry) => fs.readFileSync(path.join(entry.parentPath, entry.name), 'utf8'))
    .join('\n')
const root = path.resolve(import.meta.dirname, '..', '..')

test('every message type is sent somewhere', () => {
  const text = sources(path.join(root, 'server', 'src'))
  expect(Object.keys(serverMessages).filter((type) => !text.includes(`'${type}'`))).toEqual([])
})

test('every message type is handled somewhere in the renderer', () => {
  const text = sources(path.join(root, 'renderer', 'src'))
  expect(Object.keys(serverMessages).filter((type) => !new RegExp(`'?${type}'?`).test(text))).toEqual([])
})

test('the same client works with the server closed, through the same checks', async () => {
  const config = testConfig()
  const app = await createApp(config, { validateResponses: true })
  try {
    const client = inProcessClient(app)
    expect(await client.getHealth()).toMatchObject({ status: 'ok' })
    expect((await client.patchSettings({ body: { appearance: { theme: 'light' } } })).settings.appearance.theme).toBe('light')
    await expect(client.getTrace({ params: { id: 'no' } })).rejects.toMatchObject({ code: 'invalid_request' })
    await expect(client.getTrace({ params: { id: 'a'.repeat(26) } })).rejects.toMatchObject({ code: 'trace_not_found' })
    await expect(client.createSessionCode()).rejects.toMatchObject({ code: 'not_found' })
  } finally {
    await app.close()
    config.remove()
  }
})

test('settings: unknown keys and thresholds upside down are refused, a change is told, a broken stored value is passed over', async () => {
  const { client } = server
  await expect(client.patchSettings({ body: { scoring: { polcy: 'x' } as never } })).rejects.toMatchObject({ code: 'invalid_request' })
  const { settings } = await client.getSettings()
  const upsideDown = { ...settings.scoring.thresholds, gold: { successRate: 0.1, quality: 0.1 } }
  await expect(client.patchSettings({ body: { scoring: { thresholds: upsideDown } } })).rejects.toMatchObject({ code: 'settings_invalid' })
  const { db, events } = server.app.core
  const before = events.lastSeq()
  await client.patchSettings({ body: { appearance: { density: 'comfortable' } } })
  expect(events.after(before, 9)?.map(({ type }) => type)).toEqual(['settings:changed'])
  await client.patchSettings({ body: { appearance: { density: 'comfortable' } } })
  expect(events.lastSeq()).toBe(before + 1)
  db.prepare("INSERT INTO settings VALUES ('appearance.theme', '7', 1)").run()
  expect(createSettings(server.app.core).get().appearance).toMatchObject({ theme: 'system', density: 'comfortable' })
})
