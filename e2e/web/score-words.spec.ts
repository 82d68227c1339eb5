import fs from 'node:fs'
import path from 'node:path'
import type { Page } from '@playwright/test'
import { axe, expect, open, rowsOf, test } from './fixtures.ts'
import { jobDone, type RunningServer, type Workspace } from '../support/server.ts'

/** A suite with a meaningless name, so no rule can recognise it as a test. */
const SUITE = './gauntlet --quick'
const CWD = '/home/dev/shop'
const SESSIONS = ['3b1a55a0-0000-4000-8000-000000000001', '3b1a55a0-0000-4000-8000-000000000002']

interface Row {
  id: string
  sessionId: string
  tier: string
  unverified: boolean
  verification: string
  hooksOnly: boolean
}

/** A session with the figures of gold and no verification. */
function goldSession(workspace: Workspace, sessionId: string): void {
  const calls: [string, Record<string, unknown>, string][] = [
    ['Glob', { pattern: 'src/*.ts' }, 'src/cart.ts'],
    ['Read', { file_path: `${CWD}/src/cart.ts` }, 'export const cart = []'],
    ['Grep', { pattern: 'total' }, 'src/cart.ts:3: total'],
    ['Bash', { command: 'git status' }, 'On branch main'],
    ['Bash', { command: 'ls src' }, 'cart.ts'],
    ['Bash', { command: 'git log -3 | cat' }, '1a2b3c first'],
    ['Bash', { command: 'cat package.json' }, '{ "name": "shop" }'],
    ['Edit', { file_path: `${CWD}/src/cart.ts`, old_string: '[]', new_string: '[1]' }, 'The file was changed.'],
    ['Bash', { command: 'git diff' }, '+export const cart = [1]'],
    ['Bash', { command: 'cd src && ls' }, 'cart.ts'],
    ['Bash', { command: `cd ${CWD} && ${SUITE}` }, 'everything as it should be'],
  ]
  const common = { sessionId, cwd: CWD, version: '2.1.329', gitBranch: 'main', isSidechain: false, userType: 'external' }
  const at = (second: number) => ({ timestamp: new Date(Date.UTC(2026, 10, 20, 10, 0, second)).toISOString() })
  const usage = { input_tokens: 10, output_tokens: 10, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 }
  let parentUuid: string | null = null
  const lines: unknown[] = []
  const add = (uuid: string, record: Record<string, unknown>) => {
    lines.push({ ...common, parentUuid, uuid, ...record })
    parentUuid = uuid
  }
  const uuid = (n: number) => `${sessionId.slice(0, -4)}${String(n).padStart(4, '0')}`
  add(uuid(1000), { type: 'user', message: { role: 'user', content: 'Put one article into the cart' }, ...at(0) })
  calls.forEach(([name, input, content], index) => {
    const id = `toolu_${sessionId.slice(-2)}${index}`
    const message = {
      id: `msg_${id}`,
      role: 'assistant',
      model: 'claude-opus-5-5',
      content: [{ type: 'tool_use', id, name, input }],
      usage,
    }
    add(uuid(2000 + index), { type: 'assistant', requestId: `req_${id}`, message, ...at(index * 2 + 1) })
    const result = { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content }] }
    add(uuid(3000 + index), { type: 'user', message: result, ...at(index * 2 + 2) })
  })
  const folder = path.join(workspace.claudeDir, 'projects', '-home-dev-shop')
  fs.mkdirSync(folder, { recursive: true })
  fs.writeFileSync(path.join(folder, `${sessionId}.jsonl`), lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
}

const traces = async (server: RunningServer) => (await server.api<{ items: Row[] }>('/api/traces?limit=100')).items
const goldSessions = async (server: RunningServer, workspace: Workspace) => {
  for (const sessionId of SESSIONS) goldSession(workspace, sessionId)
  const { id } = await server.api<{ id: string }>('/api/imports', { method: 'POST', body: {} })
  await jobDone(server, id)
  const rows = await traces(server)
  expect(rows.map(({ tier, unverified }) => [tier, unverified])).toEqual(SESSIONS.map(() => ['gold', true]))
  return rows
}

/** One picture a theme, for the eye: `BASHGYM_PICTURES` names the folder. */
async function pictures(app: Page, name: string): Promise<void> {
  const folder = process.env['BASHGYM_PICTURES']
  if (!folder) return
  for (const colorScheme of ['dark', 'light'] as const) {
    await app.emulateMedia({ colorScheme })
    await app.screenshot({ path: path.join(folder, `${name}-${colorScheme}.png`) })
  }
}

test('a command marked as a test command verifies its session and the others of its project until the mark is removed', async ({
  app,
  server,
  workspace,
}) => {
  const [session] = await goldSessions(server, workspace)
  await open(app, server, `/traces/${session!.id}`)
  const transcript = app.getByRole('button', { name: new RegExp(SUITE.replace('.', String.raw`\.`)) })
  await transcript.first().scrollIntoViewIfNeeded()
  const card = app.locator('div.rounded.border').filter({ hasText: SUITE }).last()
  await card.getByRole('button', { name: 'Command options' }).click()
  await app.getByRole('menuitem', { name: 'This is a test command' }).click()
  await expect(card.getByText(`Marked by you: ${SUITE} is a test command in ${CWD}.`)).toBeVisible()
  await expect
    .poll(async () => (await traces(server)).map(({ verification, unverified }) => [verification, unverified]))
    .toEqual(SESSIONS.map(() => ['passed', false]))
  await expect(app.getByText('tests passed').first()).toBeVisible()
  await pictures(app, 'verdict-card')
  expect(await axe(app)).toEqual([])

  await card.getByRole('button', { name: 'Undo' }).click()
  await expect(card.getByText('Marked by you')).toHaveCount(0)
  await expect.poll(async () => (await traces(server)).map(({ unverified }) => unverified)).toEqual([true, true])

  await card.getByRole('button', { name: 'Command options' }).click()
  await app.getByRole('menuitem', { name: 'This is a test command' }).click()
  await expect(card.getByText('Marked by you')).toBeVisible()
  await open(app, server, '/settings/scoring')
  const table = app.getByRole('table', { name: 'Commands you marked' })
  await expect(table).toContainText(SUITE)
  await table.scrollIntoViewIfNeeded()
  await pictures(app, 'verdict-settings')
  await table.getByRole('button', { name: `Remove ${SUITE}` }).click()
  await expect(table).toHaveCount(0)
  await expect.poll(async () => (await traces(server)).map(({ unverified }) => unverified)).toEqual([true, true])
})

test('gold without verification says so, has a filter, and is left out of a data set unless it is included', async ({
  app,
  server,
  workspace,
}) => {
  await goldSessions(server, workspace)
  await open(app, server, '/traces?q=is%3Aunverified')
  await expect(rowsOf(app)).toHaveCount(2)
  await expect(rowsOf(app).first()).toContainText('unverified')
  await pictures(app, 'unverified-list')
  expect(await axe(app)).toEqual([])
  await rowsOf(app).first().click()
  await expect(app.getByText('data sets exclude this session by default')).toBeVisible()
  await pictures(app, 'unverified-detail')

  await open(app, server, '/')
  await expect(app.getByRole('link', { name: '2 unverified' }).first()).toBeVisible()
  await pictures(app, 'unverified-home')

  await open(app, server, '/factory/datasets/new')
  await app.getByText('Recipe', { exact: true }).click()
  await expect(app.getByRole('link', { name: '2 unverified' })).toBeVisible()
  await app.getByRole('checkbox', { name: 'Include gold without verification' }).scrollIntoViewIfNeeded()
  await pictures(app, 'unverified-recipe')
  const build = async (more: object) => {
    const { id } = await server.api<{ id: string }>('/api/datasets', { method: 'POST', body: { kind: 'sft', tiers: ['gold'], ...more } })
    return (await jobDone(server, id)).result as { counts: { segments: number }; excluded: unknown[] }
  }
  const without = await build({})
  expect(without.excluded).toContainEqual({ reason: 'unverified', count: 2 })
  expect(without.counts.segments).toBe(0)
  expect((await build({ unverified: true })).counts.segments).toBe(2)
})

test('a session known only from hooks is listed as such', async ({ app, server, workspace }) => {
  const sessionId = '3b1a55a0-0000-4000-8000-00000000000a'
  const start = { hook_event_name: 'SessionStart', session_id: sessionId, cwd: CWD, source: 'startup' }
  const written = path.join(workspace.dir, 'hook')
  fs.writeFileSync(written, `${JSON.stringify(start)}\n`)
  fs.renameSync(written, path.join(workspace.dataDir, 'spool', '4194305.0')) // whole at once: an empty file is a doorbell
  await open(app, server, '/traces')
  await expect(rowsOf(app).first()).toContainText('Hooks only, no transcript yet')
  await expect(rowsOf(app).first()).toContainText('shop')
  await pictures(app, 'hooks-only')
})
