import http from 'node:http'
import type { AddressInfo } from 'node:net'
import fs from 'node:fs'
import { axe, expect, listed, open, test } from './fixtures.ts'

test.use({ samples: ['fix-test', 'subagent', 'older/2.1.197/fix-test'] })

/** An endpoint whose model `good` calls Bash, and whose other models call Read. */
async function startModels() {
  const server = http.createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const { model } = JSON.parse(Buffer.concat(chunks).toString('utf8')) as { model: string }
    const call = { name: model === 'good' ? 'Bash' : 'Read', arguments: '{"command":"ls"}' }
    const message = { role: 'assistant', content: null, tool_calls: [{ id: 'c', type: 'function', function: call }] }
    const body = { choices: [{ index: 0, message, finish_reason: 'tool_calls' }], usage: { prompt_tokens: 10, completion_tokens: 5 } }
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => new Promise<void>((resolve) => (server.close(() => resolve()), server.closeAllConnections())),
  }
}

test('an exam is made, taken by two models, decided, and its certificate saved', async ({ app, server }) => {
  const models = await startModels()
  expect((await listed(server)).length).toBeGreaterThan(0)
  await open(app, server, '/evaluator')
  await expect(app.getByRole('heading', { name: 'No exam yet' })).toBeVisible()
  expect(await axe(app)).toEqual([])

  await app.getByRole('button', { name: 'Make my exam' }).click()
  const making = app.getByRole('dialog', { name: 'Make my exam' })
  await making.getByRole('textbox', { name: 'Name' }).fill('Mine')
  await making.getByRole('textbox', { name: 'Share' }).fill('100')
  await making.getByRole('switch', { name: 'Also unverified sessions' }).click()
  await expect(making.getByRole('region', { name: 'Plan' })).toContainText('would be held out')
  expect(await axe(app)).toEqual([])
  await making.getByRole('button', { name: 'Make exam' }).click()
  await expect(app.getByRole('heading', { name: 'Mine', exact: true })).toBeVisible()
  expect(await axe(app)).toEqual([])

  await app.getByRole('button', { name: 'Run the exam' }).click()
  const running = app.getByRole('dialog', { name: 'Run the exam' })
  await running.getByText('A server', { exact: true }).click()
  await running.getByRole('textbox', { name: 'Address' }).fill(models.url)
  await running.getByRole('textbox', { name: 'Name of the model' }).fill('good')
  await running.getByRole('textbox', { name: 'Name of its base' }).fill('plain')
  await expect(running.getByRole('region', { name: 'Plan' })).toContainText('No one: the model runs on this machine')
  expect(await axe(app)).toEqual([])
  await running.getByRole('button', { name: 'Start' }).click()

  const verdict = app.getByRole('region', { name: 'Verdict' })
  await expect(verdict).toContainText('Not proven')
  await expect(verdict).toContainText('too few: at least 20 are needed')
  await expect(app.getByRole('region', { name: 'Progress' })).toContainText('nothing owed')
  await expect(app.getByRole('table', { name: 'Items' })).toContainText('Bash')
  expect(await axe(app)).toEqual([])
  await app.getByRole('button', { name: 'Decide', exact: true }).click()
  await expect(verdict).toContainText('decided')
  const saving = app.waitForEvent('download')
  await app.getByRole('button', { name: 'Certificate' }).click()
  const saved = JSON.parse(fs.readFileSync(await (await saving).path(), 'utf8')) as { verdict: string; errors: string[] }
  expect(saved).toMatchObject({ verdict: 'not_proven' })
  expect(saved.errors).toContain('General benchmarks: not measured.')
  await models.close()
})
