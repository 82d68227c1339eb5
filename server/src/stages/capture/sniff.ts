import { parseShallow } from '#server/shallow-json.ts'
import fs from 'node:fs'
import { zstdDecompressSync } from 'node:zlib'
import type { Agent } from '#contracts/entities/common.ts'
import { openSource, SourceFault } from './archive/source-file.ts'
import { isTrajectory, trajectoryId } from './atif.ts'

/** What the start of a file says about it, before it is archived. */
export interface Sniff {
  /**
   * Whether a line is a JSON object with fields; otherwise there are other lines, an incomplete one, or
   * only blank lines and `{}`.
   */
  shape: 'json-lines' | 'other' | 'unfinished' | 'empty'
  /** The agent, by the shape of its records; null if unknown. */
  agent: Agent | null
  /** Session id of the first record that looks like a transcript record. */
  sessionId: string | null
  cwd: string | null
  /** The sub-agent of this file, if only the records show it. */
  subagent: string | null
  /** An agent file that the client (2.0.x) wrote only to warm its prompt cache. */
  warmup: boolean
}

type Json = Record<string, unknown>

/** Most transcripts name session and folder in their first records; reading little keeps an import of thousands of files fast. */
const FIRST_BYTES = 4 << 10
/** Large attachments come early; after this much there is no more to learn. */
const MAX_BYTES = 2 << 20
/** A session in one document is read completely. */
const LARGEST_DOCUMENT = 256 << 20
/** A line without a record. */
const NOTHING = /^\s*(?:\{\s*\}\s*)?$/
/** The folder of a Gemini chat: in the context for the model, as escaped JSON. */
const WORKSPACE = /(?:Workspace Directories:\*\*\\n\s*- |currently working in the directory: |"directories":\[")([^\\"]+)/

/** Reads whole lines from the start until session id and cwd are known, 2 MB at most. */
export function sniff(file: string): Sniff {
  const fd = openSource(file)
  try {
    if (file.endsWith('.zst')) return sniffText(unpacked(fd).subarray(0, MAX_BYTES))
    if (file.endsWith('.json')) return sniffDocument(fd)
    for (let size = FIRST_BYTES; ; size *= 4) {
      const buffer = Buffer.allocUnsafe(Math.min(size, MAX_BYTES))
      const got = fs.readSync(fd, buffer, 0, buffer.length, 0)
      const found = sniffText(buffer.subarray(0, got))
      const whole = got < buffer.length || buffer.length === MAX_BYTES
      // a first line longer than the limit may still be complete: its records are read later
      if (got === MAX_BYTES && found.shape === 'unfinished' && /^\s*\{/.test(buffer.toString('utf8', 0, 100)) && endsALine(fd, got))
        return { ...found, shape: 'json-lines' }
      if (whole || (found.sessionId !== null && found.cwd !== null)) return found
    }
  } finally {
    fs.closeSync(fd)
  }
}

function endsALine(fd: number, from: number): boolean {
  const buffer = Buffer.allocUnsafe(MAX_BYTES)
  for (let at = from, got; (got = fs.readSync(fd, buffer, 0, buffer.length, at)) > 0; at += got)
    if (buffer.subarray(0, got).includes(10)) return true
  return false
}

/** The lines of a rollout that Codex compressed; `file` may be open already. */
export function unpacked(file: string | number): Buffer {
  const packed = fs.readFileSync(file)
  try {
    return zstdDecompressSync(packed)
  } catch (error) {
    throw new SourceFault(
      'EFORMAT',
      `Couldn't decompress this file (${(error as Error).message}), so it was not imported. Replace it with a complete copy, then import again.`,
    )
  }
}

export function sniffText(bytes: Buffer): Sniff {
  const found: Sniff = { shape: 'empty', agent: null, sessionId: null, cwd: null, subagent: null, warmup: false }
  let firstPrompt: string | null = null
  for (let start = 0; start < bytes.length;) {
    const newline = bytes.indexOf(10, start)
    if (newline === -1) {
      if (found.shape === 'empty' && !NOTHING.test(bytes.toString('utf8', start))) found.shape = 'unfinished'
      break
    }
    const text = bytes.toString('utf8', start, newline)
    start = newline + 1
    if (NOTHING.test(text)) continue
    const record = parseObject(text)
    if (!record) {
      if (found.shape === 'empty') found.shape = 'other'
      continue
    }
    found.shape = 'json-lines'
    if (found.agent === null && sniffOther(record, found) && found.agent !== 'gemini') break
    if (found.agent === 'gemini') {
      found.cwd ??= WORKSPACE.exec(text)?.[1] ?? null
      if (found.cwd !== null) break
      continue
    }
    if (typeof record.type !== 'string') continue
    if (typeof record.sessionId === 'string' && record.sessionId) {
      found.sessionId ??= record.sessionId
      found.agent = 'claude-code'
    }
    if (typeof record.cwd === 'string') found.cwd ??= record.cwd
    if (record.type === 'user') firstPrompt ??= promptOf(record)
    if (found.sessionId !== null && found.cwd !== null && firstPrompt !== null) break
  }
  found.warmup = firstPrompt === 'Warmup'
  return found
}

/** The first record of a rollout, the head of a Gemini chat, or the session's row of OpenCode. */
function sniffOther(record: Json, found: Sniff): boolean {
  if (record.type === 'session_meta') {
    const payload = objectOf(record.payload)
    const own = textOf(payload.id)
    // A thread started by another one has it in `source`, with the session of both.
    const started = objectOf(objectOf(objectOf(payload.source).subagent).thread_spawn)
    const isStarted = payload.thread_source === 'subagent' || Object.keys(objectOf(objectOf(payload.source).subagent)).length > 0
    const named = textOf(payload.session_id)
    const parent = isStarted ? ((named === own ? null : named) ?? textOf(started.parent_thread_id)) : null
    Object.assign(found, { agent: 'codex', sessionId: parent ?? own, cwd: textOf(payload.cwd), subagent: parent === null ? null : own })
    return own !== null
  }
  if (typeof record.projectHash === 'string' && typeof record.sessionId === 'string' && record.type === undefined) {
    Object.assign(found, { agent: 'gemini', sessionId: textOf(record.sessionId) })
    return true
  }
  if (record.table === 'session' && textOf(objectOf(record.row).id) !== null) {
    const row = objectOf(record.row)
    Object.assign(found, { agent: 'opencode', sessionId: textOf(row.id), cwd: textOf(row.directory) })
    return true
  }
  return false
}

/** A chat of an older Gemini CLI, what `opencode export` wrote, or a trajectory in ATIF. */
function sniffDocument(fd: number): Sniff {
  const found: Sniff = { shape: 'other', agent: null, sessionId: null, cwd: null, subagent: null, warmup: false }
  if (fs.fstatSync(fd).size > LARGEST_DOCUMENT) return found
  const document = parseObject(fs.readFileSync(fd, 'utf8').trim())
  if (!document) return found
  found.shape = 'json-lines'
  const info = objectOf(document.info)
  if (Array.isArray(document.messages) && textOf(document.sessionId) !== null && textOf(document.projectHash) !== null) {
    return { ...found, agent: 'gemini', sessionId: textOf(document.sessionId), cwd: WORKSPACE.exec(JSON.stringify(document))?.[1] ?? null }
  }
  if (Array.isArray(document.messages) && textOf(info.id) !== null) {
    return { ...found, agent: 'opencode', sessionId: textOf(info.id), cwd: textOf(info.directory) }
  }
  if (isTrajectory(document)) {
    const extra = { ...objectOf(objectOf(document.agent).extra), ...objectOf(document.extra) }
    return { ...found, agent: 'atif', sessionId: trajectoryId(document), cwd: textOf(extra.cwd) }
  }
  return found
}

const objectOf = (value: unknown): Json => (typeof value === 'object' && value !== null ? (value as Json) : {}) // checked before
const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)

function promptOf(record: Json): string | null {
  const { message } = record
  if (typeof message !== 'object' || message === null || !('content' in message)) return null
  const { content } = message
  if (typeof content === 'string') return content
  const first: unknown = Array.isArray(content) ? content[0] : null
  if (typeof first === 'object' && first !== null && 'text' in first && typeof first.text === 'string') return first.text
  return ''
}

function parseObject(text: string): Json | null {
  if (!text.startsWith('{')) return null
  try {
    return parseShallow(text).value as Json // starts with a brace and parses, so it is an object
  } catch {
    return null
  }
}
