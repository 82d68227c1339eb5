// Creates special runs for the screenshots: preferences, rewards, a diverging curve and a waiting run.
import fs from 'node:fs'
import path from 'node:path'
import type { RunningServer } from '../../e2e/support/server.ts'
import { makeTinyModel } from '../../e2e/support/trainer.ts'
import { ended } from './models.ts'

const COLOURS = ['red', 'green', 'blue', 'white']
const chatMessage = (role: string, content: string) => ({ role, content })

/** Names by which the screenshots find these runs. */
export const PREFERRED = 'prefers the better answer'
export const REWARDED = 'two rewards without spread'
export const DIVERGED = 'much too fast'
export const WAITING = 'waits for its turn'

/** Trains in a temporary folder, which `sweep` removes. `queue` pauses the queue and adds one run that waits. */
export async function addRuns(server: RunningServer, python: string): Promise<{ queue: () => Promise<unknown>; sweep: () => void }> {
  const model = makeTinyModel(python)
  const rows = (name: string, of: readonly object[]) => {
    const file = path.join(model, name)
    fs.writeFileSync(file, of.map((row) => `${JSON.stringify(row)}\n`).join(''))
    return file
  }
  const pairs = COLOURS.map((word) => ({
    prompt: [chatMessage('user', `Say ${word}`)],
    chosen: [chatMessage('assistant', `${word} yes`)],
    rejected: [chatMessage('assistant', 'no no no')],
  }))
  const answers = COLOURS.map((word) => ({ messages: [chatMessage('user', `Say ${word}`), chatMessage('assistant', `${word} ${word}`)] }))
  const prompts = COLOURS.map((answer) => ({ prompt: [chatMessage('user', `Say ${answer}`)], answer }))
  const start = (name: string, strategy: string, file: string, settings: object) =>
    server.api<{ id: string }>('/api/training/start', {
      method: 'POST',
      body: {
        name,
        strategy,
        baseModel: model,
        file,
        settings: {
          method: { kind: 'full' },
          loggingSteps: 1,
          evalSteps: null,
          saveSteps: null,
          samples: 0,
          schedule: 'constant',
          ...settings,
        },
      },
    })
  const runs = [
    await start(PREFERRED, 'dpo', rows('pairs.jsonl', pairs), { learningRate: 5e-4, maxSteps: 30 }),
    await start(REWARDED, 'grpo', rows('colours.jsonl', prompts), {
      rewards: [{ kind: 'exact', weight: 2 }, { kind: 'format' }],
      learningRate: 1e-3,
      batchSize: 8,
      generations: 4,
      maxCompletion: 8,
      maxSteps: 12,
    }),
    await start(DIVERGED, 'sft', rows('rows.jsonl', answers), { learningRate: 10, maxGradNorm: 1e30, maxSteps: 30 }),
  ]
  for (const { id } of runs) await ended(server, id)
  return {
    queue: async () => {
      await server.api('/api/training/queue', { method: 'PATCH', body: { paused: true } })
      await start(WAITING, 'sft', path.join(model, 'rows.jsonl'), { maxSteps: 30 })
    },
    sweep: () => fs.rmSync(model, { recursive: true, force: true }),
  }
}
