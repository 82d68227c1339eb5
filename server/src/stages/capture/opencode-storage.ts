import fs from 'node:fs'
import path from 'node:path'
import { placeBelow } from '#server/within.ts'
import { parseObject, type JsonObject } from '#server/whole-records.ts'
import { openSource, SourceFault } from './archive/source-file.ts'

/** A session in the database of OpenCode. Its path is written as `<database>#<session id>`. */
export interface DatabaseSession {
  id: string
  /** The top session, whose trace this one belongs to. */
  root: string
  directory: string | null
  /** When one of its rows last changed, epoch ms. */
  changedAt: number
  rows: number
  /** Of its files; null in a database. */
  bytes: number | null
}

/**
 * OpenCode before 1.2 kept one JSON file for each session, message and part: `storage/session/<project>/<session>.json`,
 * `storage/message/<session>/`, `storage/part/<message>/`; before that all below `storage/session/`, with the session in
 * `info/` and the parts in `part/<session>/<message>/`. A folder of these is read like a database of one row a file.
 */
export function isStorage(folder: string): boolean {
  return (
    path.basename(folder) === 'storage' &&
    (isFolder(folder, 'session', 'message') || (isFolder(folder, 'session') && isFolder(folder, 'message')))
  )
}

/** A file, and the row that a database has for it. */
interface StoredRow {
  table: 'session' | 'message' | 'part'
  file: string
  id: string
  messageId: string | null
}

/** Every session of a storage folder, with the time of its last change and its number of files. */
export function storageSessions(folder: string): DatabaseSession[] {
  const found = sessionFiles(folder).map((file) => {
    const content = contentOf(file) ?? {} // of a damaged session the messages are read
    const rows = rowsOf(folder, file)
    const directory = textOf(content.directory) ?? folderIn(rows)
    return { id: stemOf(file), parent: textOf(content.parentID), directory, ...measure(rows), rows: rows.length }
  })
  const parents = new Map(found.map(({ id, parent }) => [id, parent]))
  return found.map(({ parent, ...session }) => ({ ...session, root: parent === null ? session.id : rootOf(session.id, parents) }))
}

/** The session that started the one that started this one, and so on. */
export function rootOf(id: string, parents: ReadonlyMap<string, string | null>): string {
  const visited = new Set<string>()
  let at = id
  for (let parent = parents.get(at); parent != null && parents.has(parent) && !visited.has(parent); parent = parents.get(at)) {
    visited.add(at)
    at = parent
  }
  return at
}

/** The files of a session as lines `{table, row}`, like those of a database. */
export function storageLines(folder: string, id: string): { lines: Map<string, string>; changedAt: number } {
  const session = sessionFiles(folder).find((file) => stemOf(file) === id)
  if (session === undefined) throw new SourceFault('ENOENT', `OpenCode's storage no longer has session ${id}.`)
  const rows = rowsOf(folder, session)
  const lines = new Map<string, string>()
  for (const row of rows) lines.set(`${row.table} ${row.id}`, JSON.stringify({ table: row.table, row: columnsOf(row, id) }))
  return { lines, changedAt: measure(rows).changedAt }
}

function columnsOf({ table, file, id, messageId }: StoredRow, sessionId: string): JsonObject {
  const bytes = bytesOf(file)
  const content = parseObject(bytes)?.value
  const time = objectOf(content?.time)
  const times = { time_created: time.created ?? time.start ?? null, time_updated: time.updated ?? time.completed ?? null }
  if (table === 'session') {
    const { parentID, directory, title, version, projectID } = content ?? {}
    return {
      id,
      project_id: projectID ?? null,
      parent_id: parentID ?? null,
      directory: directory ?? null,
      title: title ?? null,
      version: version ?? null,
      ...times,
    }
  }
  // A damaged file is archived as it is, and reported by the reader.
  const data = content ? JSON.stringify(content) : bytes.toString('utf8')
  return { id, ...(messageId !== null && { message_id: messageId }), session_id: sessionId, ...times, data }
}

/** The session's own file, then each message with its parts. */
function rowsOf(folder: string, session: string): StoredRow[] {
  const id = stemOf(session)
  const isOldest = path.basename(path.dirname(session)) === 'info'
  const rows: StoredRow[] = [{ table: 'session', file: session, id, messageId: null }]
  for (const message of jsonIn(isOldest ? placeBelow(folder, 'session', 'message', id) : placeBelow(folder, 'message', id))) {
    const messageId = stemOf(message)
    rows.push({ table: 'message', file: message, id: messageId, messageId: null })
    const parts = isOldest ? placeBelow(folder, 'session', 'part', id, messageId) : placeBelow(folder, 'part', messageId)
    for (const part of jsonIn(parts)) rows.push({ table: 'part', file: part, id: stemOf(part), messageId })
  }
  return rows
}

/** Facts of all files together. A file that is gone is missing from the rows next time. */
function measure(rows: readonly StoredRow[]): { changedAt: number; bytes: number } {
  let changedAt = 0
  let bytes = 0
  for (const { file } of rows) {
    const stats = fs.statSync(file, { throwIfNoEntry: false })
    changedAt = Math.max(changedAt, stats?.mtimeMs ?? 0)
    bytes += stats?.size ?? 0
  }
  return { changedAt, bytes }
}

/** The oldest sessions name their folder only in their messages. */
function folderIn(rows: readonly StoredRow[]): string | null {
  for (const { table, file } of rows) {
    const folder = table === 'message' ? textOf(objectOf(contentOf(file)?.path).cwd) : null
    if (folder !== null) return folder
  }
  return null
}

const sessionFiles = (folder: string): string[] =>
  namesIn(path.join(folder, 'session')).flatMap((name) =>
    name === 'message' || name === 'part' ? [] : jsonIn(path.join(folder, 'session', name)),
  )

const jsonIn = (folder: string): string[] =>
  namesIn(folder)
    .filter((name) => name.endsWith('.json'))
    .toSorted()
    .map((name) => path.join(folder, name))

function namesIn(folder: string): string[] {
  try {
    return fs.readdirSync(folder)
  } catch {
    return [] // a message without parts has no folder
  }
}

/** Empty if the file is gone or unreadable. */
function bytesOf(file: string): Buffer {
  try {
    return read(file)
  } catch (error) {
    if (error instanceof SourceFault) return Buffer.alloc(0)
    throw error
  }
}

function read(file: string): Buffer {
  const fd = openSource(file)
  try {
    return fs.readFileSync(fd)
  } finally {
    fs.closeSync(fd)
  }
}

const contentOf = (file: string): JsonObject | null => parseObject(bytesOf(file))?.value ?? null

const isFolder = (...parts: string[]): boolean => fs.statSync(path.join(...parts), { throwIfNoEntry: false })?.isDirectory() === true
const stemOf = (file: string): string => path.basename(file, '.json')
const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)
const objectOf = (value: unknown): JsonObject => (typeof value === 'object' && value !== null ? (value as JsonObject) : {})
