import fs from 'node:fs'
import path from 'node:path'
import { expect } from 'vitest'
import { overrideWords } from '#contracts/router-words.ts'
import { startServer } from '../support/server.ts'
import { makeWorkspace, readJsonl, runClient, startStub, type RunOptions } from './driver/index.mjs'

/** What the model must not see. */
export const CANARY = 'Rules of the project: CANARY-OF-CLAUDE-MD'

/** A call of Claude that gives the agent a task. */
export const task = (prompt: string, more: object = {}) => ({
  type: 'tool_use' as const,
  name: 'Agent',
  input: { description: 'Task', prompt, subagent_type: 'bashgym:gym', run_in_background: false, ...more },
})
/** A user with our mod, installed by the command, and an app whose chosen student is this endpoint. */
export async function aUserWithMod({ bin, version }: { bin: string; version: string }, studentUrl: string) {
  const workspace = makeWorkspace()
  const { userHome, cwd } = workspace
  fs.writeFileSync(path.join(cwd, 'CLAUDE.md'), `${CANARY}\n`)
  const claudeDir = path.join(userHome, '.claude')
  fs.mkdirSync(claudeDir, { recursive: true })
  const dataDir = path.join(userHome, "Jörg's data")
  const server = await startServer(
    { dir: userHome, dataDir, claudeDir, addSample: () => undefined, remove: () => workspace.remove() },
    { env: { CLAUDE_BIN: bin } },
  )
  const router = { studentModel: 'tiny', studentAddress: studentUrl, override: overrideWords('tiny'), work: 'in-place' }
  await server.api('/api/settings', { method: 'PATCH', body: { router } })
  const { student } = await server.api<{ student: { name: string; isUsable: boolean } }>('/api/router/status')
  expect(student.isUsable).toBe(true)
  const report = await server.api('/api/router/mod/install', { method: 'POST', body: {} })
  expect(report).toMatchObject({ installed: true, loads: true, changed: true, problems: [], clientVersion: version })
  const run = (options: Partial<RunOptions>) => runClient({ userHome, cwd, bin, ...options })
  return {
    name: student.name,
    server,
    userHome,
    claudeDir,
    cwd,
    run,
    /** Claude gives the agent these tasks, one after the other, and then ends. */
    async delegate(tasks: readonly string[], more: object = {}, options: Partial<RunOptions> = {}) {
      const calls = tasks.map((text) => [task(text, more)])
      const stub = await startStub({
        scenarios: { delegate: { about: '', prompt: '', steps: [...calls, [{ type: 'text' as const, text: 'Claude is done.' }]] } },
      })
      try {
        const result = await run({ stub, prompt: 'SCENARIO=delegate go', ...options })
        expect([...new Set(stub.requests.map((request) => request.model))], 'models that the client asked its provider for').toEqual([
          result.requests[0]!.model,
        ])
        expect(stub.requests.filter(({ agent }) => agent !== undefined)).toEqual([])
        expect(result.requests).toHaveLength(tasks.length + 1)
        return { ...result, reports: toolResults(result.transcripts) }
      } finally {
        await stub.close()
      }
    },
    async close() {
      await server.stop().catch(() => undefined)
      workspace.remove()
    },
  }
}

export type Line = {
  type?: string
  answeredWithoutRequest?: boolean
  message?: { model?: string; content?: { type: string; text?: string; content?: unknown }[] }
}
export const linesOf = (files: string[]) => files.flatMap((file) => readJsonl(file) as Line[])
export const toolResults = (files: string[]): string[] =>
  linesOf(files).flatMap(({ message }) =>
    Array.isArray(message?.content)
      ? message.content.flatMap((part) => (part.type === 'tool_result' ? JSON.stringify(part.content) : []))
      : [],
  )
