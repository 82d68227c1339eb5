import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { createPython } from '#server/adapters/python/index.ts'
import { loadConfig } from '#server/config.ts'

// Takes minutes and 1.6 GB, so it runs only if BASHGYM_TEST_FULL_ENV is set (vitest.config.ts).
const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'bashgym-env-'))
afterAll(() => fs.rmSync(dataDir, { recursive: true, force: true }))

test('the whole environment installs, imports and is ready', { timeout: 1_800_000 }, async () => {
  const log = path.join(dataDir, 'logs', 'environment.log')
  const python = createPython({
    ...loadConfig({ dataDir }),
    named: null,
    setting: () => '',
    folder: path.join(dataDir, 'env'),
    log,
    now: Date.now,
  })
  const made = await python.install({ repair: true, build: 'cpu' }, () => {}, new AbortController().signal)
  expect(made).toMatchObject({ state: 'ready', source: 'own', missing: [], problem: null })
})
