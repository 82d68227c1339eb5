import { z } from 'zod'
import { Agent } from '#contracts/entities/common.ts'
import { placeBelow } from '#server/within.ts'
import type { ArchivedSource } from '../types.ts'

export const MANIFEST = 'manifest.jsonl'

/**
 * One line of `manifest.jsonl`: one frame of one source. `offset`/`length` count raw bytes, `at`/`size` bytes of the
 * `.zst` file; `sha256` covers the raw bytes of this generation from its first to the end of this frame. `inode` and
 * `mtimeMs` describe the client's file when the frame was read (null if there was no file).
 */
const Line = z.object({
  source: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,199}$/),
  kind: z.enum(['main', 'subagent', 'meta', 'tool-result', 'hooks']),
  agent: Agent,
  sessionId: z.string().min(1),
  originalPath: z.string(),
  generation: z.number().int().min(1),
  offset: z.number().int().min(0),
  length: z.number().int().min(1),
  at: z.number().int().min(0),
  size: z.number().int().min(1),
  sha256: z.string().length(64),
  archivedAt: z.string(),
  inode: z.number().nullable().default(null),
  mtimeMs: z.number().nullable().default(null),
  sample: z.boolean().optional(),
})
export type ManifestLine = z.infer<typeof Line>

export interface Manifest {
  lines: ManifestLine[]
  /** Bytes of the file up to the end of its last valid line; an incomplete line after it is truncated before the next append. */
  goodBytes: number
  /** Invalid lines, one sentence each; an incomplete last line is not a problem. */
  problems: string[]
}

export const sourceFile = (traceDir: string, source: { name: string; generation: number }): string =>
  placeBelow(traceDir, `${source.name}.${source.generation}.zst`)

export const formatLine = (line: ManifestLine): string => `${JSON.stringify(line)}\n`

/** Parses a manifest; the frames of a source must follow each other without a gap. */
export function parseManifest(bytes: Buffer): Manifest {
  const manifest: Manifest = { lines: [], goodBytes: 0, problems: [] }
  const ends = new Map<string, { raw: number; packed: number }>()
  let lineNumber = 0
  for (let start = 0; start < bytes.length;) {
    const newline = bytes.indexOf(10, start)
    if (newline === -1) break
    lineNumber += 1
    const text = bytes.toString('utf8', start, newline)
    start = newline + 1
    const line = parseLine(text)
    if (!line) {
      manifest.problems.push(`line ${lineNumber} of the manifest is not valid`)
      continue
    }
    const key = `${line.source}.${line.generation}`
    const end = ends.get(key) ?? { raw: 0, packed: 0 }
    if (line.offset !== end.raw || line.at !== end.packed) {
      manifest.problems.push(
        `line ${lineNumber} of the manifest: ${key} continues at byte ${line.offset}, but the data before it ends at ${end.raw}`,
      )
      continue
    }
    ends.set(key, { raw: end.raw + line.length, packed: end.packed + line.size })
    manifest.lines.push(line)
    manifest.goodBytes = start
  }
  return manifest
}

/** Every generation of every source, in the order in which they first appeared. */
export function sourcesOf(traceDir: string, lines: ManifestLine[]): ArchivedSource[] {
  const sources = new Map<string, ArchivedSource>()
  for (const line of lines) {
    const key = `${line.source}.${line.generation}`
    let source = sources.get(key)
    if (!source) {
      source = {
        traceDir,
        name: line.source,
        kind: line.kind,
        agent: line.agent,
        sessionId: line.sessionId,
        originalPath: line.originalPath,
        generation: line.generation,
        bytes: 0,
        sha256: '',
        archivedAt: '',
        frames: [],
      }
      sources.set(key, source)
    }
    source.frames.push({ offset: line.offset, length: line.length, at: line.at, size: line.size })
    source.bytes = line.offset + line.length
    source.sha256 = line.sha256
    source.archivedAt = line.archivedAt
  }
  return [...sources.values()]
}

function parseLine(text: string): ManifestLine | null {
  try {
    return Line.parse(JSON.parse(text))
  } catch {
    return null
  }
}
