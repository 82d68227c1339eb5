import { expect, it } from 'vitest'
import { type AgentCli, OPENCODE } from '#server/adapters/agent-cli/index.ts'
import { findVersionSince } from './readable-program.ts'

const cliWithVersion = (version: string | null): AgentCli => ({
  kind: OPENCODE,
  version: async () => version,
  program: () => ({ argv: ['/usr/bin/true'], folders: ['/usr/bin'] }),
})

it('refuses an agent with an old or unknown version, with a hint', async () => {
  expect(await findVersionSince(cliWithVersion('1.10.0'), '1.2.15')).toEqual({ version: '1.10.0', missing: null })
  expect((await findVersionSince(cliWithVersion('1.2.9'), '1.2.15')).missing).toBe(
    'OpenCode 1.2.9 is too old for runs; update it to 1.2.15 or newer.',
  )
  expect((await findVersionSince(cliWithVersion(null), '1.2.15')).missing).toContain('set OPENCODE_BIN')
})
