import fs from 'node:fs'
import path from 'node:path'
import type { Page } from '@playwright/test'
import type { RunningServer, Workspace } from '../support/server.ts'
import { axe, expect, jobsDone, listed, open, rowsOf, test } from './fixtures.ts'

const AT = Date.UTC(2026, 0, 5, 9)
/** Put together here: the file itself must hold no key. */
const KEY = ['ghp', 'wJ8sK2mQ5xV9nB3cR7tY1zL4pH6dF0gA2eU9'].join('_')

/** A session whose call failed with an output of many lines, and whose output shows a key. */
function writeSession(workspace: Workspace, name: string, outputs: { command: string; output: string; failed?: boolean }[]): void {
  const folder = path.join(workspace.claudeDir, 'projects', `-home-dev-${name}`)
  fs.mkdirSync(folder, { recursive: true })
  const sessionId = `c0ffee00-0000-4000-8000-${String(name.length).padStart(12, '0')}`
  let count = 0
  const record = (type: 'user' | 'assistant', message: object, more: object = {}) => {
    count += 1
    const uuid = `${sessionId}-${count}`
    return { type, uuid, parentUuid: count === 1 ? null : `${sessionId}-${count - 1}`, sessionId, cwd: `/home/dev/${name}`, version: '2.1.329', gitBranch: 'main', isSidechain: false, userType: 'external', timestamp: new Date(AT + count * 1000).toISOString(), message, ...more } // prettier-ignore
  }
  const lines = [record('user', { role: 'user', content: `Look at ${name}` })]
  for (const [index, { command, output, failed = false }] of outputs.entries()) {
    const id = `toolu_${name}_${index}`
    lines.push(record('assistant', { id: `msg_${name}_${index}`, role: 'assistant', model: 'claude-opus-4-5', content: [{ type: 'tool_use', id, name: 'Bash', input: { command } }], usage: { input_tokens: 1, output_tokens: 1 } })) // prettier-ignore
    const content = failed ? `Exit code 1\n${output}` : output
    lines.push(
      record('user', { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content, is_error: failed }] }, { toolUseResult: failed ? `Error: ${content}` : { stdout: output, stderr: '' } }), // prettier-ignore
    )
  }
  fs.writeFileSync(path.join(folder, `${sessionId}.jsonl`), lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
}

async function takeIn(server: RunningServer): Promise<void> {
  await server.api('/api/imports', { method: 'POST', body: {} })
  await jobsDone(server)
}

const transcript = (app: Page) => app.getByRole('region', { name: 'Transcript' })

test.describe('keys', () => {
  test.use({ samples: ['fix-test', 'subagent'] })

  test('act on what is visible once an act on many has hidden rows, and t tags the selection', async ({ app, server }) => {
    const all = await listed(server)
    await server.api('/api/traces/bulk', {
      method: 'POST',
      body: { selection: { ids: all.map(({ id }) => id) }, act: { action: 'tier', tier: 'silver' } },
    })
    await open(app, server, '/traces?q=tier:silver')
    await expect(rowsOf(app)).toHaveCount(all.length)
    await app.getByRole('checkbox', { name: 'Select all rows' }).click()
    await rowsOf(app).last().getByRole('checkbox').click()
    await app.getByRole('grid', { name: 'Sessions' }).focus()

    await app.keyboard.press('t')
    await app.getByRole('textbox', { name: 'Tag' }).fill('together')
    await app.keyboard.press('Enter')
    await expect.poll(async () => (await listed(server)).filter(({ tags }) => tags.includes('together')).length).toBe(all.length - 1)

    await app.getByRole('grid', { name: 'Sessions' }).focus()
    await app.keyboard.press('g')
    await expect(rowsOf(app)).toHaveCount(1)
    await expect(app.getByRole('toolbar', { name: 'Selected sessions' })).toHaveCount(0)
    await app.keyboard.press('f')
    await app.keyboard.press('z')
    await expect(rowsOf(app)).toHaveCount(all.length)
    expect((await listed(server)).map(({ tier }) => tier)).toEqual(all.map(() => 'silver'))
  })
})

test('a search shows its lines, an error its head, a secret its finding, a raw line its type and time', async ({
  app,
  server,
  workspace,
}, info) => {
  const many = Array.from({ length: 35 }, (_, index) => `line ${index} of a long output`).join('\n')
  const steps = Array.from({ length: 30 }, (_, index) => ({ command: `echo ${index}`, output: `quiet ${index}` }))
  writeSession(workspace, 'payments-gateway-service', [
    ...steps,
    { command: `cat << 'END'\n${many}\nEND\nnode check.mjs`, output: `${many}\nthe Needle is here\nend`, failed: true },
    ...steps.map(({ command }) => ({ command: `${command}-b`, output: 'quiet' })),
    { command: 'cat .npmrc', output: `//registry:_authToken=${KEY}` },
  ])
  await takeIn(server)
  await server.api('/api/privacy/scan', { method: 'POST', body: { all: true } })
  await jobsDone(server)
  const [session] = await listed(server)

  // a deep link selects its row, and the names in the list are whole
  await open(app, server, `/traces?id=${session?.id}`)
  await expect(rowsOf(app).first()).toHaveAttribute('aria-current', 'true')
  await expect(app.getByText(/^\d+ items$/)).toBeVisible()

  await app.keyboard.press(']')
  const card = transcript(app).locator('[role=listitem][aria-current=true]')
  await expect(card).toContainText('exit 1')
  const [head, box] = await Promise.all([card.getByRole('button').first().boundingBox(), transcript(app).boundingBox()])
  expect(head!.y).toBeGreaterThanOrEqual(box!.y - 1)
  expect(head!.y).toBeLessThan(box!.y + box!.height)

  await app.getByRole('searchbox', { name: 'Search this session' }).fill('needle')
  const hits = app.getByRole('list', { name: 'Search hits' })
  await expect(hits.getByRole('listitem')).toHaveCount(1)
  await expect(hits).toContainText('the Needle is here')
  await expect(hits.locator('mark')).toHaveText('Needle')
  await expect.poll(() => app.evaluate(() => CSS.highlights.get('found')?.size)).toBe(1)

  await app.getByRole('searchbox', { name: 'Search this session' }).fill('')
  await transcript(app).focus()
  await app.keyboard.press('End')
  const secrets = app.getByRole('list', { name: 'Secrets found here' })
  await expect(secrets).toContainText('Secret found in the output')
  await expect
    .poll(() => app.evaluate(() => [...(CSS.highlights.get('secret') ?? [])].map((range) => (range as Range).toString())))
    .toContain(KEY)
  expect(await axe(app)).toEqual([])
  await shots(app, info.outputPath('secret'))
  await transcript(app).focus()
  await app.keyboard.press('End')
  await secrets.getByRole('link', { name: 'Open finding' }).first().click()
  await expect(app).toHaveURL(/\/privacy\?trace=.*id=/)
  await app.goBack()

  await transcript(app).focus()
  await app.keyboard.press('r')
  const raw = app.getByRole('list', { name: 'Raw lines' })
  await expect(raw.getByRole('listitem').first()).toContainText('user')
  await expect(raw.getByRole('listitem').nth(1)).toContainText('assistant · tool_use')
  await expect(raw.getByRole('listitem').nth(1)).toContainText(/\d\d:\d\d:\d\d/)
  await shots(app, info.outputPath('raw'))
})

test('in a long list a link selects its row, titles take two lines, and a search shows its lines', async ({
  app,
  server,
  workspace,
}, info) => {
  const folder = path.join(workspace.claudeDir, 'projects', '-home-dev-many')
  fs.mkdirSync(folder, { recursive: true })
  const COUNT = 1_150
  const title = 'Find out why the nightly export of the invoices stops halfway'
  for (let index = 0; index < COUNT; index += 1) {
    const sessionId = `c0ffee00-0000-4000-8000-${String(index).padStart(12, '0')}`
    const text = index === 0 ? `${title}\nThe log names the Flamingo module.` : `Session ${index}`
    const record = { type: 'user', uuid: `${sessionId}-1`, parentUuid: null, sessionId, cwd: '/home/dev/many', version: '2.1.329', isSidechain: false, userType: 'external', timestamp: new Date(AT + index * 60_000).toISOString(), message: { role: 'user', content: text } } // prettier-ignore
    fs.writeFileSync(path.join(folder, `${sessionId}.jsonl`), `${JSON.stringify(record)}\n`)
  }
  await takeIn(server)
  const { items } = await server.api<{ items: { id: string }[] }>('/api/traces?sort=startedAt&limit=1')
  await open(app, server, `/traces?id=${items[0]!.id}`)
  const row = app.locator('[role=row][aria-current=true]')
  await expect(row).toHaveAttribute('aria-rowindex', String(COUNT + 1), { timeout: 60_000 })
  await expect(row).toBeInViewport()
  const words = row.getByTitle(title)
  expect(await words.evaluate((element) => element.scrollHeight <= element.clientHeight)).toBe(true)

  await open(app, server, '/traces?q=flamingo')
  await expect(rowsOf(app)).toHaveCount(1)
  await expect(rowsOf(app).first()).toContainText('The log names the Flamingo module.')
  await expect(rowsOf(app).locator('mark')).toHaveText('Flamingo')
  expect(await axe(app)).toEqual([])
  await shots(app, info.outputPath('list-lines'))
})

test('a word that is half typed empties no list', async ({ app, server, workspace }) => {
  writeSession(workspace, 'api', [{ command: 'true', output: 'quiet' }])
  await takeIn(server)
  await open(app, server, '/traces')
  await expect(rowsOf(app)).toHaveCount(1)
  await app.evaluate(() => {
    new MutationObserver(() => {
      if (document.body.textContent.includes('No matching sessions')) document.body.dataset['flashed'] = 'true'
    }).observe(document.body, { childList: true, subtree: true, characterData: true })
  })
  const filter = app.getByRole('combobox', { name: 'Filter' })
  // `repo:ap` finds nothing yet
  for (const text of ['repo:a', 'repo:ap', 'repo:api']) {
    const answered = app.waitForResponse(
      (response) => response.url().includes(encodeURIComponent(text)) && response.url().includes('sort='),
    )
    await filter.fill(text)
    await answered
  }
  await expect(rowsOf(app)).toHaveCount(1)
  expect(await app.evaluate(() => document.body.dataset['flashed'])).toBeUndefined()
  // at rest it is announced
  await filter.fill('repo:nothing')
  await expect(app.getByText('No matching sessions')).toBeVisible()
})

/** Pictures to look at, in both themes and widths. */
async function shots(app: Page, name: string): Promise<void> {
  for (const width of [1440, 1024]) {
    for (const colorScheme of ['dark', 'light'] as const) {
      await app.setViewportSize({ width, height: width === 1440 ? 900 : 700 })
      await app.emulateMedia({ colorScheme })
      await app.screenshot({ path: `${name}-${width}-${colorScheme}.png` })
    }
  }
  await app.setViewportSize({ width: 1440, height: 900 })
}
