import { combine } from '../stage.ts'
import zlib from 'node:zlib'
import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import type { Tier } from '#contracts/entities/common.ts'
import { RescorePreview, Score } from '#contracts/entities/score.ts'
import { Settings } from '#contracts/entities/settings.ts'
import { createScoring, type PolicyScore } from './index.ts'
import { analyser, type AnalysedScore } from './analyser.ts'
import { openCore } from '#server/testing/core.ts'
import { aStep } from './testing.ts'

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close()
})

const idOf = (name: string) => name.padEnd(26, 'a')

/** A real database; the traces stage is replaced by rows and a map of published scores. */
function open() {
  const core = openCore()
  let settings = Settings.parse({})
  const policyScores = new Map<string, PolicyScore>()
  const userTiers = new Map<string, Tier>()
  const rederive = { as: new Map<string, AnalysedScore>(), calls: [] as string[], wait: Promise.resolve() }
  const save = (scoring: Partial<Settings['scoring']>) => {
    settings = { ...settings, scoring: { ...settings.scoring, ...scoring } }
    core.events.append('settings:changed', { settings })
  }
  const scoring = createScoring(core, {
    traces: {
      setPolicyScore: (traceId, score) => policyScores.set(traceId, score),
      userTiers: (ids) => new Map([...userTiers].filter(([id]) => ids.includes(id))),
      count: () => core.db.prepare<[], { n: number }>('SELECT count(*) AS n FROM traces').get()!.n,
    },
    settings: () => settings.scoring,
    savePolicy: (policy) => save({ policy }),
    projectOf: () => '/home/dev/project',
    verified: () => null,
    rederive: async (traceId) => {
      rederive.calls.push(traceId)
      await rederive.wait
      core.tx(() => scoring.onDerived(traceId, rederive.as.get(traceId)!))
    },
  })
  const stages = combine(core, [scoring.stage], () => settings)
  closers.push(async () => {
    await stages.close()
    await core.jobs.close()
    await core.close()
  })

  const columns = core.db.pragma('table_info(traces)') as { name: string; type: string; notnull: number; pk: number }[]
  const needed = columns.filter(({ notnull, pk, name }) => notnull && !pk && name !== 'id')
  const insert = core.db.prepare(
    `INSERT INTO traces (id, ${needed.map(({ name }) => name).join(', ')}) VALUES (?, ${needed.map(({ type }) => (type === 'TEXT' ? "''" : '0')).join(', ')})`,
  )
  const add = (name: string, score: AnalysedScore, options?: { grown?: boolean }) => {
    const id = idOf(name)
    core.tx(() => {
      if (!core.db.prepare('SELECT 1 FROM traces WHERE id = ?').get(id)) insert.run(id)
      scoring.onDerived(id, score, options)
    })
    return id
  }
  const call = async (name: string, body: object) => {
    const route = scoring.stage.routes.find((one) => one.route.name === name)!
    const answer: unknown = await route.handle({
      params: undefined,
      query: undefined,
      body,
      signal: new AbortController().signal,
      who: 'user',
    } as never) // as the HTTP layer calls it
    return answer
  }
  const rescore = async (body: object) => core.jobs.wait(((await call('startRescore', { dryRun: false, ...body })) as { id: string }).id)
  return { core, scoring, policyScores, userTiers, rederive, save, add, call, rescore }
}

const steps = (count: number, command = 'npm test', over = {}) =>
  Array.from({ length: count }, () => aStep({ command, output: 'pass', success: true, ...over }))
const NO_OPTIONS = { verificationCommands: [] }
const scoreOf = (list: ReturnType<typeof aStep>[]) =>
  analyser.analyseTrace(
    list.map((step) => analyser.analyseStep(step, NO_OPTIONS)),
    NO_OPTIONS,
  )
const PASSED = scoreOf(steps(10)) // thresholds: gold (quality .8 or more); verified first: gold
const LISTED = scoreOf([aStep({ command: 'ls -la', output: 'ok', success: true })]) // worked value B: silver, pending
const withOlderVersion = (score: AnalysedScore): AnalysedScore => ({ ...score, scoreVersion: 0 })

describe('a derived trace', () => {
  it.each([
    ['becomes too large', zlib.zstdCompressSync(Buffer.from(`{"evidence":[],"x":"${'a'.repeat(80 << 20)}"}`))],
    ['is damaged', Buffer.from('no zstd')],
    ['is something else', zlib.zstdCompressSync('[5]')],
  ])('has no score, and no error, if its stored detail %s', (_what, detail) => {
    const { core, add, scoring } = open()
    const id = add('a', PASSED)
    core.db.prepare('UPDATE scores SET detail = ? WHERE trace_id = ?').run(detail, id)
    expect(detail.length).toBeLessThan(100_000)
    expect(scoring.getScore(id)).toBeNull()
    add('a', PASSED)
    expect(scoring.getScore(id)).toMatchObject({ verification: 'passed' })
  })

  it('gets its score, tier and reason by the policy of the settings', () => {
    const { add, policyScores, scoring } = open()
    const id = add('b', LISTED)
    expect(policyScores.get(id)).toEqual({
      tier: 'silver',
      tierReason: 'success 1.00 and quality 0.59 reach silver',
      quality: LISTED.quality,
      successRate: 1,
      verification: 'none',
      scoreVersion: 2,
    })
    const score = scoring.getScore(id)!
    expect(Score.parse(score)).toEqual(score)
    expect(score).toMatchObject({
      tier: 'silver',
      tierByPolicy: { thresholds: 'silver', verified_first: 'pending' },
      metrics: LISTED.metrics,
    })
    expect(score.metricEvidence).toEqual(LISTED.metricEvidence)
  })

  it('lists the newest 100 checks and the deciding ones, and counts all', () => {
    const { add, scoring } = open()
    const runs = Array.from({ length: 3000 }, (_, index) => ({ ...PASSED.evidence[0]!, step: `s:${index}`, decides: index === 7 }))
    const { evidence, evidenceCount } = scoring.getScore(add('b', { ...PASSED, evidence: runs }))!
    expect(evidenceCount).toBe(3000)
    expect(evidence.map(({ step }) => step)).toEqual(['s:7', ...runs.slice(-100).map(({ step }) => step)])
  })

  it('is deleted together with its score', () => {
    const { add, core, scoring } = open()
    const id = add('b', LISTED)
    core.db.prepare('DELETE FROM traces WHERE id = ?').run(id)
    expect(scoring.getScore(id)).toBeNull()
  })

  it('keeps a score of an older version when derived again, and gets a new one after growth', () => {
    const { add, scoring } = open()
    const id = add('b', withOlderVersion(LISTED))
    add('b', PASSED, { grown: false })
    expect(scoring.getScore(id)).toMatchObject({ scoreVersion: 0, tier: 'silver' })
    add('b', PASSED)
    expect(scoring.getScore(id)).toMatchObject({ scoreVersion: 2, verification: 'passed' })
  })
})

describe('changed rules', () => {
  const strict = {
    gold: { successRate: 1, quality: 1 },
    silver: { successRate: 1, quality: 0.95 },
    bronze: { successRate: 0.6, quality: 0.4 },
  }

  it('are previewed without writing, and do not affect decisions of the user', async () => {
    const { add, call, userTiers, policyScores } = open()
    const ids = ['b', 'c', 'd'].map((name) => add(name, LISTED))
    add('e', PASSED)
    userTiers.set(ids[2]!, 'gold')
    const preview = RescorePreview.parse(await call('previewScoring', { policy: 'verified_first' }))
    expect(preview).toMatchObject({ traces: 4, scored: 4, moving: 2, keptByUser: 1, outdated: 0 })
    expect(preview.moves).toEqual([{ from: 'silver', to: 'pending', count: 2, examples: [ids[0], ids[1]] }])
    expect(preview.byTier.before).toMatchObject({ silver: 2, gold: 2 })
    expect(preview.byTier.after).toMatchObject({ pending: 2, gold: 2 })
    expect(policyScores.get(ids[0]!)?.tier).toBe('silver')
    expect(await call('previewScoring', { thresholds: strict })).toMatchObject({ moving: 3 })
  })

  it('move the tiers when saved, published in batches', async () => {
    const { add, save, policyScores, core, scoring } = open()
    const ids = Array.from({ length: 450 }, (_, index) =>
      add(`b${String(index).replaceAll(/\d/g, (digit) => 'cdefghijkl'[Number(digit)]!)}`, LISTED),
    )
    save({ thresholds: strict })
    await scoring.settle()
    expect(new Set(ids.map((id) => policyScores.get(id)?.tier))).toEqual(new Set(['bronze']))
    const batches = core.messages.filter(({ type }) => type === 'trace:batch').map(({ payload }) => payload as { updated: string[] })
    expect(batches.flatMap(({ updated }) => updated).toSorted()).toEqual(ids.toSorted())
    expect(batches.length).toBeGreaterThan(1)
  })

  it('apply the newest settings if they change meanwhile', async () => {
    const { add, save, policyScores, scoring } = open()
    const id = add('b', LISTED)
    save({ thresholds: strict })
    save({ thresholds: strict, policy: 'verified_first' })
    await scoring.settle()
    expect(policyScores.get(id)?.tier).toBe('pending')
  })

  it('are applied at the next start if the server was killed', async () => {
    const { add, policyScores, scoring, core } = open()
    const id = add('b', LISTED)
    core.db.prepare("UPDATE scores SET tier = 'gold', reason = 'of other rules' WHERE trace_id = ?").run(id)
    await scoring.stage.start?.({ watch: true })
    await scoring.settle()
    expect(policyScores.get(id)?.tier).toBe('silver')
    expect(scoring.getScore(id)?.tier).toBe('silver')
  })
})

describe('rescoring', () => {
  it('only counts with dryRun', async () => {
    const { add, rescore, rederive, scoring } = open()
    const id = add('b', withOlderVersion(LISTED))
    const job = await rescore({ policy: 'verified_first', dryRun: true })
    expect(job).toMatchObject({ state: 'completed', result: { moving: 1, outdated: 1 } })
    expect(rederive.calls).toEqual([])
    expect(scoring.getScore(id)).toMatchObject({ scoreVersion: 0, policy: 'thresholds' })
  })

  it('rescores the outdated traces, keeps the others, and reports what moved', async () => {
    const { add, rescore, rederive, scoring } = open()
    const [old, current] = [add('b', withOlderVersion(LISTED)), add('c', LISTED)]
    rederive.as.set(old, PASSED)
    const job = await rescore({})
    expect(rederive.calls).toEqual([old])
    expect(job).toMatchObject({
      state: 'completed',
      result: { moving: 1, outdated: 0, moves: [{ from: 'silver', to: scoring.getScore(old)!.tier, count: 1, examples: [old] }] },
    })
    expect(scoring.getScore(current)?.tier).toBe('silver')
  })

  it('saves the requested policy and applies it to all', async () => {
    const { add, rescore, scoring, core } = open()
    const id = add('b', LISTED)
    expect(await rescore({ policy: 'verified_first' })).toMatchObject({ result: { moving: 1 } })
    expect(scoring.getScore(id)).toMatchObject({ policy: 'verified_first', tier: 'pending' })
    expect(core.messages.some(({ type }) => type === 'settings:changed')).toBe(true)
  })

  it('counts scores computed with other verification commands as outdated', async () => {
    const { add, save, call } = open()
    add('b', LISTED)
    save({ verificationCommands: [{ project: '*', command: 'ls -la', kind: 'test' }] })
    expect(await call('previewScoring', {})).toMatchObject({ outdated: 1 })
  })

  it('stops within a second when cancelled, and does not change the policy', async () => {
    const { add, call, rederive, core, scoring } = open()
    const ids = ['b', 'c', 'd', 'e'].map((name) => add(name, withOlderVersion(LISTED)))
    for (const id of ids) rederive.as.set(id, PASSED)
    const gate = Promise.withResolvers<void>()
    rederive.wait = gate.promise
    const { id } = (await call('startRescore', { policy: 'verified_first', dryRun: false })) as { id: string }
    while (rederive.calls.length === 0) await delay(1)
    core.jobs.cancel(id)
    gate.resolve()
    expect(await core.jobs.wait(id)).toMatchObject({ state: 'cancelled' })
    expect(rederive.calls.length).toBeLessThan(ids.length)
    expect(ids.map((traceId) => scoring.getScore(traceId)?.policy)).toEqual(ids.map(() => 'thresholds'))
  })

  it('runs only once at a time', async () => {
    const { call } = open()
    const first = call('startRescore', { dryRun: true })
    await expect(call('startRescore', { dryRun: true })).rejects.toThrow(/already running/)
    await first
  })
})
