import { expect, it } from 'vitest'
import { variableProblems } from './client-variables.ts'

it('only a judge of the user’s own fails; other variables are warned of, and switched off ones are not', () => {
  const of = (env: Record<string, string>) => variableProblems(env, 'here').map(({ fails }) => fails)
  expect(of({ ANTHROPIC_DEFAULT_SONNET_MODEL: 'gym-mine' })).toEqual([true])
  expect(of({ ANTHROPIC_DEFAULT_SONNET_MODEL: 'claude-sonnet-5' })).toEqual([false])
  expect(of({ CLAUDE_CODE_DISABLE_EXPERIMENTAL_BETAS: '1', CLAUDE_CODE_AUTO_MODE_SERVER: '0' })).toEqual([false, false])
  expect(of({ CLAUDE_CODE_ENABLE_GATEWAY_MODEL_DISCOVERY: '1', _CLAUDE_CODE_ASSUME_FIRST_PARTY_BASE_URL: 'true' })).toEqual([false, false])
  expect(of({ CLAUDE_CODE_DISABLE_EXPERIMENTAL_BETAS: '0', CLAUDE_CODE_AUTO_MODE_SERVER: '1' })).toEqual([])
})
