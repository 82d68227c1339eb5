import fs from 'node:fs'
import path from 'node:path'
import type { Page } from '@playwright/test'
import { jobDone, type RunningServer, type Workspace } from '../support/server.ts'
import { expect, jobsDone, open, test } from './fixtures.ts'

const SESSIONS = 64
const MOVES = 50

/** One prompt, one call and one answer per session. */
function transcript(index: number): string {
  const sessionId = `c0ffee00-0000-4000-8000-${String(index).padStart(12, '0')}`
  const at = (second: number) => new Date(Date.UTC(2026, 0, 5, 10, index, second)).toISOString()
  let parentUuid: string | null = null
  const record = (second: number, fields: Record<string, unknown>) => {
    const uuid = `${sessionId.slice(0, 24)}${String(index * 10 + second).padStart(12, 'a')}`
    const line = { parentUuid, isSidechain: false, userType: 'external', cwd: '/home/dev/many', sessionId, version: '2.1.197', ...fields }
    const text = JSON.stringify({ ...line, uuid, timestamp: at(second) })
    parentUuid = uuid
    return text
  }
  const answer = (id: string, content: unknown[]) => ({
    type: 'assistant',
    requestId: `req_${index}${id}`,
    message: {
      id: `msg_${index}${id}`,
      type: 'message',
      role: 'assistant',
      model: 'claude-sonnet-4-5-20250929',
      stop_reason: 'end_turn',
      usage: { input_tokens: 900, output_tokens: 60, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 },
      content,
    },
  })
  const prompt = `Rename field ${index} of report ${index * 37} and run the tests`
  const output = `${index + 1} passed`
  return [
    record(0, { type: 'user', message: { role: 'user', content: prompt } }),
    record(1, answer('a', [{ type: 'tool_use', id: `toolu_${index}`, name: 'Bash', input: { command: 'npm test', description: 'Test' } }])),
    record(2, {
      type: 'user',
      message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: `toolu_${index}`, content: output }] },
      toolUseResult: { stdout: output, stderr: '', interrupted: false, isImage: false },
    }),
    record(3, answer('b', [{ type: 'text', text: `Field ${index} is renamed and the tests pass.` }])),
    '',
  ].join('\n')
}

/** Sessions, examples and a data set, more than one screen of each. */
async function fill(server: RunningServer, workspace: Workspace): Promise<string> {
  const folder = path.join(workspace.claudeDir, 'projects', '-home-dev-many')
  fs.mkdirSync(folder, { recursive: true })
  for (let index = 0; index < SESSIONS; index += 1)
    fs.writeFileSync(path.join(folder, `c0ffee00-0000-4000-8000-${String(index).padStart(12, '0')}.jsonl`), transcript(index))
  const run = async (place: string, body: unknown) =>
    (await jobDone(server, (await server.api<{ id: string }>(place, { method: 'POST', body })).id)).result
  await run('/api/imports', {})
  await run('/api/factory/examples/build', { selection: { filter: {} }, minQuality: 0, unverified: true })
  const built = await run('/api/datasets', { kind: 'sft', name: 'many', minQuality: 0, tiers: [], unverified: true, nearDedup: false })
  await jobsDone(server)
  return (built as { id: string }).id
}

/** How far the current row of a list is outside the visible part of its scroller, below the header. */
const hiddenPx = (page: Page, list: string) =>
  page.evaluate((name) => {
    const element = document.querySelector<HTMLElement>(`[role=grid][aria-label="${name}"], [role=list][aria-label="${name}"]`)
    const id = element?.getAttribute('aria-activedescendant')
    const row = id ? document.getElementById(id) : element?.querySelector('[aria-current=true]')
    if (!element || !row) return Infinity // a row that is not drawn
    let scroller = element
    while (scroller.scrollHeight <= scroller.clientHeight && scroller.parentElement) scroller = scroller.parentElement
    const { top, bottom } = row.getBoundingClientRect()
    const area = scroller.getBoundingClientRect()
    const header = element.querySelector('[role=columnheader]')?.getBoundingClientRect().bottom ?? area.top
    return Math.max(Math.max(area.top, header) - top, bottom - (area.top + scroller.clientTop + scroller.clientHeight), 0)
  }, list)

for (const density of ['compact', 'comfortable'] as const) {
  test(`the current row is visible wherever keys move it, in ${density} rows`, async ({ app, server, workspace }) => {
    const dataset = await fill(server, workspace)
    await server.api('/api/settings', { method: 'PATCH', body: { appearance: { density } } })
    for (const [list, place] of [
      ['Sessions', '/traces'],
      ['Examples', '/factory/examples'],
      ['Rows', `/factory/datasets/${dataset}?tab=rows`],
    ] as const) {
      await test.step(list, async () => {
        await open(app, server, place)
        await app.getByRole(list === 'Rows' ? 'list' : 'grid', { name: list, exact: true }).waitFor()
        for (const key of ['j', 'ArrowUp', 'ArrowDown']) {
          for (let press = 0; press < MOVES; press += 1) {
            await app.keyboard.press(key)
            if (press % 3 > 0) continue
            await expect.poll(() => hiddenPx(app, list), `${key} ${press + 1} in ${list}`).toBeLessThanOrEqual(0.5)
          }
        }
      })
    }
  })
}
