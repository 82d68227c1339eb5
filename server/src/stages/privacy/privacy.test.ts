import { once } from 'node:events'
import fs from 'node:fs'
import path from 'node:path'
import tar from 'tar-stream'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { WebSocket } from 'ws'
import type { DatasetBuilt } from '#contracts/entities/dataset.ts'
import { record } from '#server/stages/capture/testing.ts'
import { startTestServer, type TestServer } from '#server/testing/server.ts'

const KEY = `sk-ant-api03-${'Qz7'.repeat(31)}AA`
const EMAIL = 'linnea.sandqvist@nordhavn.dk'
const SESSION = '3b1f7d52-0f8e-4f5e-9c52-6f2b8a1d9e01'

let server: TestServer
let file: string
const messages: string[] = []

const call = (id: string, output: string) =>
  record(SESSION, '', {
    type: 'assistant',
    message: {
      role: 'assistant',
      id: `m-${id}`,
      model: 'claude-sonnet-4-5',
      content: [{ type: 'tool_use', id, name: 'Bash', input: { command: 'cat .env' } }],
    },
  }) + record(SESSION, '', { message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: output }] } })

const runScan = async (all = false) => {
  const job = await server.app.core.jobs.wait((await server.client.startPrivacyScan({ body: { all } })).id)
  expect(job.state).toBe('completed')
  return job.result as { scanned: number; failed: number }
}
const allFindings = async () => (await server.client.listFindings({ query: { limit: 100 } })).items

beforeAll(async () => {
  server = await startTestServer()
  const socket = new WebSocket(`ws://127.0.0.1:${server.port}/ws`, { headers: { authorization: server.authorization } })
  socket.on('message', (text: Buffer) => messages.push(text.toString()))
  await once(socket, 'open')
  socket.send(JSON.stringify({ type: 'subscribe' }))
  const folder = path.join(server.config.claudeDir, 'projects', '-home-dev-project')
  fs.mkdirSync(folder, { recursive: true })
  file = path.join(folder, `${SESSION}.jsonl`)
  fs.writeFileSync(file, record(SESSION, 'look at the settings') + call('toolu_1', `ANTHROPIC_API_KEY=${KEY}\nMAINTAINER_EMAIL=${EMAIL}\n`))
  await vi.waitUntil(async () => (await server.client.listTraces({})).total === 1, { timeout: 30_000 })
})
afterAll(() => server.close())

describe('findings in the archive', () => {
  it('are found by type, masked, with their position', async () => {
    expect(await runScan()).toMatchObject({ failed: 0 })
    const items = await allFindings()
    const key = items.find(({ type }) => type === 'api_key')!
    const email = items.find(({ type }) => type === 'email')!
    expect(key).toMatchObject({ part: 'result', path: '', preview: '********', action: 'redact', decidedBy: 'policy' })
    expect(email).toMatchObject({ part: 'result', preview: '******.*********@********.**', action: 'replace', decidedBy: 'policy' })
    expect(key.stepId).toContain('toolu_1')
    const status = await server.client.getPrivacy()
    expect(status).toMatchObject({ scanned: 1, outstanding: 0, failed: 0, jobId: null })
    expect(status.byType['email']).toBe(1)
    expect(status.findings).toBe(items.length)
  })

  it('show their text only on request, one at a time', async () => {
    const email = (await allFindings()).find(({ type }) => type === 'email')!
    const context = await server.client.getFindingContext({ params: { id: email.id } })
    expect(context.value).toBe(EMAIL)
    expect(context.before).toContain('MAINTAINER_EMAIL=')
    await expect(server.client.getFindingContext({ params: { id: 'nothing' } })).rejects.toMatchObject({ code: 'not_found' })
  })

  it('are updated when a session grows, and completely when the rules change', async () => {
    const before = await allFindings()
    fs.appendFileSync(file, call('toolu_2', `mailto ${EMAIL} again\n`))
    await vi.waitUntil(async () => (await server.client.listTraces({})).items[0]!.counts.toolCalls === 2, { timeout: 30_000 })
    await runScan()
    const after = await allFindings()
    const emails = after.filter(({ type }) => type === 'email')
    expect(emails).toHaveLength(2)
    expect(new Set(emails.map(({ value }) => value)).size).toBe(1)
    expect(after.map(({ id }) => id)).toEqual(expect.arrayContaining(before.map(({ id }) => id)))

    const { policyHash } = await server.client.getPrivacy()
    await server.client.patchSettings({ body: { privacy: { allowed: [EMAIL] } } })
    expect((await server.client.getPrivacy()).outstanding).toBe(1)
    await runScan()
    expect((await allFindings()).filter(({ type }) => type === 'email')).toHaveLength(0)
    expect((await server.client.getPrivacy()).policyHash).not.toBe(policyHash)
    await server.client.patchSettings({ body: { privacy: { allowed: [] } } })
    await runScan()
    expect((await server.client.getPrivacy()).policyHash).toBe(policyHash)
  })

  it('are filtered and counted', async () => {
    const { client } = server
    const only = await client.listFindings({ query: { type: ['email'], limit: 1 } })
    expect(only).toMatchObject({ total: 2 })
    const next = await client.listFindings({ query: { type: ['email'], limit: 1, cursor: only.nextCursor! } })
    expect(next.nextCursor).toBeNull()
    expect(next.items[0]!.id).not.toBe(only.items[0]!.id)
    expect((await client.listFindings({ query: { action: 'redact' } })).items.every(({ action }) => action === 'redact')).toBe(true)
    expect((await client.listFindings({ query: { value: only.items[0]!.value } })).total).toBe(2)
    const facets = await client.getFindingFacets({ query: {} })
    expect(facets.type).toContainEqual({ value: 'email', count: 2 })
    expect(facets.action.reduce((sum, { count }) => sum + count, 0)).toBe(facets.total)
    await expect(client.listFindings({ query: { cursor: 'x' } })).rejects.toMatchObject({ code: 'invalid_request' })
  })
})

describe('decisions', () => {
  it('apply by the narrowest scope, and can be undone', async () => {
    const { client } = server
    const [email] = (await client.listFindings({ query: { type: ['email'] } })).items
    const now = async () => (await allFindings()).find(({ id }) => id === email!.id)!
    const byType = await client.decidePrivacy({ body: { on: { scope: 'type', type: 'email' }, action: 'redact' } })
    expect(await now()).toMatchObject({ action: 'redact', decidedBy: 'type' })
    const byValue = await client.decidePrivacy({
      body: { on: { scope: 'value', value: email!.value }, action: 'replace', strategy: 'hash' },
    })
    expect(await now()).toMatchObject({ action: 'replace', decidedBy: 'value' })
    const byFinding = await client.decidePrivacy({ body: { on: { scope: 'finding', finding: email!.id }, action: 'keep' } })
    expect(await now()).toMatchObject({ action: 'keep', decidedBy: 'finding' })
    const other = (await client.listFindings({ query: { type: ['email'] } })).items.find(({ id }) => id !== email!.id)!
    expect(other.decidedBy).toBe('value')
    for (const { id } of [byFinding, byValue, byType]) await client.undoPrivacyDecision({ params: { id }, body: {} })
    expect(await now()).toMatchObject({ action: 'replace', decidedBy: 'policy' })
    await expect(client.undoPrivacyDecision({ params: { id: byFinding.id }, body: {} })).rejects.toMatchObject({ code: 'nothing_to_undo' })
    expect((await client.listPrivacyDecisions({ query: {} })).items.every(({ undoneAt }) => undoneAt !== null)).toBe(true)
  })

  it('cannot keep a whole type of secret', async () => {
    const on = { scope: 'type', type: 'api_key' } as const
    await expect(server.client.decidePrivacy({ body: { on, action: 'keep' } })).rejects.toMatchObject({ code: 'invalid_request' })
  })
})

describe('preview', () => {
  it('shows a text before and after, under another policy too', async () => {
    const { client } = server
    const { policy } = { policy: { ...(await client.getSettings()).settings.privacy, defaultStrategy: 'redact' as const } }
    const preview = await client.previewPrivacy({ body: { text: `mail ${EMAIL}`, policy } })
    expect(preview.after).toBe('mail [EMAIL_1]')
    expect(preview.findings).toMatchObject([{ type: 'email', start: 5 }])
    expect(preview.report).toMatchObject({ records: 1, recordsWithFindings: 1, actions: { redact: 1 } })
  })

  it('does not block other requests while it scans a slow text', async () => {
    const { client } = server
    let isDone = false
    const slowPreview = client.previewPrivacy({ body: { text: 'curl -u a:'.repeat(9900) } }).then(() => (isDone = true))
    await client.getHealth() // sent first or second, it is answered first
    expect(isDone).toBe(false)
    await slowPreview
  })

  it('rejects a rule whose pattern could take forever', async () => {
    const rule = { name: 'a', type: 'email' as const, pattern: 'x*x*x*x*y', matches: [], mustNotMatch: ['x'.repeat(500)] }
    const { privacy } = (await server.client.getSettings()).settings
    await expect(server.client.previewPrivacy({ body: { text: 'a', policy: { ...privacy, customRules: [rule] } } })).rejects.toMatchObject({
      code: 'invalid_request',
      message: expect.stringContaining('too many ways') as string,
    })
  })
})

describe('statistics with noise', () => {
  it('are charged to the budget, and rejected when it is spent', async () => {
    const { client } = server
    const first = await client.releaseStatistic({ body: { what: 'sessions_by_tier', epsilon: 5 } })
    expect(Object.keys(first.bins!)).toContain('gold')
    expect(first).toMatchObject({ left: 3, release: { epsilon: 5, sensitivity: 1, delta: 0 } })
    await expect(client.releaseStatistic({ body: { what: 'sessions', epsilon: 4 } })).rejects.toMatchObject({
      code: 'budget_spent',
      details: { left: 3 },
    })
    expect((await client.releaseStatistic({ body: { what: 'mean_session_minutes', epsilon: 3 } })).left).toBe(0)
    expect(await client.getPrivacyBudget()).toMatchObject({ epsilon: 8, spent: 8, left: 0, deltaSpent: 0 })
  })
})

/** Everything in a backup except the archive, which is unchanged. */
async function backupEntries(file: string): Promise<Map<string, Buffer>> {
  const entries = new Map<string, Buffer>()
  const extract = fs.createReadStream(file).pipe(tar.extract())
  for await (const entry of extract) {
    const bytes = Buffer.concat(await Array.fromAsync(entry as AsyncIterable<Buffer>))
    if (!entry.header.name.startsWith('archive/')) entries.set(entry.header.name, bytes)
  }
  return entries
}

describe('values of findings', () => {
  it('are in no example, pair, data set, export or backup', async () => {
    const { client, app } = server
    const result = async <T>(job: { id: string }) => {
      const ended = await app.core.jobs.wait(job.id)
      expect(ended.error).toBeNull()
      return ended.result as T
    }
    const traceId = (await client.listTraces({})).items[0]!.id
    await result(await client.buildExamples({ body: { selection: { ids: [traceId] } } }))
    const examples = await client.listExamples({ query: {} })
    const example = await client.getExample({ params: { id: examples.items[0]!.id } })
    expect(JSON.stringify(example)).toContain('[API_KEY_1]')
    await result(await client.findPairs({ body: { selection: { ids: [traceId] } } }))
    const built = await result<DatasetBuilt>(await client.buildDataset({ body: { kind: 'sft', traceIds: [traceId], minQuality: 0 } }))
    const params = { id: built.id }
    const dataset = await client.getDataset({ params })
    expect(dataset.privacy?.survivors?.findings).toBe(0)
    const places = new Map<string, Buffer>()
    for (const format of ['nemo', 'openai', 'trl', 'sharegpt', 'alpaca', 'parquet', 'hf'] as const)
      for (const file of (await client.exportDataset({ params, body: { format } })).files) places.set(file.path, fs.readFileSync(file.path))
    const written = [...places.values()].reduce((sum, bytes) => sum + bytes.length, 0)
    expect(written).toBeGreaterThan(1000)

    const backup = path.join(server.config.userHome, 'backup.tar')
    await client.createBackup({ body: { file: backup } })
    const backupFiles = await backupEntries(backup)
    expect([...backupFiles.keys()]).toEqual(expect.arrayContaining(['bashgym.db', 'privacy-key', `datasets/${built.id}/train.jsonl`]))
    expect([...backupFiles.keys()].filter((name) => /token|log|env|provider/.test(name))).toEqual([])
    for (const [name, bytes] of backupFiles) places.set(`backup: ${name}`, bytes)

    const rows = await client.listDatasetRows({ params, query: {} })
    places.set('answers', Buffer.from(JSON.stringify([examples, example, await client.listPairs({ query: {} }), dataset, rows, built])))
    for (const [place, bytes] of places) {
      expect(bytes.includes(KEY), `the key in ${place}`).toBe(false)
      // the database contains it as a value that the user once allowed
      expect(bytes.includes(EMAIL) && !place.includes('bashgym.db'), `the address in ${place}`).toBe(false)
    }
  })

  it('are in no log, event, message, list or database row, and only in the archive of the data directory', async () => {
    const { core } = server.app
    core.log.info('last line')
    const answers = JSON.stringify([
      await allFindings(),
      await server.client.getFindingFacets({ query: {} }),
      await server.client.getPrivacy(),
      await server.client.listPrivacyDecisions({ query: {} }),
      await server.client.listJobs({ query: {} }),
    ])
    core.db.pragma('wal_checkpoint(TRUNCATE)')
    const otherMessages = messages.filter((text) => !text.includes('settings:changed')) // the user's own list of allowed values
    expect(otherMessages.filter((text) => text.includes('"privacy:changed"')).length).toBeGreaterThan(1)
    for (const value of [KEY, EMAIL]) {
      expect(answers).not.toContain(value)
      expect(otherMessages.join('\n')).not.toContain(value)
    }
    const dump = (sql: string) => JSON.stringify(core.db.prepare(sql).all())
    expect(dump('SELECT * FROM privacy_findings') + dump('SELECT * FROM jobs')).not.toContain(EMAIL)
    const files = (fs.readdirSync(server.config.dataDir, { recursive: true }) as string[]).filter(
      (name) => !/^(archive|spool)|^search\.db/.test(name),
    )
    expect(files).toContain('bashgym.db')
    const filesWithKey = files
      .map((name) => path.join(server.config.dataDir, name))
      .filter((place) => fs.statSync(place).isFile() && fs.readFileSync(place).includes(KEY))
    expect(filesWithKey).toEqual([])
    const keyFile = path.join(server.config.dataDir, 'privacy-key')
    expect(fs.statSync(keyFile).mode & 0o777).toBe(0o600)
  })

  it('are deleted with the session', async () => {
    const { id } = (await server.client.listTraces({})).items[0]!
    await server.client.forgetTrace({ params: { id } })
    expect(await allFindings()).toEqual([])
    expect(server.contractViolations).toEqual([])
  })
})
