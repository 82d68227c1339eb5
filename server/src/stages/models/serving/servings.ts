import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import type { Bytes } from '#contracts/derive/route.ts'
import type { Artifact, ChatChunk, Serving } from '#contracts/entities/model.ts'
import { AppError } from '#contracts/errors.ts'
import type { ExportConfig } from '#contracts/trainer.ts'
import type { ChatAddress, ChatRequest } from '#server/adapters/trainer-tools/chat.ts'
import type { Facts, ServedModel, ToolCall, ToolProgress } from '#server/adapters/trainer-tools/index.ts'
import type { Core } from '#server/core.ts'
import { templateOf } from '../export/modelfile.ts'
import { baseProblem, isGguf } from '../registry/base.ts'
import { sweepFolder } from '../registry/folder.ts'
import type { Registry } from '../service.ts'
import { readAnswer } from './read-answer.ts'
import { forgetTrial, trialCopy, type TrialCopy, trialKey } from './trial-copy.ts'

/** Models in memory at the same time. */
const MOST = 2
const CONTEXT = 8192

export interface ServingDeps {
  /** Throws `training_unavailable`. */
  interpreter: () => Promise<ToolCall['interpreter']>
  runTool: (call: ToolCall, onProgress: (progress: ToolProgress) => void) => Promise<Facts>
  serveModel: (call: ToolCall) => Promise<ServedModel>
  chat: (address: ChatAddress, request: ChatRequest, signal: AbortSignal) => AsyncIterable<ChatChunk>
  memoryOf: (pid: number) => number | null
  /** Where models that are tried out run, in words. */
  device: string
}

interface LoadedModel {
  serving: Serving
  /** Which weights: a second request for the same gets the same. */
  what: string
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

/** Models that are tried out: at most two, each a process that ends with this one. */
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
  /** The model's row says whether it is served. */
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
      context: CONTEXT,
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
  /** A model server that ends by itself has failed. */
  const watch = async (one: LoadedModel, server: ServedModel): Promise<void> => {
    const reason = await server.ended
    one.server = null
    if (!one.stop.signal.aborted) fail(one, { error: `The model server ended: ${reason}`, memoryBytes: null })
  }

  const sourceOf = (
    id: string,
    { artifact, base }: ServeRequest,
  ): { what: string; label: string; artifact: Artifact | null; source: { file: string } | TrialCopy } => {
    const model = registry.get(id)
    const { origin } = registry.store.require(id)
    if (base) {
      requireModel(origin.basePath)
      const key = `base-${model.lineage.baseHash ?? path.basename(origin.basePath)}`
      const source = isGguf(origin.basePath) ? { file: origin.basePath } : { model: origin.basePath, adapter: null, key }
      return { what: key, label: model.lineage.baseModel, artifact: null, source }
    }
    const files = model.artifacts.filter(({ format, state }) => format === 'gguf' && state === 'present')
    const chosen =
      artifact === undefined
        ? PREFERRED.flatMap((one) => files.find(({ quantization }) => quantization === one) ?? [])[0]
        : files.find((one) => one.id === artifact)
    if (artifact !== undefined && !chosen)
      throw new AppError('not_found', { message: `This model has no GGUF export "${artifact}" to load.`, hint: 'Export it first.' })
    if (chosen)
      return { what: `${id} ${chosen.id}`, label: `${model.name}, ${chosen.quantization}`, artifact: chosen, source: { file: chosen.path } }
    const trained = registry.trainedWeights(id)
    if (origin.isAdapter) requireModel(origin.basePath)
    const weights = { model: origin.isAdapter ? origin.basePath : trained.path, adapter: origin.isAdapter ? trained.path : null }
    return { what: `${id} trial`, label: model.name, artifact: null, source: { ...weights, key: trialKey(id) } }
  }

  const require = (id: string): LoadedModel => {
    const one = loaded.get(id)
    if (!one) throw new AppError('not_found', { message: 'This model is no longer loaded.', hint: 'Load it again.' })
    return one
  }
  const end = async (one: LoadedModel): Promise<void> => {
    one.stop.abort(new DOMException('The model was unloaded.', 'AbortError'))
    await one.server?.stop()
    await one.done
    fs.rmSync(one.folder, { recursive: true, force: true })
  }

  return {
    list,
    /** What holds memory, or soon will. */
    serving: (): readonly Serving[] => [...loaded.values()].flatMap(({ serving }) => (serving.state === 'failed' ? [] : serving)),
    async start(id: string, request: ServeRequest): Promise<Serving> {
      sourceOf(id, request)
      await deps.interpreter() // refused before anything is shown as starting
      // from here on at once: two clicks load one
      const { what, label, artifact, source } = sourceOf(id, request)
      const same = [...loaded.values()].find((one) => one.what === what)
      if (same && same.serving.state !== 'failed') return same.serving
      const ended = [...loaded.values()].filter(({ serving }) => serving.state === 'failed')
      for (const { serving } of ended) if (serving === same?.serving || loaded.size >= MOST) loaded.delete(serving.id)
      if (loaded.size >= MOST)
        throw new AppError('too_many_servings', {
          message: `${[...loaded.values()].map(({ serving }) => serving.label).join(' and ')} are already loaded.`,
          hint: 'Unload one of them to free its memory.',
        })
      const own = randomBytes(8).toString('hex')
      const folder = path.join(root, `.exporting-${own}`)
      fs.mkdirSync(folder, { recursive: true, mode: 0o700 })
      const one: LoadedModel = {
        serving: {
          id: own,
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
        what,
        stop: new AbortController(),
        key: randomBytes(32).toString('hex'),
        folder,
        server: null,
        interpreter: null,
        done: Promise.resolve(),
      }
      loaded.set(own, one)
      const begun = Promise.all(ended.filter(({ serving }) => !loaded.has(serving.id)).map(end)).then(() =>
        launch(one, source, registry.get(id).artifacts[0]!.path),
      )
      one.done = begun.catch((error: unknown) => {
        if (one.stop.signal.aborted) return
        log.warn({ err: error, serving: label }, 'A model could not be loaded')
        fail(one, { phase: null, error: (error as Error).message })
      })
      publishServings()
      publishModelChange(one)
      return one.serving
    },
    /** Where a served model listens, once it is loaded. Throws `not_found` with why it is not. */
    async addressOf(id: string): Promise<{ port: number; key: string }> {
      const one = require(id)
      await one.done
      if (!one.server) throw new AppError('not_found', { message: one.serving.error ?? `${one.serving.label} is not loaded.`, hint: 'Load it again.' }) // prettier-ignore
      return { port: one.server.port, key: one.key }
    },
    async stop(id: string): Promise<{ items: Serving[] }> {
      const one = loaded.get(id)
      if (!one) return list() // another window has freed it
      loaded.delete(id)
      await end(one)
      publishServings()
      publishModelChange(one)
      return list()
    },
    /** JSON lines of `ChatChunk`. What was measured is kept with the model. */
    chat(id: string, request: ChatRequest, signal: AbortSignal): Bytes {
      const one = require(id)
      const { serving, server, key, interpreter } = one
      if (!server || !interpreter || serving.state !== 'ready')
        throw new AppError('not_found', { message: `${serving.label} is not ready (${serving.state}).`, hint: 'Wait until it is loaded.' })
      const either = AbortSignal.any([signal, one.stop.signal])
      const answer = deps.chat({ port: server.port, key, marks: server.marks }, request, either)
      const place = { interpreter, folder: one.folder }
      const keep = (chunk: Extract<ChatChunk, { type: 'done' }>) => {
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
            keep(chunk)
            const found = request.grammar ? [] : await readAnswer(deps.runTool, place, { raw, tools: request.tools }, either)
            yield* found.map(lineOf)
            if (found.some(({ type }) => type === 'error')) return
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
    forgetTrial: (id: string): number => forgetTrial(root, trialKey(id)),
    /** Clears what a killed process left. */
    sweep: (): void => sweepFolder(root),
    async close(): Promise<void> {
      const all = [...loaded.values()]
      loaded.clear()
      await Promise.all(all.map(end))
    },
  }
}

const lineOf = (chunk: ChatChunk): Buffer => Buffer.from(`${JSON.stringify(chunk)}\n`)

/** The most exact first that is no larger than it must be for trying out. */
const PREFERRED = ['q8_0', 'q5_k_m', 'q4_k_m', 'f16'] as const

function requireModel(base: string): void {
  const problem = baseProblem(base)
  if (problem !== null) throw new AppError('export_unavailable', { message: problem, hint: 'Restore it and try again.' })
}
