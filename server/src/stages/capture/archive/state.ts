import type { Hash } from 'node:crypto'
import type { Frame, SourceKind } from '../types.ts'
import type { ManifestLine } from './manifest.ts'

/** State of a source in the archive; `inode`, `mtimeMs` and `size` describe the agent's file when it was last read. */
export interface SourceState {
  name: string
  kind: SourceKind
  originalPath: string
  generation: number
  bytes: number
  packedBytes: number
  sha256: string
  archivedAt: string
  inode: number | null
  mtimeMs: number | null
  size: number | null
}

/** A source while it is appended to. */
export interface Source extends SourceState {
  /** The newest frame, compared with the end of the file. */
  last: Frame | null
  /** sha256 over the raw bytes so far; null until it is needed. */
  hash: Hash | null
}

/** The state of a source after a manifest line. `size` is unknown: the manifest does not record it. */
export const stateAfter = (line: ManifestLine): SourceState => ({
  name: line.source,
  kind: line.kind,
  originalPath: line.originalPath,
  generation: line.generation,
  bytes: line.offset + line.length,
  packedBytes: line.at + line.size,
  sha256: line.sha256,
  archivedAt: line.archivedAt,
  inode: line.inode,
  mtimeMs: line.mtimeMs,
  size: null,
})

/** Every generation of every source, in its last state. */
export const allGenerations = (lines: readonly ManifestLine[]): SourceState[] => [
  ...new Map(lines.map((line) => [`${line.source}.${line.generation}`, stateAfter(line)])).values(),
]

/** The newest generation of each source, by name. */
export function newestGenerations(lines: readonly ManifestLine[]): Map<string, Source> {
  const sources = new Map<string, Source>()
  for (const line of lines) {
    if (line.generation < (sources.get(line.source)?.generation ?? 0)) continue
    const last = { offset: line.offset, length: line.length, at: line.at, size: line.size }
    sources.set(line.source, { ...stateAfter(line), hash: null, last })
  }
  return sources
}

export function withoutHash(source: Source): SourceState {
  const { hash, last, ...state } = source
  void hash // a running hash cannot be sent to another thread
  void last
  return state
}
