import fs from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { overHttp } from '#server/cli/connect.ts'
import { type CliDeps, runCli } from '#server/cli/run.ts'
import { startTestServer, type TestServer } from '#server/testing/server.ts'
import type { Confirmation } from '#contracts/entities/confirmation.ts'
import { AppError } from '#contracts/errors.ts'
import { implement, type Implementation } from '#contracts/derive/route.ts'
import { peekFile } from '#contracts/routes/datasets.ts'
import { createConfirmations } from './confirmations.ts'
import { createPathRule } from '../places/paths.ts'
import { underPlaceRule } from '../places/rule.ts'

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
/** The confirmation that a call requires. */
const confirmationOf = async (call: Promise<unknown>): Promise<Confirmation> => {
  const error = await call.then(
    () => new Error('The call needed no confirmation.'),
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
  ['Links out of the folders of sessions', { capture: { followLinks: true } }],
])('%s cannot be changed with only a session key', async (what, body) => {
  const client = await browser()
  const before = await client.getSettings()
  const { id, changes, state } = await confirmationOf(client.patchSettings({ body }))
  expect(changes.map((change) => change.what)).toEqual([what])
  expect(state).toBe('open')
  await expect(client.confirmChange({ params: { id } })).rejects.toMatchObject({ code: 'owner_only' })
  expect(await client.getSettings()).toEqual(before)
})

test('control characters and long gaps cannot hide a part of the question', async () => {
  const client = await browser()
  const python = `/home/x/${'\n'.repeat(60)}/usr/bin/python3`
  await expect(client.patchSettings({ body: { training: { python } } })).rejects.toMatchObject({ code: 'invalid_request' })
  const file = path.join(path.dirname(server.config.userHome), `rows\n\u202E${' '.repeat(200)}.jsonl`)
  fs.writeFileSync(file, '')
  const { id } = await confirmationOf(client.peekFile({ body: { file } }))
  fs.rmSync(file)
  const connection = { client: server.client, close: () => Promise.resolve() }
  const other = { name: 'other', usage: 'other', summary: '', run: () => Promise.resolve() }
  // `confirm` uses only the connection
  const parts = { connect: () => Promise.resolve(connection), serve: other, restore: other } as unknown as CliDeps
  let shown = ''
  await runCli(['confirm', id, '--show'], parts, { out: (text) => (shown += text), note: () => undefined }, new AbortController().signal)
  expect(shown).toContain('rows⟨U+000A⟩⟨U+202E⟩⟨200 spaces⟩.jsonl')
})

test('after the owner confirms, exactly this change is allowed once for this browser', async () => {
  const [client, thief] = [await browser(), await browser()]
  const body = { training: { python: '/opt/venv/bin/python' } }
  const { id } = await confirmationOf(client.patchSettings({ body }))
  expect((await confirmationOf(client.patchSettings({ body }))).id).toBe(id)
  expect(await server.client.confirmChange({ params: { id: id.toLowerCase() } })).toMatchObject({ state: 'confirmed' })
  await confirmationOf(thief.patchSettings({ body }))
  await confirmationOf(client.patchSettings({ body: { training: { python: '/tmp/evil' } } }))
  expect((await client.patchSettings({ body })).settings.training.python).toBe('/opt/venv/bin/python')
  await client.patchSettings({ body: { training: { python: '' } } }) // back to the default: nothing to confirm
  await confirmationOf(client.patchSettings({ body }))
})

test('a session key can replace or remove a saved key only after the owner confirms exactly that', async () => {
  const [params, first, second] = [{ id: 'anthropic' } as const, 'sk-ant-first-0123456789', 'sk-ant-other-0123456789']
  const [client, file] = [await browser(), server.app.core.paths.providerKeys]
  const saved = () => (JSON.parse(fs.readFileSync(file, 'utf8')) as Record<string, string>)['anthropic']
  await client.setProviderKey({ params, body: { key: first } }) // nothing is replaced
  const replacing = await confirmationOf(client.setProviderKey({ params, body: { key: second } }))
  expect(JSON.stringify(replacing)).not.toContain('sk-ant')
  await server.client.confirmChange({ params: { id: replacing.id } })
  await confirmationOf(client.setProviderKey({ params, body: { key: second.replace('other', 'third') } }))
  const removing = await confirmationOf(client.deleteProviderKey({ params }))
  expect(removing.changes).toEqual([{ what: 'Key of Anthropic', from: 'the saved key', to: 'no key' }])
  expect(saved()).toBe(first)
  await client.setProviderKey({ params, body: { key: second } })
  expect(saved()).toBe(second)
  await server.client.confirmChange({ params: { id: removing.id } })
  await client.deleteProviderKey({ params })
  expect(saved()).toBeUndefined()
})

test('with only a session key, rows can be read only from files in the home folder that are not hidden', async () => {
  const { userHome, dataDir } = server.config
  const write = (...names: string[]) => {
    const file = path.join(...names)
    fs.mkdirSync(path.dirname(file), { recursive: true })
    fs.writeFileSync(file, '{"prompt":"p","completion":"c"}\n')
    return file
  }
  const client = await browser()
  const peek = (file: string) => client.peekFile({ body: { file } })
  expect((await peek(write(userHome, 'data', 'rows.jsonl'))).rows).toHaveLength(1)
  await expect(peek(path.join(userHome, 'none.jsonl'))).rejects.toMatchObject({ code: 'path_refused' })

  const link = path.join(userHome, 'link.jsonl')
  const hidden = write(userHome, '.docker', 'config.json')
  fs.symlinkSync(hidden, link)
  const elsewhere = write(fs.mkdtempSync(`${userHome}-elsewhere-`), 'rows.jsonl')
  for (const file of [hidden, link, elsewhere, write(dataDir, 'datasets', 'x', 'train.jsonl')]) {
    const { changes } = await confirmationOf(peek(file))
    const to = file === link ? `${link} (leads to ${hidden})` : file
    expect(changes).toEqual([{ what: 'Read rows from a file', from: null, to }])
    await confirmationOf(client.importRows({ body: { file } }))
    await confirmationOf(client.buildDataset({ body: { kind: 'sft', name: 'a', against: [file] } }))
    await confirmationOf(client.planRun({ body: { strategy: 'sft', baseModel: 'none', file } }))
    await confirmationOf(
      client.startRun({ body: { strategy: 'sft', baseModel: 'none', file: link, valFile: file, idempotencyKey: 'once-only' } }),
    )
    await confirmationOf(client.dryRun({ body: { strategy: 'sft', baseModel: 'none', file } }))
  }
  await confirmationOf(client.startImport({ body: { paths: [userHome] } }))

  const { id } = await confirmationOf(peek(elsewhere))
  await server.client.confirmChange({ params: { id } })
  await peek(elsewhere)
  await peek(elsewhere) // repeated while the user maps columns
  await client.importRows({ body: { file: elsewhere } })
  await confirmationOf((await browser()).importRows({ body: { file: elsewhere } }))
  fs.rmSync(path.dirname(elsewhere), { recursive: true })
})

test('a link is resolved once, and its confirmation is only valid for the resolved file', async () => {
  const { userHome } = server.config
  const [open, hidden] = [path.join(userHome, 'open.jsonl'), path.join(userHome, '.keys.d', 'rows.jsonl')]
  const link = path.join(userHome, 'changing.jsonl')
  fs.mkdirSync(path.dirname(hidden))
  for (const file of [open, hidden]) fs.writeFileSync(file, JSON.stringify({ prompt: file, completion: 'c' }))
  const lead = (to: string) => {
    fs.rmSync(link, { force: true })
    fs.symlinkSync(to, link)
  }
  lead(open)
  let looks = 0
  const guarded = underPlaceRule(
    [
      implement(peekFile, ({ body }) => {
        lead(hidden) // after the check, before the file is read
        looks += 1
        expect(body.file).toBe(fs.realpathSync(open))
        return { columns: [], rows: [], kind: null, problem: null }
      }),
    ],
    {
      paths: createPathRule({ ...server.config, trusted: () => [] }),
      confirmations: createConfirmations({ now: Date.now, onConfirmed: () => undefined }),
      stored: {},
      modelShelves: () => [],
    },
  )
  const call = { body: { file: link, columns: {} }, caller: { kind: 'browser', signInId: 'a' } }
  await guarded[0]!.handle(call as unknown as Parameters<Implementation['handle']>[0])
  expect(looks).toBe(1)

  const client = await browser()
  const other = path.join(userHome, '.keys.d', 'other.jsonl')
  fs.writeFileSync(other, '')
  const { id } = await confirmationOf(client.peekFile({ body: { file: link } }))
  await server.client.confirmChange({ params: { id } })
  expect((await client.peekFile({ body: { file: link } })).rows).toHaveLength(1)
  lead(other)
  await confirmationOf(client.peekFile({ body: { file: link } }))
})

test('the owner and other settings need no confirmation', async () => {
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
