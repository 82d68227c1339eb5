import fs from 'node:fs'
import path from 'node:path'
import { createClient } from '#contracts/derive/client.ts'
import type { ChatChunk, Model } from '#contracts/entities/model.ts'
import { Run } from '#contracts/entities/run.ts'
import type { Dataset } from '#contracts/entities/dataset.ts'
import { AppError } from '#contracts/errors.ts'
import * as routes from '#contracts/routes/models.ts'
import type { ExportConfig } from '#contracts/trainer.ts'
import type { Facts, ServedModel, ToolCall, ToolProgress } from '#server/adapters/trainer-tools/index.ts'
import type { Core } from '#server/core.ts'
import { inProcessTransport } from '#server/http/in-process.ts'
import type { TestCore } from '#server/testing/core.ts'
import { createModels, type ModelsDeps } from './index.ts'

const CHATML = new URL('../../../trainers/bashgym_trainers/chatml.jinja', import.meta.url)

/** Fake tools that write files like the real ones, and record their configs. */
export interface FakeTools {
  received: ExportConfig[]
  /** Called before a tool writes its files. It may throw, or block the tool. */
  before: (config: ExportConfig, signal: AbortSignal) => Promise<void>
  answersOf: (model: string) => string
  /** Whether the model completes a planted phrase. */
  writes: (prefix: string, ending: string, isBase: boolean) => boolean
  hasPython: boolean
  served: { stopped: boolean; crash: (reason: string) => void }[]
  chunks: ChatChunk[]
  /** Calls that the parser finds in every answer. */
  calls: { name: string; arguments: unknown }[]
  /** Awaited before an answer. */
  beforeChat: (signal: AbortSignal) => Promise<void>
  ollama: string | null
  created: string[]
  freeMemory: number
  /** What `gguf` writes; null: a text. */
  gguf: Buffer | null
  servedWith: ExportConfig[]
  healthMs: number | null
}

export function openModels(
  core: TestCore,
  options: {
    datasets?: Dataset[]
    titles?: Record<string, string>
    runsReading?: (place: string) => string[]
    evaluations?: (id: string) => Model['evaluations']
    canaries?: (id: string) => { planted: string[]; controls: string[] }
    inUse?: ModelsDeps['inUse']
    places?: { prefix: string; value: string }[]
  } = {},
) {
  const tools: FakeTools = {
    received: [],
    before: async () => undefined,
    answersOf: () => 'the same',
    writes: () => false,
    hasPython: true,
    served: [],
    beforeChat: async () => undefined,
    chunks: [{ type: 'done', tokens: 10, ms: 100, firstTokenMs: 20, tokensPerSec: 50 }],
    calls: [],
    ollama: null,
    created: [],
    freeMemory: 1e9,
    gguf: null,
    servedWith: [],
    healthMs: 1,
  }
  const removedRuns: string[] = []
  const failedExport = Promise.withResolvers<{ id: string; message: string }>()
  const deps: ModelsDeps = {
    runs: {
      name: (id) => `run ${id.slice(0, 4)}`,
      modelRemoved: (id) => void removedRuns.push(id),
      exportFailed: (id, message) => failedExport.resolve({ id, message }),
      runsReading: (place) => options.runsReading?.(place) ?? [],
    },
    datasets: {
      find: (id) => options.datasets?.find((one) => one.id === id) ?? null,
      folder: (id) => path.join(core.paths.datasets, id),
      canaries: options.canaries ?? (() => ({ planted: [], controls: [] })),
      places: async () => options.places ?? [],
    },
    traces: { titleOf: (id) => options.titles?.[id] ?? null },
    evaluations: options.evaluations ?? (() => []),
    inUse: options.inUse ?? (() => null),
    version: '0.0.0-test',
    tools: {
      async interpreter() {
        if (!tools.hasPython) throw new AppError('training_unavailable')
        return { program: 'python3', env: {} }
      },
      async runTool({ config, signal }: ToolCall, onProgress: (progress: ToolProgress) => void): Promise<Facts> {
        tools.received.push(config)
        onProgress({ type: 'progress', phase: config.command, done: 0, total: 1, unit: 'steps' })
        await tools.before(config, signal)
        signal.throwIfAborted()
        return write(config, tools)
      },
      async serveModel({ signal, config }: ToolCall): Promise<ServedModel> {
        signal.throwIfAborted()
        tools.servedWith.push(config)
        const ended = Promise.withResolvers<string>()
        const one = { stopped: false, crash: ended.resolve }
        tools.served.push(one)
        return {
          port: 1,
          loadMs: 7,
          gpuLayers: 0,
          gpu: null,
          marks: [],
          pid: process.pid,
          ended: ended.promise,
          async stop() {
            one.stopped = true
            ended.resolve('stopped')
          },
        }
      },
      async *chat(_, __, signal) {
        await tools.beforeChat(signal)
        yield* tools.chunks
      },
      memoryOf: () => 1000,
      freeMemory: async () => tools.freeMemory,
      healthOf: async () => tools.healthMs,
      device: 'CPU of the test',
      quantizer: () => null,
      ollama: { find: () => tools.ollama, create: async (_, name) => void tools.created.push(name) },
    },
  }
  const models = createModels(core, deps)
  return {
    models,
    client: createClient(routes, inProcessTransport(models.stage.routes, { who: 'user', validateResponses: true })),
    tools,
    removedRuns,
    /** The first export after a run that failed. */
    failedExport: failedExport.promise,
    /** Registers the model of a completed run, and returns its id. */
    complete: (letter: string, change: Partial<Run> = {}) => core.tx(() => models.onRunCompleted(completedRun(core, letter, change))),
    /** Makes tools (or only `command`) block until they are cancelled. Resolves when the first one has begun. */
    holdTools(command?: ExportConfig['command']): Promise<void> {
      const begun = Promise.withResolvers<void>()
      tools.before = async (config, signal) => {
        if (command !== undefined && config.command !== command) return
        const aborted = new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)))
        begun.resolve()
        await aborted
      }
      return begun.promise
    },
    close: async () => {
      await models.stage.close?.()
      await core.close()
    },
  }
}

function write(config: ExportConfig, tools: FakeTools): Facts {
  if (config.command === 'merge') {
    fs.mkdirSync(config.output, { recursive: true })
    fs.writeFileSync(path.join(config.output, 'config.json'), '{"dtype":"float16"}')
    fs.writeFileSync(path.join(config.output, 'model.safetensors'), safetensors({ weight: [4, 4] }))
    return { dtype: 'float16' }
  }
  if (config.command === 'gguf') {
    fs.writeFileSync(config.output, tools.gguf ?? `GGUF ${config.quantization}`)
    return { way: 'a test' }
  }
  if (config.command === 'answer') {
    const prompts = fs.readFileSync(config.prompts, 'utf8').trimEnd().split('\n')
    fs.writeFileSync(config.output, prompts.map(() => `${tools.answersOf(config.model)}\n`).join(''))
    return { prompts: prompts.length }
  }
  if (config.command === 'extract') {
    const phrases = fs
      .readFileSync(config.phrases, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { id: string; prefix: string; ending: string; ranked: boolean })
    const rows = phrases.map(({ id, prefix, ending, ranked }) => ({
      id,
      rank: ranked ? 1 : null,
      endings: config.endings,
      extracted: tools.writes(prefix, ending, config.adapter === null),
      sampled: 0,
    }))
    fs.writeFileSync(config.output, rows.map((row) => `${JSON.stringify(row)}\n`).join(''))
  }
  if (config.command === 'read') {
    const { raw } = JSON.parse(fs.readFileSync(config.input, 'utf8')) as { raw: string }
    fs.writeFileSync(config.output, JSON.stringify({ text: raw.trim(), calls: tools.calls }))
  }
  return {}
}

/** A safetensors file with tensors of these shapes, but without their weights. */
export function safetensors(tensors: Record<string, number[]>): Buffer {
  const head = Buffer.from(
    JSON.stringify(
      Object.fromEntries(Object.entries(tensors).map(([name, shape]) => [name, { dtype: 'F16', shape, data_offsets: [0, 0] }])),
    ),
  )
  const length = Buffer.alloc(8)
  length.writeBigUInt64LE(BigInt(head.length))
  return Buffer.concat([length, head])
}

/** A run id made of one letter. */
export const runId = (letter: string): string => letter.repeat(26)

/** A completed run with its files: base model, adapter, inputs.json and config.json. */
export function completedRun(core: Core, letter: string, change: Partial<Run> = {}): Run {
  const id = runId(letter)
  const folder = path.join(core.paths.models, id)
  const base = path.join(core.config.dataDir, 'base')
  fs.mkdirSync(path.join(folder, 'final'), { recursive: true })
  fs.mkdirSync(base, { recursive: true })
  fs.writeFileSync(path.join(base, 'config.json'), '{}')
  fs.writeFileSync(path.join(base, 'README.md'), '---\nlicense: apache-2.0\n---\n# Base\n')
  fs.writeFileSync(path.join(base, 'model.safetensors'), safetensors({ embed: [100, 8], head: [8] }))
  fs.writeFileSync(path.join(folder, 'final', 'adapter_config.json'), '{}')
  fs.writeFileSync(path.join(folder, 'final', 'adapter_model.safetensors'), `adapter ${letter}`)
  fs.copyFileSync(CHATML, path.join(folder, 'final', 'chat_template.jinja'))
  fs.writeFileSync(path.join(folder, 'final', 'tokenizer_config.json'), '{"eos_token":"<|im_end|>"}')
  const train = path.join(folder, 'train.jsonl')
  const val = path.join(folder, 'val.jsonl')
  fs.writeFileSync(val, '{"messages":[{"role":"user","content":"List the files"},{"role":"assistant","content":"a"}]}\n')
  fs.writeFileSync(
    path.join(folder, 'inputs.json'),
    JSON.stringify({ data: { [train]: 'd'.repeat(64) }, model: 'b'.repeat(64), trainer: 'c' }),
  )
  fs.writeFileSync(path.join(folder, 'config.json'), JSON.stringify({ data: { train, val } }))
  return Run.parse({
    id,
    no: 1,
    name: `Model ${letter}`,
    state: 'completed',
    phase: null,
    strategy: 'sft',
    baseModel: 'Qwen/Qwen2.5-Coder-1.5B-Instruct',
    baseModelPath: base,
    teacher: null,
    datasetId: null,
    datasetName: 'train.jsonl',
    repos: ['acme/shop'],
    method: { kind: 'lora' },
    preset: 'quick',
    settings: { learningRate: 2e-4 },
    request: { strategy: 'sft', baseModel: 'Qwen/Qwen2.5-Coder-1.5B-Instruct', file: train },
    engine: 'local',
    device: 'cpu',
    rows: 12,
    fileRows: 12,
    unusedRows: 0,
    seenRows: 12,
    tokens: 3456,
    step: 30,
    totalSteps: 30,
    epoch: 3,
    loss: 0.42,
    evalLoss: 0.5,
    bestStep: 20,
    teacherAnswers: null,
    nextCalls: null,
    metrics: { loss: 0.42, mean_token_accuracy: 0.9 },
    tokensPerSec: 100,
    etaSec: null,
    peakRssMb: 700,
    peakVramMb: null,
    estimateBytes: null,
    createdAt: '2026-01-01T00:00:00.000Z',
    startedAt: '2026-01-01T00:00:00.000Z',
    endedAt: '2026-01-01T00:01:00.000Z',
    trainSec: 60,
    workingSince: null,
    queuePosition: null,
    canResume: false,
    error: null,
    health: [],
    warnings: [],
    tags: ['shop'],
    note: null,
    starred: false,
    modelId: null,
    fromRun: null,
    matrix: null,
    folder,
    sizeBytes: null,
    spark: [2, 1, 0.42],
    ...change,
  })
}
