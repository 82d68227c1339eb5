import fs from 'node:fs'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Bench, openBench } from '#server/stages/capture/testing.ts'
import { compareVersions, startStub } from './driver/index.mjs'
import { aUser, clientOrSkip } from './installed.ts'

const clients = await Promise.all(['2.1.329', '2.1.50'].map(async (version) => ({ version, client: await clientOrSkip(version) })))

let user: ReturnType<typeof aUser>
let bench: Bench | null = null
afterEach(async () => {
  await bench?.close()
  bench = null
  user.remove()
})
/** Opens capture on the user's folders, with the data directory that the hooks write to. */
const openCapture = () => (bench = openBench({ root: user.userHome, dataDir: user.dataDir }))
const waiting = () => fs.readdirSync(user.spool)

for (const { version, client } of clients) {
  describe.skipIf(client.skip !== false)(
    `capture of Claude Code ${version}${client.skip === false ? '' : ` (skipped: ${client.skip})`}`,
    () => {
      beforeEach(async () => {
        user = aUser(client.skip === false ? client.bin : '')
        await user.installer.install()
      })

      it('follows a running session and has all its bytes at the end', async () => {
        const { capture, changes, signals, ...app } = openCapture()
        await capture.start({ watch: true })
        let isRunning = true
        const seen = Promise.withResolvers<void>()
        const stub = await startStub({ before: async ({ step }) => (step === 6 ? seen.promise : undefined) }) // pauses in the middle
        const running = user.run({ scenario: 'long-session', params: { TURNS: 12 }, stub }).finally(() => (isRunning = false))
        await vi.waitUntil(() => changes.length > 0 || !isRunning, { timeout: 60_000 }).finally(seen.resolve)
        expect(isRunning).toBe(true)
        const { sessionId, transcripts } = await running
        await stub.close()
        await vi.waitUntil(() => app.archived(sessionId!).equals(fs.readFileSync(transcripts[0]!)) && waiting().length === 0, {
          timeout: 30_000,
        })
        await vi.waitUntil(() => signals.some(({ event }) => event === 'SessionEnd'), { timeout: 30_000 })
        expect(signals.map(({ event }) => event)).toEqual(
          expect.arrayContaining(['SessionStart', 'UserPromptSubmit', 'PostToolUse', 'Stop']),
        )
        expect(new Set(signals.map((signal) => signal.sessionId))).toEqual(new Set([sessionId]))
      })

      it('imports at the next start what happened while it was closed, including sub-agents', async () => {
        const result = await user.run({ scenario: compareVersions(version, '2.1.63') >= 0 ? 'subagent' : 'subagent-task' })
        expect(waiting().length).toBeGreaterThan(0)
        const { capture, signals, ...app } = openCapture()
        await capture.start({ watch: true })
        const id = result.sessionId!
        await vi.waitUntil(
          () =>
            app.archived(id).equals(fs.readFileSync(result.transcripts[0]!)) &&
            app.archived(id, 'subagent').equals(fs.readFileSync(result.subagents[0]!)),
          { timeout: 30_000 },
        )
        await vi.waitUntil(() => waiting().length === 0 && signals.some(({ event }) => event === 'SessionEnd'), { timeout: 30_000 })
        expect(signals.map(({ event }) => event)).toEqual(expect.arrayContaining(['SubagentStart', 'SubagentStop']))
      })
    },
  )
}
