import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { Settings } from '#contracts/entities/settings.ts'
import type { CanaryOptions, CanaryResult } from '#server/adapters/agent-cli/canary/run.ts'
import { type ClientGuardDeps, createClientGuard } from './service.ts'

const REFUSED: CanaryResult = { asked: true, ran: false, result: 'Bash Gym: It is refused. (rule own-a)', ended: 'it ended with 0' }
let root: string
let settingsFile: string
beforeEach(() => {
  root = fs.mkdtempSync(path.join(os.tmpdir(), 'bashgym-guard-'))
  settingsFile = path.join(root, 'settings.json')
  fs.writeFileSync(settingsFile, '{}')
})
afterEach(() => fs.rmSync(root, { recursive: true, force: true }))

/** The guard by a hook, with a client that does as `canary` says. */
async function guardWith(canary: ClientGuardDeps['canary']) {
  const settings = { ...Settings.parse({}).guardrails, client: 'guard' as const }
  const core = { paths: { guard: path.join(root, 'guard') }, log: { warn: () => undefined }, now: () => 0 }
  const deps = {
    settings: () => settings,
    ownRules: async () => [],
    client: { version: async () => '2.1.270', program: () => ({ argv: ['claude'], folders: [] }), loadsMods: () => false },
    settingsFile,
    managedVariables: () => [],
    path: '',
    canary,
    mod: { report: async () => ({ installed: false, version: null, isFirst: false, problems: [] }), others: async () => [] },
    hook: { writeScript: () => undefined, set: () => undefined, isInstalled: () => true },
  }
  const guard = createClientGuard(core as never, deps as never) // what the guard by a hook uses
  await guard.follow()
  return guard
}

it('is no longer proven when hooks are switched off or added after its test', async () => {
  const guard = await guardWith(async () => REFUSED)
  expect(await guard.prove()).toMatchObject({ holds: true })
  for (const changed of [{ disableAllHooks: true }, { hooks: { PermissionRequest: [{ hooks: [] }] } }]) {
    fs.writeFileSync(settingsFile, JSON.stringify(changed))
    expect(await guard.report()).toMatchObject({ holds: false, reason: expect.stringContaining('have changed') })
  }
  fs.writeFileSync(settingsFile, JSON.stringify({ theme: 'dark' }))
  expect(await guard.report()).toMatchObject({ holds: true })
  await guard.close()
})

it('ends its test when the app closes, and takes no proof from it', async () => {
  const started = Promise.withResolvers<CanaryOptions>()
  const guard = await guardWith(async (options) => {
    started.resolve(options)
    await new Promise((resolve) => options.signal.addEventListener('abort', resolve))
    return { ...REFUSED, asked: false, result: null }
  })
  const proven = guard.prove()
  await started.promise
  await guard.close()
  expect(await proven).toMatchObject({ holds: false, proof: null })
  expect(fs.readdirSync(path.join(root, 'guard'))).toEqual(expect.not.arrayContaining(['app', 'proofs.json']))
})
