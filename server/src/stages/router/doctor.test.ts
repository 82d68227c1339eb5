import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import type { ClientGuard } from '#contracts/entities/client-guard.ts'
import type { ModReport } from '#contracts/entities/router.ts'
import { newFolder } from '#server/testing/folders.ts'
import { checksOf } from './doctor.ts'

const MOD: ModReport = {
  installed: true,
  version: '1.0.0',
  loads: true,
  overridableBy: [],
  isFirst: false,
  clientVersion: '2.1.329',
  folder: '/skills/bashgym',
  changed: false,
  problems: [],
}
const GUARD: ClientGuard = {
  mode: 'off',
  unchecked: 'nothing',
  way: null,
  holds: false,
  reason: 'Off.',
  clientVersion: null,
  proof: null,
  overridableBy: [],
  canBeFirst: false,
  problems: [],
}
const PROXY = { isOn: false, address: null, upstream: '', problem: null, unchecked: [] }

function checks(
  env: object,
  mod: Partial<ModReport> = {},
  proxy: Partial<Parameters<typeof checksOf>[0]['proxy']> = {},
  isClientSent = false,
  guard: Partial<ClientGuard> = {},
) {
  const settingsFile = path.join(newFolder(), 'settings.json')
  fs.writeFileSync(settingsFile, JSON.stringify({ env }))
  return checksOf({
    mod: { ...MOD, ...mod },
    student: null,
    proxy: { ...PROXY, ...proxy },
    isClientSent,
    guard: { ...GUARD, ...guard },
    settingsFile,
  }).map(({ name, state, detail, fix }) => ({ name, state, says: `${detail} ${fix}` }))
}

it('fails when the safety checks would go to a model of the user, and warns of what weakens them', () => {
  expect(checks({}).map(({ state }) => state)).toEqual(['found', 'found'])
  expect(checks({ ANTHROPIC_DEFAULT_SONNET_MODEL: 'gym-mine' })[0]).toMatchObject({
    state: 'problem',
    says: expect.stringContaining('whether commands are safe') as unknown,
  })
  expect(checks({ CLAUDE_CODE_AUTO_MODE_SERVER: '0' })[0]).toMatchObject({ state: 'warning' })
  expect(checks({}, { overridableBy: ['all@mk'] })[1]).toMatchObject({
    state: 'warning',
    says: expect.stringMatching(/all@mk can override.*bashgym mod first/) as unknown,
  })
  const problems = [{ kind: 'hooks_disabled', message: 'All hooks are disabled.' }]
  expect(checks({}, { loads: false, problems })[1]).toMatchObject({
    state: 'problem',
    says: expect.stringMatching(/^Mod not loaded\. All hooks are disabled/) as unknown,
  })
  const unchecked = [{ session: 's1', at: '2026-11-29T00:00:00.000Z' }]
  expect(checks({}, {}, { unchecked })[2]).toMatchObject({
    state: 'warning',
    says: expect.stringMatching(/^s1: .*claude --continue/) as unknown,
  })
})

it('says when sessions are sent to an address that nobody answers, or another program', () => {
  const says = (proxy: object, isClientSent: boolean) => {
    const check = checks({}, {}, proxy, isClientSent)[2]
    return check && [check.state, check.says]
  }
  expect(says({}, false)).toBe(undefined)
  expect(says({ isOn: true, address: 'http://127.0.0.1:8003/t' }, true)).toMatchObject(['found', expect.anything()])
  expect(says({ isOn: true }, true)).toEqual(['warning', expect.stringMatching(/no new session of Claude Code has an API.*router off/)])
  const problem = 'Port 8003 is in use by another program.'
  expect(says({ isOn: true, problem }, false)).toEqual(['warning', expect.stringContaining(problem)])
  expect(says({ isOn: true, problem }, true)).toEqual(['problem', expect.stringMatching(/in use.*your key.*router off/)])
})

it('warns of a guard that was not shown to hold, and of nothing while it is off or only observes', () => {
  const guard = (state: Partial<ClientGuard>) => checks({}, {}, {}, false, state).find(({ name }) => name === 'Guard of Claude Code')
  expect(guard({})).toBeUndefined()
  expect(guard({ mode: 'observe' })).toMatchObject({ state: 'found' })
  expect(guard({ mode: 'guard', holds: true })).toMatchObject({ state: 'found' })
  expect(guard({ mode: 'guard', reason: 'Not tested.' })).toMatchObject({
    state: 'warning',
    says: expect.stringMatching(/Observes only.*Not tested.*guard client test/) as unknown,
  })
})
