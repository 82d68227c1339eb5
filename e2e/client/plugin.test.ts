import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { aUser, clientOrSkip, hookRecords } from './installed.ts'

const client = await clientOrSkip('2.1.329')

it.skipIf(client.skip !== false)('captures as a plugin without changing the settings', async () => {
  const user = aUser(client.skip === false ? client.bin : '')
  fs.mkdirSync(user.spool, { recursive: true })
  const plugin = path.resolve(import.meta.dirname, '..', '..', 'hooks')
  const result = await user.run({
    scenario: 'one-bash',
    args: ['--plugin-dir', plugin],
    // plugin hooks have only 1.5 s at the end of a session, and a busy machine may need that long to start a shell
    env: { BASHGYM_HOME: user.dataDir, CLAUDE_CODE_SESSIONEND_HOOKS_TIMEOUT_MS: '60000' },
  })
  const names = user.events().map(({ hook_event_name: name }) => name)
  expect(names).toEqual(expect.arrayContaining(['SessionStart', 'UserPromptSubmit', 'PostToolUse', 'Stop', 'SessionEnd']))
  expect(hookRecords(result)).toEqual([])
  expect(fs.readFileSync(user.settingsFile, 'utf8')).toBe(user.before)
  user.remove()
})
