import fs from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { axe, expect, open, rowsOf, test } from './fixtures.ts'

const SESSION = 'dddddddd-0000-4000-8000-000000000001'

test('a link in a transcript shows its URL in a dialog and opens only from there, without a referrer', async ({
  app,
  server,
  workspace,
}) => {
  const visits: (string | undefined)[] = []
  const site = http.createServer((request, response) => {
    if (request.url === '/guide') visits.push(request.headers.referer)
    response.end('the guide')
  })
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
  const address = `http://127.0.0.1:${(site.address() as AddressInfo).port}/guide` // a TCP server
  const base = { sessionId: SESSION, cwd: '/home/dev/project' }
  const records = [
    {
      ...base,
      type: 'user',
      uuid: 'u1',
      parentUuid: null,
      timestamp: '2026-11-20T10:00:00.000Z',
      message: { role: 'user', content: 'Where?' },
    },
    {
      ...base,
      type: 'assistant',
      uuid: 'u2',
      parentUuid: 'u1',
      timestamp: '2026-11-20T10:00:01.000Z',
      message: { role: 'assistant', id: 'msg_1', model: 'claude-test', content: [{ type: 'text', text: `Read [the guide](${address}).` }] },
    },
  ]
  const folder = path.join(workspace.claudeDir, 'projects', '-home-dev-project')
  fs.mkdirSync(folder, { recursive: true })
  fs.writeFileSync(path.join(folder, `${SESSION}.jsonl`), records.map((line) => `${JSON.stringify(line)}\n`).join(''))
  await open(app, server, '/traces')
  await rowsOf(app).first().click()
  const link = app.getByRole('region', { name: 'Transcript' }).getByRole('link', { name: 'the guide' })
  const dialog = app.getByRole('dialog', { name: 'Open this address?' })
  for (const how of [{}, { modifiers: ['ControlOrMeta' as const] }]) {
    await link.click(how)
    await expect(dialog.getByText(address)).toBeVisible()
    expect(await axe(app)).toEqual([])
    await dialog.getByRole('button', { name: 'Cancel' }).click()
  }
  await link.click({ button: 'middle' })
  expect(app.context().pages()).toHaveLength(1)
  expect(visits).toEqual([])

  await link.focus()
  await app.keyboard.press('Enter')
  const [page] = await Promise.all([app.context().waitForEvent('page'), dialog.getByRole('link', { name: 'Open in browser' }).click()])
  await expect(page.getByText('the guide')).toBeVisible()
  expect(visits).toEqual([undefined])
  expect(await page.evaluate(() => globalThis.opener === null)).toBe(true)
  site.close()
})
