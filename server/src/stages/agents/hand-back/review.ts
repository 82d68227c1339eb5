import { randomUUID } from 'node:crypto'
import type { z } from 'zod'
import type { ChangedFile, ReviewComment } from '#contracts/entities/task.ts'
import { AppError } from '#contracts/errors.ts'
import { isoOf } from '#server/instant.ts'
import type { reviewTask } from '#contracts/routes/tasks.ts'
import type { ChangedEntry } from '#server/adapters/git/tree-entry.ts'
import type { StoredComment, Review, ReviewStore } from './store.ts'

export type ReviewAction = z.output<typeof reviewTask.body>

const MAX_QUOTE_LENGTH = 300

export const versionOf = ({ after }: Pick<ChangedEntry, 'after'>): string => (after === null ? 'removed' : `${after.mode} ${after.oid}`)

/** Adds read marks; a file that has changed since it was read counts as unread. */
export function withMarks(
  files: readonly Omit<ChangedFile, 'isRead'>[],
  entries: readonly ChangedEntry[],
  { read }: Review,
): ChangedFile[] {
  const readVersions = new Map(read)
  return files.map((file, index) => ({ ...file, isRead: readVersions.get(file.path) === versionOf(entries[index]!) }))
}

interface ReviewDeps {
  store: ReviewStore
  now: () => number
  /** A line of a file at the end of the run, or null. */
  lineOf: (entry: ChangedEntry, line: number) => Promise<string | null>
}

/** Marks files as read or unread, and adds or removes a comment. */
export async function applyReview(
  taskId: string,
  action: ReviewAction,
  entries: readonly ChangedEntry[],
  deps: ReviewDeps,
): Promise<ReviewComment[]> {
  const byPath = new Map(entries.map((entry) => [entry.path, entry]))
  const require = (path: string): ChangedEntry => {
    const entry = byPath.get(path)
    if (entry === undefined) throw new AppError('invalid_request', { message: `This change has no file ${path}.` })
    return entry
  }
  const marked = (action.read ?? []).map((path): [string, string] => [path, versionOf(require(path))])
  const added = action.addComment && (await newComment(action.addComment, require(action.addComment.path), deps))
  const { read, comments } = deps.store.of(taskId) // read here so that nothing can change before it is written
  if (action.removeComment !== undefined && !comments.some(({ id }) => id === action.removeComment))
    throw new AppError('invalid_request', { message: 'There is no such comment.' })
  const marks = new Map([...read, ...marked])
  for (const path of action.unread ?? []) marks.delete(path)
  const kept = comments.filter(({ id }) => id !== action.removeComment)
  const review: Review = { read: [...marks], comments: added ? [...kept, added] : kept }
  deps.store.put(taskId, review)
  return review.comments.map(shownComment)
}

async function newComment(
  { path, line, text }: NonNullable<ReviewAction['addComment']>,
  entry: ChangedEntry,
  { now, lineOf }: ReviewDeps,
): Promise<StoredComment> {
  const quote = line === null ? null : await lineOf(entry, line)
  if (line !== null && quote === null) throw new AppError('invalid_request', { message: `${path} has no line ${line} after the run.` })
  return { id: randomUUID(), path, line, text, at: isoOf(now()), sentAt: null, quote: quote?.slice(0, MAX_QUOTE_LENGTH) ?? null }
}

export const shownComment = ({ id, path, line, text, at, sentAt }: StoredComment): ReviewComment => ({ id, path, line, text, at, sentAt })

/** One message with all comments that were not sent yet; null if there are none. */
export function messageOf(comments: readonly StoredComment[]): string | null {
  const unsent = comments.filter(({ sentAt }) => sentAt === null)
  if (unsent.length === 0) return null
  const parts = unsent
    .toSorted((a, b) => a.path.localeCompare(b.path) || (a.line ?? 0) - (b.line ?? 0))
    .map(({ path, line, quote, text }) =>
      [line === null ? path : `${path}:${line}`, ...(quote === null ? [] : [`> ${quote}`]), text].join('\n'),
    )
  return ['I have reviewed your changes. Please work these comments in:', ...parts].join('\n\n')
}
