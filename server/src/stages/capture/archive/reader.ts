import fs from 'node:fs'
import path from 'node:path'
import { zstdDecompressSync } from 'node:zlib'
import { AppError } from '#contracts/errors.ts'
import type { ArchivedSource, Frame } from '../types.ts'
import { free } from '#server/workers/free.ts'
import { readIfThere } from './durable.ts'
import { MANIFEST, parseManifest, sourceFile, sourcesOf } from './manifest.ts'

/**
 * Reads the archive, synchronously, for worker threads. Each frame has a zstd checksum, so a changed byte on disk is
 * an `archive_damaged` error with file and frame, never wrong text.
 */

/** zlib refuses a smaller `chunkSize`. */
const LEAST_CHUNK = 64

/** Every source (and generation) of a session in the archive; empty if the folder does not exist. */
export function readManifest(traceDir: string): ArchivedSource[] {
  const bytes = readIfThere(path.join(traceDir, MANIFEST))
  return bytes === null ? [] : sourcesOf(traceDir, parseManifest(bytes).lines)
}

export const fileOf = (source: ArchivedSource): string => sourceFile(source.traceDir, source)

/** The newest generation of each source: the current content of the agent's files. */
export function currentSources(sources: ArchivedSource[]): ArchivedSource[] {
  const newest = new Map<string, ArchivedSource>()
  for (const source of sources) {
    if (source.generation >= (newest.get(source.name)?.generation ?? 0)) newest.set(source.name, source)
  }
  return [...newest.values()]
}

/** The raw bytes [offset, offset + length) of a source; fewer at the source's end. */
export function readRange(source: ArchivedSource, offset: number, length: number): Buffer {
  const end = Math.min(offset + length, source.bytes)
  if (offset >= end) return Buffer.alloc(0)
  const parts: Buffer[] = []
  const fd = open(source)
  try {
    for (let index = frameIndexAt(source.frames, offset); index < source.frames.length; index += 1) {
      const frame = source.frames[index]!
      if (frame.offset >= end) break
      const raw = readFrame(source, fd, frame)
      parts.push(raw.subarray(Math.max(0, offset - frame.offset), Math.min(frame.length, end - frame.offset)))
    }
  } finally {
    fs.closeSync(fd)
  }
  return parts.length === 1 ? parts[0]! : Buffer.concat(parts)
}

/** The raw bytes from `fromOffset` to the end, one buffer per frame, which the caller may free. */
export function* chunks(source: ArchivedSource, fromOffset = 0): Generator<Buffer> {
  if (fromOffset >= source.bytes) return
  const fd = open(source)
  try {
    for (let index = frameIndexAt(source.frames, fromOffset); index < source.frames.length; index += 1) {
      const frame = source.frames[index]!
      const raw = readFrame(source, fd, frame)
      yield fromOffset > frame.offset ? raw.subarray(fromOffset - frame.offset) : raw
    }
  } finally {
    fs.closeSync(fd)
  }
}

/** Index of the frame that contains a raw offset. */
export function frameIndexAt(frames: Frame[], offset: number): number {
  let low = 0
  let high = frames.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (frames[middle]!.offset <= offset) low = middle
    else high = middle - 1
  }
  return low
}

function readFrame(source: ArchivedSource, fd: number, frame: Frame): Buffer {
  const packed = Buffer.allocUnsafe(frame.size)
  let read = 0
  while (read < frame.size) {
    const bytesRead = fs.readSync(fd, packed, read, frame.size - read, frame.at + read)
    if (bytesRead === 0) throw damaged(source, frame, `the file is ${frame.size - read} bytes too short`)
    read += bytesRead
  }
  let raw: Buffer
  try {
    // One buffer with spare bytes: by default zlib collects 16 KB at a time, and runs once more when the buffer is full.
    raw = zstdDecompressSync(packed, { chunkSize: frame.length + LEAST_CHUNK, maxOutputLength: Math.max(frame.length, 1) })
  } catch (cause) {
    throw damaged(source, frame, 'its checksum does not match', cause)
  } finally {
    free(packed)
  }
  if (raw.length !== frame.length) throw damaged(source, frame, `it contains ${raw.length} bytes, not ${frame.length}`)
  return raw
}

function open(source: ArchivedSource): number {
  try {
    return fs.openSync(fileOf(source), 'r')
  } catch (cause) {
    throw damaged(source, null, `the file cannot be opened (${(cause as NodeJS.ErrnoException).code})`, cause)
  }
}

function damaged(source: ArchivedSource, frame: Frame | null, why: string, cause?: unknown): AppError {
  const where = frame ? `, frame at byte ${frame.at}` : ''
  return new AppError('archive_damaged', {
    message: `Can't read the archive file ${fileOf(source)}${where}: ${why}.`,
    cause,
  })
}
