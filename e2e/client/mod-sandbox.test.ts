import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import type { Task } from '#contracts/entities/task.ts'
import { findBubblewrap } from '#server/adapters/bubblewrap/index.ts'
import { overrideWords } from '#contracts/router-words.ts'
import { startServer } from '../support/server.ts'
import { makeWorkspace, readJsonl, runClient, startStub } from './driver/index.mjs'
import { clientOrSkip } from './installed.ts'
import { startStudent } from './scripted-student.ts'

const client = await clientOrSkip('2.1.329')
const bin = client.skip === false ? client.bin : ''

const textsIn = (value: unknown): string[] =>
  typeof value === 'string' ? [value] : typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []

const toolsIn = (lines: unknown[]): string[] =>
  (lines as { message?: { content?: { type: string; name: string }[] | string } }[]).flatMap(({ message }) =>
    Array.isArray(message?.content) ? message.content.flatMap(({ type, name }) => (type === 'tool_use' ? name : [])) : [],
  )

it.skipIf(client.skip !== false || findBubblewrap() === null)(
  'the agent edits and tests a copy in a sandbox in auto mode, and hands back a patch that Claude applies',
  async () => {
    const steps = [
      { calls: [{ name: 'Read', input: { file_path: 'calc.mjs' } }] },
      { calls: [{ name: 'Edit', input: { file_path: 'calc.mjs', old_string: 'a - b', new_string: 'a + b' } }] },
      { calls: [{ name: 'Bash', input: { command: 'node calc.test.mjs' } }] },
      { text: 'add() adds now, and the test passes.' },
    ]
    const student = await startStudent((_, answers) => steps[answers]!)
    const workspace = makeWorkspace()
    const { userHome, cwd } = workspace
    const claudeDir = path.join(userHome, '.claude')
    fs.mkdirSync(claudeDir, { recursive: true })
    const server = await startServer(
      { dir: userHome, dataDir: path.join(userHome, 'data'), claudeDir, addSample: () => undefined, remove: () => workspace.remove() },
      { env: { CLAUDE_BIN: bin } },
    )
    // not committed, and still in the copy
    fs.writeFileSync(path.join(cwd, 'package.json'), '{"scripts":{"test":"node calc.test.mjs"}}')
    const stateOf = () => [
      fs.readFileSync(path.join(cwd, 'calc.mjs'), 'utf8'),
      execFileSync('git', ['-C', cwd, 'status', '--short'], { encoding: 'utf8' }),
    ]
    const atStart = stateOf()
    let atHandBack: unknown
    let report = ''
    /** Claude reviews the patch in the report and applies it with its own tool, which has a verdict of its own. */
    const applies = () => {
      atHandBack = stateOf()
      const { raw } = stub.requests.at(-1)! as unknown as { raw: string }
      report = textsIn((JSON.parse(raw) as { messages: unknown[] }).messages).findLast((text) => text.includes('```diff')) ?? ''
      const patch = (/^( *)```diff\n([^]*?)\n *```/m.exec(report)?.[2] ?? '').replaceAll(/^ {2}/gm, '')
      return [{ type: 'tool_use' as const, name: 'Bash', input: { command: `git apply <<'PATCH'\n${patch}\nPATCH` } }]
    }
    const stub = await startStub({
      scenarios: {
        sandbox: {
          about: '',
          prompt: '',
          steps: [
            [
              {
                type: 'tool_use' as const,
                name: 'Agent',
                input: { description: 'Task', prompt: 'Mend add().', subagent_type: 'bashgym:gym', run_in_background: false },
              },
            ],
            applies,
            [{ type: 'text' as const, text: 'Claude is done.' }],
          ],
        },
      },
    })
    try {
      const router = { studentModel: 'tiny', studentAddress: student.url, override: overrideWords('tiny') }
      await server.api('/api/settings', { method: 'PATCH', body: { router } })
      await server.api('/api/router/mod/install', { method: 'POST', body: {} })
      const { requests, subagents } = await runClient({
        stub,
        userHome,
        cwd,
        bin,
        prompt: 'SCENARIO=sandbox go',
        args: ['--permission-mode', 'auto'],
      })
      expect(student.requests.map(({ messages }) => messages.at(-1)!.role)).toEqual(['user', 'tool', 'tool', 'tool'])
      expect(student.requests.at(-1)!.messages.at(-1)!.content).toBe('ok')
      expect(report).toContain('add() adds now, and the test passes.')
      expect(report).toContain('(npm test), run in a sandbox: passed after the change')
      // nothing in the user's session had to be checked: the only call of the agent there delivers its report
      expect(subagents.flatMap((file) => toolsIn(readJsonl(file)))).toEqual(['SubagentHandback'])
      expect(requests.filter(({ agent }) => agent !== undefined)).toEqual([])
      const [task] = (await server.api<{ items: Task[] }>('/api/tasks')).items
      expect(task).toMatchObject({ state: 'review', request: { agent: 'gym', directory: cwd }, change: { files: 1 } })
      expect(atHandBack).toEqual(atStart)
      expect(fs.readFileSync(path.join(cwd, 'calc.mjs'), 'utf8')).toContain('return a + b')
    } finally {
      await stub.close()
      await server.stop().catch(() => undefined)
      await student.close()
      workspace.remove()
    }
  },
)
