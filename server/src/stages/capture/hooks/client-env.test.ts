import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { newFolder } from '#server/testing/folders.ts'
import { createClientEnv } from './client-env.ts'

const open = (text: string | null) => {
  const folder = newFolder()
  const settingsFile = path.join(folder, 'settings.json')
  if (text !== null) fs.writeFileSync(settingsFile, text)
  const env = createClientEnv({ dataDir: path.join(folder, 'data'), settingsFile, now: () => 0 })
  return { env, settingsFile, now: () => (fs.existsSync(settingsFile) ? fs.readFileSync(settingsFile, 'utf8') : null) }
}

describe('variables of the client', () => {
  it.each([
    ['no file', null],
    ['an empty object', '{ }\n'],
    ['other settings, as the user wrote them', '{\r\n\t"model": "opus",\r\n\t"hooks": {}\r\n}'],
    ['an empty env', '{"env": { }, "x": 1}'],
    ['an env', '{\n  "env": {\n    "A": "1"\n  }\n}\n'],
    ['the variable itself', '{"env": {"ONE":  "\\u0031", "A": "2"}}'],
  ])('are set as shown, and undone to the same bytes in either order: %s', (_, text) => {
    for (const order of [
      ['ONE', 'TWO'],
      ['TWO', 'ONE'],
    ] as const) {
      const { env, now } = open(text)
      const { diff, after } = env.preview('ONE', 'http://x')
      expect(diff).toMatch(/^\+.*"ONE": *"http:\/\/x"/m)
      expect(env.set('ONE', 'http://x')).toBe(true)
      expect(now()).toBe(after)
      expect(env.set('ONE', 'http://x')).toBe(false)
      env.set('ONE', 'http://y')
      env.set('TWO', 'b')
      expect([env.get('ONE'), env.get('TWO')]).toEqual(['http://y', 'b'])
      for (const name of order) env.set(name, null)
      expect(now()).toBe(text)
    }
  })

  it('keep what the user added since', () => {
    const { env, settingsFile, now } = open(null)
    env.set('ONE', 'a')
    fs.writeFileSync(settingsFile, now()!.replace('"ONE"', '"MINE": "1",\n    "ONE"'))
    env.set('ONE', null)
    expect(JSON.parse(now()!)).toEqual({ env: { MINE: '1' } })
  })

  it('are undone to what was there when they were set again, after the user took ours out by hand', () => {
    const before = '{"env": { "ONE": "mine", "A": "2" }}'
    for (const byHand of ['{"env": { "A": "2" }}', '{"env": { "ONE": "other", "A": "2" }}', '{"model": "x"}', '{}']) {
      const { env, settingsFile, now } = open(before)
      env.set('ONE', 'ours')
      fs.writeFileSync(settingsFile, byHand)
      env.set('ONE', 'ours again')
      env.set('ONE', 'and again')
      env.set('ONE', null)
      expect(now()).toBe(byHand)
    }
  })

  it('leave a file alone whose env is something else, with the line', () => {
    const { env, now } = open('{\n  "env": []\n}')
    expect(() => env.set('ONE', 'a')).toThrow(/line 2/)
    expect(now()).toBe('{\n  "env": []\n}')
  })
})
