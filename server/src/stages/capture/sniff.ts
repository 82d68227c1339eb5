import { documentIn } from '#server/damaged-document.ts'
import { parseObject, wholeRecords } from '#server/whole-records.ts'
import fs from 'node:fs'
import { zstdDecompressSync } from 'node:zlib'
import type { Agent } from '#contracts/entities/common.ts'
import { openSource, SourceFault } from './archive/source-file.ts'
import { isTrajectory, trajectoryId } from './atif.ts'

/** Facts from the start of a file, read before it is archived. */
export interface Sniff {
  /**
   * `records`: at least one line, or the whole document, is a JSON object with fields. Otherwise `other` (there are other
   * lines), `unfinished` (only an incomplete line), `empty` (only blank lines and `{}`) or `state` (summaries, checkpoints and
   * other state of Claude Code, without a conversation).
   */
  shape: 'records' | 'other' | 'unfinished' | 'empty' | 'state'
  /** The agent that writes records of this form; null if unknown. */
  agent: Agent | null
  /** Session id of the first record that looks like a transcript record. */
  sessionId: string | null
  cwd: string | null
  /** The sub-agent of this file, if only the records show it. */
  subagent: string | null
  /** Something was said or done in it. */
  hasConversation: boolean
  /** An agent file that the client (2.0.x) wrote only to warm its prompt cache. */
  isWarmup: boolean
}

type Json = Record<string, unknown>

/** Most transcripts name session and folder in their first records, and reading only these keeps a large import fast. */
const FIRST_BYTES = 4 << 10
/** Enough to get past large attachments at the start; later records add no facts. */
const MAX_BYTES = 2 << 20
/** Larger documents are not read: a session in one document must be parsed as a whole. */
const LARGEST_DOCUMENT = 256 << 20
/** Of a compressed transcript. */
const LARGEST_UNPACKED = 512 << 20
/** A line without a record. */
const NO_RECORD = /^\s*(?:\{\s*\}\s*)?$/
/** Finds the folder of a Gemini chat, or of an old Codex rollout, in the context for the model, which is escaped JSON. */
const WORKSPACE =
  /(?:Workspace Directories:\*\*\\n\s*- |currently working in the directory: |"directories":\["|Current working directory: |<cwd>)([^\\"<]+)/
/** Records of Claude Code that are not only state of the client. */
const CONVERSATION: ReadonlySet<string> = new Set(['user', 'assistant', 'system'])

/** Reads whole lines from the start until session id and cwd are known, 2 MB at most. */
export function sniff(file: string): Sniff {
  const fd = openSource(file)
  try {
    if (file.endsWith('.zst')) return sniffText(decompressFile(fd).subarray(0, MAX_BYTES))
    if (file.endsWith('.json')) return sniffDocument(fd)
    for (let size = FIRST_BYTES; ; size *= 4) {
      const buffer = Buffer.allocUnsafe(Math.min(size, MAX_BYTES))
      const bytesRead = fs.readSync(fd, buffer, 0, buffer.length, 0)
      const facts = sniffText(buffer.subarray(0, bytesRead))
      const isEndOrLimit = bytesRead < buffer.length || buffer.length === MAX_BYTES
      // A first line longer than the limit is a record if it ends somewhere in the file.
      if (
        bytesRead === MAX_BYTES &&
        facts.shape === 'unfinished' &&
        /^\s*\{/.test(buffer.toString('utf8', 0, 100)) &&
        hasNewlineAfter(fd, bytesRead)
      )
        return { ...facts, shape: 'records' }
      if (bytesRead < buffer.length && facts.shape === 'records' && !facts.hasConversation) return { ...facts, shape: 'state' }
      if (isEndOrLimit || (facts.sessionId !== null && facts.cwd !== null)) return facts
    }
  } finally {
    fs.closeSync(fd)
  }
}

function hasNewlineAfter(fd: number, from: number): boolean {
  const buffer = Buffer.allocUnsafe(MAX_BYTES)
  for (let at = from, bytesRead; (bytesRead = fs.readSync(fd, buffer, 0, buffer.length, at)) > 0; at += bytesRead)
    if (buffer.subarray(0, bytesRead).includes(10)) return true
  return false
}

/** The lines of a transcript that Codex compressed. `file` is a path or an open file. */
export function decompressFile(file: string | number): Buffer {
  const { size } = typeof file === 'number' ? fs.fstatSync(file) : fs.statSync(file)
  if (size > LARGEST_DOCUMENT)
    throw new SourceFault('EFORMAT', `This file has more than ${LARGEST_DOCUMENT} bytes, so it was not imported.`)
  const packed = fs.readFileSync(file)
  try {
    return zstdDecompressSync(packed, { maxOutputLength: LARGEST_UNPACKED }) // a few kilobytes can become any number of bytes
  } catch (error) {
    throw new SourceFault(
      'EFORMAT',
      `Couldn't decompress this file (${(error as Error).message}), so it was not imported. Replace it with a complete copy, then import again.`,
    )
  }
}

export function sniffText(bytes: Buffer): Sniff {
  const facts: Sniff = { shape: 'empty', agent: null, sessionId: null, cwd: null, subagent: null, hasConversation: false, isWarmup: false }
  let firstPrompt: string | null = null
  for (let start = 0; start < bytes.length;) {
    const newline = bytes.indexOf(10, start)
    const line = bytes.subarray(start, newline === -1 ? bytes.length : newline)
    const text = line.toString('utf8')
    start += line.length + 1
    if (NO_RECORD.test(text)) continue
    const mayBeWhole = newline !== -1 || text.trimEnd().endsWith('}')
    const record = (mayBeWhole ? parseObject(line)?.value : null) ?? (newline === -1 ? null : recordIn(line))
    if (!record) {
      if (facts.shape === 'empty') facts.shape = newline === -1 ? 'unfinished' : 'other'
      continue
    }
    facts.shape = 'records'
    if (facts.agent === null) sniffOtherAgent(record, facts)
    if (facts.agent !== null && facts.agent !== 'claude-code') {
      facts.hasConversation = true
      if (facts.agent === 'opencode') break
      facts.cwd ??= WORKSPACE.exec(text)?.[1] ?? null
      if (facts.cwd !== null) break
      continue
    }
    if (typeof record.type !== 'string') {
      facts.hasConversation = true // of an unknown kind
      continue
    }
    facts.hasConversation ||= CONVERSATION.has(record.type) || typeof record.uuid === 'string'
    if (typeof record.sessionId === 'string' && record.sessionId) {
      facts.sessionId ??= record.sessionId
      facts.agent = 'claude-code'
    }
    if (typeof record.cwd === 'string') facts.cwd ??= record.cwd
    if (record.type === 'user') firstPrompt ??= promptOf(record)
    if (facts.sessionId !== null && facts.cwd !== null && firstPrompt !== null) break
  }
  facts.isWarmup = firstPrompt === 'Warmup'
  return facts
}

/** Reads the first record of a Codex transcript or a Gemini chat, or the session row of OpenCode. */
function sniffOtherAgent(record: Json, facts: Sniff): void {
  if (record.type === 'session_meta') {
    const payload = objectOf(record.payload)
    const threadId = textOf(payload.id)
    // If another thread started this one, `source` names that thread, and `session_id` is the session of both.
    const spawn = objectOf(objectOf(objectOf(payload.source).subagent).thread_spawn)
    const isSpawned = payload.thread_source === 'subagent' || Object.keys(objectOf(objectOf(payload.source).subagent)).length > 0
    const sessionId = textOf(payload.session_id)
    const parent = isSpawned ? ((sessionId === threadId ? null : sessionId) ?? textOf(spawn.parent_thread_id)) : null
    if (threadId === null) return
    Object.assign(facts, {
      agent: 'codex',
      sessionId: parent ?? threadId,
      cwd: textOf(payload.cwd),
      subagent: parent === null ? null : threadId,
    })
    return
  }
  if (isOldRollout(record)) {
    Object.assign(facts, { agent: 'codex', sessionId: textOf(record.id) })
    return
  }
  if (typeof record.projectHash === 'string' && typeof record.sessionId === 'string' && record.type === undefined) {
    Object.assign(facts, { agent: 'gemini', sessionId: textOf(record.sessionId) })
    return
  }
  if (record.table === 'session' && textOf(objectOf(record.row).id) !== null) {
    const row = objectOf(record.row)
    Object.assign(facts, { agent: 'opencode', sessionId: textOf(row.id), cwd: textOf(row.directory) })
    return
  }
}

/** A chat of an older Gemini CLI, an export of `opencode export`, or a trajectory in ATIF. */
function sniffDocument(fd: number): Sniff {
  const facts: Sniff = { shape: 'other', agent: null, sessionId: null, cwd: null, subagent: null, hasConversation: true, isWarmup: false }
  if (fs.fstatSync(fd).size > LARGEST_DOCUMENT) return facts
  const document = documentIn(fs.readFileSync(fd))?.value
  if (!document) return facts
  facts.shape = 'records'
  const info = objectOf(document.info)
  if (Array.isArray(document.messages) && textOf(document.sessionId) !== null && textOf(document.projectHash) !== null) {
    return { ...facts, agent: 'gemini', sessionId: textOf(document.sessionId), cwd: WORKSPACE.exec(JSON.stringify(document))?.[1] ?? null }
  }
  if (Array.isArray(document.messages) && textOf(info.id) !== null) {
    return { ...facts, agent: 'opencode', sessionId: textOf(info.id), cwd: textOf(info.directory) }
  }
  const session = objectOf(document.session)
  if (Array.isArray(document.items) && textOf(session.id) !== null)
    return { ...facts, agent: 'codex', sessionId: textOf(session.id), cwd: WORKSPACE.exec(JSON.stringify(document.items))?.[1] ?? null }
  if (isTrajectory(document)) {
    const extra = { ...objectOf(objectOf(document.agent).extra), ...objectOf(document.extra) }
    return { ...facts, agent: 'atif', sessionId: trajectoryId(document), cwd: textOf(extra.cwd) }
  }
  return facts
}

/** The first whole record in a damaged line that names a session. */
const recordIn = (line: Buffer): Json | null =>
  wholeRecords(
    line,
    ({ type, sessionId, payload }) => typeof type === 'string' && (typeof sessionId === 'string' || payload !== undefined),
  )[0]?.value ?? null

/** The first line of a Codex rollout of mid 2025. */
const isOldRollout = ({ type, id, timestamp, instructions }: Json): boolean =>
  type === undefined && textOf(id) !== null && textOf(timestamp) !== null && instructions !== undefined

const objectOf = (value: unknown): Json => (typeof value === 'object' && value !== null ? (value as Json) : {})
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
