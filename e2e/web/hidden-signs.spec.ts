import fs from 'node:fs'
import path from 'node:path'
import type { Locator } from '@playwright/test'
import { jobDone } from '../support/server.ts'
import { axe, expect, jobsDone, open, rowsOf, test } from './fixtures.ts'

const SESSION = 'aaaaaaaa-0000-4000-8000-000000000001'
const COMMAND = 'cat ./\u{202E}txt.sh; echo \u{2066}ab\u{200B}'
const PROMPT = 'Delete \u{202E}abc\u{202C} now'

const record = (uuid: number, parent: number | null, type: 'user' | 'assistant', content: unknown, response = uuid) => ({
  type,
  uuid: `bbbbbbbb-0000-4000-8000-00000000000${uuid}`,
  parentUuid: parent === null ? null : `bbbbbbbb-0000-4000-8000-00000000000${parent}`,
  sessionId: SESSION,
  cwd: '/home/dev/project',
  timestamp: `2026-11-20T10:00:0${uuid}.000Z`,
  message: { role: type, content, ...(type === 'assistant' && { id: `msg_${response}`, model: 'claude-test' }) },
})

const RECORDS = [
  record(1, null, 'user', PROMPT),
  record(2, 1, 'assistant', [{ type: 'text', text: 'I run **\u{202E}xyz**.' }]),
  record(3, 2, 'assistant', [{ type: 'tool_use', id: 'toolu_1', name: 'Bash', input: { command: COMMAND } }], 2),
  record(4, 3, 'user', [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'done \u{202E}klm' }]),
  record(5, 4, 'assistant', [{ type: 'text', text: 'It is done.' }]),
]

/** True if the letters are drawn from left to right in the order of the text; null if the text is missing. */
const runsOn = (place: Locator, letters: string) =>
  place.evaluate((element, wanted) => {
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const at = node.nodeValue?.indexOf(wanted) ?? -1
      if (at === -1) continue
      const lefts = Array.from(wanted, (_, index) => {
        const range = document.createRange()
        range.setStart(node, at + index)
        range.setEnd(node, at + index + 1)
        return range.getBoundingClientRect().left
      })
      return lefts.every((left, index) => index === 0 || left > lefts[index - 1]!)
    }
    return null
  }, letters)

test('direction marks in a transcript are visible, do not reorder its text, and are copied unchanged', async ({
  app,
  server,
  workspace,
}) => {
  const folder = path.join(workspace.claudeDir, 'projects', '-home-dev-project')
  fs.mkdirSync(folder, { recursive: true })
  fs.writeFileSync(path.join(folder, `${SESSION}.jsonl`), RECORDS.map((line) => `${JSON.stringify(line)}\n`).join(''))
  await open(app, server, '/traces')
  const row = rowsOf(app).first()
  await expect(row.locator('bdi')).toHaveCount(2)
  expect(await runsOn(row, 'abc')).toBe(true)
  await row.click()
  const transcript = app.getByRole('region', { name: 'Transcript' })
  await expect(transcript.getByText('done').first()).toBeVisible()
  for (const letters of ['abc', 'xyz', 'txt.sh', 'klm']) expect([letters, await runsOn(transcript, letters)]).toEqual([letters, true])
  const command = transcript.locator('.font-mono', { hasText: 'cat ./' }).first()
  expect(await command.locator('bdi').evaluateAll((marks) => marks.map((mark) => getComputedStyle(mark, '::before').content))).toEqual([
    '"U+202E"',
    '"U+2066"',
    '"U+200B"',
  ])
  const copied = await command.evaluate((element) => {
    getSelection()!.selectAllChildren(element)
    return getSelection()!.toString()
  })
  expect(copied).toBe(COMMAND)
  expect(await axe(app)).toEqual([])

  // the same holds for the row that a model would see
  const recipe = { kind: 'sft', name: 'mine', minQuality: 0, split: { val: 0 }, tiers: ['gold', 'silver', 'bronze', 'pending', 'failed'] }
  await jobsDone(server)
  const { id } = await server.api<{ id: string }>('/api/datasets', { method: 'POST', body: recipe })
  const version = (await jobDone(server, id)).result as { id: string }
  await open(app, server, `/factory/datasets/${version.id}?tab=rows`)
  const rows = app.getByRole('list', { name: 'Rows' })
  await rows.getByRole('button').first().click()
  const rendered = app.getByRole('region', { name: 'Rendered row' })
  await expect(rendered).toBeVisible()
  for (const letters of ['abc', 'xyz', 'txt.sh', 'klm']) expect([letters, await runsOn(rendered, letters)]).toEqual([letters, true])
  expect(await runsOn(rows, 'abc')).toBe(true)
  expect(await axe(app)).toEqual([])
})
