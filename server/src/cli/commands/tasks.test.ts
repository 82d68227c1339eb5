import { expect, it } from 'vitest'
import { clientSettingsIn } from '#contracts/client-files.ts'
import type { Context } from '../command.ts'
import { tasks } from './tasks.ts'

it('applies settings of Claude Code only by their names, which asks before each change of them', async () => {
  const handedBack: unknown[] = []
  const client = {
    getTaskChange: async () => ({ files: ['a.js', 'sub/.claude/settings.json', '.mcp.json', 'my.claude/x'].map((path) => ({ path })) }),
    handBackTask: async ({ body }: { body: object }) => (handedBack.push(body), { handedBack: { detail: '' } }),
  }
  const run = (action: string, values: object = {}) =>
    tasks.run({ args: [action, 't'], values, connect: async () => ({ client }), out: () => undefined } as unknown as Context)
  for (const action of ['apply', 'commit'])
    await expect(run(action)).rejects.toMatchObject({
      code: 'path_refused',
      message: expect.stringMatching(/^Claude Code takes sub\/\.claude\/settings\.json, \.mcp\.json as its own/) as unknown,
    })
  expect(handedBack).toEqual([])
  await run('apply', { file: ['.mcp.json'] })
  await run('branch', { name: 'b' })
  expect(handedBack).toEqual([
    { how: 'apply', selection: [{ path: '.mcp.json' }] },
    { how: 'branch', branch: 'b' },
  ])
})

it('finds them in a patch, by its own lines', () => {
  const patch = 'diff --git a/x b/x\n+diff --git a/.mcp.json b/.mcp.json\ndiff --git a/x b/.claude/hooks/y z\nrename from x\n'
  expect(clientSettingsIn(patch)).toEqual(['.claude/hooks/y z'])
})
