import fs from 'node:fs'
import { expect, it, vi } from 'vitest'
import { testConfig, startTestServer } from '#server/testing/server.ts'
import { startStub } from './driver/index.mjs'
import { aUser, clientOrSkip } from './installed.ts'

/** Last step of the scenario `fix-test`, counted from 0. The stub delays this response until the test has seen the session. */
const LAST_STEP = 8
const client = await clientOrSkip('2.1.329')

it.skipIf(client.skip !== false)('shows a running session and its tier at the end, with hooks installed through the API', async () => {
  const bin = client.skip === false ? client.bin : ''
  const user = aUser(bin)
  const config = { ...testConfig(), dataDir: user.dataDir, claudeDir: user.claudeDir, userHome: user.userHome, claudeBin: bin }
  const server = await startTestServer({ config })
  const seen = Promise.withResolvers<void>()
  const stub = await startStub({ before: async ({ step }) => (step === LAST_STEP ? seen.promise : undefined) })
  try {
    const report = await server.client.installHooks({ body: {} })
    expect(report).toMatchObject({ installed: true, clientVersion: '2.1.329' })
    expect(fs.readFileSync(report.backupFile!, 'utf8')).toBe(user.before)

    let isRunning = true
    const running = user.run({ scenario: 'fix-test', stub }).finally(() => (isRunning = false))
    const first = await vi.waitUntil(async () => (await server.client.listTraces({ query: {} })).items[0], {
      timeout: 60_000,
      interval: 20,
    })
    expect(isRunning).toBe(true)
    seen.resolve()
    const { sessionId } = await running
    expect(first.sessionId).toBe(sessionId)
    // The last records arrive shortly after the client has exited, without a reload or rescan.
    const trace = await vi.waitFor(
      async () => {
        const last = await server.client.getTrace({ params: { id: first.id } })
        expect(last).toMatchObject({ sessionId, tierSource: 'policy', counts: { toolCalls: 10, failedToolCalls: 2, commits: 1 } })
        expect(last.tier).not.toBe('pending')
        return last
      },
      { timeout: 30_000 },
    )
    expect(trace.score).not.toBe(null)

    await server.client.uninstallHooks({ body: {} })
    expect(fs.readFileSync(user.settingsFile, 'utf8')).toBe(user.before)
    expect(server.contractViolations).toEqual([])
  } finally {
    seen.resolve()
    await server.close()
    await stub.close()
    user.remove()
  }
})
