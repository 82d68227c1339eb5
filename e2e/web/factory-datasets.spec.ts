import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import type { Page } from '@playwright/test'
import { environmentOf, jobDone, root, type RunningServer, type Workspace } from '../support/server.ts'
import { axe, expect, jobsDone, open, reload, test } from './fixtures.ts'

test.use({ samples: ['fix-test', 'subagent'] })

interface Built {
  id: string
  version: number
  files: { split: string; path: string; sha256: string }[]
}

const datasets = async (server: RunningServer) => (await server.api<{ items: Built[] }>('/api/datasets')).items
const manifest = (server: RunningServer, id: string) => server.api<Built>(`/api/datasets/${id}`)

/** A version over the wire, for tests of what comes after it. */
async function build(server: RunningServer, recipe: Record<string, unknown> = {}): Promise<Built> {
  const body = { kind: 'sft', name: 'mine', minQuality: 0, split: { val: 0.5 }, ...recipe }
  const { id } = await server.api<{ id: string }>('/api/datasets', { method: 'POST', body })
  return (await jobDone(server, id)).result as Built
}

const bashgym = (workspace: Workspace, line: string) =>
  execFileSync(
    '/bin/sh',
    ['-c', `${JSON.stringify(process.execPath)} ${JSON.stringify(path.join(root, 'dist/server/bashgym.js'))} ${line}`],
    {
      env: environmentOf(workspace),
      encoding: 'utf8',
    },
  )

const row = (app: Page, label: string) => app.getByRole('textbox', { name: label, exact: true })

test('a recipe is filled in, its command shown, the version built, looked at and exported', async ({ app, server, workspace }) => {
  await open(app, server, '/factory/datasets')
  await expect(app.getByRole('heading', { name: 'No data sets yet' })).toBeVisible()
  expect(await axe(app)).toEqual([])
  await app.getByRole('link', { name: 'New data set' }).click()
  await app.getByText('Recipe', { exact: true }).click()
  await app.getByText('More settings', { exact: true }).click()
  await app.getByText('Command for the same build', { exact: true }).click()
  await row(app, 'Name').fill('mine')
  for (const tier of ['gold', 'silver']) await app.getByRole('checkbox', { name: tier, exact: true }).click()
  await row(app, 'Minimum quality').fill('0')
  await row(app, 'Max turns').fill('6')
  await row(app, 'Validation share').fill('x')
  await expect(app.getByRole('button', { name: 'Build', exact: true })).toHaveAttribute('aria-disabled', 'true')
  await row(app, 'Validation share').fill('0.5')
  await app.getByRole('switch', { name: 'Exclude near duplicates' }).click()
  await app.getByRole('switch', { name: 'Keep personal data' }).click()
  await expect(app.getByRole('button', { name: 'Build', exact: true })).toHaveAttribute('aria-disabled', 'true')
  await app.getByRole('switch', { name: 'Keep personal data' }).click()
  const shown = app.getByRole('region', { name: 'Command for the same build' })
  await expect(shown).toContainText('--name mine --min-quality 0 --max-turns 6 --val 0.5')
  const command = (await shown.textContent()) ?? ''
  expect(await axe(app)).toEqual([])
  await app.getByRole('button', { name: 'Build', exact: true }).click()
  await expect(app.getByText(/mine v1 is built/)).toBeVisible()
  await app.getByRole('link', { name: 'Open data set' }).click()

  // the command that was shown builds the same bytes
  bashgym(workspace, command.replace(/^bashgym /, ''))
  const [second, first] = await datasets(server)
  const hashes = async (one: Built | undefined) => (await manifest(server, one?.id ?? '')).files.map(({ split, sha256 }) => [split, sha256])
  expect(await hashes(second)).toEqual(await hashes(first))

  await expect(app.getByRole('heading', { name: 'mine v1' })).toBeVisible()
  await expect(app.getByRole('figure', { name: /^From sessions to rows/ })).toContainText('2 of 2 sessions became')
  await expect(app.getByRole('heading', { name: 'Repository' })).toBeVisible()
  await expect(app.getByText(/Second scan of the written rows/)).toBeVisible()
  await app.getByRole('button', { name: 'Measure lengths' }).click()
  await expect(app.getByRole('img', { name: 'Rows by length in tokens' })).toBeVisible()
  expect(await axe(app)).toEqual([])

  const out = path.join(workspace.dir, 'out')
  await app.getByRole('button', { name: 'Export …' }).click()
  const dialog = app.getByRole('dialog')
  await expect(dialog).toContainText('Nothing is lost')
  await dialog.getByRole('combobox', { name: 'Format' }).click()
  await app.getByRole('option', { name: 'Alpaca' }).click()
  await expect(dialog).toContainText('Limits: tools')
  await row(app, 'Folder').fill(out)
  await dialog.getByRole('button', { name: 'Write to folder' }).click()
  await expect(dialog.getByRole('table', { name: 'Files of the export' })).toContainText('train')
  expect(await axe(app)).toEqual([])
  expect(fs.readdirSync(out, { recursive: true }).some((name) => String(name).endsWith('.json') || String(name).endsWith('.jsonl'))).toBe(
    true,
  )
  const download = app.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Download tar' }).click()
  expect(fs.statSync(await (await download).path()).size).toBeGreaterThan(1000)
})

test.describe('refusals', () => {
  test.use({ expectedErrors: /40[09] \(/ })
  test('a folder that holds something is refused in words', async ({ app, server, workspace }) => {
    const { id } = await build(server)
    await open(app, server, `/factory/datasets/${id}`)
    await app.getByRole('button', { name: 'Export …' }).click()
    const full = path.join(workspace.dir, 'full')
    fs.mkdirSync(full)
    fs.writeFileSync(path.join(full, 'mine.txt'), 'mine')
    await row(app, 'Folder').fill(full)
    await app.getByRole('button', { name: 'Write to folder' }).click()
    await expect(app.getByRole('dialog').getByRole('alert')).toContainText("Couldn't write the export")
  })

  test('a folder that is no tokenizer is refused in words', async ({ app, server, workspace }) => {
    const { id } = await build(server)
    await open(app, server, `/factory/datasets/${id}?tab=rows&row=0`)
    await app.getByRole('combobox', { name: 'Tokenizer' }).click()
    await app.getByRole('option', { name: 'Other folder …' }).click()
    await row(app, 'Tokenizer folder').fill(path.join(workspace.dir, 'none'))
    await app.getByRole('button', { name: 'Use folder' }).click()
    await expect(app.getByRole('alert')).toContainText('There is no tokenizer.json')
  })
})

test('rows lead back to their steps, and show what the model will see', async ({ app, server }) => {
  const { id } = await build(server)
  await open(app, server, `/factory/datasets/${id}?tab=rows`)
  await expect(app.getByRole('list', { name: 'Rows' }).getByRole('button')).toHaveCount(2)
  await app.keyboard.press('j')
  const shown = app.getByRole('region', { name: 'Rendered row' })
  await expect(shown).toContainText('<|im_start|>user')
  await expect(app.getByText('estimate', { exact: true }).first()).toBeVisible()
  const trained = await shown.locator('[data-trained=true]').allTextContents()
  const plain = await shown.locator('[data-trained=false]').allTextContents()
  expect(trained.length).toBeGreaterThan(0)
  expect(plain.join('')).toContain('<|im_start|>user')
  expect(trained.join('')).not.toContain('<|im_start|>user')
  const text = await shown.textContent()
  await app.getByRole('switch', { name: 'Token boundaries' }).click()
  await expect(shown.locator('[title^="token "]').nth(20)).toBeVisible()
  expect(await shown.textContent()).toBe(text)
  await app.getByText('Chat template: the model’s own').click()
  await app.getByRole('textbox', { name: 'Chat template', exact: true }).fill('{% for m in messages %}{{ m.role }}{% endfor %}')
  await app.getByRole('button', { name: 'Use this template' }).click()
  await expect(app.getByRole('heading', { name: 'This row cannot be used for training' })).toBeVisible()
  expect(await axe(app)).toEqual([])
  await app.getByRole('button', { name: 'Use the model’s own' }).click()
  await expect(shown).toContainText('<|im_start|>user')
  await row(app, 'Max length').fill('50')
  await expect(app.getByText(/not fit into 50 tokens with the prompt and will be left out/)).toBeVisible()
  expect(await axe(app)).toEqual([])
  await app.getByRole('link', { name: 'First step' }).click()
  await expect(
    app
      .getByRole('region', { name: /transcript/i })
      .or(app.getByRole('feed'))
      .first(),
  ).toBeVisible()
})

test('everything that was dropped is listed under its reason', async ({ app, server }) => {
  const { id } = await build(server, { balance: [{ by: 'repo', cap: 1 }] })
  await open(app, server, `/factory/datasets/${id}`)
  await app.getByRole('link', { name: /^1 cap: repo/ }).click()
  await expect(app.getByRole('list', { name: 'Excluded items' }).getByRole('listitem')).toHaveCount(1)
  await expect(app.getByText('1 excluded')).toBeVisible()
  expect(await axe(app)).toEqual([])
})

test('two versions are compared; a removed one comes back by undo', async ({ app, server }) => {
  await build(server)
  const { id } = await build(server, { balance: [{ by: 'repo', cap: 1 }] })
  await open(app, server, '/factory/datasets')
  for (const version of ['v1', 'v2']) await app.getByRole('checkbox', { name: `Compare mine ${version}` }).click()
  await app.getByRole('button', { name: 'Compare', exact: true }).click()
  await expect(app.getByRole('table', { name: 'Recipe differences' })).toContainText('balance')
  await expect(app.getByRole('list', { name: 'Rows that differ' }).getByRole('listitem').first()).toBeVisible()
  expect(await axe(app)).toEqual([])

  await open(app, server, `/factory/datasets/${id}`)
  await app.getByRole('button', { name: 'Remove …' }).click()
  await expect(app.getByRole('dialog')).toContainText('No run or model uses this version')
  await app.getByRole('dialog').getByRole('button', { name: 'Remove version' }).click()
  await expect(app.getByRole('link', { name: 'mine v2' })).toBeHidden()
  await app.getByRole('button', { name: 'Undo' }).click()
  await expect(app.getByRole('link', { name: 'mine v2' })).toBeVisible()
})

test('rows of another tool are previewed, their columns mapped, every invalid row listed, and the rest imported', async ({
  app,
  server,
  workspace,
}) => {
  const file = path.join(workspace.dir, 'rows.jsonl')
  fs.writeFileSync(file, ['{"q":"one","a":"1"}', '{"q":"two"}', '{"q":"three","a":"3"}'].join('\n'))
  await open(app, server, '/factory/datasets/import')
  await row(app, 'File').fill(file)
  await app.getByRole('button', { name: 'Preview file' }).click()
  await expect(app.getByRole('table', { name: 'First rows of the file' })).toContainText('three')
  for (const [ours, theirs] of [['prompt', 'q'], ['completion', 'a']] as const) {
    await app.getByRole('combobox', { name: ours, exact: true }).click()
    await app.getByRole('option', { name: theirs, exact: true }).click()
  } // prettier-ignore
  await app.getByRole('button', { name: 'Import rows' }).click()
  await expect(app.getByRole('table', { name: 'Rows with errors' })).toContainText('2')
  await expect(app.getByText('1 of 3 rows have errors. Fix these rows in the file or exclude invalid rows')).toBeVisible()
  expect(await axe(app)).toEqual([])
  await app.getByRole('switch', { name: 'Exclude invalid rows' }).click()
  await app.getByRole('button', { name: 'Import rows' }).click()
  await expect(app.getByText(/^2 rows .*imported as .*1 row excluded\.$/)).toBeInViewport()

  // another file: what was shown of the first is gone, so that its columns and its outcome do not pass for those of this one
  const empty = path.join(workspace.dir, 'empty.jsonl')
  fs.writeFileSync(empty, '')
  await app.getByRole('textbox', { name: 'File' }).fill(empty)
  await expect(app.getByRole('button', { name: 'Import rows' })).toBeHidden()
  await app.getByRole('button', { name: 'Preview file' }).click()
  await expect(app.getByText(/^2 rows .*imported as/)).toBeHidden()
  await app.getByRole('button', { name: 'Import rows' }).click()
  await expect(app.getByRole('status').filter({ hasText: 'The file contains no rows.' })).toBeInViewport()
  await open(app, server, '/factory/datasets')
  await expect(app.getByRole('table', { name: 'Imported rows' })).toContainText('rows.jsonl')
})

test('pairs are found, shown side by side, accepted by key and undone', async ({ app, server }) => {
  await open(app, server, '/factory/pairs')
  await expect(app.getByRole('heading', { name: 'No pairs yet' })).toBeVisible()
  await app.getByRole('button', { name: 'Find pairs …' }).first().click()
  await app.getByRole('button', { name: 'Find pairs', exact: true }).click()
  await expect(app.getByRole('dialog')).toContainText('1 failed, then worked')
  expect(await axe(app)).toEqual([])
  await app.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click()
  await app.keyboard.press('j')
  await app.keyboard.press('Enter')
  await expect(app.getByRole('region', { name: 'Chosen response' })).toContainText('Edit')
  await expect(app.getByRole('region', { name: 'Rejected response' })).toContainText('−')
  await expect(app.getByRole('link', { name: 'Open step' })).toHaveCount(2)
  expect(await axe(app)).toEqual([])
  await app.keyboard.press('a')
  const list = app.getByRole('grid', { name: 'Pairs' })
  await expect(list).toContainText('Accepted')
  await app.keyboard.press('z')
  await expect(list).toContainText('To review')
  await app.keyboard.press('x')
  await expect(app.getByRole('toolbar', { name: 'Selected pairs' })).toBeVisible()
  await app.keyboard.press('Backspace')
  await expect(list).toContainText('Rejected')
  await open(app, server, '/factory/pairs?state=accepted')
  await expect(app.getByRole('heading', { name: 'No matching pairs' })).toBeVisible()
  await jobsDone(server)
})

test('a group of the balance leads to its rows, and left-out rows are named by their session', async ({ app, server }) => {
  const { id } = await build(server, { examples: { maxTurns: 2 } })
  const { groups } = await server.api<{ groups: { by: string; values: { name: string; rows: number }[] }[] }>(`/api/datasets/${id}/groups`)
  const { name, rows } = groups.find(({ by }) => by === 'length')!.values[0]!
  await open(app, server, `/factory/datasets/${id}`)
  await app
    .getByRole('region', { name: 'Balance' })
    .getByRole('link', { name: new RegExp(`^${name}`) })
    .click()
  await expect(app).toHaveURL(/by=length/)
  await expect(app.getByRole('list', { name: 'Rows' }).getByRole('button')).toHaveCount(rows)
  await reload(app)
  const chosen = app.getByRole('button', { name: `Length: ${name}` })
  await expect(chosen).toBeVisible()
  await chosen.click()
  await expect(app).not.toHaveURL(/by=length/)

  const capped = await build(server, { balance: [{ by: 'repo', cap: 1 }] })
  const { items } = await server.api<{ items: { title: string | null; traceId: string }[] }>(`/api/datasets/${capped.id}/dropped`)
  const dropped = items.find(({ title }) => title !== null)!
  await open(app, server, `/factory/datasets/${capped.id}?tab=dropped`)
  const link = app.getByRole('link', { name: dropped.title! }).first()
  await expect(link.locator('..')).toHaveAttribute('title', dropped.traceId)
})

test('lengths that were measured are there after a reload, of their own version only, and the jobs page shows the result', async ({
  app,
  server,
}) => {
  const first = await build(server)
  const second = await build(server)
  const picture = app.getByRole('img', { name: 'Rows by length in tokens' })
  await open(app, server, `/factory/datasets/${first.id}`)
  await app.getByRole('button', { name: 'Measure lengths' }).click()
  await expect(picture).toBeVisible()
  await reload(app)
  await expect(picture).toBeVisible()
  await open(app, server, `/factory/datasets/${second.id}`)
  await expect(app.getByRole('button', { name: 'Measure lengths' })).toBeVisible()
  await expect(app.getByRole('figure', { name: /^From sessions to rows/ })).toBeVisible()
  await expect(picture).toHaveCount(0)

  await open(app, server, '/jobs')
  const lengths = app.getByRole('listitem').filter({ hasText: 'Lengths' })
  await expect(lengths).toContainText('2 rows measured')
  await expect(app.getByRole('listitem').filter({ hasText: 'mine v2' })).toContainText('2 rows')
  await lengths.getByRole('link', { name: 'Open data set' }).click()
  await expect(app.getByRole('heading', { name: 'mine v1' })).toBeVisible()
})
