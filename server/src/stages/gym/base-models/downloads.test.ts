import { createHash } from 'node:crypto'
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Job } from '#contracts/entities/job.ts'
import type { DownloadedModel } from '#contracts/entities/base-model.ts'
import { commitOf, startTestHub, type TestHub } from '#server/adapters/hub/testing-hub.ts'
import type { Config } from '#server/config.ts'
import { canMount } from '#server/testing/mounts.ts'
import { startTestServer, testConfig, type TestServer } from '#server/testing/server.ts'
import { writeHubModel } from './testing-hub-model.ts'

const ID = 'acme/tiny-instruct'
const WEIGHTS = 'model.safetensors'

let hub: TestHub
let server: TestServer
let config: Config
let remove: () => void

beforeEach(async () => {
  hub = await startTestHub()
  ;({ remove, ...config } = testConfig()) // also used by the second server of a test
  config.hub = { ...config.hub, endpoint: hub.url }
  hub.repos.set(ID, { folder: writeHubModel(path.join(config.userHome, 'tiny')), license: 'apache-2.0' })
  server = await startTestServer({ config })
})
afterEach(async () => {
  await server.close()
  await hub.close()
  remove()
})

const cache = () => config.hubCache
const repo = () => path.join(cache(), `models--${ID.replace('/', '--')}`)
const lookUp = (id = ID) => server.client.lookUpBaseModel({ body: { id } })
const download = (id = ID) => server.client.downloadBaseModel({ body: { id, revision: commitOf(id) } })
async function ended({ id }: Job): Promise<Job> {
  for (;;) {
    const job = await server.client.getJob({ params: { id }, query: { waitMs: 10_000 } })
    if (job.endedAt !== null) return job
  }
}
const downloads = async () => (await server.client.listBaseModelDownloads({})).items
const found = async () => (await server.client.listBaseModels({ query: {} })).items.find(({ id }) => id === ID)
const fail = (...faults: Parameters<TestHub['faults']['set']>[1]) => hub.faults.set(WEIGHTS, faults)
const weights = () => fs.readFileSync(path.join(hub.repos.get(ID)!.folder, WEIGHTS))

it('shows size, licence, access and space before a download, and contacts the hub only on request', async () => {
  await server.client.listBaseModels({ query: {} })
  await server.client.getHub({})
  expect(hub.requests).toEqual([])
  const model = await lookUp()
  expect(model).toMatchObject({ id: ID, revision: commitOf(ID), license: 'apache-2.0', gated: false, private: false, architecture: 'Qwen2ForCausalLM', contextLength: 512, problem: null, bytesHere: 0 }) // prettier-ignore
  expect(model.freeBytes).toBeGreaterThan(0)
  expect(model.bytes).toBe(model.files.reduce((sum, { bytes }) => sum + bytes, 0))
  expect(model.files.map((file) => file.path).toSorted()).toEqual(['LICENSE', 'README.md', 'chat_template.jinja', 'config.json', WEIGHTS, 'tokenizer.json', 'tokenizer_config.json']) // prettier-ignore
  expect(fs.existsSync(repo())).toBe(false)
  expect(hub.sent()).toBeLessThan(4096) // config.json and tokenizer_config.json
})

it('downloads only files that training needs into the hub cache, where the model is then found', async () => {
  const job = await ended(await download())
  expect(job.error).toBeNull()
  const { path: folder, files } = job.result as DownloadedModel
  expect([folder, files]).toEqual([path.join(repo(), 'snapshots', commitOf(ID)), 7])
  expect(fs.readFileSync(path.join(repo(), 'refs', 'main'), 'utf8')).toBe(commitOf(ID))
  const blob = createHash('sha256').update(weights()).digest('hex')
  expect(fs.readlinkSync(path.join(folder, WEIGHTS))).toBe(path.join('..', '..', 'blobs', blob))
  expect(fs.readFileSync(path.join(folder, WEIGHTS)).equals(weights())).toBe(true)
  expect(fs.statSync(path.join(folder, WEIGHTS)).mode & 0o777).toBe(0o600)
  expect(fs.statSync(path.join(repo(), 'blobs')).mode & 0o777).toBe(0o700)
  expect(fs.readdirSync(repo()).toSorted()).toEqual(['blobs', 'refs', 'snapshots'])
  expect(await found()).toMatchObject({ path: folder, source: 'hub-cache', license: 'apache-2.0', problem: null })
  expect(await downloads()).toEqual([])
  const sent = hub.sent()
  await ended(await download())
  expect(hub.sent()).toBe(sent) // nothing is missing
})

it('continues after a broken connection, and fetches the whole file from a server without ranges', async () => {
  fail({ cutAfter: 10_000 }, 'no-ranges')
  const job = await ended(await download())
  expect(job.error).toBeNull()
  const ranges = hub.requests.filter(({ to, path: place }) => to === 'cdn' && place.includes('safetensors')).map(({ headers }) => headers.range) // prettier-ignore
  expect(ranges).toEqual([undefined, 'bytes=10000-'])
  expect(fs.readFileSync(path.join((job.result as DownloadedModel).path, WEIGHTS)).equals(weights())).toBe(true)
})

it('can be paused, continued after a restart of the server, and discarded', async () => {
  fail({ holdAfter: 20_000 }, { holdAfter: 5000 })
  const begun = await download()
  await hub.holding()
  await expect(download()).rejects.toMatchObject({ code: 'job_running' })
  await expect(server.client.discardBaseModelDownload({ body: { id: ID } })).rejects.toMatchObject({ code: 'job_running' })
  await expect.poll(async () => (await downloads())[0]?.bytesHere).toBeGreaterThan(20_000)
  expect((await downloads())[0]).toMatchObject({ id: ID, state: 'downloading', jobId: begun.id, problem: null })
  await server.client.cancelJob({ params: { id: begun.id }, body: {} })
  expect((await ended(begun)).state).toBe('cancelled')
  const [paused] = await downloads()
  expect(paused).toMatchObject({ id: ID, state: 'paused', problem: null, revision: commitOf(ID) })
  expect((await found())?.problem ?? 'not found').not.toBeNull()

  await server.close()
  server = await startTestServer({ config })
  expect(await downloads()).toMatchObject([{ id: ID, state: 'paused', bytesHere: paused!.bytesHere }])
  expect((await lookUp()).bytesHere).toBe(paused!.bytesHere)
  const again = await download()
  await hub.holding()
  expect(hub.requests.at(-1)!.headers.range).toBe('bytes=20000-')
  await server.client.cancelJob({ params: { id: again.id }, body: {} })
  await ended(again)
  const { freedBytes } = await server.client.discardBaseModelDownload({ body: { id: ID } })
  expect(freedBytes).toBeGreaterThan(20_000)
  expect([fs.existsSync(repo()), await downloads()]).toEqual([false, []])
  await expect(server.client.discardBaseModelDownload({ body: { id: ID } })).rejects.toMatchObject({ code: 'not_found' })
})

it('deletes and names a file that does not match its hash, even if it changed during a pause', async () => {
  fail('other-bytes')
  expect((await ended(await download())).error).toMatchObject({ code: 'hub_bad_answer', message: `The content of ${WEIGHTS} of ${ID} does not match its hash, so it was deleted.` }) // prettier-ignore
  const hash = createHash('sha256').update(weights()).digest('hex')
  expect(fs.readdirSync(path.join(repo(), 'blobs')).filter((name) => name.startsWith(hash))).toEqual([])
  expect((await downloads())[0]).toMatchObject({ state: 'paused', problem: expect.stringContaining('hash') as string })
  fail('too-long')
  expect((await ended(await download())).error?.message).toMatch(/longer than the \d+ bytes/)
  const part = path.join(repo(), 'blobs', `${hash}.bashgym.incomplete`)
  fs.writeFileSync(part, Buffer.alloc(5000, 1))
  expect((await ended(await download())).error?.code).toBe('hub_bad_answer')
  expect((await ended(await download())).error).toBeNull()
})

it('explains why a gated, private or missing model cannot be downloaded, and sends the token only to the hub', async () => {
  hub.repos.set('acme/gated', { folder: hub.repos.get(ID)!.folder, gated: 'manual', token: 'hf_right_token', license: 'llama3' })
  hub.repos.set('acme/private', { folder: hub.repos.get(ID)!.folder, private: true, token: 'hf_right_token' })
  const gated = await lookUp('acme/gated')
  expect(gated).toMatchObject({ gated: true, license: 'llama3', problem: expect.stringContaining('granted access') as string })
  expect(gated.hint).toContain('Accept the terms')
  expect((await ended(await download('acme/gated'))).error?.code).toBe('model_gated')
  await expect(lookUp('acme/private')).rejects.toMatchObject({ code: 'model_not_on_hub' })
  await expect(lookUp('acme/missing')).rejects.toMatchObject({ code: 'model_not_on_hub' })

  expect(await server.client.setHubToken({ body: { token: 'hf_right_token' } })).toMatchObject({ tokenFrom: 'saved' })
  expect((await lookUp('acme/gated')).problem).toBeNull()
  expect((await lookUp('acme/private')).private).toBe(true)
  expect((await ended(await download('acme/gated'))).error).toBeNull()
  const withToken = (to: 'hub' | 'cdn') => hub.requests.filter((one) => one.to === to).some(({ headers }) => headers.authorization)
  expect([withToken('hub'), withToken('cdn')]).toEqual([true, false])
  const responses = JSON.stringify([await server.client.getHub({}), await server.client.getSettings({}), await server.client.listJobs({ query: {} })]) // prettier-ignore
  expect(responses).not.toContain('hf_right_token')
  expect(fs.readFileSync(path.join(server.app.core.paths.logs, fs.readdirSync(server.app.core.paths.logs)[0]!), 'utf8')).not.toContain('hf_right_token') // prettier-ignore
  expect(await server.client.deleteHubToken({})).toMatchObject({ tokenFrom: null })
})

it('refuses repositories without trainable weights, and invalid ids', async () => {
  const folder = path.join(config.userHome, 'other')
  const repoOf = (id: string, names: string[]) => {
    const place = path.join(folder, id)
    fs.mkdirSync(place, { recursive: true })
    for (const name of names) fs.writeFileSync(path.join(place, name), '{}')
    hub.repos.set(id, { folder: place })
  }
  repoOf('acme/bin', ['config.json', 'pytorch_model.bin', 'tokenizer.json'])
  repoOf('acme/gguf', ['model-q4.gguf'])
  repoOf('acme/adapter', ['adapter_config.json', 'adapter_model.safetensors'])
  expect((await lookUp('acme/bin')).problem).toContain('.bin')
  expect((await lookUp('acme/gguf')).problem).toContain('GGUF')
  expect((await lookUp('acme/adapter')).problem).toContain('adapter')
  for (const id of ['acme', 'acme/../x', '../../etc/passwd', 'a/b/c', 'a/b--c'])
    await expect(lookUp(id)).rejects.toMatchObject({ code: 'invalid_request' })
})

it('retries a busy hub, and reports one that cannot be reached', async () => {
  fail({ status: 429, headers: { 'retry-after': new Date(Date.now() + 3_600_000).toUTCString() } }) // too long to wait for
  expect((await ended(await download())).error).toMatchObject({ code: 'hub_unreachable' })
  fail({ status: 503, headers: { 'retry-after': '0' } }, { status: 429, headers: { 'retry-after': '0' } })
  expect((await ended(await download())).error).toBeNull()
  await hub.close()
  await expect(lookUp()).rejects.toMatchObject({ code: 'hub_unreachable', message: expect.stringContaining('ECONNREFUSED') as string })
})

it.runIf(canMount)('refuses a download that would fill the disk, and works with another folder', async () => {
  const small = path.join(config.userHome, 'small')
  fs.mkdirSync(small)
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', small])
  try {
    await server.client.patchSettings({ body: { training: { hub: { endpoint: hub.url, folder: small } } } })
    fs.writeFileSync(path.join(small, 'other'), Buffer.alloc(980_000))
    expect((await lookUp()).problem).toContain('not enough free space')
    expect((await ended(await download())).error).toMatchObject({ code: 'disk_full', message: expect.stringContaining(small) as string })
  } finally {
    execFileSync('umount', [small])
  }
  await server.client.patchSettings({ body: { training: { hub: { endpoint: hub.url, folder: path.join(config.userHome, 'big') } } } })
  const job = await ended(await download())
  expect((job.result as DownloadedModel).path).toContain(path.join(config.userHome, 'big', 'models--acme--tiny-instruct'))
  expect(await found()).toMatchObject({ source: 'hub-cache', problem: null })
})
