import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createGit } from '#server/adapters/git/index.ts'
import { newFolder } from '#server/testing/folders.ts'
import { openCore, resultOf, type TestCore } from '#server/testing/core.ts'
import { startTestServer } from '#server/testing/server.ts'
import { bash, transcriptOf } from '../factory/testing-session.ts'
import { createOutcomes, type OutcomeDeps } from './service.ts'
import { complaintIn } from './complaint.ts'
import { knownHistory } from './known-history.ts'

const DAY = 86_400_000
const START = Date.parse('2026-10-01T12:00:00Z')

let core: TestCore
let folder: string
beforeEach(() => {
  core = openCore()
  folder = newFolder()
  git('init', '-q', '-b', 'main')
})
afterEach(() => core.close())

let day = 0
const git = (...args: string[]): string => {
  const at = new Date(START + day * DAY).toISOString()
  const env = { PATH: process.env['PATH']!, HOME: folder, GIT_CONFIG_NOSYSTEM: '1', GIT_AUTHOR_DATE: at, GIT_COMMITTER_DATE: at }
  return execFileSync('git', ['-C', folder, '-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', ...args], {
    env,
    encoding: 'utf8',
  }).trim()
}
/** Commits a change of a file on a day, and returns its short hash. */
function commit(onDay: number, file: string, text: string, message: string): string {
  day = onDay
  fs.writeFileSync(path.join(folder, file), text)
  git('add', '-A')
  git('commit', '-q', '-m', message)
  return git('rev-parse', '--short', 'HEAD')
}

const row = (commits: string[], more: Partial<Awaited<ReturnType<OutcomeDeps['lists']['ends']>>[number]> = {}) => ({
  id: 'a'.repeat(26),
  cwd: folder,
  endedAt: START,
  verification: 'passed' as const,
  commits: JSON.stringify(commits.map((sha) => ({ sha, stepId: 's', at: START }))),
  prompt: null,
  nextId: null,
  nextAt: null,
  nextPrompt: null,
  ...more,
})

/** What is known of one session `after` days after its commit. */
async function look(session: ReturnType<typeof row>, after = 30) {
  const places = { path: process.env['PATH']!, userHome: folder }
  const clock = { ...core, now: () => START + after * DAY }
  const outcomes = createOutcomes(clock, { lists: { ends: async () => [session], ids: async () => [] }, git: createGit(places) })
  const report = await outcomes.lookUp([session.id], 14, { signal: new AbortController().signal, progress: () => undefined })
  const outcome = outcomes.get(session.id)!
  return {
    report,
    outcome,
    label: outcome.label,
    bad: outcome.facts.filter(({ result }) => result === 'bad').map(({ sentence }) => sentence),
  }
}

test('a commit that stays is kept after the time, and open before', async () => {
  commit(-1, 'b.ts', '', 'before')
  const sha = commit(0, 'a.ts', '1', 'add a')
  commit(3, 'b.ts', '2', 'fix b')
  expect(await look(row([sha]))).toMatchObject({ label: 'kept', bad: [], report: { traces: 1, labels: { kept: 1 }, problems: [] } })
  expect((await look(row([sha]), 5)).label).toBe('open')
})

test('a revert and a fix of the same file correct it within the time, not after it', async () => {
  const first = commit(0, 'a.ts', '1', 'add a')
  commit(20, 'a.ts', '2', 'fix a, too late')
  expect((await look(row([first]))).label).toBe('kept')
  day = 21
  const second = commit(21, 'c.ts', '1', 'add c')
  const fix = commit(23, 'c.ts', '2', 'fixes c')
  const fixed = await look(row([second]), 60)
  expect(fixed.label).toBe('corrected')
  expect(fixed.bad).toEqual([expect.stringContaining(`${git('rev-parse', fix).slice(0, 10)} “fixes c” fixed a file`)])
  const third = commit(24, 'd.ts', '1', 'add d')
  day = 25
  git('revert', '--no-edit', third)
  const reverted = await look(row([third]), 60)
  expect(reverted).toMatchObject({
    label: 'corrected',
    outcome: {
      facts: expect.arrayContaining([expect.objectContaining({ kind: 'reverted', commit: git('rev-parse', 'HEAD') })]) as unknown,
    },
  })
})

test('a commit that was rewritten stays under its new hash; one that no branch has is lost; an unknown one is not verified', async () => {
  commit(-2, 'z.ts', '', 'root')
  const sha = commit(0, 'a.ts', '1', 'add a')
  day = 0
  git('commit', '-q', '--amend', '--no-edit', '--date', new Date(START).toISOString(), '--trailer', 'Signed-off-by: Ada')
  const rewritten = await look(row([sha]))
  expect(rewritten.label).toBe('kept')
  expect(rewritten.outcome.facts[0]!.sentence).toContain(`now as ${git('rev-parse', 'HEAD').slice(0, 10)}`)
  const lost = commit(1, 'b.ts', '1', 'add b')
  git('reset', '-q', '--hard', 'HEAD~1')
  expect(await look(row([lost]))).toMatchObject({ label: 'corrected', bad: [expect.stringContaining('No branch has the commit')] })
  expect(await look(row(['1234567']))).toMatchObject({ label: 'unknown', bad: [] })
})

test('what a session does not date is dated by the repository, and what was not read is not claimed to be gone', async () => {
  const sha = commit(0, 'a.ts', '1', 'add a')
  const undated = row([], { commits: JSON.stringify([{ sha, stepId: 's', at: null }]) })
  expect((await look(undated)).label).toBe('kept')
  const lost = commit(1, 'b.ts', '1', 'add b')
  git('reset', '-q', '--hard', 'HEAD~1')
  const branch = (no: number) => `commit refs/heads/b${no}\ncommitter Ada <ada@example.com> ${START / 1000} +0000\ndata <<E\n${no}\nE\n\n`
  execFileSync('git', ['-C', folder, 'fast-import', '--quiet'], { input: Array.from({ length: 501 }, (_, no) => branch(no)).join('') })
  expect(await look(row([lost]))).toMatchObject({ label: 'unknown', bad: [] })
})

test('a question about one commit does not read the whole history again', () => {
  const one = (no: number) => ({
    hash: String(no).padStart(40, '0'),
    authoredAt: no,
    committedAt: no,
    subject: no % 2 ? 'fix it' : 'add it',
    body: '',
    files: [`${no % 50}.ts`],
  })
  let read = 0
  const commits = Array.from({ length: 5000 }, (_, no) => one(5000 - no))
  const reachable = new Proxy(commits, {
    get(target, name, self) {
      if (typeof name === 'string' && /^\d+$/.test(name)) read += 1
      return Reflect.get(target, name, self) as unknown
    },
  })
  const known = knownHistory({ reachable, asked: new Map(), isWhole: true })
  read = 0
  for (const commit of commits.slice(0, 500)) {
    expect(known.stayed(commit)).toBe(commit)
    expect(known.fixing(['1.ts'], () => true)).toMatchObject({ hash: one(4951).hash })
    expect(known.reverting([commit.hash], () => true)).toBeNull()
  }
  expect(read).toBe(500)
})

test('the next prompt is evidence: in the session, or of the next one in time; a failed check keeps nothing', async () => {
  const sha = commit(0, 'a.ts', '1', 'add a')
  const prompt = (text: string) => JSON.stringify({ id: 'p', at: START + 1000, text })
  expect(await look(row([sha], { prompt: prompt('It is still failing on CI') }))).toMatchObject({
    label: 'corrected',
    bad: ['The next prompt complains: “still failing”.'],
  })
  const next = { nextId: 'b'.repeat(26), nextPrompt: 'that broke the login page' }
  expect((await look(row([sha], { ...next, nextAt: START + DAY }))).label).toBe('corrected')
  expect((await look(row([sha], { ...next, nextAt: START + 20 * DAY }))).label).toBe('kept')
  expect((await look(row([sha], { verification: 'failed' }))).label).toBe('unknown')
  const known = async (more: Parameters<typeof row>[1]) =>
    (await look(row([sha], more))).outcome.facts.find(({ kind }) => kind === 'prompt')!.result
  expect(await known({ ...next, nextAt: START + DAY, nextPrompt: 'Now add a page' })).toBe('good')
  for (const text of ['', ' ', null, '[Image #1]']) {
    expect(await known({ prompt: JSON.stringify({ id: 'p', at: START + 1000, text }) }), 'without text it is no sign').toBe('unknown')
    expect(await known({ ...next, nextAt: START + DAY, nextPrompt: text })).toBe('unknown')
  }
})

test('without a commit or a repository nothing is claimed, and the reason is stored', async () => {
  expect(await look(row([]))).toMatchObject({ label: 'unknown', report: { problems: [] } })
  const gone = await look(row(['1234567'], { cwd: path.join(folder, 'gone', 'far') }))
  expect(gone.outcome.facts[0]!.sentence).toContain('Not verified')
  const nowhere = await look(row(['1234567'], { cwd: null }))
  expect(nowhere).toMatchObject({ label: 'unknown', outcome: { problem: 'Its folder is not known.' } })
})

test.each([
  ['Tests are still failing', 'still failing'],
  ["it doesn't work on Windows", "doesn't work"],
  ['please revert that', 'revert that'],
  ['Now add a page for orders', null],
  ['Does the work of the parser still pass?', null],
  ['Explain why this works', null],
])('%s: %s', (prompt, words) => expect(complaintIn(prompt)).toBe(words))

test('sessions tell their commits and what the next session began with; the result is stored, found by the filter, and no part of the score', async () => {
  const server = await startTestServer()
  const imports = newFolder()
  const sha = commit(0, 'a.ts', '1', 'add a')
  const ids = ['11111111-1111-4111-8111-111111111111', '22222222-2222-4222-8222-222222222222'] as const
  const write = (id: string, prompt: string, calls: Parameters<typeof transcriptOf>[2], from: number) =>
    fs.writeFileSync(path.join(imports, `${id}.jsonl`), transcriptOf(id, prompt, calls, { cwd: folder, from }))
  write(ids[0], 'Add a', [bash('git commit -qam "add a"', `[main ${sha}] add a`)], START)
  write(ids[1], 'That broke the build', [bash('ls', 'a.ts')], START + DAY)
  await resultOf(server.app.core, await server.client.startImport({ body: { paths: [imports] } }))
  const { items } = await server.client.listTraces({ query: { q: 'has:commit' } })
  const { id, quality, tier } = items[0]!
  expect((await server.client.getTraceOutcome({ params: { id } })).outcome).toBeNull()
  const report = await resultOf(server.app.core, await server.client.lookUpOutcomes({ body: { selection: { filter: {} } } }))
  expect(report).toMatchObject({ traces: 2, labels: { corrected: 1, unknown: 1 }, problems: [] })
  const { outcome } = await server.client.getTraceOutcome({ params: { id } })
  expect(outcome?.facts.map(({ kind, result }) => [kind, result])).toEqual([
    ['commit', 'good'],
    ['prompt', 'bad'],
    ['checks', 'unknown'],
  ])
  expect(outcome?.facts[0]).toMatchObject({ commit: git('rev-parse', 'HEAD'), stepId: expect.stringContaining('toolu_') as string })
  const found = await server.client.listTraces({ query: { q: 'outcome:corrected' } })
  expect(found.items.map((trace) => [trace.id, trace.quality, trace.tier])).toEqual([[id, quality, tier]])
  expect(server.contractViolations).toEqual([])
  await server.close()
})
