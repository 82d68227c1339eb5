import { z } from 'zod'
import { TeacherAnswers, TrainStrategy } from '../trainer.ts'
import { Id, Instant } from './common.ts'
import { Evaluation } from './evaluation.ts'
import { Probe } from './probe.ts'

export const ModelId = Id
export const Quantization = z.enum(['f16', 'q8_0', 'q5_k_m', 'q4_k_m']).meta({ id: 'Quantization' })
export type Quantization = z.infer<typeof Quantization>
export const ModelFormat = z.enum(['adapter', 'merged', 'gguf', 'ollama']).meta({ id: 'ModelFormat' })
export type ModelFormat = z.infer<typeof ModelFormat>

/** How many held-out prompts an export answers like the trained model, with greedy decoding. */
export const Parity = z
  .object({
    prompts: z.number().int(),
    sameText: z.number().int(),
    withCalls: z.number().int().meta({ description: 'prompts that the trained model answers with a tool call' }),
    sameCalls: z.number().int(),
    cut: z.number().int().optional().meta({ description: 'prompts with an answer that reached the token limit' }),
    maxTokens: z.number().int().optional(),
    tokenizedOtherwise: z.number().int().optional().meta({ description: 'prompts that the export tokenizes differently' }),
    at: Instant,
    items: z.array(
      z.object({
        prompt: z.string(),
        trained: z.string().meta({ description: 'answer of the trained model, unchanged' }),
        exported: z.string(),
        same: z.boolean(),
        sameCall: z.boolean().nullable(),
      }),
    ),
  })
  .meta({ id: 'Parity' })
export type Parity = z.infer<typeof Parity>

export const Artifact = z
  .object({
    id: z.string(),
    format: ModelFormat,
    quantization: Quantization.nullable(),
    path: z.string(),
    bytes: z.number(),
    sha256: z.string().nullable().meta({ description: 'for a folder, the hash of its file names and hashes; null while it is computed' }),
    createdAt: Instant,
    state: z.enum(['present', 'missing', 'changed']),
    made: z.string().nullable().meta({ description: 'how it was made, or the command that completes it' }),
    parity: Parity.nullable(),
    notice: z.string().nullable().default(null).meta({ description: 'what must be known before it is used' }),
  })
  .meta({ id: 'Artifact' })
export type Artifact = z.infer<typeof Artifact>

/** A model in the registry. Every figure is measured; null is "not measured". */
export const Model = z
  .object({
    id: ModelId,
    name: z.string(),
    description: z.string().nullable(),
    tags: z.array(z.string()),
    note: z.string().nullable(),
    starred: z.boolean(),
    archived: z.boolean(),
    createdAt: Instant,
    lineage: z.object({
      baseModel: z.string(),
      baseRevision: z.string().nullable(),
      baseHash: z.string().nullable(),
      strategy: TrainStrategy,
      datasetId: z.string().nullable(),
      datasetName: z.string().nullable(),
      mix: z
        .array(z.object({ datasetId: z.string(), name: z.string(), weight: z.number() }))
        .default([])
        .meta({ description: 'additional data sets, and how often an epoch contained each of their rows' }),
      traces: z.number().int().nullable(),
      repos: z.array(z.string()),
      parentModelId: z.string().nullable(),
      teacher: z.string().nullable(),
      teacherAnswers: TeacherAnswers.nullable()
        .default(null)
        .meta({ description: 'how the teacher text was sampled, and how much of it was excluded' }),
      runId: z.string(),
    }),
    training: z.object({
      steps: z.number().int(),
      rows: z.number().int().nullable(),
      seenRows: z.number().int().nullable().default(null).meta({ description: 'rows that its steps reached' }),
      heldOut: z.string().nullable().default(null).meta({ description: 'identifies the answers of the held-out figures' }),
      tokens: z.number().nullable(),
      trainSec: z.number().nullable(),
      device: z.string().nullable(),
      loss: z.number().nullable(),
      evalLoss: z.number().nullable(),
      metrics: z.record(z.string(), z.number().nullable()),
      spark: z.array(z.number().nullable()),
      peakMb: z.number().nullable(),
    }),
    artifacts: z.array(Artifact),
    probe: Probe.nullable().default(null).meta({ description: 'null: not measured' }),
    evaluations: z.array(Evaluation).meta({ description: 'oldest first' }),
    operational: z.object({
      sizeBytes: z.number(),
      parameters: z.number().nullable(),
      tokensPerSec: z.number().nullable(),
      latencyMsP50: z.number().nullable(),
      latencyMsP95: z.number().nullable(),
      measuredOn: z.string().nullable(),
      status: z.enum(['not_deployed', 'serving']),
    }),
  })
  .meta({ id: 'Model' })
export type Model = z.infer<typeof Model>

export const LineageNode = z.object({
  id: z.string(),
  kind: z.enum(['trace', 'example', 'dataset', 'run', 'model', 'export', 'base']),
  label: z.string(),
  detail: z.string().nullable(),
  href: z.string().nullable().meta({ description: 'page of the app; null if the node has no page' }),
  count: z.number().int().meta({ description: 'number of items that this node represents' }),
})
export type LineageNode = z.infer<typeof LineageNode>

export const Lineage = z
  .object({ nodes: z.array(LineageNode), edges: z.array(z.object({ from: z.string(), to: z.string() })) })
  .meta({ id: 'Lineage' })
export type Lineage = z.infer<typeof Lineage>

/** A part of a model's answer; each is one JSON line of the stream. */
export const ChatChunk = z
  .discriminatedUnion('type', [
    z.object({
      type: z.literal('text'),
      text: z.string().meta({ description: 'empty while a tool call is being written' }),
      tokens: z.number().int().nullable().meta({ description: 'number of tokens so far' }),
      ms: z.number().meta({ description: 'since the request' }),
      tokensPerSec: z.number().nullable().meta({ description: 'so far, without the prompt' }),
    }),
    z.object({ type: z.literal('read'), text: z.string(), raw: z.string() }).meta({
      description: 'without grammar: `raw` is the whole answer, `text` its part that is not a call; replaces the text so far',
    }),
    z.object({ type: z.literal('tool_call'), name: z.string(), arguments: z.unknown(), raw: z.string() }),
    z.object({
      type: z.literal('done'),
      tokens: z.number().int().nullable(),
      ms: z.number(),
      firstTokenMs: z.number().nullable(),
      tokensPerSec: z.number().nullable(),
      cut: z.boolean().optional().meta({ description: 'true if the token limit ended it' }),
    }),
    z.object({ type: z.literal('error'), code: z.string(), message: z.string() }),
  ])
  .meta({ id: 'ChatChunk' })
export type ChatChunk = z.infer<typeof ChatChunk>

/** A model that is loaded on this machine: in use in Claude Code, or so that the user can try it. */
export const Serving = z
  .object({
    id: z.string(),
    modelId: z.string().nullable().meta({ description: 'null for a base model' }),
    label: z.string(),
    artifact: z.string().nullable().meta({ description: 'the loaded export; null for a temporary copy' }),
    state: z.enum(['starting', 'ready', 'failed', 'idle']).meta({ description: 'idle: unloaded, and loaded again by the next request' }),
    inUse: z.boolean().meta({ description: 'it is the chosen model of the router: the settings of the router hold for it' }),
    phase: z.string().nullable().meta({ description: 'current phase of the start: merge, convert or load' }),
    device: z.string(),
    bytes: z.number().nullable().meta({ description: 'size of the file' }),
    memoryBytes: z.number().nullable().meta({ description: 'resident memory of the process after loading' }),
    needBytes: z.number().nullable().meta({ description: 'memory that it needs, estimated before it is loaded; null: not estimated' }),
    loadMs: z.number().nullable().meta({ description: 'how long the last load took' }),
    context: z.number().int().nullable().meta({ description: 'tokens that it can read and write together; null: not loaded yet' }),
    threads: z.number().int().nullable().meta({ description: 'null: all of the processor' }),
    healthMs: z.number().nullable().meta({ description: 'how long its last health check took; null: none was made' }),
    restarts: z.number().int().meta({ description: 'after crashes within the last ten minutes' }),
    lastUsedAt: Instant.nullable().meta({ description: 'end of the last request' }),
    error: z.string().nullable().meta({ description: 'why it failed, or was started again' }),
  })
  .meta({ id: 'Serving' })
export type Serving = z.infer<typeof Serving>
