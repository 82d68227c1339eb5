import fs from 'node:fs'
import path from 'node:path'
import type { Agent } from '#contracts/entities/common.ts'
import { traceId } from '#server/stages/capture/index.ts'
import type { DeriveOutput } from '../../derived.ts'
import { createReader } from '../create.ts'
import type { Reader, ReaderAnalyser, ReaderSource } from '../reader.ts'

const SAMPLES = path.join(import.meta.dirname, '../../../../../../samples')
export const OTHER_AGENTS = path.join(SAMPLES, 'other-agents')

export interface Expected {
  prompts: number
  responses: number
  toolCalls: number
  failedToolCalls: number
  exitCode: number
  command: string
  finalText: string
  sessionId: string
  clientVersion?: string
  model: string
  cwd?: string
  gitBranch?: string
  tokens: { input_without_cached: number; cached: number; output: number }
}

export function expectedOf(agent: Agent): Expected {
  const all = JSON.parse(fs.readFileSync(path.join(SAMPLES, 'expected.json'), 'utf8')) as Record<string, Expected>
  return all[`other-agents/${agent}`]!
}

/** The recorded session of each agent. */
export const FILES = {
  codex: 'codex/sessions/2026/11/21/rollout-2026-11-21T04-45-01-01a1fc6c-0b20-7262-9d81-2fa6c02fbd6d.jsonl',
  gemini: 'gemini/tmp/project/chats/session-2026-11-21T04-45-6744995d.jsonl',
  opencode: 'opencode/opencode-rows.jsonl',
} as const

export const bytesOf = (file: string): Buffer => fs.readFileSync(path.join(OTHER_AGENTS, file))

export const mainSource = (originalPath = '/home/dev/session.jsonl'): ReaderSource => ({
  name: 'main-00000000',
  kind: 'main',
  generation: 1,
  originalPath,
})

export function readerOf(agent: Agent, analysers: ReaderAnalyser[] = []): Reader {
  const { sessionId } = expectedOf(agent)
  return createReader(agent, { traceId: traceId(agent, sessionId), sessionId, analysers })
}

export function readBytes(agent: Agent, bytes: Buffer, source = mainSource()): DeriveOutput {
  const reader = readerOf(agent)
  reader.feed(source, 0, bytes)
  return reader.output(null)
}

export { linesOf } from '../claude-code/testing.ts'
