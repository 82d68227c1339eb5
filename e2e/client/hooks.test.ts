import fs from 'node:fs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { eventsFor } from '#server/stages/capture/hooks/client-events.ts'
import { compareVersions, startStub, type RunResult } from './driver/index.mjs'
import { aUser, clientOrSkip, hookRecords } from './installed.ts'

const clients = await Promise.all(['2.1.329', '2.1.50'].map(async (version) => ({ version, client: await clientOrSkip(version) })))
const olderClients = await Promise.all(
  ['1.0.128', '2.0.76', '2.1.100'].map(async (version) => ({ version, client: await clientOrSkip(version) })),
)

let user: ReturnType<typeof aUser>
const setUp = async (bin: string) => {
  user = aUser(bin)
  await user.installer.install()
}
afterEach(() => user.remove())

const toolIds = (result: RunResult) => result.requests.flatMap(({ toolUses }) => toolUses ?? []).map(({ id }) => id)
const isToolCall = (event: { type: string; message?: { content: { type: string }[] } }) =>
  event.type === 'assistant' && event.message?.content.some(({ type }) => type === 'tool_use') === true

for (const { version, client } of clients) {
  /** What no version of the client changes is shown with the newest one. */
  const isNewest = version === clients[0]!.version
  describe.skipIf(client.skip !== false)(
    `Claude Code ${version} with our hooks${client.skip === false ? '' : ` (skipped: ${client.skip})`}`,
    () => {
      beforeEach(() => setUp(client.skip === false ? client.bin : ''))

      it('reports every tool call of fix-test, leaves no record in the transcript, and uninstalls completely', async () => {
        const report = await user.installer.report()
        expect(report).toMatchObject({ installed: true, clientVersion: version, problems: [] })
        expect(report.events.filter(({ state }) => state === 'installed').map(({ event }) => event)).toEqual(eventsFor(version))

        const result = await user.run({ scenario: 'fix-test' })
        expect(result.exitCode).toBe(0)
        const events = user.events()
        const names = events.map(({ hook_event_name: name }) => name)
        expect(names).toEqual(
          expect.arrayContaining(['SessionStart', 'UserPromptSubmit', 'PostToolUse', 'PostToolUseFailure', 'Stop', 'SessionEnd']),
        )
        expect(new Set(events.map(({ session_id: id }) => id))).toEqual(new Set([result.sessionId]))
        expect(new Set(events.map((event) => event['transcript_path']))).toEqual(new Set(result.transcripts))
        // Only PostToolBatch reports the rejected Edit, so one call is missing here.
        const rung = events.filter(({ hook_event_name: name }) => name.startsWith('PostToolUse')).map((event) => event['tool_use_id'])
        expect(rung).toHaveLength(toolIds(result).length - 1)
        expect(toolIds(result)).toEqual(expect.arrayContaining(rung))
        expect(hookRecords(result)).toEqual([])
        expect(user.ownCalls().filter((name) => name === 'Stop')).toHaveLength(1)
        expect(user.ownCalls().filter((name) => name === 'PostToolUse')).toHaveLength(names.filter((name) => name === 'PostToolUse').length)
        expect(fs.readdirSync(user.spool).every((name) => /^\d+\.\d+$/.test(name))).toBe(true)

        await user.installer.uninstall()
        expect(fs.readFileSync(user.settingsFile, 'utf8')).toBe(user.before)
        const calls = user.ownCalls().length
        await user.run({ scenario: 'one-bash' })
        expect(user.events()).toHaveLength(events.length)
        expect(user.ownCalls().length).toBeGreaterThan(calls)
      })

      it('reports a sub-agent and its calls', async () => {
        const result = await user.run({ scenario: compareVersions(version, '2.1.63') >= 0 ? 'subagent' : 'subagent-task' })
        expect(result.exitCode).toBe(0)
        const events = user.events()
        const start = events.find(({ hook_event_name: name }) => name === 'SubagentStart')
        const stop = events.find(({ hook_event_name: name }) => name === 'SubagentStop')
        expect(start?.['agent_id']).toBeTypeOf('string')
        expect(stop?.['agent_id']).toBe(start?.['agent_id'])
        expect(events.filter(({ hook_event_name: name }) => name === 'PostToolUse')).toHaveLength(toolIds(result).length)
        expect(hookRecords(result)).toEqual([])
      })

      it.runIf(isNewest)('keeps four concurrent sessions separate and loses no event', async () => {
        const stub = await startStub()
        const results = await Promise.all(Array.from({ length: 4 }, () => user.run({ scenario: 'parallel', stub })))
        await stub.close()
        const events = user.events()
        expect(new Set(results.map(({ sessionId }) => sessionId)).size).toBe(4)
        for (const result of results) {
          const names = events.filter(({ session_id: id }) => id === result.sessionId).map(({ hook_event_name: name }) => name)
          expect(names.filter((name) => name.startsWith('PostToolUse') && name.length < 20)).toHaveLength(4)
          expect(names.filter((name) => name === 'SessionStart' || name === 'SessionEnd')).toHaveLength(2)
          expect(hookRecords(result)).toEqual([])
        }
      })

      it.runIf(isNewest)('leaves complete payloads when the client is killed during a tool call', async () => {
        const result = await user.run({ scenario: 'slow-bash', params: { MS: 60_000 }, stopWhen: isToolCall, stopDelayMs: 300 })
        expect(result.signal).toBe('SIGKILL')
        const names = user.events().map(({ hook_event_name: name }) => name)
        expect(names).toEqual(expect.arrayContaining(['SessionStart', 'UserPromptSubmit']))
        expect(names).not.toContain('SessionEnd')
      })

      it.runIf(isNewest)('does not disturb a session if the data directory was deleted', async () => {
        fs.rmSync(user.dataDir, { recursive: true })
        const result = await user.run({ scenario: 'one-bash' })
        expect(result.exitCode).toBe(0)
        expect(hookRecords(result)).toEqual([])
        expect(user.ownCalls()).toContain('Stop')
        expect((await user.installer.report()).problems.map(({ kind }) => kind)).toEqual(['script_missing'])
      })

      it('reports that hooks are disabled in the settings', async () => {
        fs.writeFileSync(user.settingsFile, fs.readFileSync(user.settingsFile, 'utf8').replace('{', '{"disableAllHooks": true,'))
        await user.run({ scenario: 'one-bash' })
        expect(fs.readdirSync(user.spool)).toEqual([])
        expect((await user.installer.report()).problems.map(({ kind }) => kind)).toEqual(['hooks_disabled'])
      })
    },
  )
}

for (const { version, client } of olderClients) {
  describe.skipIf(client.skip !== false)(`Claude Code ${version} with our hooks`, () => {
    beforeEach(() => setUp(client.skip === false ? client.bin : ''))

    it("runs our hooks and the user's own hooks", async () => {
      const result = await user.run({ scenario: 'one-bash' })
      expect(result.exitCode).toBe(0)
      const names = user.events().map(({ hook_event_name: name }) => name)
      expect(names).toEqual(expect.arrayContaining(['SessionStart', 'UserPromptSubmit', 'PostToolUse', 'Stop', 'SessionEnd']))
      expect(user.ownCalls()).toEqual(['PostToolUse', 'Stop'])
      expect(hookRecords(result)).toEqual([])
      await user.installer.uninstall()
      expect(fs.readFileSync(user.settingsFile, 'utf8')).toBe(user.before)
    })
  })
}
