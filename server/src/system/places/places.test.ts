import fs from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { overHttp } from '#server/cli/connect.ts'
import { startTestServer, type TestServer } from '#server/testing/server.ts'
import type { Confirmation } from '#contracts/entities/confirmation.ts'
import type { AppError } from '#contracts/errors.ts'
import type { Route } from '#contracts/derive/route.ts'
import type { PlaceKind } from '#contracts/places.ts'
import { routes } from '#contracts/routes/index.ts'
import { type MarkedField, markedFields } from './testing-requests.ts'

let server: TestServer
let key: string
const userHome = () => server.config.userHome

beforeAll(async () => {
  server = await startTestServer()
  key = await newKey()
  for (const name of ['.ssh', '.config/x', 'project', 'claude', 'Work/deep']) fs.mkdirSync(path.join(userHome(), name), { recursive: true })
  fs.writeFileSync(path.join(userHome(), '.ssh', 'id_rsa'), 'a key\n')
  fs.writeFileSync(path.join(userHome(), '.ssh', 'rows.jsonl'), '{"prompt":"p","completion":"c"}\n')
  fs.symlinkSync(path.join(userHome(), '.ssh'), path.join(userHome(), 'link'))
  fs.symlinkSync(path.join(userHome(), '.ssh'), path.join(userHome(), 'project', 'keys'))
  fs.symlinkSync(path.join(userHome(), '.ssh', 'authorized_keys'), path.join(userHome(), 'project', 'new'))
  fs.symlinkSync('/', path.join(userHome(), 'project', 'root'))
})
afterAll(() => server.close())

async function newKey(): Promise<string> {
  const { url } = await server.client.createSignInLink()
  return (await server.client.openSession({ body: { secret: new URL(url).hash.replace('#secret=', '') } })).key
}

/** Sends a request as a browser does. Returns null if it was accepted. */
async function send(route: Route, { params, query, body }: Record<'params' | 'query' | 'body', unknown>, by = key) {
  const client = overHttp(server.url, by).client as unknown as Record<string, (input: object) => Promise<unknown>>
  return client[route.name]!({ params, query, body }).then(
    () => null,
    (error: unknown) => error as { code: string; details?: { confirmation: Confirmation } },
  )
}

const paths = (): string[] => [
  path.join(userHome(), '.ssh'),
  path.join(userHome(), '.ssh', 'rows.jsonl'),
  path.join(userHome(), '.SSH', 'rows.jsonl'),
  path.join(userHome(), '.config', 'x'),
  path.join(userHome(), '.config', 'new', 'deeper'),
  path.join(userHome(), '.bashrc.tar'),
  path.join(userHome(), 'link'),
  path.join(userHome(), 'link', 'rows.jsonl'),
  path.join(userHome(), 'link', 'new.tar'),
  path.join(userHome(), 'project', 'keys', 'rows.jsonl'),
  path.join(userHome(), 'project', 'new'),
  `${userHome()}/project/../.ssh/rows.jsonl`,
  `${userHome()}/project/keys/../.config/x`,
  `${userHome()}/Work/deep/../../.ssh`,
  `${userHome()}//.ssh/.`,
  `${userHome()}/project/root/etc`,
  `${userHome()}/project\0/rows.jsonl`,
  server.config.dataDir,
  path.join(server.config.dataDir, 'token'),
  path.join(server.config.dataDir, 'exports', 'x'),
  path.join(server.config.claudeDir, 'projects'),
  path.dirname(userHome()),
  '/etc',
  '/etc/passwd',
  '/proc/self/environ',
  `/proc/self/root${userHome()}/.ssh/rows.jsonl`,
  '/',
]
const URLS = [
  'http://169.254.169.254/latest',
  'http://10.0.0.1:8080',
  'https://example.com',
  'http://127.0.0.1.nip.io',
  'http://[::ffff:10.0.0.1]/',
  'http://[::ffff:169.254.169.254]/',
  'http://127.0.0.1@10.0.0.1/',
  'http://127.0.0.1:1@example.com/',
  'http://127.0.0.1\\@example.com/',
  'http://localhost.example.com',
  'http://localhost./',
  'http://0.0.0.0:80',
  'http://0xa9fea9fe/',
  'http:\t//10.0.0.1',
  'ftp://127.0.0.1/x',
  'file:///etc/passwd',
  '10.0.0.1:80',
]
const attacks: Record<PlaceKind, () => readonly (string | boolean)[]> = {
  file: paths,
  folder: () => [...paths(), userHome()],
  model: () => [...paths(), userHome()],
  repository: () => [
    ...paths(),
    userHome(),
    `file://${userHome()}/.ssh`,
    `file://localhost${userHome()}/.ssh`,
    `file://${userHome()}/project/%2e%2e/.ssh`,
    'ext::sh -c touch% /tmp/x',
    'ssh://-oProxyCommand=touch/x',
    'git@github.com:x/y.git',
    '--upload-pack=touch x',
    'http://github.com/x/y',
    'https://github.com@example.com/x',
    'https://github.com.example.com/x',
    'https://github.com:8443/x',
    ...URLS,
  ],
  address: () => URLS,
  listen: () => ['0.0.0.0', '10.0.0.1', '::', 'example.com', '127.0.0.1.nip.io'],
  reach: () => ['169.254.169.254:80', '10.0.0.1:80', '127.0.0.1:22', 'example.com:443', 'pypi.org.example.com:443', 'pypi.org:80'],
  asked: () => ['http://10.0.0.1', 'https://10.0.0.1', path.join(userHome(), 'project'), 'open', 'mine', true],
}
const REFUSED = new Set(['confirmation_required', 'path_refused'])

const fields = markedFields(Object.values(routes))
const nameOf = ({ route, part, path: at }: MarkedField) => `${route.name} ${part}.${at}`

/** Everything in the home folder but our own files, with contents. */
function filesOf(folder: string): string[] {
  return fs.readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const place = path.join(folder, entry.name)
    if (place === server.config.dataDir) return []
    return entry.isDirectory() ? [place, ...filesOf(place)] : [`${place} ${entry.isFile() ? fs.readFileSync(place, 'utf8') : ''}`]
  })
}

/** What calls would have left: settings, jobs, rows. */
const traces = async () => [
  filesOf(userHome()),
  await server.client.getSettings(),
  (await server.client.listJobs({ query: {} })).total,
  (await server.client.listTasks({ query: {} })).total,
  (await server.client.listBatches({ query: {} })).total,
  (await server.client.listSandboxes({ query: {} })).total,
  (await server.client.listEnvironments()).items.length,
  (await server.client.listPresets()).items.length,
]

test('the contract has marked fields of every kind, and a request can be made for each', () => {
  expect(new Set(fields.map(({ place }) => place.kind))).toEqual(new Set(Object.keys(attacks)))
  expect(fields.length).toBeGreaterThan(60)
  expect(fields.filter((field) => attacks[field.place.kind]().every((value) => field.request(value) === null)).map(nameOf)).toEqual([])
})

test('a session key alone names no hidden folder, no foreign file and no foreign address, in no field of any route', async () => {
  const before = await traces()
  const passed: string[] = []
  for (const field of fields)
    await Promise.all(
      attacks[field.place.kind]().map(async (value) => {
        const request = field.request(value)
        if (request === null) return
        const error = await send(field.route, request)
        if (error === null || !REFUSED.has(error.code)) passed.push(`${nameOf(field)} = ${value}: ${error?.code ?? 'accepted'}`)
      }),
    )
  expect(passed).toEqual([])
  expect(await traces()).toEqual(before)
}, 120_000)

test('after the owner confirms, exactly this place is named once by this browser', async () => {
  const wrong: string[] = []
  const thief = await newKey()
  for (const field of fields) {
    const mine = await newKey() // a look at the same place would have been confirmed before
    const [request, otherRequest] = HARD[field.place.kind]().flatMap((value) => field.request(value) ?? [])
    if (!request) continue
    const asked = await send(field.route, request, mine)
    const confirmation = asked?.code === 'confirmation_required' ? asked.details!.confirmation : null
    if (confirmation === null) {
      wrong.push(`${nameOf(field)}: ${asked?.code ?? 'accepted'} before`)
      continue
    }
    expect(confirmation.changes).toMatchObject([{ what: field.place.what }])
    await server.client.confirmChange({ params: { id: confirmation.id } })
    for (const error of [await send(field.route, request, thief), otherRequest && (await send(field.route, otherRequest, mine))])
      if (error && error.code !== 'confirmation_required') wrong.push(`${nameOf(field)}: ${error.code} for another`)
    const after = await send(field.route, request, mine)
    if (after && (after.code === 'confirmation_required' || after.code === 'internal')) wrong.push(`${nameOf(field)}: ${after.code} after`)
    if (after && field.route.onlyLooks) continue
    const again = await send(field.route, request, mine)
    // a setting that has the value now is not changed
    if (field.route.name !== 'patchSettings' && !field.route.onlyLooks && again?.code !== 'confirmation_required')
      wrong.push(`${nameOf(field)}: ${again?.code ?? 'accepted'} again`)
    if (field.place.always) await server.client.patchSettings({ body: { access: { trustedFolders: [] } } }) // nothing below is asked for
  }
  expect(wrong).toEqual([])
}, 120_000)

test('a folder that the owner trusts is asked for once, and nothing that is not in it', async () => {
  const outside = fs.mkdtempSync(path.join(path.dirname(userHome()), 'disk-'))
  const folder = (...names: string[]) => path.join(outside, 'work', ...names)
  for (const name of ['app', '.keys', 'other/deep']) fs.mkdirSync(folder(name), { recursive: true })
  fs.mkdirSync(path.join(outside, 'workshop'))
  fs.symlinkSync(path.join(outside, 'workshop'), folder('link'))
  const client = overHttp(server.url, await newKey()).client
  const trust = (...trustedFolders: string[]) => client.patchSettings({ body: { access: { trustedFolders } } })
  const plan = (directory: string) => codeOf(client.planTask({ body: { prompt: 'x', directory } }))
  const question = async (call: Promise<unknown>): Promise<Confirmation | null> =>
    call.then(() => null, (error: unknown) => ((error as AppError).details as { confirmation: Confirmation }).confirmation) // prettier-ignore

  expect(await question(client.planTask({ body: { prompt: 'x', directory: folder('app') } }))).toMatchObject({
    title: 'Confirm giving an agent this folder',
    canTrust: true,
  })
  const asked = await question(trust(folder()))
  expect(asked).toMatchObject({ title: 'Confirm trusting this folder', canTrust: false, changes: [{ to: folder() }] })
  await server.client.confirmChange({ params: { id: asked!.id } })
  expect((await trust(folder())).settings.access.trustedFolders).toEqual([folder()])
  for (const inside of [folder(), folder('app'), folder('other', 'deep')])
    expect([inside, await plan(inside), await plan(inside)]).toEqual([inside, null, null])
  for (const no of [folder('.keys'), folder('link'), outside, path.join(outside, 'workshop'), folder('..', 'workshop')])
    expect([no, await plan(no)]).toEqual([no, 'confirmation_required'])
  // a folder that needs no trust now is asked for too
  expect(await codeOf(trust(folder(), path.join(userHome(), 'project')))).toBe('confirmation_required')
  for (const never of ['/', userHome(), path.dirname(userHome()), server.config.dataDir, path.join(server.config.claudeDir, 'x')])
    expect([never, await codeOf(server.client.patchSettings({ body: { access: { trustedFolders: [never] } } }))]).toEqual([never, 'settings_invalid']) // prettier-ignore

  fs.renameSync(folder(), path.join(outside, 'moved'))
  fs.symlinkSync(path.join(outside, 'moved'), folder()) // whatever a link there leads to is not trusted
  expect(await plan(folder('app'))).toBe('confirmation_required')
  fs.rmSync(folder())
  fs.renameSync(path.join(outside, 'moved'), folder())
  expect(await plan(folder('app'))).toBe(null)
  await trust() // needs no confirmation
  expect(await plan(folder('app'))).toBe('confirmation_required')
  fs.rmSync(outside, { recursive: true })
})

const codeOf = (call: Promise<unknown>): Promise<string | null> =>
  call.then(() => null, (error: unknown) => (error as AppError).code) // prettier-ignore

/** Values of each kind that must be confirmed; a field is tried with the first two that it takes. */
const HARD: Record<PlaceKind, () => readonly (string | boolean)[]> = {
  file: () => [path.join(userHome(), '.config', 'rows.jsonl'), path.join(userHome(), '.ssh', 'rows.jsonl')],
  folder: () => [path.join(userHome(), '.config', 'x'), path.join(userHome(), '.ssh')],
  model: () => [path.join(userHome(), '.config', 'models'), path.join(userHome(), '.ssh')], // a folder of models that was confirmed is not asked again
  repository: () => [path.join(userHome(), '.config', 'x'), path.join(userHome(), '.ssh')],
  address: () => ['http://127.0.0.1.nip.invalid:9', 'http://10.0.0.1:9'],
  listen: () => ['0.0.0.0', '10.0.0.1'],
  reach: () => ['10.0.0.1:80', '10.0.0.2:80'],
  asked: () => ['open', 'http://10.0.0.1', 'mine', true],
}
