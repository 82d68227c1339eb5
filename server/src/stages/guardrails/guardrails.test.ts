import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openCore, type TestCore } from '#server/testing/core.ts'
import { startTestServer, type TestServer } from '#server/testing/server.ts'
import { redactText } from '../privacy/index.ts'
import { createGuardrails } from './index.ts'

describe('a check over the API', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await startTestServer()
  })
  afterAll(() => server.close())
  const check = (command: string, profile: 'native' | 'sandbox' = 'native', cwd?: string) =>
    server.client.checkCommand({ body: { command, profile, ...(cwd === undefined ? {} : { cwd }) } })

  it('returns the rule, the deciding part of the command and alternatives', async () => {
    expect(await check('ls && rm -rf / # clean')).toMatchObject({ verdict: 'block', rule: 'remove-protected', span: { start: 6, end: 14 } })
    expect(await check('chmod 777 /tmp/x')).toMatchObject({
      verdict: 'warn',
      rule: 'chmod-777',
      alternatives: ['chmod u+rwx', 'chmod 755'],
    })
    expect(await check('chmod 777 /tmp/x', 'sandbox')).toMatchObject({ verdict: 'block' })
    expect(await check('npm test')).toEqual({ verdict: 'allow', rule: null, span: null, reason: null, alternatives: [] })
  })

  it('resolves relative paths in the given folder', async () => {
    expect(await check('rm -rf *', 'native', '/')).toMatchObject({ verdict: 'block' })
    expect(await check('rm -rf ../../..', 'native', '/srv/app/a/b/c')).toMatchObject({ verdict: 'allow' })
    await expect(check('ls', 'native', 'relative')).rejects.toMatchObject({ code: 'invalid_request' })
  })

  it('warns about unreadable commands, and blocks them in a sandbox', async () => {
    expect(await check("echo 'x")).toMatchObject({ verdict: 'warn', rule: 'unreadable', reason: expect.stringContaining('quote') })
    expect(await check('echo \0', 'sandbox')).toMatchObject({
      verdict: 'block',
      rule: 'unreadable',
      reason: expect.stringContaining('NUL'),
    })
  })

  it('checks commands of up to 256 KB', async () => {
    const long = `echo ${'x'.repeat(220_000)}\nrm -rf /` // one word, which even a busy machine reads well within the time limit
    expect(await check(long)).toMatchObject({ verdict: 'block', span: { start: long.length - 8, end: long.length } })
    await expect(check('é'.repeat(131_073))).rejects.toMatchObject({
      code: 'payload_too_large',
      message: expect.stringContaining('262146 bytes'),
    })
  })

  it.each([
    ['patterns', `rm -rf ${'/?*?*'.repeat(50_000)}`],
    ['here-documents', '<<a '.repeat(62_500)],
  ])('stops reading a command after the time limit: %s', async (_, slow) => {
    expect(await check(slow, 'sandbox')).toMatchObject({ verdict: 'block', rule: 'unreadable' })
  })

  it('stores no event', async () => {
    await check('rm -rf /')
    expect(await server.client.listGuardrailEvents({})).toEqual({ items: [], nextCursor: null, total: 0 })
  })
})

describe('a check before a command runs', () => {
  let core: TestCore
  let guardrails: ReturnType<typeof createGuardrails>
  const list = (query: Record<string, unknown>) => {
    const route = guardrails.stage.routes.find((candidate) => candidate.route.name === 'listGuardrailEvents')!
    return route.handle({ query: { limit: 50, ...query } } as never) as unknown as {
      items: { verdict: string; rule: string }[]
      nextCursor: string | null
      total: number
    } // the fields that these tests read
  }
  beforeAll(() => {
    core = openCore()
    guardrails = createGuardrails(core, { redact: (text) => redactText(text, 'redact').text })
  })
  afterAll(() => core.close())

  it('stores and publishes warnings and blocks without secrets', async () => {
    expect((await guardrails.check('ls', 'sandbox', { sandboxId: 'a' })).verdict).toBe('allow')
    const key = `sk-ant-api03-${'Qz7'.repeat(31)}AA`
    await guardrails.check(`sudo ANTHROPIC_API_KEY=${key} env`, 'native', { cwd: '/srv' })
    await guardrails.check('rm -rf /', 'sandbox', { sandboxId: 'a' })
    expect(core.messages).toMatchObject([
      { type: 'guardrail:warn', seq: 1, payload: { event: { verdict: 'warn', rule: 'sudo', profile: 'native', sandboxId: null } } },
      {
        type: 'guardrail:blocked',
        seq: 2,
        payload: { event: { verdict: 'block', rule: 'remove-protected', sandboxId: 'a', excerpt: 'rm -rf /' } },
      },
    ])
    expect(JSON.stringify([core.messages, list({})])).not.toContain('Qz7')
  })

  it('lists events newest first, page by page, by verdict and profile', () => {
    expect(list({ limit: 1 })).toMatchObject({ items: [{ rule: 'remove-protected' }], total: 2 })
    expect(list({ limit: 1, cursor: list({ limit: 1 }).nextCursor })).toMatchObject({ items: [{ rule: 'sudo' }], nextCursor: null })
    expect(list({ verdict: 'warn' })).toMatchObject({ items: [{ rule: 'sudo' }], total: 1 })
    expect(list({ profile: 'sandbox' })).toMatchObject({ items: [{ rule: 'remove-protected' }], total: 1 })
    expect(() => list({ cursor: 'x' })).toThrow('This cursor is not valid.')
  })

  it('lets a policy change the verdict of a rule', async () => {
    expect((await guardrails.check('git push --force', 'native', { policy: { 'force-push': 'block' } })).verdict).toBe('block')
    expect((await guardrails.check('sudo ls', 'sandbox', { policy: { sudo: 'allow' } })).verdict).toBe('allow')
  })
})
