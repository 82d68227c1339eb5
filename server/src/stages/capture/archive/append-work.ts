import { createHash, type Hash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import type { ArchivedSource, Follower } from '../types.ts'
import type { AppendFile, AppendOptions, AppendResult, AppendTrace } from './append-types.ts'
import { damageOf } from './damage.ts'
import { readIfThere, sync, syncFolder, writeAll } from './durable.ts'
import { linesOf, rowsOf } from './converted-lines.ts'
import { free } from '#server/workers/free.ts'
import { FRAME_BYTES, type FrameBuffer, forEachFrame, pack } from './frames.ts'
import { formatLine, MANIFEST, type ManifestLine, parseManifest, sourceFile } from './manifest.ts'
import { chunks, readManifest, readRange } from './reader.ts'
import { repairTrace } from './repair.ts'
import { openSource, requireToolResult, SourceFault } from './source-file.ts'
import { newestGenerations, type Source, type SourceState, withoutHash } from './state.ts'

export interface Trace {
  sources: Map<string, Source>
  /** Length of manifest.jsonl as cached; a different length means that the cache is stale. */
  manifestBytes: number
}

const CACHED_TRACES = 64
/** The thread yields after this many raw bytes, so that a cancellation takes effect within a second, even with a follower. */
const YIELD_BYTES = 2 << 20
/** If the hash state of a growing file is cached, only this many bytes before the old end are compared. */
const TAIL_BYTES = 64 << 10

/** Appends to one trace: `write` adds the frames, then `commit` adds their manifest lines. */
export class AppendWork {
  readonly #request: AppendTrace
  readonly #cache: Map<string, Trace>
  readonly #options: AppendOptions
  readonly #buffers: FrameBuffer
  readonly #now: () => number
  #trace: Trace = { sources: new Map(), manifestBytes: 0 }
  #lines: ManifestLine[] = []
  #outputs: { fd: number; originalSize: number }[] = []
  #bytesSinceYield = 0
  #follower: Follower | null = null

  constructor(request: AppendTrace, cache: Map<string, Trace>, options: AppendOptions, buffers: FrameBuffer) {
    this.#request = request
    this.#cache = cache
    this.#options = options
    this.#buffers = buffers
    this.#now = options.now ?? Date.now
  }

  async write(): Promise<AppendResult> {
    const { traceId, traceDir, files } = this.#request
    const result: AppendResult = { traceId, isNew: false, added: 0, sources: [], errors: [], repaired: [], failed: null }
    try {
      this.#load(result)
      if (result.isNew) this.#startFollower()
      for (const file of files) {
        try {
          const source = await this.#appendFile(file, result)
          // A file that became empty after the search starts a generation without bytes.
          if (source && source.bytes > 0) result.sources.push(source)
        } catch (error) {
          if (!(error instanceof SourceFault)) throw error
          result.errors.push({ path: file.path, code: error.code, message: error.message })
        }
      }
    } catch (error) {
      this.#rollBack()
      const code = this.#options.signal?.aborted ? 'ABORT_ERR' : ((error as NodeJS.ErrnoException).code ?? 'UNKNOWN')
      result.failed = { path: traceDir, code, message: (error as Error).message }
    }
    return result
  }

  async commit(result: AppendResult): Promise<void> {
    if (result.failed) return
    const { traceDir, traceId } = this.#request
    try {
      if (this.#lines.length === 0 && result.isNew) fs.rmSync(traceDir, { recursive: true })
      if (this.#lines.length > 0) {
        await Promise.all(this.#outputs.map(({ fd }) => sync(fd)))
        const manifest = fs.openSync(path.join(traceDir, MANIFEST), 'a', 0o600)
        try {
          const text = Buffer.from(this.#lines.map(formatLine).join(''))
          writeAll(manifest, text)
          await sync(manifest)
          this.#trace.manifestBytes += text.length
        } catch (error) {
          fs.ftruncateSync(manifest, this.#trace.manifestBytes)
          throw error
        } finally {
          fs.closeSync(manifest)
        }
        if (result.isNew) await syncFolder(traceDir)
        for (const { fd } of this.#outputs) fs.closeSync(fd)
        this.#outputs = []
      }
      this.#cache.delete(traceId)
      this.#cache.set(traceId, this.#trace)
      if (this.#cache.size > CACHED_TRACES) this.#cache.delete(this.#cache.keys().next().value!)
    } catch (error) {
      this.#rollBack()
      result.failed = {
        path: traceDir,
        code: (error as NodeJS.ErrnoException).code ?? 'UNKNOWN',
        message: (error as Error).message,
      }
    }
    result.sources = result.sources.map((source) => withoutHash(source as Source))
    if (!result.failed && this.#follower && !this.#options.signal?.aborted) result.followerResult = this.#followerResult()
    this.#follower = null
  }

  /** Loads the trace from the cache or the archive; truncates the traces of a crash after the last manifest line. */
  #load(result: AppendResult): void {
    const { traceDir, traceId } = this.#request
    const manifestFile = path.join(traceDir, MANIFEST)
    const cached = this.#cache.get(traceId)
    if (cached && fs.statSync(manifestFile, { throwIfNoEntry: false })?.size === cached.manifestBytes) {
      this.#trace = cached
      return
    }
    const bytes = readIfThere(manifestFile)
    if (bytes === null) {
      fs.mkdirSync(traceDir, { recursive: true, mode: 0o700 })
      result.isNew = true
      result.repaired.push(...repairTrace(traceDir, { lines: [], goodBytes: 0, problems: [] }, 0))
      return
    }
    const manifest = parseManifest(bytes)
    result.repaired.push(...repairTrace(traceDir, manifest, bytes.length))
    result.isNew = manifest.lines.length === 0
    this.#trace = {
      sources: newestGenerations(manifest.lines),
      manifestBytes: manifest.problems.length ? bytes.length : manifest.goodBytes,
    }
  }

  async #appendFile(file: AppendFile, result: AppendResult): Promise<SourceState | null> {
    if (file.bytes) return this.#appendBytes(file, Buffer.from(file.bytes), result)
    if (file.form) return this.#appendLines(file, file.form, result)
    const fd = openSource(file.path)
    try {
      const facts = fs.fstatSync(fd)
      if (file.kind === 'tool-result') requireToolResult(facts.size)
      const archived = this.#trace.sources.get(file.name)
      const isDamaged = archived !== undefined && file.check === true && this.#isDamaged(archived)
      const fileState = { inode: facts.ino, mtimeMs: facts.mtimeMs, size: facts.size, originalPath: file.path }
      if (!archived) {
        if (facts.size === 0) return null
        return await this.#appendFrom(fd, this.#startGeneration(file, fileState), facts.size, result)
      }
      if (!isDamaged && (await this.#startsWithArchived(fd, archived, facts))) {
        Object.assign(archived, fileState)
        return await this.#appendFrom(fd, archived, facts.size, result)
      }
      return await this.#appendFrom(fd, this.#startGeneration(file, fileState), facts.size, result)
    } finally {
      fs.closeSync(fd)
    }
  }

  async #appendFrom(fd: number, source: Source, size: number, result: AppendResult): Promise<SourceState> {
    if (size > source.bytes) {
      const out = this.#openOutput(source)
      source.hash ??= this.#hashOfArchive(source)
      const add = async (raw: Buffer) => {
        this.#addFrame(out, source, raw)
        result.added += raw.length
        await this.#yield(raw.length)
      }
      await forEachFrame(fd, source.bytes, size, add, this.#buffers)
    }
    return source
  }

  #appendBytes(file: AppendFile, raw: Buffer, result: AppendResult): SourceState {
    const fileState = { inode: null, mtimeMs: null, size: null, originalPath: file.path }
    const archived = this.#trace.sources.get(file.name)
    const source = archived && this.#canAppend(archived) ? archived : this.#startGeneration(file, fileState)
    if (raw.length > 0) {
      source.hash ??= this.#hashOfArchive(source)
      this.#addFrame(this.#openOutput(source), source, raw)
      result.added += raw.length
    }
    return source
  }

  /**
   * Appends lines that were converted from the agent's file. From a database only new or changed rows are appended; a
   * compressed file that does not start with the archived bytes starts a new generation.
   */
  async #appendLines(file: AppendFile, form: 'database' | 'zstd', result: AppendResult): Promise<SourceState | null> {
    const archived = this.#trace.sources.get(file.name)
    const isUsable = archived !== undefined && this.#canAppend(archived) && !(file.check === true && this.#isDamaged(archived))
    const archivedBytes = isUsable ? this.#archivedBytes(archived) : null
    const { newBytes, fileState } = form === 'database' ? rowsOf(file.path, archivedBytes) : linesOf(file.path, archivedBytes)
    if (newBytes !== null && newBytes.length === 0 && !archived) return null
    const continuesArchived = archived !== undefined && archivedBytes !== null && newBytes !== null
    const source = continuesArchived ? archived : this.#startGeneration(file, fileState)
    Object.assign(source, fileState)
    const raw = newBytes ?? linesOf(file.path, null).newBytes!
    if (raw.length === 0) return source
    source.hash ??= this.#hashOfArchive(source)
    const out = this.#openOutput(source)
    for (let start = 0; start < raw.length; start += FRAME_BYTES) {
      const frame = raw.subarray(start, start + FRAME_BYTES)
      this.#addFrame(out, source, frame)
      result.added += frame.length
      await this.#yield(frame.length)
    }
    return source
  }

  #archivedSource({ name, generation }: Source): ArchivedSource | undefined {
    return readManifest(this.#request.traceDir).find((source) => source.name === name && source.generation === generation)
  }

  #isDamaged(source: Source): boolean {
    const archived = this.#archivedSource(source)
    return archived === undefined || damageOf(archived) !== null
  }

  #archivedBytes(source: Source): Buffer {
    const archived = this.#archivedSource(source)
    return archived ? Buffer.concat([...chunks(archived)]) : Buffer.alloc(0)
  }

  #addFrame(out: number, source: Source, raw: Buffer): void {
    const packed = pack(raw)
    const size = packed.length
    writeAll(out, packed)
    free(packed)
    source.hash!.update(raw)
    const line: ManifestLine = {
      source: source.name,
      kind: source.kind,
      agent: this.#request.agent,
      sessionId: this.#request.sessionId,
      originalPath: source.originalPath,
      generation: source.generation,
      offset: source.bytes,
      length: raw.length,
      at: source.packedBytes,
      size,
      sha256: source.hash!.copy().digest('hex'),
      archivedAt: new Date(this.#now()).toISOString(),
      inode: source.inode,
      mtimeMs: source.mtimeMs,
      ...(this.#request.sample ? { sample: true } : {}),
    }
    this.#lines.push(line)
    source.last = { offset: line.offset, length: line.length, at: line.at, size: line.size }
    source.bytes += raw.length
    source.packedBytes += size
    source.sha256 = line.sha256
    source.archivedAt = line.archivedAt
    this.#feed(source, line.offset, raw)
  }

  /** If a follower fails, it is dropped: the session is then read from the archive, which reports the error. */
  #startFollower(): void {
    try {
      this.#follower = this.#options.follow?.(this.#request) ?? null
    } catch {
      this.#follower = null
    }
  }

  #feed({ name, kind, generation, originalPath }: Source, offset: number, raw: Buffer): void {
    try {
      this.#follower?.feed({ name, kind, generation, originalPath }, offset, raw)
    } catch {
      this.#follower = null
    }
  }

  #followerResult(): unknown {
    try {
      return this.#follower?.result(this.#options.transfer ?? [])
    } catch {
      return undefined
    }
  }

  /** A new generation of a source. */
  #startGeneration(file: AppendFile, fileState: Pick<SourceState, 'inode' | 'mtimeMs' | 'size' | 'originalPath'>): Source {
    const source: Source = {
      name: file.name,
      kind: file.kind,
      generation: this.#freeGeneration(file.name),
      bytes: 0,
      packedBytes: 0,
      sha256: '',
      archivedAt: '',
      hash: createHash('sha256'),
      last: null,
      ...fileState,
    }
    this.#trace.sources.set(file.name, source)
    return source
  }

  /**
   * Whether the file still starts with the archived bytes. With a cached hash state and the same inode, only the bytes
   * before the old end are compared, with the archive's last frame; otherwise the whole prefix is hashed.
   */
  async #startsWithArchived(fd: number, archived: Source, facts: fs.Stats): Promise<boolean> {
    if (facts.size < archived.bytes || !this.#canAppend(archived)) return false
    if (facts.size === archived.bytes && facts.ino === archived.inode && facts.mtimeMs === archived.mtimeMs) return true
    if (archived.hash && facts.ino === archived.inode && facts.size > archived.bytes) return this.#tailMatches(fd, archived)
    const hash = createHash('sha256')
    await forEachFrame(
      fd,
      0,
      archived.bytes,
      async (raw) => {
        hash.update(raw)
        await this.#yield(raw.length)
      },
      this.#buffers,
    )
    if (hash.copy().digest('hex') !== archived.sha256) return false
    archived.hash = hash
    return true
  }

  #tailMatches(fd: number, archived: Source): boolean {
    if (!archived.last) return false
    const { traceDir, agent, sessionId } = this.#request
    const from = Math.max(archived.last.offset, archived.bytes - TAIL_BYTES)
    const expected = readRange({ ...archived, traceDir, agent, sessionId, frames: [archived.last] }, from, archived.bytes - from)
    const current = Buffer.alloc(expected.length)
    return fs.readSync(fd, current, 0, current.length, from) === current.length && current.equals(expected)
  }

  #hashOfArchive(source: Source): Hash {
    const hash = createHash('sha256')
    const archived = this.#archivedSource(source)
    if (archived) for (const raw of chunks(archived)) hash.update(raw)
    return hash
  }

  /** False if the data file is damaged: its size is not the one in the manifest. */
  #canAppend(source: Source): boolean {
    const facts = fs.statSync(sourceFile(this.#request.traceDir, source), { throwIfNoEntry: false })
    return facts?.size === source.packedBytes
  }

  #freeGeneration(name: string): number {
    let generation = (this.#trace.sources.get(name)?.generation ?? 0) + 1
    while (fs.existsSync(sourceFile(this.#request.traceDir, { name, generation }))) generation += 1
    return generation
  }

  #openOutput(source: Source): number {
    const fd = fs.openSync(sourceFile(this.#request.traceDir, source), 'a', 0o600)
    this.#outputs.push({ fd, originalSize: source.packedBytes })
    return fd
  }

  async #yield(bytes: number): Promise<void> {
    this.#options.onBytes?.(bytes)
    this.#bytesSinceYield += bytes
    if (this.#bytesSinceYield < YIELD_BYTES) return
    this.#bytesSinceYield = 0
    await new Promise((resume) => setImmediate(resume))
    this.#options.signal?.throwIfAborted()
  }

  /** Undoes this call: truncates the data files and drops the trace from the cache. */
  #rollBack(): void {
    for (const { fd, originalSize } of this.#outputs) {
      fs.ftruncateSync(fd, originalSize)
      fs.closeSync(fd)
    }
    this.#outputs = []
    this.#lines = []
    this.#cache.delete(this.#request.traceId)
  }
}
