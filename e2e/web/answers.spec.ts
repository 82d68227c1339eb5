import fs from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from '@playwright/test'
import { axe, expect, listed, open, rowsOf, test } from './fixtures.ts'

test.use({ samples: ['fix-test', 'subagent'] })

/** An endpoint that grades everything with 4, the self-test with 1, compares always for the first, and answers cases with "ok". */
async function startModel() {
  const server = http.createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const { messages } = JSON.parse(Buffer.concat(chunks).toString('utf8')) as { messages: { role: string; content: string }[] }
    const asked = messages.find(({ role }) => role === 'user')!.content
    const verdict = asked.includes('larger of two') ? { score: 1 } : asked.startsWith('{"request"') ? { score: 4 } : null
    const content = verdict ? JSON.stringify({ evidence: ['a quote'], reasoning: 'The tests pass.', ...verdict }) : 'ok'
    const body = {
      choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 10, completion_tokens: 5 },
    }
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => new Promise<void>((resolve) => (server.close(() => resolve()), server.closeAllConnections())),
  }
}

const SHOTS = process.env['BASHGYM_SHOTS']
const shot = async (page: Page, name: string) => {
  if (SHOTS !== undefined) await page.screenshot({ path: `${SHOTS}/${name}.png`, fullPage: true })
}

test('sessions are graded after their texts were shown, labelled by the user, and stand in Traces', async ({ app, server }) => {
  const model = await startModel()
  expect((await listed(server)).length).toBeGreaterThan(0)
  await open(app, server, '/evaluator')
  await app.getByRole('link', { name: 'Answers', exact: true }).click()
  await app.getByRole('button', { name: 'Grade sessions' }).click()
  const form = app.getByRole('dialog', { name: 'Grade sessions' })
  await form.getByText('A server', { exact: true }).click()
  await form.getByRole('textbox', { name: 'Address' }).fill(model.url)
  await form.getByRole('textbox', { name: 'Name of the model' }).fill('claude-like')
  await form.getByRole('checkbox', { name: 'Correctness' }).click()
  expect(await axe(app)).toEqual([])
  await shot(app, 'grade-dialog')
  await form.getByRole('button', { name: 'Prepare' }).click()

  const plan = app.getByRole('region', { name: 'Plan' })
  await expect(plan).toContainText('The texts below go to')
  await expect(app.getByRole('region', { name: 'Progress' })).toContainText('Not started')
  await expect(app.getByRole('listitem', { name: 'Answer 1', exact: true })).toContainText('Not graded yet')
  expect(await axe(app)).toEqual([])
  await shot(app, 'plan')
  await plan.getByRole('button', { name: 'Start' }).click()
  await expect(app.getByRole('region', { name: 'Progress' })).toContainText('All asked')
  const first = app.getByRole('listitem', { name: 'Answer 1', exact: true })
  await expect(first).toContainText('Task completion 4 of 5')
  await expect(first).toContainText('The tests pass.')
  await expect(app.getByRole('table', { name: 'Metrics' })).toContainText('not measured (0 of 30 labels)')
  await expect(app.getByText('the instruction had no effect')).toBeVisible()
  expect(await axe(app)).toEqual([])
  await shot(app, 'graded')

  await app.getByRole('button', { name: 'Label', exact: true }).click()
  await expect(first).not.toContainText('The tests pass.')
  await first.getByRole('button', { name: 'Task completion of answer 1: 5' }).click()
  await expect(first.getByRole('button', { name: 'Task completion of answer 1: 5' })).toHaveAttribute('aria-pressed', 'true')
  expect(await axe(app)).toEqual([])
  await shot(app, 'labelling')
  await open(app, server, '/evaluator/answers')
  await expect(app.getByRole('table', { name: 'Agreement' })).toContainText('not measured (1 of 30 labels)')
  await shot(app, 'answers')

  await open(app, server, '/traces')
  await expect(app.getByRole('group', { name: 'Sessions by grade' })).toContainText('not measured')
  await app.getByRole('button', { name: 'Grade 0.6 to 0.8: 2 sessions' }).click()
  await expect(app).toHaveURL(/grade/)
  expect(await axe(app)).toEqual([])
  await shot(app, 'traces')

  await rowsOf(app).first().getByRole('checkbox').click()
  await app.getByRole('toolbar', { name: 'Selected sessions' }).getByRole('button', { name: 'Grade …' }).click()
  await expect(app.getByRole('dialog', { name: 'Grade sessions' })).toContainText('1 selected session')
  await model.close()
})

test('a rubric is edited, and an own set is made and run', async ({ app, server }) => {
  const model = await startModel()
  await open(app, server, '/evaluator/answers/rubrics')
  await app.getByRole('button', { name: 'Edit Helpfulness' }).click()
  const rubric = app.getByRole('dialog', { name: 'Rubric: Helpfulness' })
  await rubric.getByRole('textbox', { name: 'Task' }).fill('Does it help the team?')
  await rubric.getByRole('button', { name: 'Save as a new version' }).click()
  await expect(app.getByRole('region', { name: 'Helpfulness' })).toContainText('version 1, yours')
  await expect(app.getByRole('region', { name: 'Helpfulness' })).toContainText('Does it help the team?')

  await open(app, server, '/evaluator/sets')
  await app.getByRole('button', { name: 'Make a set' }).click()
  const making = app.getByRole('dialog', { name: 'Make a set' })
  await making.getByRole('textbox', { name: 'Name' }).fill('Mine')
  await making
    .getByRole('textbox', { name: 'Cases' })
    .fill(
      '{"prompt": "Say ok.", "check": {"kind": "exact", "value": "ok"}}\n{"prompt": "Say no.", "check": {"kind": "contains", "value": "no"}}',
    )
  expect(await axe(app)).toEqual([])
  await making.getByRole('button', { name: 'Make set' }).click()
  await expect(app.getByRole('table', { name: 'Cases' })).toContainText('exact: ok')
  const saving = app.waitForEvent('download')
  await app.getByRole('button', { name: 'Save as JSON lines' }).click()
  expect(
    fs
      .readFileSync(await (await saving).path(), 'utf8')
      .trim()
      .split('\n'),
  ).toHaveLength(2)
  await app.getByRole('button', { name: 'Run it' }).click()
  const running = app.getByRole('dialog', { name: 'Run the set' })
  await running.getByText('A server', { exact: true }).click()
  await running.getByRole('textbox', { name: 'Address' }).fill(model.url)
  expect(await axe(app)).toEqual([])
  await running.getByRole('button', { name: 'Prepare' }).click()
  await app.getByRole('region', { name: 'Plan' }).getByRole('button', { name: 'Start' }).click()
  await expect(app.getByText('1 of 2 passed: 50.0')).toBeVisible()
  await expect(app.getByRole('listitem', { name: 'Answer 2', exact: true })).toContainText('failed')
  expect(await axe(app)).toEqual([])
  await shot(app, 'own-set')
  await model.close()
})
