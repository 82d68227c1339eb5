import { expect, it } from 'vitest'
import { type AgentCli, OPENCODE } from '#server/adapters/agent-cli/index.ts'
import { findSince } from './shown-program.ts'

const saying = (version: string | null): AgentCli => ({
  kind: OPENCODE,
  version: async () => version,
  program: () => ({ argv: ['/usr/bin/true'], folders: ['/usr/bin'] }),
})

it('an agent that is too old, or does not say how old it is, is refused with what to do', async () => {
  expect(await findSince(saying('1.10.0'), '1.2.15')).toEqual({ version: '1.10.0', missing: null })
  expect((await findSince(saying('1.2.9'), '1.2.15')).missing).toBe(
    'OpenCode 1.2.9 is too old for runs here; update it to 1.2.15 or newer.',
  )
  expect((await findSince(saying(null), '1.2.15')).missing).toContain('set OPENCODE_BIN')
})
