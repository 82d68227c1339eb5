import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { newFolder } from '#server/testing/folders.ts'
import { createProxySetting } from './proxy-setting.ts'

it('sends sessions to the proxy only while it is on, follows its port, and never takes the place of another gateway', () => {
  const folder = newFolder()
  const settingsFile = path.join(folder, 'settings.json')
  let address: string | null = null
  const setting = createProxySetting({
    dataDir: path.join(folder, 'data'),
    settingsFile,
    address: () => address,
    token: () => 'secret',
    upstream: () => 'https://api.anthropic.com/',
  })
  const now = () => fs.readFileSync(settingsFile, 'utf8')
  const before = '{"env": {"ANTHROPIC_BASE_URL": "https://gateway.example"}}'
  fs.writeFileSync(settingsFile, before)
  expect(setting.report()).toMatchObject({ isOn: false, diff: '', obstacle: 'The proxy is off.' })
  expect(() => setting.set(true)).toThrow('The proxy is off.')

  address = 'http://127.0.0.1:8003/secret'
  expect(() => setting.set(true)).toThrow('already sends Claude Code to https://gateway.example')
  expect(now()).toBe(before)

  const direct = '{"env": {"ANTHROPIC_BASE_URL": "https://api.anthropic.com"}, "model": "opus"}'
  fs.writeFileSync(settingsFile, direct)
  expect(setting.set(true)).toMatchObject({ isOn: true, obstacle: null })
  address = 'http://127.0.0.1:9000/secret'
  setting.follow()
  expect(JSON.parse(now())).toMatchObject({ env: { ANTHROPIC_BASE_URL: address } })
  address = null
  setting.follow()
  expect(now()).toBe(direct)
})
