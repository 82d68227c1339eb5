import fs from 'node:fs'
import path from 'node:path'
import { Agent } from '#contracts/entities/common.ts'
import type { SourceState } from './append.ts'
import { MANIFEST, type ManifestLine, parseManifest } from './manifest.ts'
import { repairTrace } from './repair.ts'

/** What the manifests say, in the form of the tables that mirror them. */
export interface Survey {
  traces: { traceId: string; traceDir: string; agent: Agent; sessionId: string; sample: boolean; sources: SourceState[] }[]
  /** What an interrupted append had left and was cut, a sentence each (only with `repair`). */
  repaired: string[]
  /** Damage that is left as it is: nothing that may be data is ever cut. */
  problems: string[]
}

/** Reads every manifest of the archive. Synchronous, for a worker thread. */
export function survey(archive: string, options: { repair: boolean }): Survey {
  const result: Survey = { traces: [], repaired: [], problems: [] }
  for (const agentFolder of folders(archive)) {
    const agent = Agent.safeParse(agentFolder)
    if (!agent.success) continue
    for (const traceId of folders(path.join(archive, agentFolder))) {
      const traceDir = path.join(archive, agentFolder, traceId)
      const file = path.join(traceDir, MANIFEST)
      const bytes = fs.existsSync(file) ? fs.readFileSync(file) : Buffer.alloc(0)
      const manifest = parseManifest(bytes)
      result.problems.push(...manifest.problems.map((problem) => `${file}: ${problem}.`))
      if (options.repair) result.repaired.push(...repairTrace(traceDir, manifest, bytes.length))
      const first = manifest.lines[0]
      if (first) {
        const sample = manifest.lines.some((line) => line.sample === true)
        const sources = everyGeneration(manifest.lines)
        result.traces.push({ traceId, traceDir, agent: agent.data, sessionId: first.sessionId, sample, sources })
      } else if (options.repair && fs.readdirSync(traceDir).every((name) => name === MANIFEST)) {
        fs.rmSync(traceDir, { recursive: true }) // an append that was interrupted before its first manifest line
      }
    }
  }
  return result
}

function everyGeneration(lines: ManifestLine[]): SourceState[] {
  const sources = new Map<string, SourceState>()
  for (const line of lines) {
    sources.set(`${line.source}.${line.generation}`, {
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
      // Without the database nobody knows what the file looked like later: a rescan compares its content once.
      size: null,
    })
  }
  return [...sources.values()]
}

function folders(parent: string): string[] {
  if (!fs.existsSync(parent)) return []
  return fs
    .readdirSync(parent, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .toSorted()
}
