import fs from 'node:fs'
import path from 'node:path'
import { traceId } from '#server/stages/capture/index.ts'
import type { DeriveOutput } from '../../derived.ts'
import type { ReaderAnalyser, ReaderSource } from '../reader.ts'
import { ClaudeCodeReader } from './reader.ts'

/** For tests: a session as in the archive. */
export interface Fed extends ReaderSource {
  bytes: Buffer
}

const FIXTURES = path.join(import.meta.dirname, '../fixtures')
const SAMPLES = path.join(import.meta.dirname, '../../../../../../samples/claude-code')

/** Every source of a sample: transcripts, sub-agents, meta files, hook payloads. */
export function sampleSources(sample: string): Fed[] {
  return sourcesIn(path.join(SAMPLES, sample))
}

/** A recorded run of the real client, without the vendor's texts; `session` if the run wrote several. */
export function fixtureSources(name: string, session?: string): Fed[] {
  const sources = sourcesIn(path.join(FIXTURES, name))
  return session === undefined ? sources : sources.filter(({ originalPath }) => originalPath.includes(session))
}

function sourcesIn(folder: string): Fed[] {
  const files = fs.readdirSync(path.join(folder, 'projects'), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const sources = files.map((entry) => sourceOf(path.join(entry.parentPath, entry.name)))
  const hooks = path.join(folder, 'hooks.jsonl')
  return fs.existsSync(hooks) ? [...sources, { ...source('hooks', 'hooks', hooks), bytes: fs.readFileSync(hooks) }] : sources
}

function sourceOf(file: string): Fed {
  const name = path.basename(file)
  const bytes = fs.readFileSync(file)
  if (name.endsWith('.meta.json')) return { ...source(`meta-${name.slice(6, -10)}`, 'meta', file), bytes }
  if (file.includes('/tool-results/')) return { ...source(`tool-result-${name.replace(/\.\w+$/, '')}`, 'tool-result', file), bytes }
  if (name.startsWith('agent-')) return { ...source(name.replace(/\.jsonl$/, ''), 'subagent', file), bytes }
  return { ...source('main-00000000', 'main', file), bytes }
}

export const source = (
  name: string,
  kind: ReaderSource['kind'],
  originalPath = `/home/dev/.claude/projects/-p/${name}.jsonl`,
  generation = 0,
): ReaderSource => ({
  name,
  kind,
  generation,
  originalPath,
})

/** Records as the bytes of a transcript. */
export const linesOf = (...records: unknown[]): Buffer => Buffer.from(records.map((record) => `${JSON.stringify(record)}\n`).join(''))

export const SESSION = '11111111-2222-4333-8444-555555555555'
export const TRACE = traceId('claude-code', SESSION)

export function newReader(analysers: ReaderAnalyser[] = [], sessionId = SESSION): ClaudeCodeReader {
  return new ClaudeCodeReader({ traceId: traceId('claude-code', sessionId), sessionId, analysers })
}

export function readAll(sources: Fed[], analysers: ReaderAnalyser[] = []): DeriveOutput {
  const reader = newReader(analysers)
  for (const one of sources) reader.feed(one, 0, one.bytes)
  return reader.output(null)
}

/** A main file made of records. */
export const main = (...records: unknown[]): Fed => ({ ...source('main-00000000', 'main'), bytes: linesOf(...records) })
