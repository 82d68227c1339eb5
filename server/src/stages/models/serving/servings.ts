import { randomBytes } from 'node:crypto'
import { Cancelled } from '#server/jobs/stops.ts'
import fs from 'node:fs'
import path from 'node:path'
import type { Bytes } from '#contracts/derive/route.ts'
import type { ToolSchema } from '#contracts/entities/example.ts'
import type { Artifact, ChatChunk, Serving } from '#contracts/entities/model.ts'
import { AppError } from '#contracts/errors.ts'
import type { ExportConfig } from '#contracts/trainer.ts'
import type { ChatAddress, ChatRequest } from '#server/adapters/trainer-tools/chat.ts'
import type { Facts, ServedModel, ToolCall, ToolProgress } from '#server/adapters/trainer-tools/index.ts'
import type { Core } from '#server/core.ts'
import { placeBelow } from '#server/within.ts'
import { templateOf, USED_CONTEXT } from '../export/modelfile.ts'
import { baseProblem, isGguf } from '../registry/base.ts'
import { sweepFolder } from '../registry/folder.ts'
import type { Registry } from '../service.ts'
import { readAnswer } from './read-answer.ts'
import { forgetTrial, trialCopy, type TrialCopy, trialKey } from './trial-copy.ts'

/** How many models may be loaded at the same time. */
const MAX_LOADED = 2

export interface ServingDeps {
  /** Throws `training_unavailable`. */
  interpreter: () => Promise<ToolCall['interpreter']>
  runTool: (call: ToolCall, onProgress: (progress: ToolProgress) => void) => Promise<Facts>
  serveModel: (call: ToolCall) => Promise<ServedModel>
  chat: (address: ChatAddress, request: ChatRequest, signal: AbortSignal) => AsyncIterable<ChatChunk>
  memoryOf: (pid: number) => number | null
  /** Description of the device without GPU layers. */
  device: string
}

interface LoadedModel {
  serving: Serving
  /** Identifies the weights, so that a second request for them gets the same serving. */
  weightsKey: string
  stop: AbortController
  key: string
  folder: string
  server: ServedModel | null
  interpreter: ToolCall['interpreter'] | null
  done: Promise<void>
}

export interface ServeRequest {
  artifact?: string | undefined
  base: boolean
}

/** Loads models to try them out. Each is a process that ends with the server. */
export function createServings(core: Core, registry: Registry, deps: ServingDeps) {
  const { events, paths, tx, log, now } = core
  const loaded = new Map<string, LoadedModel>()
  const root = path.join(paths.models, '.trial')

  const list = (): { items: Serving[] } => ({ items: [...loaded.values()].map(({ serving }) => serving) })
  const publishServings = () => events.passing('model:servings', list())
  const update = (one: LoadedModel, change: Partial<Serving>) => {
    one.serving = { ...one.serving, ...change }
    if (loaded.get(one.serving.id) === one) publishServings()
  }
  /** A model's document says whether it is served. */
  const publishModelChange = ({ serving }: LoadedModel) => {
    if (serving.modelId !== null && registry.store.get(serving.modelId)) tx(() => registry.publishChange(serving.modelId!))
  }
  const fail = (one: LoadedModel, change: Partial<Serving>) => {
    update(one, { ...change, state: 'failed' })
    publishModelChange(one)
  }

  const launch = async (one: LoadedModel, source: { file: string } | TrialCopy, trained: string): Promise<void> => {
    const { signal } = one.stop
    const interpreter = await deps.interpreter()
    one.interpreter = interpreter
    const tool = (config: ExportConfig, folder: string) =>
      deps.runTool({ interpreter, config, folder, signal }, ({ phase }) => {
        if (phase !== one.serving.phase) update(one, { phase })
      })
    const file = 'file' in source ? source.file : await trialCopy(root, source, tool)
    update(one, { phase: 'load', bytes: fs.statSync(file).size })
    fs.writeFileSync(path.join(one.folder, 'key'), one.key, { mode: 0o600 })
    const config: ExportConfig = {
      command: 'serve',
      model: file,
      key: path.join(one.folder, 'key'),
      context: USED_CONTEXT,
      threads: null,
      gpuLayers: null,
      thinking: templateOf(trained).thinks,
    }
    const server = await deps.serveModel({ interpreter, config, folder: one.folder, signal })
    one.server = server
    const { loadMs, gpu, gpuLayers } = server
    const device = gpu === null ? deps.device : `${gpu}, ${gpuLayers} ${gpuLayers === 1 ? 'layer' : 'layers'}`
    update(one, { state: 'ready', phase: null, loadMs, device, memoryBytes: deps.memoryOf(server.pid) })
    void watch(one, server)
  }
  /** A model server that ends without being stopped has failed. */
  const watch = async (one: LoadedModel, server: ServedModel): Promise<void> => {
    const reason = await server.ended
    one.server = null
    if (!one.stop.signal.aborted) fail(one, { error: `The model server ended: ${reason}`, memoryBytes: null })
  }

  const sourceOf = (
    id: string,
    { artifact, base }: ServeRequest,
  ): { weightsKey: string; label: string; artifact: Artifact | null; source: { file: string } | TrialCopy } => {
    const model = registry.get(id)
    const { origin } = registry.store.require(id)
    if (base) {
      requireModel(origin.basePath)
      const key = `base-${model.lineage.baseHash ?? path.basename(origin.basePath)}`
      const source = isGguf(origin.basePath) ? { file: origin.basePath } : { model: origin.basePath, adapter: null, key }
      return { weightsKey: key, label: model.lineage.baseModel, artifact: null, source }
    }
    const files = model.artifacts.filter(({ format, state }) => format === 'gguf' && state === 'present')
    const chosen =
      artifact === undefined
        ? PREFERRED.flatMap((one) => files.find(({ quantization }) => quantization === one) ?? [])[0]
        : files.find((one) => one.id === artifact)
    if (artifact !== undefined && !chosen)
      throw new AppError('not_found', { message: `This model has no GGUF export "${artifact}" to load.`, hint: 'Export it first.' })
    if (chosen)
      return {
        weightsKey: `${id} ${chosen.id}`,
        label: `${model.name}, ${chosen.quantization}`,
        artifact: chosen,
        source: { file: chosen.path },
      }
    const trained = registry.trainedWeights(id)
    if (origin.isAdapter) requireModel(origin.basePath)
    const weights = { model: origin.isAdapter ? origin.basePath : trained.path, adapter: origin.isAdapter ? trained.path : null }
    return { weightsKey: `${id} trial`, label: model.name, artifact: null, source: { ...weights, key: trialKey(id) } }
  }

  const require = (id: string): LoadedModel => {
    const one = loaded.get(id)
    if (!one) throw new AppError('not_found', { message: 'This model is no longer loaded.', hint: 'Load it again.' })
    return one
  }
  const unload = async (one: LoadedModel): Promise<void> => {
    one.stop.abort(new Cancelled('The model was unloaded.'))
    await one.server?.stop()
    await one.done
    fs.rmSync(one.folder, { recursive: true, force: true })
  }

  return {
    list,
    /** The quantisation with which a model would be loaded. Without an export a copy is made for that. Throws if it cannot be loaded. */
    quantizationOf: (id: string): string => sourceOf(id, { base: false }).artifact?.quantization ?? 'q8_0',
    /** Models that use memory, or are starting. */
    serving: (): readonly Serving[] => [...loaded.values()].flatMap(({ serving }) => (serving.state === 'failed' ? [] : serving)),
    async start(id: string, request: ServeRequest): Promise<Serving> {
      sourceOf(id, request)
      await deps.interpreter() // throws before anything is shown as starting
      // no await from here to `loaded.set`, so that two clicks load the model once
      const { weightsKey, label, artifact, source } = sourceOf(id, request)
      const existing = [...loaded.values()].find((one) => one.weightsKey === weightsKey)
      if (existing && existing.serving.state !== 'failed') return existing.serving
      const ended = [...loaded.values()].filter(({ serving }) => serving.state === 'failed')
      for (const { serving } of ended) if (serving === existing?.serving || loaded.size >= MAX_LOADED) loaded.delete(serving.id)
      if (loaded.size >= MAX_LOADED)
        throw new AppError('too_many_servings', {
          message: `${[...loaded.values()].map(({ serving }) => serving.label).join(' and ')} are already loaded.`,
          hint: 'Unload one of them to free its memory.',
        })
      const servingId = randomBytes(8).toString('hex')
      const folder = placeBelow(root, `.exporting-${servingId}`)
      fs.mkdirSync(folder, { recursive: true, mode: 0o700 })
      const one: LoadedModel = {
        serving: {
          id: servingId,
          modelId: request.base ? null : id,
          label,
          artifact: artifact?.id ?? null,
          state: 'starting',
          phase: null,
          device: deps.device,
          bytes: null,
          memoryBytes: null,
          loadMs: null,
          error: null,
        },
        weightsKey,
        stop: new AbortController(),
        key: randomBytes(32).toString('hex'),
        folder,
        server: null,
        interpreter: null,
        done: Promise.resolve(),
      }
      loaded.set(servingId, one)
      const launched = Promise.all(ended.filter(({ serving }) => !loaded.has(serving.id)).map(unload)).then(() =>
        launch(one, source, registry.get(id).artifacts[0]!.path),
      )
      one.done = launched.catch((error: unknown) => {
        if (one.stop.signal.aborted) return
        log.warn({ err: error, serving: label }, 'A model could not be loaded')
        fail(one, { phase: null, error: (error as Error).message })
      })
      publishServings()
      publishModelChange(one)
      return one.serving
    },
    /** Waits until a model is loaded and returns its address. Throws `not_found` if it could not be loaded. */
    async addressOf(id: string): Promise<{ port: number; key: string }> {
      const one = require(id)
      await one.done
      if (!one.server) throw new AppError('not_found', { message: one.serving.error ?? `${one.serving.label} is not loaded.`, hint: 'Load it again.' }) // prettier-ignore
      return { port: one.server.port, key: one.key }
    },
    async stop(id: string): Promise<{ items: Serving[] }> {
      const one = loaded.get(id)
      if (!one) return list() // another window unloaded it
      loaded.delete(id)
      await unload(one)
      publishServings()
      publishModelChange(one)
      return list()
    },
    /** Streams JSON lines of `ChatChunk`, and stores the measured speed. */
    chat(id: string, request: ChatRequest, signal: AbortSignal): Bytes {
      const one = require(id)
      const { serving, server, key, interpreter } = one
      if (!server || !interpreter || serving.state !== 'ready')
        throw new AppError('not_found', { message: `${serving.label} is not ready (${serving.state}).`, hint: 'Wait until it is loaded.' })
      const either = AbortSignal.any([signal, one.stop.signal])
      const answer = deps.chat({ port: server.port, key, marks: server.marks }, request, either)
      const place = { interpreter, folder: one.folder }
      const storeSpeed = (chunk: Extract<ChatChunk, { type: 'done' }>) => {
        if (serving.modelId === null || !chunk.tokens || !registry.store.get(serving.modelId)) return
        const { ms, tokens, firstTokenMs, tokensPerSec } = chunk
        tx(() => {
          registry.store.addAnswer(serving.modelId!, {
            at: now(),
            artifact: serving.artifact,
            device: serving.device,
            firstTokenMs,
            ms,
            tokens,
            tokensPerSec,
          })
          registry.publishChange(serving.modelId!)
        })
      }
      async function* stream(): AsyncGenerator<Uint8Array> {
        let raw = ''
        for await (const chunk of answer) {
          if (chunk.type === 'text') raw += chunk.text
          if (chunk.type === 'done') {
            storeSpeed(chunk)
            const chunks = request.grammar ? [] : await readAnswer(deps.runTool, place, { raw, tools: request.tools }, either)
            yield* chunks.map(lineOf)
            if (chunks.some(({ type }) => type === 'error')) return
          }
          yield lineOf(chunk)
        }
        if (one.stop.signal.aborted && !signal.aborted)
          yield lineOf({
            type: 'error',
            code: 'chat_failed',
            message: `${serving.label} was unloaded while it was answering. Load it again.`,
          })
      }
      return { stream: stream(), fileName: 'answer.jsonl', contentType: 'application/x-ndjson' }
    },
    /** The calls in a text that a model wrote. Throws `training_unavailable`, or a sentence. */
    async readCalls(
      raw: string,
      tools: readonly ToolSchema[],
      signal: AbortSignal,
    ): Promise<{ name: string; arguments: Record<string, unknown> }[]> {
      const folder = placeBelow(root, `.exporting-${randomBytes(8).toString('hex')}`)
      fs.mkdirSync(folder, { recursive: true, mode: 0o700 })
      try {
        const chunks = await readAnswer(deps.runTool, { interpreter: await deps.interpreter(), folder }, { raw, tools }, signal)
        signal.throwIfAborted()
        const error = chunks.find((chunk) => chunk.type === 'error')
        if (error) throw new Error(error.message)
        return chunks.flatMap((chunk) =>
          chunk.type === 'tool_call' && isObject(chunk.arguments) ? [{ name: chunk.name, arguments: chunk.arguments }] : [],
        )
      } finally {
        fs.rmSync(folder, { recursive: true, force: true })
      }
    },
    forgetTrial: (id: string): number => forgetTrial(root, trialKey(id)),
    /** Cleans up after a killed process. */
    sweep: (): void => sweepFolder(root),
    async close(): Promise<void> {
      const all = [...loaded.values()]
      loaded.clear()
      await Promise.all(all.map(unload))
    },
  }
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)

const lineOf = (chunk: ChatChunk): Buffer => Buffer.from(`${JSON.stringify(chunk)}\n`)

/** Order of preference for trying out: accurate but not large. f16 is the largest. */
const PREFERRED = ['q8_0', 'q5_k_m', 'q4_k_m', 'f16'] as const

function requireModel(base: string): void {
  const problem = baseProblem(base)
  if (problem !== null) throw new AppError('export_unavailable', { message: problem, hint: 'Restore it and try again.' })
}
