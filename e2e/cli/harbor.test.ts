import fs from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BASE_IMAGE, testDocker } from '#server/testing/docker.ts'
import { bashgym } from '../support/cli.ts'
import { startScriptedModel } from '../support/scripted-model.ts'
import { makeWorkspace, type Workspace } from '../support/server.ts'

let workspace: Workspace
beforeAll(() => {
  workspace = makeWorkspace()
})
afterAll(() => workspace.remove())

/** Creates a task whose tests require one file inside the task's folder and one outside. */
function makeTask(name: string, instruction: string): string {
  const folder = path.join(workspace.dir, 'tasks', name)
  const files = {
    'instruction.md': instruction,
    'task.toml': 'schema_version = "1.4"\n[agent]\ntimeout_sec = 300.0\n[environment]\nallow_internet = false\n',
    'environment/Dockerfile': `FROM ${BASE_IMAGE}\nWORKDIR /app\nCOPY asked.txt .\n`,
    'environment/asked.txt': 'hello\n',
    'tests/test.sh': '#!/bin/bash\ngrep -qf /tests/wanted /app/said.txt && test -e /opt/said\necho $((! $?)) > /logs/verifier/reward.txt\n',
    'tests/wanted': 'hello\n',
  }
  for (const [file, text] of Object.entries(files)) {
    fs.mkdirSync(path.dirname(path.join(folder, file)), { recursive: true })
    fs.writeFileSync(path.join(folder, file), text)
  }
  return folder
}

interface Result {
  status: string
  verification: { status: string; runner: string; reward: number; isolation: string }
  diff: string | null
  error: { boundary: string } | null
  traceId: string
}

describe.skipIf(testDocker === null)('Harbor tasks in Docker', () => {
  const env = { DOCKER_HOST: testDocker?.host ?? '' }

  it('pass if the shell agent solves them and fail if it does not, alone and in a batch', async () => {
    const solvable = makeTask('solvable', 'Say what asked.txt asks.\n')
    const model = await startScriptedModel(['cp asked.txt said.txt; touch /opt/said', 'exit 0'])
    const asked = ['--model', 'scripted', '--json']
    const solved = await bashgym(workspace, ['task', '--harbor', solvable, '--base-url', model.url, ...asked], { env })
    expect([solved.code, solved.stderr]).toEqual([0, expect.stringContaining('Running the tests of the task')])
    expect(solved.json()).toMatchObject({
      status: 'review',
      verification: { status: 'passed', runner: 'harbor', reward: 1, isolation: 'docker' },
      diff: expect.stringContaining('+hello') as string,
      error: null,
      traceId: expect.any(String) as string,
    } satisfies Partial<Result>)
    await model.close()

    makeTask('other', 'Say it again.\n')
    const lazy = await startScriptedModel(['exit 0'])
    const failed = await bashgym(workspace, ['task', '--harbor', solvable, '--base-url', lazy.url, ...asked], { env })
    expect([failed.code, failed.json()]).toEqual([
      1,
      expect.objectContaining({
        status: 'failed',
        verification: expect.objectContaining({ status: 'failed', reward: 0 }) as unknown,
        error: expect.objectContaining({ boundary: 'task' }) as unknown,
      }),
    ])
    const output = path.join(workspace.dir, 'results')
    const batch = await bashgym(workspace, ['batch', path.dirname(solvable), '--output', output, '--endpoint', lazy.url, ...asked], { env })
    expect([batch.code, batch.json()]).toEqual([0, expect.objectContaining({ passed: 0, failed: 2, withoutResult: 0 })])
    await lazy.close()
  })
})
