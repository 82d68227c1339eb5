import fs from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { record } from '#server/stages/capture/testing.ts'
import { startTestServer, type TestServer } from '#server/testing/server.ts'

const SESSION = '8c1f7d52-0f8e-4f5e-9c52-6f2b8a1d9e77'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
  const folder = path.join(server.config.claudeDir, 'projects', '-home-dev-project')
  fs.mkdirSync(folder, { recursive: true })
  const text = 'write to linnea.sandqvist@nordhavn.dk and tomas.brandt@nordhavn.dk; the card is 4111 1111 1111 1111, staff EMP-004211'
  fs.writeFileSync(path.join(folder, `${SESSION}.jsonl`), record(SESSION, text))
  await vi.waitUntil(async () => (await server.client.listTraces({})).total === 1, { timeout: 30_000 })
  await server.app.core.jobs.wait((await server.client.startPrivacyScan({ body: { all: true } })).id)
})
afterAll(() => server.close())

const emails = async () => (await server.client.listFindings({ query: { type: ['email'] } })).items

describe('finding facets', () => {
  it('count every finding in one cell, with the confidence bands of the filter', async () => {
    const { client } = server
    const { cells, total, detector } = await client.getFindingFacets({ query: {} })
    expect(total).toBeGreaterThan(1)
    expect(cells.reduce((sum, { count }) => sum + count, 0)).toBe(total)
    expect(detector.reduce((sum, { count }) => sum + count, 0)).toBe(total)
    const bounds = [0, 0.5, 0.7, 0.9, 2]
    for (const [index, low] of bounds.slice(0, -1).entries()) {
      const { total: listed } = await client.listFindings({ query: { minConfidence: low, belowConfidence: bounds[index + 1]! } })
      expect(listed).toBe(cells.filter(({ confidence }) => confidence === low).reduce((sum, { count }) => sum + count, 0))
    }
    const [first] = detector
    expect((await client.listFindings({ query: { detector: first!.value } })).items.every((one) => one.detector === first!.value)).toBe(
      true,
    )
    expect((await client.listFindings({ query: { detector: 'nobody' } })).total).toBe(0)
    const [one] = await emails()
    expect((await client.listFindings({ query: { id: one!.id } })).items).toEqual([one])
  })
})

describe('decisions on several findings', () => {
  it('are stored and undone together', async () => {
    const { client } = server
    const found = await emails()
    expect(found).toHaveLength(2)
    const on = found.map(({ id }) => ({ scope: 'finding', finding: id }) as const)
    const { items } = await client.decideManyPrivacy({ body: { on, action: 'keep' } })
    expect((await emails()).map(({ action, decidedBy }) => [action, decidedBy])).toEqual([
      ['keep', 'finding'],
      ['keep', 'finding'],
    ])
    const ids = items.map(({ id }) => id)
    await client.undoPrivacyDecision({ params: { id: ids[0]! }, body: {} })
    const undone = await client.undoPrivacyDecisions({ body: { ids } })
    expect(undone.items.every(({ undoneAt }) => undoneAt !== null)).toBe(true)
    expect((await emails()).every(({ decidedBy }) => decidedBy === 'policy')).toBe(true)
  })

  it('are not stored at all if one of the findings is missing', async () => {
    const { client } = server
    const [one] = await emails()
    const on = [one!.id, 'nothing'].map((finding) => ({ scope: 'finding', finding }) as const)
    await expect(client.decideManyPrivacy({ body: { on, action: 'keep' } })).rejects.toMatchObject({ code: 'not_found' })
    expect((await emails()).every(({ decidedBy }) => decidedBy === 'policy')).toBe(true)
  })
})

describe('findings grouped by value', () => {
  const OTHER = '0d3a6c1e-8f0a-4a51-9a7e-3a3d4b5c6d7e'
  const KEYS = Array.from({ length: 3 }, (_, at) => `mail tomas.brandt@nordhavn.dk about ${at}: API_TOKEN=Qm3Rw8Zp7LvT2nBcYt6Hg4Fd1Sa9Ke5J`)

  beforeAll(async () => {
    const folder = path.join(server.config.claudeDir, 'projects', '-home-dev-project')
    fs.writeFileSync(path.join(folder, `${OTHER}.jsonl`), record(OTHER, KEYS.join('\n')))
    await vi.waitUntil(async () => (await server.client.listTraces({})).total === 2, { timeout: 30_000 })
    await server.app.core.jobs.wait((await server.client.startPrivacyScan({ body: { all: true } })).id)
  })

  it('have their places and sessions, those in most places first, page by page', async () => {
    const { client } = server
    const all = await client.listFoundValues({ query: {} })
    expect(all.items.slice(0, 2).map(({ example, places, sessions }) => [example.type, places, sessions])).toEqual([
      ['email', 4, 2],
      ['secret', 3, 1],
    ])
    expect(all.total).toBe(all.items.length)
    expect(all.places).toBe((await client.listFindings({ query: {} })).total)
    const pages: string[] = []
    for (let cursor: string | undefined; pages.length <= all.total;) {
      const page = await client.listFoundValues({ query: { limit: 1, ...(cursor !== undefined && { cursor }) } })
      pages.push(...page.items.map(({ example }) => example.id))
      if (page.nextCursor === null) break
      cursor = page.nextCursor
    }
    expect(pages).toEqual(all.items.map(({ example }) => example.id))
  })

  it('are decided in all places at once', async () => {
    const { client } = server
    const group = async () => (await client.listFoundValues({ query: { type: ['secret'] } })).items[0]!
    const { example } = await group()
    const decision = await client.decidePrivacy({ body: { on: { scope: 'value', value: example.value }, action: 'keep' } })
    expect((await group()).actions).toEqual({ keep: 3, redact: 0, replace: 0 })
    await client.undoPrivacyDecision({ params: { id: decision.id }, body: {} })
    expect((await group()).actions).toEqual({ keep: 0, redact: 3, replace: 0 })
  })

  it('show the line around one, with everything found in it masked', async () => {
    const { client } = server
    const { example } = (await client.listFoundValues({ query: { type: ['secret'] } })).items[0]!
    const line = await client.getFindingLine({ params: { id: example.id } })
    expect(line).toEqual({ before: 'mail *****.******@********.** about 2: API_TOKEN=', masked: '********', after: '' })
  })
})

describe('custom rules', () => {
  it('are rejected with an explanation if they cannot run', async () => {
    const rule = { name: 'staff', type: 'username' as const, matches: [], mustNotMatch: [] }
    const save = (pattern: string) => server.client.patchSettings({ body: { privacy: { customRules: [{ ...rule, pattern }] } } })
    await expect(save('(a+)+b')).rejects.toMatchObject({
      code: 'invalid_request',
      message: expect.stringContaining('repetition') as string,
    })
    await expect(save('(')).rejects.toMatchObject({ code: 'invalid_request' })
    await save('EMP-\\d{6}')
    await server.app.core.jobs.wait((await server.client.startPrivacyScan({ body: { all: false } })).id)
    expect((await server.client.listFindings({ query: { detector: 'staff' } })).total).toBe(1)
  })
})
