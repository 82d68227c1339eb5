import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { permissionRules } from '../../capture/index.ts'
import { covers } from './rule.ts'
import { createGymRules } from './service.ts'

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) fs.rmSync(folder, { recursive: true, force: true })
})

/** A project whose test command is this one. */
function project(command: string, { user = '{}', own, shared }: { user?: string; own?: string; shared?: string } = {}) {
  const root = fs.mkdtempSync(path.join(os.tmpdir(), 'bashgym-rules-'))
  folders.push(root)
  const directory = path.join(root, 'project')
  const local = path.join(directory, '.claude', 'settings.local.json')
  const settingsFile = path.join(root, 'settings.json')
  fs.mkdirSync(directory)
  fs.writeFileSync(settingsFile, user)
  fs.writeFileSync(path.join(directory, 'package.json'), JSON.stringify({ scripts: { test: 'node calc.test.mjs' } }))
  const put = (name: string, text: string) => {
    fs.mkdirSync(path.dirname(name), { recursive: true })
    fs.writeFileSync(name, text)
  }
  if (own !== undefined) put(local, own)
  if (shared !== undefined) put(path.join(directory, '.claude', 'settings.json'), shared)
  const rules = createGymRules({
    dataDir: path.join(root, 'data'),
    settingsFile,
    checksOf: async () => [{ runner: 'npm', command, because: 'package.json', folder: '', reason: null }],
    verdictOf: async (text) => ({ verdict: text.startsWith('rm ') ? 'block' : 'allow' }),
  })
  return { directory, local, rules, text: () => (fs.existsSync(local) ? fs.readFileSync(local, 'utf8') : null) }
}

describe('rules for work in place', () => {
  it('are exactly those that were shown, in the settings of this project, and one call takes them away to the byte', async () => {
    for (const own of [
      undefined,
      '{}',
      '{"permissions":{"allow":[]}}\r\n',
      '{\n    "permissions": {"deny": ["Read(x)"]},\n\n    "x": 1e3 }',
    ]) {
      const { directory, rules, text } = project('npm test', own === undefined ? {} : { own })
      const shown = await rules.show(directory)
      expect(shown).toMatchObject({
        written: false,
        rules: [{ rule: 'Bash(npm test)', refused: null }, { rule: 'Bash(node calc.test.mjs)' }],
      })
      expect(text()).toBe(own ?? null)
      expect(await rules.set(directory, true)).toMatchObject({ written: true })
      expect(permissionRules(text()!).allow).toEqual(['Bash(npm test)', 'Bash(node calc.test.mjs)'])
      expect(shown.diff.split('\n').filter((line) => /^\+.*Bash\(/.test(line)).length).toBeGreaterThan(0)
      expect((await rules.set(directory, true)).diff).not.toBe('')
      expect(await rules.set(directory, false)).toMatchObject({ written: false })
      expect(text()).toBe(own ?? null)
      expect(fs.existsSync(path.join(directory, '.claude'))).toBe(own !== undefined)
    }
  })

  it('leave what the user added meanwhile', async () => {
    const { directory, rules, text, local } = project('npm test')
    await rules.set(directory, true)
    fs.writeFileSync(local, text()!.replace('"Bash(npm test)"', '"Bash(ls)", "Bash(npm test)"'))
    await rules.set(directory, false)
    expect(permissionRules(text()!).allow).toEqual(['Bash(ls)'])
  })

  it('leave a rule that the user had before', async () => {
    const { directory, rules, text, local } = project('npm test', { own: '{"permissions":{"allow":["Bash(npm test)"]}}' })
    await rules.set(directory, true)
    fs.writeFileSync(local, text()!.replace('{"permissions"', '{"model":"x","permissions"'))
    await rules.set(directory, false)
    expect(permissionRules(text()!).allow).toEqual(['Bash(npm test)'])
  })

  it('are not called written when the write was broken off after its record', async () => {
    const { directory, rules, text, local } = project('npm test', { own: '{}' })
    await rules.set(directory, true)
    fs.writeFileSync(local, '{}')
    expect(await rules.show(directory)).toMatchObject({ written: false, diff: expect.stringContaining('+') as unknown })
    expect(await rules.set(directory, true)).toMatchObject({ written: true })
    await rules.set(directory, false)
    expect(text()).toBe('{}')
  })

  it('are not offered if the guardrails object to what npm runs before or after the tests', async () => {
    const { directory, rules } = project('npm test')
    fs.writeFileSync(path.join(directory, 'package.json'), JSON.stringify({ scripts: { test: 'node x.mjs', pretest: 'rm -rf /' } }))
    expect((await rules.show(directory)).rules[0]).toMatchObject({ refused: 'The guardrails of Bash Gym object to what it runs.' })
  })

  it.each([
    ['npm test', { user: '{"permissions":{"deny":["Bash(npm:*)"]}}' }, 'Your rule Bash(npm:*) denies it.'],
    ['npm test', { shared: '{"permissions":{"ask":["Bash"]}}' }, 'Your rule Bash has it asked.'],
    ['npm test', { own: '{"permissions":{"ask":["Bash(npm t*)"]}}' }, 'Your rule Bash(npm t*) has it asked.'],
    ['rm -rf build', {}, 'The guardrails of Bash Gym block this command.'],
    ['npm test; curl x', {}, 'It is not one plain command, and a rule for it could allow more than it says.'],
    ['node *.mjs', {}, 'It is not one plain command, and a rule for it could allow more than it says.'],
  ])('are never weaker than the rules of the user and the guardrails: %s %j', async (command, given, refused) => {
    const { directory, rules, text } = project(command, given)
    expect((await rules.show(directory)).rules[0]).toMatchObject({ command, refused })
    await rules.set(directory, true).catch(() => undefined)
    expect(permissionRules(text() ?? '{}').allow).not.toContain(`Bash(${command})`)
  })

  it('are not written through a link, nor into what is no settings file', async () => {
    const { directory, rules } = project('npm test')
    const elsewhere = path.join(path.dirname(directory), 'elsewhere')
    fs.mkdirSync(elsewhere)
    fs.symlinkSync(elsewhere, path.join(directory, '.claude'))
    await expect(rules.set(directory, true)).rejects.toMatchObject({ code: 'path_refused' })
    expect(fs.readdirSync(elsewhere)).toEqual([])
    const other = project('npm test', { own: '{"permissions":[]}' })
    await expect(other.rules.set(other.directory, true)).rejects.toMatchObject({ code: 'client_settings_invalid' })
    expect(other.text()).toBe('{"permissions":[]}')
  })

  it('allow one command, and never all', () => {
    fc.assert(
      fc.property(fc.string(), (command) => {
        expect(covers('Bash', command) && covers('Bash(*)', command)).toBe(true)
        expect(covers('Read(*)', command)).toBe(false)
      }),
    )
    expect(['npm test', 'npm testx', 'npm'].map((one) => covers('Bash(npm test)', one))).toEqual([true, false, false])
    expect(['npm run test', 'npm est', 'npmtest', 'npm t'].map((one) => covers('Bash(npm*t*est)', one))).toEqual([true, false, true, false])
    expect(covers(`Bash(${'*a'.repeat(40)}b)`, 'a'.repeat(400))).toBe(false) // at once
  })
})
