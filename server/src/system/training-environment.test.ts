import fs from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openCore, type TestCore } from '#server/testing/core.ts'
import { createTrainingEnvironment } from './training-environment.ts'

let core: TestCore
beforeEach(() => (core = openCore({ env: { PATH: '/usr/bin:/bin' } })))
afterEach(() => core.close())

const open = (running: string[] = []) => {
  const { routes } = createTrainingEnvironment(core, { setting: () => '', running: () => running })
  return (name: string, input: object = {}) => {
    const found = routes.find(({ route }) => route.name === name)
    return found!.handle({ params: {}, query: {}, body: {}, who: 'user', signal: new AbortController().signal, ...input } as never)
  }
}

/** An own environment that answers as if it were whole. */
function installed(): void {
  const bin = path.join(core.paths.env, 'venv', 'bin')
  const facts = { version: '3.12.1', executable: '', prefix: '', venv: true, packages: {}, stamp: {}, missing: [], problem: null, cuda: null, devices: [] } // prettier-ignore
  fs.mkdirSync(bin, { recursive: true })
  fs.writeFileSync(path.join(bin, 'python'), `#!/bin/sh\necho '${JSON.stringify(facts)}'\n`, { mode: 0o755 })
  fs.writeFileSync(path.join(core.paths.env, 'ready.json'), '{"installedAt":"2026-01-01T00:00:00.000Z","build":"cpu","bytes":7}')
}

it('neither changes nor removes an environment that a run is using', async () => {
  installed()
  const call = open(['night run'])
  await expect(call('removeTrainingEnvironment')).rejects.toMatchObject({ code: 'run_state', message: expect.stringContaining('night run') as string }) // prettier-ignore
  await expect(call('installTrainingEnvironment', { body: { repair: true, build: 'cpu' } })).rejects.toMatchObject({ code: 'run_state' })
  expect(fs.existsSync(core.paths.env)).toBe(true)
  expect(await open()('removeTrainingEnvironment')).toMatchObject({ bytes: null })
  expect(fs.existsSync(core.paths.env)).toBe(false)
})

it('reports what is installed, and the end of the log of the installer', async () => {
  installed()
  const call = open()
  expect(await call('getTrainingEnvironment', { query: { fresh: false } })).toMatchObject({ state: 'ready', source: 'own' })
  expect(await call('getTrainingEnvironmentLog')).toEqual({ file: path.join(core.paths.logs, 'environment.log'), text: '' })
  fs.mkdirSync(core.paths.logs, { recursive: true })
  fs.writeFileSync(path.join(core.paths.logs, 'environment.log'), `${'a line\n'.repeat(20_000)}the last\n`)
  const { text } = (await call('getTrainingEnvironmentLog')) as unknown as { text: string }
  expect(text.length).toBeLessThanOrEqual(64 * 1024)
  expect(text.startsWith('a line\n')).toBe(true)
  expect(text.endsWith('the last\n')).toBe(true)
})
