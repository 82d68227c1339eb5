import { once } from 'node:events'
import fs from 'node:fs'
import http from 'node:http'
import net, { type AddressInfo } from 'node:net'
import { startStudent } from '../client/scripted-student.ts'
import path from 'node:path'
import { axe, expect, listed, open, reload, test } from './fixtures.ts'

test('the router says why nothing goes to a model, and what it would decide', async ({ app, server }) => {
  await open(app, server, '/router')
  const share = app.getByRole('region', { name: 'Share of the student' })
  await expect(share).toContainText('0 %')
  await expect(share).toContainText('No model is chosen in Settings → Model in Claude Code.')

  await app.getByRole('textbox', { name: 'Prompt to try' }).fill('optimize the async deploy, then test it')
  const decision = app.getByRole('region', { name: 'Try a prompt' }).getByRole('status')
  await expect(decision).toContainText('Claude. No model is chosen in Settings → Model in Claude Code.')
  await expect(decision).toContainText('Complexity 0.5, confidence not measured.')

  await app.getByRole('combobox', { name: 'Strategy' }).click()
  await app.getByRole('option', { name: 'Progressive' }).click()
  await expect(app.getByRole('combobox', { name: 'Largest share' })).toContainText('90 %')
  await expect(share).toContainText('Progressive')

  expect(await axe(app)).toEqual([])

  await reload(app)
  await expect(app.getByRole('combobox', { name: 'Strategy' })).toContainText('Progressive')
})

test('the proxy is switched on knowingly, shows the line for a terminal and how to undo it, and says when its port is taken', async ({
  app,
  server,
  workspace,
}) => {
  const { port, free } = await takenPort()
  await server.api('/api/settings', { method: 'PATCH', body: { router: { proxyPort: port } } })
  await open(app, server, '/settings/router')
  const proxy = app.getByRole('region', { name: 'Proxy' })
  await proxy.getByRole('switch', { name: 'Pass requests through' }).click()
  await app.getByRole('dialog').getByRole('button', { name: 'Switch on' }).click()
  await expect(proxy).toContainText(`Port ${port} is in use by another program.`)
  expect(await axe(app)).toEqual([])
  free()
  await proxy.getByRole('switch', { name: 'Pass requests through' }).click()
  await expect(proxy.getByRole('switch', { name: 'Pass requests through' })).not.toBeChecked()
  await proxy.getByRole('switch', { name: 'Pass requests through' }).click()
  await app.getByRole('dialog').getByRole('button', { name: 'Switch on' }).click()
  await expect(proxy).toContainText(`export ANTHROPIC_BASE_URL=http://127.0.0.1:${port}/`)
  await expect(proxy).toContainText('unset ANTHROPIC_BASE_URL')

  // for all sessions, by the settings of Claude Code; a proxy that is switched off leaves nothing behind
  const settingsFile = path.join(workspace.claudeDir, 'settings.json')
  const before = '{\n  "model": "opus"\n}\n'
  fs.writeFileSync(settingsFile, before)
  await reload(app)
  await expect(proxy.getByRole('region', { name: /change to/ })).toContainText('"ANTHROPIC_BASE_URL"')
  await proxy.getByRole('button', { name: 'Send all sessions through' }).click()
  await app.getByRole('dialog').getByRole('button', { name: 'Send all sessions through' }).click()
  await expect(proxy.getByRole('button', { name: 'Undo', exact: true })).toBeVisible()
  expect(fs.readFileSync(settingsFile, 'utf8')).toContain(`"ANTHROPIC_BASE_URL": "http://127.0.0.1:${port}/`)
  await proxy.getByRole('switch', { name: 'Pass requests through' }).click()
  await expect.poll(() => fs.readFileSync(settingsFile, 'utf8')).toBe(before)

  await app.getByRole('link', { name: 'Router' }).last().click()
  await expect(app.getByRole('region', { name: 'What passed the router' })).toContainText('Nothing has passed yet.')
  await expect(app.getByRole('region', { name: 'The agent gym' })).toContainText('It has answered nothing yet.')
})

test('what the model of your own did is shown; a share that was taken back is given again by a click', async ({ app, server }) => {
  const { port, free } = await takenPort()
  free()
  const student = await startStudent(() => ({ text: 'Found.' }))
  const chosen = { studentModel: 'tiny', studentAddress: student.url, override: 'use tiny without proof' }
  await server.api('/api/settings', {
    method: 'PATCH',
    body: { router: { proxy: true, proxyPort: port, strategy: 'student_only', ...chosen } },
  })
  const { name } = (await server.api<{ student: { name: string } }>('/api/router/status')).student
  const { proxy } = await server.api<{ proxy: { address: string } }>('/api/router/routing')
  await open(app, server, '/router')
  await expect(app.getByRole('region', { name: 'Share of the student' })).toContainText('100 %')
  await fetch(`${proxy.address}/v1/messages`, {
    method: 'POST',
    headers: { connection: 'close', 'x-claude-code-agent-id': 'a', 'x-claude-code-session-id': 's' },
    body: JSON.stringify({ model: name, max_tokens: 9, messages: [{ role: 'user', content: 'hi' }] }),
  })
  const passed = app.getByRole('region', { name: 'What passed' })
  await expect(passed).toContainText('1 answer, 0 failed, 0 answered by Claude instead')
  await expect(passed).toContainText('Confidence against results. Not measured')
  const row = passed.getByRole('row', { name: /tiny by its name/ })
  await row.getByRole('button').press('Enter')
  const decision = app.getByRole('dialog', { name: 'Answered by tiny' })
  await expect(decision).toContainText('Outcomenot measured')
  expect(await axe(app)).toEqual([])
  await decision.getByRole('button', { name: 'Right' }).click()
  await expect(decision).toContainText('right, reported')
  await app.keyboard.press('Escape')
  await expect(row).toContainText('right, reported')
  await expect(app.getByRole('region', { name: 'Share of the student' })).toContainText('1 of 1 right in 1 session')

  // each row of a picture opens its requests
  await passed.getByRole('button', { name: 'Show as table' }).first().click()
  await passed.getByRole('table', { name: 'Who answered' }).getByRole('link').click()
  await expect(passed).toContainText('1 request from')
  await passed.getByRole('link', { name: 'tiny', exact: true }).click()
  await expect(passed).toContainText(`1 request by ${name}`)
  await passed.getByRole('button', { name: 'Show all' }).click()
  await expect(passed).toContainText('1 request, the newest first')
  expect(await axe(app)).toEqual([])
  await server.api('/api/router/outcomes', { method: 'POST', body: { successRate: 0.3, samples: 50 } })
  const share = app.getByRole('region', { name: 'Share of the student' })
  await expect(share.getByRole('alert')).toContainText('35 of 51 reported answers were wrong')
  await expect(share).toContainText('0 %')
  await app.getByRole('switch', { name: 'Ask in the shadow' }).click()
  await expect(app.getByRole('combobox', { name: 'At most in 24 hours' })).toContainText('50 answers')
  expect(await axe(app)).toEqual([])
  await share.getByRole('button', { name: 'Give the share back' }).click()
  await expect(share).toContainText('100 %')
  await expect(share.getByRole('alert')).toBeHidden()
  await student.close()
})

test.describe('with a session', () => {
  test.use({ samples: ['fix-test'] })

  test('answers in the shadow are judged side by side, and become a data set of preferences', async ({ app, server }) => {
    const { port, free } = await takenPort()
    free()
    const student = await startStudent(() => ({ calls: [{ name: 'Bash', input: { command: 'npm test' } }] }))
    const call = { type: 'tool_use', id: 'toolu_1', name: 'Bash', input: { command: 'git log --oneline --since yesterday' } }
    const message = { type: 'message', content: [call], stop_reason: 'tool_use', usage: { input_tokens: 1, output_tokens: 1 } }
    const teacher = http.createServer((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json', connection: 'close' })
      response.end(JSON.stringify(message))
    })
    await once(teacher.listen(0, '127.0.0.1'), 'listening')
    const baseUrl = `http://127.0.0.1:${(teacher.address() as AddressInfo).port}`
    const chosen = { studentModel: 'tiny', studentAddress: student.url, override: 'use tiny without proof' }
    await server.api('/api/settings', {
      method: 'PATCH',
      body: {
        providers: { anthropic: { baseUrl, model: 'claude-opus-4-5' } },
        router: { proxy: true, proxyPort: port, shadow: true, ...chosen },
      },
    })
    const { proxy } = await server.api<{ proxy: { address: string } }>('/api/router/routing')
    const [session] = await listed(server)
    await fetch(`${proxy.address}/v1/messages`, {
      method: 'POST',
      headers: { connection: 'close', 'x-claude-code-session-id': session!.sessionId, 'user-agent': 'claude-cli/2.1.329 (external, cli)' },
      body: JSON.stringify({
        model: 'claude-opus-4-5',
        max_tokens: 900,
        tools: [{ name: 'Agent' }],
        messages: [{ role: 'user', content: 'What has changed in the shop since yesterday?' }],
      }),
    })
    const answers = async () => (await server.api<{ items: unknown[] }>('/api/router/shadow')).items.length
    await expect.poll(answers).toBe(1)
    await open(app, server, '/router')
    const shadow = app.getByRole('region', { name: 'Shadow' })
    const answer = shadow.getByRole('list', { name: 'Answers in the shadow' }).getByRole('listitem')
    await expect(answer).toContainText('no row: not judged')
    await expect(answer.getByRole('region', { name: /of Claude$/ })).toContainText('git log --oneline --since yesterday')
    await expect(answer.getByRole('region', { name: /of tiny$/ })).toContainText('npm test')
    await expect(shadow.getByRole('button', { name: 'Build a data set of 0 pairs' })).toHaveAttribute('aria-disabled', 'true')
    await answer.getByRole('button', { name: 'Worse' }).click()
    await expect(answer).toContainText('said by you')
    await expect(answer).toContainText('makes a row')
    await expect(shadow).toContainText("0 better than Claude's, 1 worse, 0 the same")
    expect(await axe(app)).toEqual([])
    await shadow.getByRole('button', { name: 'Build a data set of 1 pair' }).click()
    await expect(shadow).toContainText('shadow v1 has 1 row.')
    await shadow.getByRole('link', { name: 'Judge with a model …' }).click()
    await expect(app.getByRole('dialog', { name: 'Judge answers in the shadow' })).toBeVisible()
    expect(await axe(app)).toEqual([])
    await app.getByRole('button', { name: 'Cancel' }).click()
    await expect(app.getByRole('dialog')).toBeHidden()
    await student.close()
    teacher.close()
  })
})

async function takenPort(): Promise<{ port: number; free: () => void }> {
  const taken = net.createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  return { port: (taken.address() as AddressInfo).port, free: () => taken.close() }
}
