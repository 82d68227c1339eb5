import fs from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { axe, expect, open, test } from './fixtures.ts'

const FUNCTIONS = { add: 'return a + b', larger: 'return max(a, b)' }

/** An endpoint whose model `good` answers rightly, and whose other models do not. */
async function startModels() {
  const server = http.createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const { model, messages } = JSON.parse(Buffer.concat(chunks).toString('utf8')) as { model: string; messages: { content: string }[] }
    const name = Object.keys(FUNCTIONS).find((one) => messages[0]!.content.includes(`def ${one}(`)) as keyof typeof FUNCTIONS
    const content = model === 'good' ? `\`\`\`\n${FUNCTIONS[name]}\n\`\`\`` : 'I do not know.'
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

test('a benchmark is run from files on two models, every answer can be opened, and both are compared', async ({
  app,
  server,
  workspace,
}) => {
  const models = await startModels()
  const file = path.join(workspace.dir, 'HumanEval.jsonl') // in the home folder, which a browser may name without a confirmation
  fs.writeFileSync(
    file,
    Object.keys(FUNCTIONS)
      .map((name, index) =>
        JSON.stringify({
          task_id: `HumanEval/${index}`,
          prompt: `def ${name}(a, b):\n    """Returns it."""\n`,
          entry_point: name,
          test: `def check(f):\n    assert f(3, 5) == ${name === 'add' ? 8 : 5}\n`,
        }),
      )
      .join('\n'),
  )
  await open(app, server, '/evaluator')
  await app.getByRole('navigation', { name: 'Evaluator' }).getByRole('link', { name: 'Benchmarks' }).click()
  const sets = app.getByRole('table', { name: 'Benchmarks' })
  await expect(sets.getByRole('row')).toHaveCount(11)
  await expect(sets).toContainText('about 120 GB')
  expect(await axe(app)).toEqual([])

  for (const name of ['good', 'plain']) {
    await app.getByRole('button', { name: 'Run HumanEval' }).click()
    const dialog = app.getByRole('dialog', { name: 'Run HumanEval' })
    await dialog.getByText('A server', { exact: true }).click()
    await dialog.getByRole('textbox', { name: 'Address' }).fill(models.url)
    await dialog.getByRole('textbox', { name: 'Name of the model' }).fill(name)
    await dialog.getByRole('textbox', { name: 'Files' }).fill(file)
    await expect(dialog.getByRole('region', { name: 'Plan' })).toContainText('To run items of your own')
    await dialog.getByRole('switch', { name: 'Own items' }).click()
    await expect(dialog.getByRole('region', { name: 'Plan' })).toContainText('2 items, 2 requests')
    if (name === 'good') expect(await axe(app)).toEqual([])
    await dialog.getByRole('button', { name: 'Start' }).click()
    await expect(app.getByRole('region', { name: 'Progress' })).toContainText('nothing owed')
    await expect(app.getByRole('table', { name: 'Figures' })).toContainText(name === 'good' ? '100.0 %' : '0.0 %')
    if (name === 'good') expect(await axe(app)).toEqual([])
    if (name === 'good') await app.goBack()
  }
  await app.getByRole('button', { name: 'Open HumanEval/0' }).click()
  const answer = app.getByRole('dialog', { name: 'HumanEval/0' })
  await expect(answer.getByRole('region', { name: 'Question' }).first()).toContainText('def add')
  await expect(answer).toContainText('SyntaxError')
  expect(await axe(app)).toEqual([])
  await app.keyboard.press('Escape')

  await app.getByRole('link', { name: 'All benchmarks' }).click()
  const results = app.getByRole('table', { name: 'Results' })
  await expect(results.getByRole('row')).toHaveCount(3)
  for (const box of await results.getByRole('checkbox').all()) await box.click()
  await app.getByRole('button', { name: 'Compare' }).click()
  await expect(app.getByRole('table', { name: 'Comparison' })).toContainText('1.000')
  expect(await axe(app)).toEqual([])
  await models.close()
})
