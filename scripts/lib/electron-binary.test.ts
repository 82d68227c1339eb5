import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { downloadElectronOnce, findElectron } from './electron-binary.mjs'

let modules: string
let folder: string
let messages: string[]
beforeEach(() => {
  modules = fs.mkdtempSync(path.join(os.tmpdir(), 'bashgym-electron-'))
  folder = path.join(modules, 'electron')
  fs.mkdirSync(folder)
  fs.writeFileSync(path.join(folder, 'package.json'), '{"version":"1.2.3"}')
  messages = []
})
afterEach(() => fs.rmSync(modules, { recursive: true, force: true }))

const installer = (code: string) => fs.writeFileSync(path.join(folder, 'install.js'), code)
const download = (timeoutMs = 10_000) =>
  downloadElectronOnce({ log: (line: string) => messages.push(line), timeoutMs, folder, node: process.execPath })

const SUCCEEDS = `const fs = require('fs')
fs.mkdirSync('dist')
fs.writeFileSync('dist/electron', '')
fs.writeFileSync('path.txt', 'electron')`

it('finds the binary that the package downloaded', async () => {
  expect(findElectron({ environment: {}, folder })).toBeNull()
  installer(SUCCEEDS)
  expect(await download()).toBe(path.join(folder, 'dist', 'electron'))
  expect(findElectron({ environment: {}, folder })).toBe(path.join(folder, 'dist', 'electron'))
})

it('prefers the binary named by the environment, and returns null when that file does not exist', () => {
  fs.writeFileSync(path.join(modules, 'electron.exe'), '')
  const name = { win32: 'electron.exe', darwin: 'Electron.app/Contents/MacOS/Electron' }[process.platform as string] ?? 'electron'
  const found = findElectron({ environment: { ELECTRON_OVERRIDE_DIST_PATH: modules }, folder })
  expect(found).toBe(path.join(modules, name))
  expect(findElectron({ environment: { ELECTRON_OVERRIDE_DIST_PATH: path.join(modules, 'absent') }, folder })).toBeNull()
})

it('tries a failing download only once per version', async () => {
  installer('process.exit(1)')
  expect(await download()).toBeNull()
  installer(SUCCEEDS)
  expect(await download()).toBeNull()
  expect(messages).toHaveLength(1)
  fs.writeFileSync(path.join(folder, 'package.json'), '{"version":"1.2.4"}')
  expect(await download()).not.toBeNull()
})

it('gives up on a download that hangs', async () => {
  installer('setInterval(() => {}, 1000)')
  expect(await download(50)).toBeNull()
})
