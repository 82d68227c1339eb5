import fs from 'node:fs'
import path from 'node:path'
import { createClient } from '#contracts/derive/client.ts'
import type { RunRequest, RunState } from '#contracts/entities/run.ts'
import { routes } from '#contracts/routes/index.ts'
import { createLocalEngine } from '#server/adapters/engine/index.ts'
import { inProcessTransport } from '#server/http/in-process.ts'
import { openCore, type TestCore } from '#server/testing/core.ts'
import { contractViolationsOf } from '#server/testing/server.ts'
import type { GymDeps } from './deps.ts'
import { createGym } from './index.ts'
import type { Play } from './fixtures/trainer.ts'

/** Writes a tiny model folder, with the script of the fake trainer (`play.json`). */
export function writeModel(folder: string, play: Play): string {
  fs.mkdirSync(folder, { recursive: true })
  const shape = { model_type: 'qwen2', hidden_size: 4, intermediate_size: 8, num_hidden_layers: 1, num_attention_heads: 1, vocab_size: 16 }
  fs.writeFileSync(path.join(folder, 'config.json'), JSON.stringify(shape))
  fs.writeFileSync(path.join(folder, 'tokenizer.model'), '')
  fs.writeFileSync(path.join(folder, 'chat_template.jinja'), '{{ messages }}')
  const header = Buffer.from(JSON.stringify({ 'layers.0.q_proj.weight': { dtype: 'F32', shape: [4, 4], data_offsets: [0, 64] } }))
  const length = Buffer.alloc(8)
  length.writeBigUInt64LE(BigInt(header.length))
  fs.writeFileSync(path.join(folder, 'model.safetensors'), Buffer.concat([length, header, Buffer.alloc(64)]))
  fs.writeFileSync(path.join(folder, 'play.json'), JSON.stringify(play))
  return folder
}

export const upTo = (last: number): number[] => Array.from({ length: last }, (_, at) => at + 1)
export const lines = (rows: readonly object[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join('')

const ROWS = Array.from({ length: 4 }, (_, at) => ({
  messages: [
    { role: 'user', content: `Say ${at}` },
    { role: 'assistant', content: `${at}` },
  ],
}))

export interface TestGym {
  core: TestCore
  gym: ReturnType<typeof createGym>
  client: ReturnType<typeof createClient<typeof routes>>
  /** A request whose fake trainer follows this script. */
  request(play: Play, more?: Partial<RunRequest>): RunRequest
  /** Writes a file into the data directory, and returns its path. */
  write(name: string, text: string): string
  /** The steps of a run's loss. */
  stepsOf(id: string): Promise<number[]>
  /** Resolves when the run is in one of these states. */
  until(id: string, ...states: RunState[]): Promise<void>
  /** Resolves when the run has taken this many steps. */
  untilStep(id: string, step: number): Promise<void>
  /** Lets a trainer that waits at `Play.holdAt` continue. */
  release(id: string): void
  /** Closes the gym but not its trainers, like the app. `keep` leaves the folder. */
  close(options?: { keep: boolean }): Promise<void>
}

/** Opens a gym with a real core and the fake trainer instead of Python. */
export async function openGym(options: { dataDir?: string; now?: () => number; deps?: Partial<GymDeps> } = {}): Promise<TestGym> {
  const { dataDir, now } = options
  const core = openCore({ ...(dataDir !== undefined && { dataDir }), ...(now && { now }), keep: true })
  const program = path.join(core.config.dataDir, 'trainer')
  const script = path.join(import.meta.dirname, 'fixtures', 'trainer.ts')
  fs.writeFileSync(program, `#!/bin/sh\nexec "${process.execPath}" "${script}" "$@"\n`, { mode: 0o755 })
  const gym = createGym(core, {
    engines: { local: createLocalEngine() },
    python: async () => ({ program, env: {} }),
    packages: async () => null,
    devices: async () => ({ items: [{ kind: 'cpu', name: 'test', totalBytes: 8e9, freeBytes: 8e9, cores: 2 }], problem: null }),
    sandbox: () => null,
    datasets: {
      get: () => {
        throw new Error('no data sets here')
      },
      folder: () => '',
      build: () => {
        throw new Error('no data sets here')
      },
    },
    repoOf: () => null,
    baseModels: () => ({ named: [], shelves: [] }),
    hub: {
      open() {
        throw new Error('no hub here')
      },
      folder: () => core.config.hubCache,
    },
    onCompleted: () => null,
    shellTasks: null,
    ...options.deps,
  })
  const client = createClient(
    routes,
    inProcessTransport(gym.stage.routes, { who: 'user', validateResponses: true, onError: () => undefined }),
  )
  const write = (name: string, text: string) => {
    const file = path.join(core.config.dataDir, name)
    fs.writeFileSync(file, text)
    return file
  }
  const file = write('train.jsonl', lines(ROWS))
  let models = 0
  const when = (isTrue: () => boolean) =>
    new Promise<void>((resolve) => {
      if (isTrue()) return resolve()
      const stop = core.events.subscribe(() => {
        if (!isTrue()) return
        stop()
        resolve()
      })
    })
  await gym.stage.start?.({ watch: true })
  return {
    core,
    gym,
    client,
    request: (play, more = {}) => ({
      strategy: 'sft',
      baseModel: writeModel(path.join(core.config.dataDir, `model-${(models += 1)}`), play),
      file,
      preset: 'balanced',
      settings: {},
      engine: 'local',
      overrideMemory: false,
      tags: [],
      ...more,
    }),
    write,
    stepsOf: async (id) => (await client.getRunMetrics({ params: { id }, query: { names: ['loss'] } })).series[0]?.steps ?? [],
    until: (id, ...states) => when(() => states.includes(gym.run(id).state)),
    untilStep: (id, step) => when(() => gym.run(id).step >= step),
    release: (id) => fs.writeFileSync(path.join(gym.run(id).folder, 'go'), ''),
    async close({ keep } = { keep: false }) {
      await gym.stage.close?.()
      await core.close()
      const contractViolations = core.messages.flatMap(contractViolationsOf)
      if (contractViolations.length > 0) throw new Error(`Messages that do not fit the contract: ${contractViolations.join(', ')}`)
      if (!keep) fs.rmSync(core.config.dataDir, { recursive: true, force: true })
    },
  }
}

/** Closes the gym, calls `meanwhile`, and opens the same data directory again. */
export async function reopened(gym: TestGym, meanwhile = () => {}): Promise<TestGym> {
  const { dataDir } = gym.core.config
  await gym.close({ keep: true })
  meanwhile()
  return openGym({ dataDir })
}
