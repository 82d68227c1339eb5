import fs from 'node:fs'
import path from 'node:path'
import { axe, expect, open, reload, test } from './fixtures.ts'

test('a model without proof is used only in the words for it; the mod is the files that were shown, and one click takes them away', async ({
  app,
  server,
  workspace,
}) => {
  const folder = path.join(workspace.claudeDir, 'skills', 'bashgym')
  const student = path.join(workspace.dataDir, 'student.json')
  // the owner names the address: a browser would be asked to confirm it
  await server.api('/api/settings', {
    method: 'PATCH',
    body: { router: { studentModel: 'tiny', studentAddress: 'http://127.0.0.1:9/v1' } },
  })
  await open(app, server, '/settings/router')
  const main = app.getByRole('main')
  await expect(main).toContainText('Nothing is proven about a model at an address. It is not used before an exam shows that it is better.')
  await expect(main.getByText('not used', { exact: true })).toBeVisible()
  const words = app.getByLabel('Use it without proof')
  await words.fill('use it')
  await words.press('Enter')
  const saved = async () => (await server.api<{ settings: { router: { override: string } } }>('/api/settings')).settings.router.override
  await expect.poll(saved).toBe('use it')
  await expect(words).toHaveValue('use it')
  await expect(main.getByText('not used', { exact: true })).toBeVisible()
  expect(fs.existsSync(student)).toBe(false)
  await words.fill('use tiny without proof')
  await words.press('Enter')
  await expect(main.getByText('used without proof', { exact: true })).toBeVisible()
  expect(JSON.parse(fs.readFileSync(student, 'utf8'))).toMatchObject({ label: 'tiny' })

  await main.getByText(path.join(folder, 'hooks', 'register.js')).click()
  const shown = await app.getByRole('region', { name: /register\.js$/ }).textContent()
  expect(fs.existsSync(folder)).toBe(false)
  await app.getByRole('button', { name: 'Install mod' }).click()
  await expect(app.getByRole('button', { name: 'Remove mod …' })).toBeVisible()
  expect(shown).toContain(fs.readFileSync(path.join(folder, 'hooks', 'register.js'), 'utf8').trim())

  // a mod of somebody else that decides about tools: ours is put before it, as shown, and back
  const other = path.join(path.dirname(folder), 'other', 'hooks')
  fs.mkdirSync(other, { recursive: true })
  fs.writeFileSync(path.join(other, 'hooks.json'), '{"modules": ["./all.js"]}')
  fs.writeFileSync(path.join(other, 'all.js'), "export const register = (on) => { on('tool.check', allowAll) }")
  await reload(app)
  await expect(main.getByRole('alert')).toContainText('The mod other@skills-dir decides about tools too')
  await app.getByRole('button', { name: 'Put ours first' }).click()
  await expect(main.getByRole('alert')).not.toContainText('other@skills-dir')
  const settings = path.join(workspace.claudeDir, 'settings.json')
  expect(JSON.parse(fs.readFileSync(settings, 'utf8'))).toEqual({ env: { CLAUDE_CODE_PLUGIN_DIRS: folder } })
  expect(await axe(app)).toEqual([])
  await app.getByRole('button', { name: 'Undo', exact: true }).click()
  await expect(main.getByRole('alert')).toContainText('other@skills-dir')
  expect(fs.existsSync(settings)).toBe(false)
  fs.rmSync(path.dirname(other), { recursive: true })

  await app.getByRole('button', { name: 'Remove mod …' }).click()
  await app.getByRole('button', { name: 'Remove mod', exact: true }).click()
  await expect(app.getByRole('button', { name: 'Install mod' })).toBeVisible()
  expect(fs.existsSync(path.dirname(folder))).toBe(false)

  await server.api('/api/settings', { method: 'PATCH', body: { router: { studentModel: '', studentAddress: '' } } })
  const model = app.getByRole('combobox', { name: 'Model' })
  await expect(model).toHaveText('None: no gym agent')
  await model.click()
  await expect(app.getByRole('option', { name: 'None: no gym agent' })).toBeVisible()
})
