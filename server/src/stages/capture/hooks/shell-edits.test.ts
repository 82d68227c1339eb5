import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { newFolder } from '#server/testing/folders.ts'
import { createShellEdits } from './shell-edits.ts'

const open = (text: string | null) => {
  const folder = newFolder()
  const settingsFile = path.join(folder, 'settings.json')
  if (text !== null) fs.writeFileSync(settingsFile, text)
  const setting = createShellEdits({ dataDir: path.join(folder, 'data'), settingsFile, now: () => 0 })
  return { setting, settingsFile, now: () => (fs.existsSync(settingsFile) ? fs.readFileSync(settingsFile, 'utf8') : null) }
}

describe('the setting for edits of shell commands', () => {
  it.each([
    ['no file', null],
    ['an empty object', '{ }\n'],
    ['other settings, as the user wrote them', '{\r\n\t"model": "opus",\r\n\t"hooks": {}\r\n}'],
    ['a choice against it', '{"bashEditDiffEnabled":  false, "x": 1}'],
  ])('is switched on as shown, and undone to the same bytes: %s', (_, text) => {
    const { setting, now } = open(text)
    const shown = setting.report()
    expect(shown).toMatchObject({ isOn: false, exists: text !== null })
    expect(shown.diff).toMatch(/^\+.*"bashEditDiffEnabled": +true/m)
    expect(setting.set(true).isOn).toBe(true)
    expect(JSON.parse(now()!)).toMatchObject({ bashEditDiffEnabled: true })
    expect(setting.set(true).isOn).toBe(true)
    expect(setting.set(false).isOn).toBe(false)
    expect(now()).toBe(text)
  })

  it('leaves a file alone that it cannot read, with the line', () => {
    const { setting, now } = open('{\n  "a": 1,,\n}')
    expect(() => setting.set(true)).toThrow(/line 2/)
    expect(now()).toBe('{\n  "a": 1,,\n}')
  })
})
