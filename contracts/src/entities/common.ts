import { z } from 'zod'

/** ISO 8601 in UTC. */
export const Instant = z.string().meta({ id: 'Instant', description: 'ISO 8601, UTC' })

/** 26 characters of lower-case base32. */
export const Id = z.string().regex(/^[a-z2-7]{26}$/)

/** Derived from sha256(agent + NUL + sessionId). */
export const TraceId = Id.meta({ id: 'TraceId' })
export type TraceId = z.infer<typeof TraceId>

export const Agent = z.enum(['claude-code', 'opencode', 'codex', 'gemini', 'aider', 'cursor', 'atif', 'bashbros']).meta({ id: 'Agent' })
export type Agent = z.infer<typeof Agent>

export const Tier = z.enum(['gold', 'silver', 'bronze', 'failed', 'pending']).meta({ id: 'Tier' })
export type Tier = z.infer<typeof Tier>

export const Verification = z.enum(['passed', 'failed', 'unclear', 'none']).meta({ id: 'Verification' })
export type Verification = z.infer<typeof Verification>

/** A key or token that the user pastes. */
export const Secret = z
  .string()
  .trim()
  .min(8)
  .max(500)
  .regex(/^[\x21-\x7e]+$/, 'It must not contain spaces or letters beyond ASCII.')

/** Chosen by the caller; a second call with the same key returns the result of the first. */
export const IdempotencyKey = z.string().min(8).max(100)

/** `limit` is 1–100, default 50, on every list. */
export const Limit = z.coerce.number().int().min(1).max(100).default(50)

/** Opaque; the `nextCursor` of the previous page. */
export const Cursor = z.string().max(400).optional()

/** Why something cannot start, and what to do. */
export const Refusal = z.object({ message: z.string(), hint: z.string().nullable() })

export const page = <T extends z.ZodType>(item: T) =>
  z.object({ items: z.array(item), nextCursor: z.string().nullable(), total: z.number().int() })

/** The four kinds of tokens. Unknown is null, never 0; old clients wrote placeholders. */
export const Tokens = z
  .object({
    input: z.number().nullable(),
    output: z.number().nullable(),
    cacheRead: z.number().nullable(),
    cacheWrite: z.number().nullable(),
  })
  .meta({ id: 'Tokens' })
export type Tokens = z.infer<typeof Tokens>

/** A comma-separated list in a query. */
export const csv = <T extends z.ZodType<string>>(member: T) =>
  z.preprocess((value) => (typeof value === 'string' ? value.split(',').filter(Boolean) : value), z.array(member))

export const MAX_TAGS = 50
export const Tag = z.string().trim().min(1).max(60)
export const Tags = z.array(Tag).max(MAX_TAGS)

/** Tags to add and remove, instead of the whole list, so that changes of another window are kept. */
export const TagChange = z.strictObject({ addTags: Tags, removeTags: Tags }).partial()
export type TagChange = z.infer<typeof TagChange>
