/** Runs the real OpenCode and Codex as agents that call a stub of OpenAI's APIs through the proxy. */
import fs from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { findBubblewrap } from '#server/adapters/bubblewrap/index.ts'
import { processes } from '#server/process/marks.ts'
import { bashgym } from '../support/cli.ts'
import { makeWorkspace, startServer, type Workspace } from '../support/server.ts'
import { makeProject, type OpenaiStep, type OpenaiStub, startOpenaiStub } from './driver/index.mjs'
import { agentOrSkip } from './installed.ts'

const CHECKS = 'node calc.test.mjs'
const KEY = 'nvapi-the-real-key-5d1f08c2'

const bash = (command: string): OpenaiStep => ({ calls: [{ name: 'bash', input: { command, description: 'Run it' } }] })
const exec = (cmd: string): OpenaiStep => ({ calls: [{ name: 'exec_command', input: { cmd } }] })
const PATCH = "apply_patch <<'EOF'\n*** Begin Patch\n*** Update File: calc.mjs\n@@\n-  return a - b\n+  return a + b\n*** End Patch\nEOF"
const SCRIPTS = {
  opencode: {
    'fix-test': [
      { text: 'I look first.', ...bash(CHECKS) },
      (cwd: string) => ({ calls: [{ name: 'read', input: { filePath: `${cwd}/calc.mjs` } }] }),
      (cwd: string) => ({ calls: [{ name: 'edit', input: { filePath: `${cwd}/calc.mjs`, oldString: 'return a - b', newString: 'return a + b' } }] }), // prettier-ignore
      bash(CHECKS),
      { text: 'Fixed `add()`.' },
    ],
    'no-work': [bash('echo hi'), { text: 'All done.' }],
  },
  codex: {
    'fix-test': [exec(CHECKS), exec('cat calc.mjs'), exec(PATCH), exec(CHECKS), { text: 'Fixed `add()`.' }],
    'no-work': [exec('echo hi'), { text: 'All done.' }],
  },
}
const VARIABLES = { opencode: 'OPENCODE_BIN', codex: 'CODEX_BIN' }

interface Result {
  taskId: string
  status: string
  verification: { status: string; exitCode: number; outputTail: string }
  traceId: string
  error: { boundary: string; message: string } | null
}

for (const id of ['opencode', 'codex'] as const) {
  const agent = await agentOrSkip(id)
  const why = agent.skip !== false ? agent.skip : findBubblewrap() === null ? 'there is no bubblewrap' : null

  describe.skipIf(why !== null)(`bashgym task with ${id}${why === null ? '' : ` (skipped: ${why})`}`, () => {
    let workspace: Workspace
    let stub: OpenaiStub
    let project: string
    let env: Record<string, string>
    beforeEach(async () => {
      workspace = makeWorkspace()
      fs.writeFileSync(path.join(workspace.dir, '.gitconfig'), '[user]\n\tname = Dev\n\temail = dev@example.invalid\n')
      project = makeProject(workspace.dir, 'project')
      stub = await startOpenaiStub(SCRIPTS[id])
      env = { NIM_ENDPOINT: stub.url, NVIDIA_API_KEY: KEY, [VARIABLES[id]]: agent.skip === false ? agent.bin : '' }
    })
    afterEach(async () => {
      await stub.close()
      workspace.remove()
    })

    const run = (...args: string[]) => bashgym(workspace, [...args, '--json'], { env })
    const task = (prompt: string, ...args: string[]) =>
      run('task', prompt, '--repo', project, '--verify', CHECKS, '--agent', id, '--provider', 'nim', '--model', 'some/model', ...args)

    it('fails if the work is not done, and is verified after another message, with a diff and one session and the key in no file', async () => {
      const ran = await task('SCENARIO=no-work Fix the failing test.')
      expect([ran.code, ran.stderr]).toEqual([1, expect.stringContaining('verifying')])
      const { taskId, traceId, status, verification } = ran.json() as Result
      expect([status, verification.status, verification.exitCode]).toEqual(['failed', 'failed', 1]) // whatever the agent reports
      expect(verification.outputTail).toContain('want 5')

      const server = await startServer(workspace, { env })
      try {
        await server.api(`/api/tasks/${taskId}/messages`, { method: 'POST', body: { text: 'SCENARIO=fix-test Now really.' } })
        const now = () => server.api<{ state: string; turns: number }>(`/api/tasks/${taskId}`)
        await expect.poll(async () => (await now()).state, { timeout: 60_000 }).toBe('review')
        expect(await now()).toMatchObject({
          turns: 7, // of both attempts
          error: null,
          verification: { status: 'passed', exitCode: 0 },
          removed: id === 'codex' ? ['client_metadata', 'input: message.content: output_text.annotations'] : [],
          tokens: { input: 711, output: 35, cacheRead: 70 },
        })
        expect(await server.api(`/api/traces/${traceId}`)).toMatchObject({
          agent: id,
          counts: { prompts: 2, toolCalls: 5 }, // in one session
          score: { verification: 'passed' },
        })
      } finally {
        await server.stop()
      }
      expect(stub.requests).toHaveLength(7)
      expect(stub.requests.every(({ authorization, model }) => authorization === `Bearer ${KEY}` && model === 'some/model')).toBe(true)
      const patch = await bashgym(workspace, ['tasks', 'patch', taskId], { env })
      expect(patch.stdout).toContain('-  return a - b\n+  return a + b')
      const files = fs.readdirSync(workspace.dir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
      const holding = files.map((entry) => path.join(entry.parentPath, entry.name)).filter((file) => fs.readFileSync(file).includes(KEY))
      expect(holding).toEqual([])
    }, 240_000)

    it('ends at a cap and names it', async () => {
      const ran = await task('SCENARIO=fix-test Fix the failing test.', '--max-turns', '2')
      expect(ran.json()).toMatchObject({ status: 'failed', error: { boundary: 'provider', message: expect.stringContaining('its cap of 2 requests') } }) // prettier-ignore
      expect(stub.requests).toHaveLength(2)
    })

    it('asks what to do next when it is interrupted, and leaves no process when it is stopped', async () => {
      await stub.close()
      stub = await startOpenaiStub(SCRIPTS[id], { before: () => new Promise(() => {}) }) // the agent waits for its model
      env = { ...env, NIM_ENDPOINT: stub.url }
      const atWork = () => [...processes()].filter(({ argv }) => argv.join(' ').includes('stopped/model'))
      const server = await startServer(workspace, { env })
      try {
        const body = {
          prompt: 'Wait.',
          directory: project,
          agent: id,
          endpoint: { kind: 'provider', provider: 'nim' },
          model: 'stopped/model',
        }
        const { id: taskId } = await server.api<{ id: string }>('/api/tasks', { method: 'POST', body })
        const task = () => server.api<{ state: string; question: { id: string } | null }>(`/api/tasks/${taskId}`)
        const asked = async (count: number) => {
          await expect.poll(() => stub.requests.length, { timeout: 60_000 }).toBe(count)
        }
        await asked(1)
        await server.api(`/api/tasks/${taskId}/interrupt`, { method: 'POST' })
        await expect.poll(async () => (await task()).state, { timeout: 30_000 }).toBe('needs_you')
        expect(atWork()).toEqual([])
        const { question } = await task()
        await server.api(`/api/tasks/${taskId}/answer`, { method: 'POST', body: { questionId: question!.id, value: 'Go on.' } })
        await asked(2)
        expect((await task()).state).toBe('working')
        expect(atWork()).not.toEqual([])
        await server.api(`/api/tasks/${taskId}/cancel`, { method: 'POST' })
        await expect.poll(async () => (await task()).state, { timeout: 30_000 }).toBe('stopped')
        expect(atWork()).toEqual([])
      } finally {
        await server.stop()
      }
    })

    it('is refused with a helpful message if the agent is not installed', async () => {
      env = { ...env, [VARIABLES[id]]: path.join(workspace.dir, 'none') }
      expect((await task('Fix it.')).json()).toMatchObject({ error: { message: expect.stringContaining(`set ${VARIABLES[id]}`) } })
    })
  })
}
