import fs from 'node:fs'
import path from 'node:path'
import { Agent } from '#contracts/entities/common.ts'
import { placeBelow } from '#server/within.ts'
import { MANIFEST, parseManifest } from './manifest.ts'
import { repairTrace } from './repair.ts'
import { allGenerations, type SourceState } from './state.ts'

/** The content of all manifests, in the form of the tables that mirror them. */
export interface Survey {
  traces: { traceId: string; traceDir: string; agent: Agent; sessionId: string; sample: boolean; sources: SourceState[] }[]
  /** Repairs after interrupted appends, one sentence each (only with `repair`). */
  repaired: string[]
  /** Damage that was not repaired, one sentence each. */
  problems: string[]
}

/** Reads every manifest of the archive. Synchronous, for a worker thread. */
export function survey(archive: string, options: { repair: boolean }): Survey {
  const result: Survey = { traces: [], repaired: [], problems: [] }
  for (const { agent, traceId, traceDir } of traceFolders(archive)) {
    const file = path.join(traceDir, MANIFEST)
    const bytes = fs.existsSync(file) ? fs.readFileSync(file) : Buffer.alloc(0)
    const manifest = parseManifest(bytes)
    result.problems.push(...manifest.problems.map((problem) => `${file}: ${problem}.`))
    if (options.repair) result.repaired.push(...repairTrace(traceDir, manifest, bytes.length))
    const first = manifest.lines[0]
    if (first) {
      const sample = manifest.lines.some((line) => line.sample === true)
      const sources = allGenerations(manifest.lines)
      result.traces.push({ traceId, traceDir, agent, sessionId: first.sessionId, sample, sources })
    } else if (options.repair && fs.readdirSync(traceDir).every((name) => name === MANIFEST)) {
      fs.rmSync(traceDir, { recursive: true }) // an append interrupted before its first manifest line
    }
  }
  return result
}

/** The trace folders of each agent. */
export function traceFolders(archive: string): { agent: Agent; traceId: string; traceDir: string }[] {
  return folders(archive).flatMap((name) => {
    const agent = Agent.safeParse(name)
    if (!agent.success) return []
    return folders(path.join(archive, name)).map((traceId) => ({
      agent: agent.data,
      traceId,
      traceDir: placeBelow(archive, name, traceId),
    }))
  })
}

function folders(parent: string): string[] {
  if (!fs.existsSync(parent)) return []
  return fs
    .readdirSync(parent, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .toSorted()
}
