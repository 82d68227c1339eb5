import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import path from 'node:path'
import { systemOf } from '../../server/src/stages/shell-rl/rollouts/perform.ts'
import { root } from './server.ts'
import { PYTHON } from './trainer.ts'

/** Fills a folder with a small model that seldom solves these tasks, and can learn to. */
export async function makeShellModel(folder: string, tasks: readonly { task: string; referenceSolution: string | null }[]): Promise<void> {
  const rows = tasks.map(({ task, referenceSolution }) => ({
    prompt: [
      { role: 'system', content: systemOf('command') },
      { role: 'user', content: task },
    ],
    solution: referenceSolution,
  }))
  const file = `${folder}.jsonl`
  fs.writeFileSync(file, rows.map((row) => `${JSON.stringify(row)}\n`).join(''))
  const trainers = path.join(root, 'server', 'trainers')
  const child = spawn(PYTHON, [path.join(root, 'e2e', 'trainers', 'make_shell_model.py'), file, folder], {
    env: {
      PATH: process.env['PATH'],
      HOME: path.dirname(folder),
      PYTHONPATH: `${trainers}:${trainers}/tests`,
      PYTHONDONTWRITEBYTECODE: '1',
      HF_HUB_OFFLINE: '1',
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const [code] = (await once(child, 'exit')) as [number | null]
  if (code !== 0) throw new Error(`make_shell_model.py ended with ${String(code)}.`)
}
