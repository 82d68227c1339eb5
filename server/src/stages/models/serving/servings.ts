import { randomBytes } from 'node:crypto'
import { Cancelled } from '#server/jobs/stops.ts'
import fs from 'node:fs'
import path from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { Bytes } from '#contracts/derive/route.ts'
import type { ToolSchema } from '#contracts/entities/example.ts'
import type { ChatChunk, Serving } from '#contracts/entities/model.ts'
import { AppError } from '#contracts/errors.ts'
import type { ExportConfig } from '#contracts/trainer.ts'
import type { ChatAddress, ChatRequest } from '#server/adapters/trainer-tools/chat.ts'
import type { Facts, ServedModel, ToolCall, ToolProgress } from '#server/adapters/trainer-tools/index.ts'
import type { Core } from '#server/core.ts'
import { isoOf } from '#server/instant.ts'
import { placeBelow } from '#server/within.ts'
import { templateOf, USED_CONTEXT } from '../export/modelfile.ts'
import { sweepFolder } from '../registry/folder.ts'
import type { Registry } from '../service.ts'
import { readAnswer } from './read-answer.ts'
import { memoryNeed, memoryProblem } from './memory.ts'
import { forgetTrial, trialCopy, type TrialCopy, trialKey } from './trial-copy.ts'
import { type ServeRequest, weightsOf } from './weights.ts'

/** How many models may be loaded at the same time. */
const MAX_LOADED = 2
/** A model in use is started again after so many crashes within so long. */
const [MAX_RESTARTS, RESTARTS_WITHIN_MS] = [3, 10 * 60_000]

/** The model that works in Claude Code, and how it is served. */
export interface InUse {
  modelId: string
  context: number
  /** 0: all of the processor. */
  threads: number
  /** 0: never unloaded. */
  idleMinutes: number
}

export interface ServingDeps {
  /** Throws `training_unavailable`. */
  interpreter: () => Promise<ToolCall['interpreter']>
  runTool: (call: ToolCall, onProgress: (progress: ToolProgress) => void) => Promise<Facts>
  serveModel: (call: ToolCall) => Promise<ServedModel>
  chat: (address: ChatAddress, request: ChatRequest, signal: AbortSignal) => AsyncIterable<ChatChunk>
  memoryOf: (pid: number) => number | null
  /** Of the machine and its GPUs, in bytes. */
  freeMemory: () => Promise<number>
  /** Milliseconds of a health check; null if it was not answered. */
  healthOf: (address: ChatAddress) => Promise<number | null>
  /** Description of the device without GPU layers. */
  device: string
}

interface LoadedModel {
  /** Without what the settings say of it now. */
  serving: Omit<Serving, 'inUse'>
  /** Identifies the weights, so that a second request for them gets the same serving. */
  weightsKey: string
  stop: AbortController
  key: string
  folder: string
  server: ServedModel | null
  interpreter: ToolCall['interpreter'] | null
  launch: () => Promise<void>
  done: Promise<void>
  /** Requests at work. */
  users: number
  idle: NodeJS.Timeout | undefined
  crashes: number[]
  /** The settings that it was loaded with. */
  wanted: Pick<InUse, 'context' | 'threads'> | null
}

/** Loads models: the one in use, and those to try out. Each is a process that ends with the server. */
export function createServings(core: Core, registry: Registry, deps: ServingDeps, inUse: () => InUse | null) {
  const { events, paths, tx, log, now } = core
  const loaded = new Map<string, LoadedModel>()
  const root = path.join(paths.models, '.trial')

  /** Null for a model that is not in use: the settings are not about it. */
  const useOf = ({ serving }: Pick<LoadedModel, 'serving'>): InUse | null => {
    const use = inUse()
    return use && serving.modelId === use.modelId ? use : null
  }
  const shown = (one: LoadedModel): Serving => ({ ...one.serving, inUse: useOf(one) !== null })
  const list = (): { items: Serving[] } => ({ items: [...loaded.values()].map(shown) })
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
    const use = useOf(one)
    one.wanted = wantedOf(use)
    const need = await memoryNeed(file, one.wanted.context)
    const threads = one.wanted.threads || null
    update(one, { phase: 'load', bytes: need.weights, needBytes: need.total, context: need.context, threads })
    const problem = memoryProblem(one.serving.label, need, await deps.freeMemory())
    if (problem !== null) throw new AppError('export_unavailable', { message: problem })
    fs.writeFileSync(path.join(one.folder, 'key'), one.key, { mode: 0o600 })
    const config: ExportConfig = {
      command: 'serve',
      model: file,
      key: path.join(one.folder, 'key'),
      context: need.context,
      threads,
      gpuLayers: null,
      thinking: templateOf(trained).thinks,
    }
    const server = await deps.serveModel({ interpreter, config, folder: one.folder, signal })
    one.server = server
    const { loadMs, gpu, gpuLayers } = server
    const device = gpu === null ? deps.device : `${gpu}, ${gpuLayers} ${gpuLayers === 1 ? 'layer' : 'layers'}`
    const healthMs = await deps.healthOf({ ...server, key: one.key })
    update(one, { state: 'ready', phase: null, loadMs, device, healthMs, memoryBytes: deps.memoryOf(server.pid) })
    void watch(one, server)
    rest(one)
  }
  /** A model server that ends without being stopped has crashed. */
  const watch = async (one: LoadedModel, server: ServedModel): Promise<void> => {
    const reason = await server.ended
    if (one.server === server && !one.stop.signal.aborted) crashed(one, `The model server ended: ${reason}`)
  }
  /** Starts the model in use again, unless it crashes all the time. */
  const crashed = (one: LoadedModel, error: string): void => {
    one.server = null
    one.crashes = [...one.crashes.filter((at) => now() - at < RESTARTS_WITHIN_MS), now()]
    if (useOf(one) === null) return fail(one, { error, memoryBytes: null })
    const restarts = one.crashes.length
    if (restarts > MAX_RESTARTS)
      return fail(one, {
        error: `${error}. It crashed ${restarts} times within ten minutes, so it is not started again by itself.`,
        memoryBytes: null,
      })
    log.warn({ serving: one.serving.label, error }, 'The model in use is started again')
    update(one, { state: 'starting', phase: 'load', memoryBytes: null, restarts, error })
    begin(one, one.launch())
  }
  const begin = (one: LoadedModel, launched: Promise<void>): void => {
    one.done = launched.catch((error: unknown) => {
      if (one.stop.signal.aborted) return
      log.warn({ err: error, serving: one.serving.label }, 'A model could not be loaded')
      fail(one, { phase: null, error: (error as Error).message })
    })
  }
  /** When nobody asks a model in use, it is unloaded after a while, and at once if its settings have changed. */
  const rest = (one: LoadedModel): void => {
    clearTimeout(one.idle)
    const use = useOf(one)
    if (use === null || one.users > 0 || one.serving.state !== 'ready') return
    if (!isDeepStrictEqual(one.wanted, wantedOf(use))) return void unloadIdle(one)
    if (use.idleMinutes === 0) return
    one.idle = setTimeout(() => void unloadIdle(one), use.idleMinutes * 60_000)
    one.idle.unref()
  }
  const unloadIdle = async (one: LoadedModel): Promise<void> => {
    if (one.users > 0 || one.serving.state !== 'ready') return
    update(one, { state: 'idle', memoryBytes: null, healthMs: null })
    publishModelChange(one)
    await unload(one)
  }
  /** Finds out whether the server of a model answers; if not, it is started again. */
  const checkHealth = async (one: LoadedModel): Promise<void> => {
    const { server } = one
    if (!server) return
    const healthMs = await deps.healthOf({ ...server, key: one.key })
    if (healthMs !== null) one.serving = { ...one.serving, healthMs }
    if (healthMs !== null || one.server !== server) return
    one.server = null
    await server.stop()
    if (!one.stop.signal.aborted) crashed(one, 'The model server did not answer its health check')
  }
  const use = (one: LoadedModel): (() => void) => {
    one.users += 1
    clearTimeout(one.idle)
    let isOver = false
    return () => {
      if (isOver) return
      isOver = true
      one.users -= 1
      update(one, { lastUsedAt: isoOf(now()) })
      rest(one)
    }
  }

  const require = (id: string): LoadedModel => {
    const one = loaded.get(id)
    if (!one) throw new AppError('not_found', { message: 'This model is no longer loaded.', hint: 'Load it again.' })
    return one
  }
  const unload = async (one: LoadedModel): Promise<void> => {
    clearTimeout(one.idle)
    one.stop.abort(new Cancelled('The model was unloaded.'))
    await one.server?.stop()
    await one.done
    one.server = null
    fs.rmSync(one.folder, { recursive: true, force: true })
  }

  /** Loads a model, or finds it loaded. */
  const start = async (id: string, request: ServeRequest): Promise<LoadedModel> => {
    weightsOf(registry, id, request)
    await deps.interpreter() // throws before anything is shown as starting
    // no await from here to `loaded.set`, so that two clicks load the model once
    const { weightsKey, label, artifact, source } = weightsOf(registry, id, request)
    const existing = [...loaded.values()].find((one) => one.weightsKey === weightsKey)
    if (existing && isUp(existing)) return existing
    const ended = [...loaded.values()].filter((one) => !isUp(one))
    for (const one of ended)
      if (one === existing || (one.serving.state === 'failed' && loaded.size >= MAX_LOADED)) loaded.delete(one.serving.id)
    const up = [...loaded.values()].filter(isUp)
    if (up.length >= MAX_LOADED)
      throw new AppError('too_many_servings', {
        message: `${up.map(({ serving }) => serving.label).join(' and ')} are already loaded.`,
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
        needBytes: null,
        loadMs: existing?.serving.loadMs ?? null,
        context: null,
        threads: null,
        healthMs: null,
        restarts: 0,
        lastUsedAt: existing?.serving.lastUsedAt ?? null,
        error: null,
      },
      weightsKey,
      stop: new AbortController(),
      key: randomBytes(32).toString('hex'),
      folder,
      server: null,
      interpreter: null,
      launch: () => launch(one, source, registry.get(id).artifacts[0]!.path),
      done: Promise.resolve(),
      wanted: null,
      users: 0,
      idle: undefined,
      crashes: [],
    }
    loaded.set(servingId, one)
    begin(one, Promise.all(ended.filter(({ serving }) => !loaded.has(serving.id)).map(unload)).then(one.launch))
    publishServings()
    publishModelChange(one)
    return one
  }

  return {
    list,
    /** The quantisation with which a model would be loaded. Without an export a copy is made for that. Throws if it cannot be loaded. */
    quantizationOf: (id: string): string => weightsOf(registry, id, { base: false }).artifact?.quantization ?? 'q8_0',
    /** Models that use memory, or are starting. */
    serving: (): readonly Serving[] => [...loaded.values()].filter(isUp).map(shown),
    start: async (id: string, request: ServeRequest): Promise<Serving> => shown(await start(id, request)),
    /**
     * Loads a model if necessary, and returns its address. It stays loaded until `release`. Throws `not_found` with the reason if it
     * could not be loaded.
     */
    async serve(id: string, request: ServeRequest): Promise<{ port: number; key: string; release: () => void }> {
      const one = await start(id, request)
      const release = use(one)
      try {
        await one.done
        await checkHealth(one)
        await one.done
        return { port: serverOf(one).port, key: one.key, release }
      } catch (error) {
        release()
        throw error
      }
    },
    /** Loads a model for later requests. Throws like `serve`. */
    async load(id: string): Promise<void> {
      const one = await start(id, { base: false })
      await one.done
      serverOf(one)
    },
    /** What a model that is served here can read and write together. */
    contextOf(id: string): number {
      const found = [...loaded.values()].find(({ serving }) => serving.modelId === id)
      return found?.serving.context ?? inUse()?.context ?? USED_CONTEXT
    },
    /** After the settings of the model in use changed: what was loaded otherwise is loaded again by the next request. */
    followUse(): void {
      for (const one of loaded.values()) {
        if (useOf(one) === null && one.serving.state === 'idle') loaded.delete(one.serving.id)
        rest(one)
      }
      publishServings()
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
        const release = use(one)
        let raw = ''
        try {
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
        } finally {
          release()
        }
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
    /** A model is deleted. Returns the freed bytes. */
    forget(id: string): number {
      for (const one of loaded.values()) if (one.serving.modelId === id && !isUp(one)) loaded.delete(one.serving.id)
      return forgetTrial(root, trialKey(id))
    },
    /** Cleans up after a killed process. */
    sweep: (): void => sweepFolder(root),
    async close(): Promise<void> {
      const all = [...loaded.values()]
      loaded.clear()
      await Promise.all(all.map(unload))
    },
  }
}

function serverOf({ server, serving: { label, error } }: LoadedModel): ServedModel {
  if (server) return server
  throw new AppError('not_found', { message: error ?? `${label} is not loaded.`, hint: 'Load it again.' })
}
const isUp = ({ serving: { state } }: LoadedModel): boolean => state === 'starting' || state === 'ready'
const wantedOf = (use: InUse | null) => ({ context: use?.context ?? USED_CONTEXT, threads: use?.threads ?? 0 })
const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)

const lineOf = (chunk: ChatChunk): Buffer => Buffer.from(`${JSON.stringify(chunk)}\n`)
