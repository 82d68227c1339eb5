import { once } from 'node:events'
import fs from 'node:fs'
import net, { type AddressInfo } from 'node:net'
import path from 'node:path'
import { axe, expect, open, reload, test } from './fixtures.ts'

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
  const taken = net.createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  const { port } = taken.address() as AddressInfo
  await server.api('/api/settings', { method: 'PATCH', body: { router: { proxyPort: port } } })
  await open(app, server, '/settings/router')
  const proxy = app.getByRole('region', { name: 'Proxy' })
  await proxy.getByRole('switch', { name: 'Pass requests through' }).click()
  await app.getByRole('dialog').getByRole('button', { name: 'Switch on' }).click()
  await expect(proxy).toContainText(`Port ${port} is in use by another program.`)
  expect(await axe(app)).toEqual([])
  taken.close()
  await proxy.getByRole('switch', { name: 'Pass requests through' }).click()
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
  await expect(app.getByRole('region', { name: 'What passed the proxy' })).toContainText('Nothing has passed yet.')
  await expect(app.getByRole('region', { name: 'The agent gym' })).toContainText('It has answered nothing yet.')
})
