import type { TagChange } from '#contracts/entities/common.ts'
import type { Artifact, Model, ModelFormat, Parity, Quantization } from '#contracts/entities/model.ts'
import type { Probe } from '#contracts/entities/probe.ts'
import { AppError } from '#contracts/errors.ts'
import type { Database } from '#server/db/open.ts'
import { numberBefore, pageOf } from '#server/db/paging.ts'
import { withTags } from '#server/tags.ts'
import type { RecordedFile } from './registry/files.ts'
import type { Origin } from './registry/origin.ts'

export interface ModelRow {
  no: number
  id: string
  name: string
  description: string | null
  tags: string[]
  note: string | null
  starred: boolean
  archived: boolean
  createdAt: number
  parentId: string | null
  origin: Origin
  parameters: number | null
}

export interface ArtifactRow {
  id: string
  format: ModelFormat
  quantization: Quantization | null
  path: string
  files: RecordedFile[]
  bytes: number
  sha256: string | null
  isChanged: boolean
  made: string | null
  parity: Parity | null
  createdAt: number
}

/** Speed of a model's newest answers on one device. The latencies are percentiles. */
export interface Speed {
  tokensPerSec: number | null
  latencyMsP50: number | null
  latencyMsP95: number | null
  measuredOn: string | null
}

export interface AnswerRow {
  at: number
  artifact: string | null
  device: string
  firstTokenMs: number | null
  ms: number
  tokens: number
  tokensPerSec: number | null
}

export type ModelChange = TagChange & Partial<Pick<Model, 'name' | 'description' | 'note' | 'starred' | 'archived'>>

interface ListFilter {
  q?: string | undefined
  tag?: string | undefined
  archived: boolean
  starred?: boolean | undefined
  cursor?: string | undefined
  limit: number
}

type StoredRow = Record<string, string | number | null>
/** Number of answers for figures of speed. */
const NEWEST_ANSWERS = 200

export function createModelStore(db: Database) {
  const insert = db.prepare(
    'INSERT INTO models (id, name, tags, created_at, parent_id, origin) VALUES (@id, @name, @tags, @at, @parentId, @origin) ON CONFLICT (id) DO NOTHING',
  )
  const countAll = db.prepare<[], { n: number }>('SELECT count(*) AS n FROM models')
  const byId = db.prepare<[string], StoredRow>('SELECT * FROM models WHERE id = ?')
  const change = db.prepare(
    'UPDATE models SET name = @name, description = @description, tags = @tags, note = @note, starred = @starred, archived = @archived WHERE no = @no',
  )
  const setParameters = db.prepare('UPDATE models SET parameters = ? WHERE id = ?')
  const remove = db.prepare('DELETE FROM models WHERE id = ?')
  const children = db.prepare<[string], { name: string; basePath: string }>(
    "SELECT name, origin ->> '$.basePath' AS basePath FROM models WHERE parent_id = ? ORDER BY no",
  )
  const ids = db.prepare<[], { id: string }>('SELECT id FROM models ORDER BY no')
  const artifactsOf = db.prepare<[number], StoredRow>('SELECT * FROM model_artifacts WHERE model_no = ? ORDER BY created_at, id')
  const places = db.prepare<[], { path: string; bytes: number }>('SELECT path, bytes FROM model_artifacts')
  const putArtifact = db.prepare(
    `INSERT INTO model_artifacts (model_no, id, format, quantization, path, files, bytes, sha256, made, parity, created_at)
     VALUES (@no, @id, @format, @quantization, @path, @files, @bytes, @sha256, @made, @parity, @createdAt)
     ON CONFLICT (model_no, id) DO UPDATE SET path = excluded.path, files = excluded.files, bytes = excluded.bytes, sha256 = excluded.sha256,
       is_changed = 0, made = excluded.made, parity = excluded.parity, created_at = excluded.created_at`,
  )
  const updateFiles = db.prepare(
    'UPDATE model_artifacts SET files = @files, bytes = @bytes, sha256 = @sha256, is_changed = @isChanged WHERE model_no = @no AND id = @id',
  )
  const dropArtifact = db.prepare('DELETE FROM model_artifacts WHERE model_no = ? AND id = ?')
  const addAnswer = db.prepare(
    `INSERT INTO model_answers (model_no, at, artifact, device, first_token_ms, ms, tokens, tokens_per_sec)
     VALUES (@no, @at, @artifact, @device, @firstTokenMs, @ms, @tokens, @tokensPerSec)`,
  )
  const answers = db.prepare<[number], { device: string; ms: number; rate: number | null }>(
    `SELECT device, ms, tokens_per_sec AS rate FROM model_answers WHERE model_no = ? ORDER BY at DESC LIMIT ${NEWEST_ANSWERS}`,
  )

  const putProbe = db.prepare('INSERT OR REPLACE INTO model_probes (model_no, at, result) VALUES (?, ?, ?)')
  const probeOf = db.prepare<[number], { result: string }>('SELECT result FROM model_probes WHERE model_no = ?')

  const noOf = (id: string): number => {
    const row = byId.get(id)
    if (!row) throw new AppError('model_not_found', { message: `There is no model with the id "${id}".` })
    return Number(row['no'])
  }

  return {
    putProbe: (no: number, probe: Probe): void => void putProbe.run(no, Date.parse(probe.at), JSON.stringify(probe)),
    /** Null if it was not probed. */
    probe(no: number): Probe | null {
      const row = probeOf.get(no)
      return row ? (JSON.parse(row.result) as Probe) : null // written by putProbe
    },
    ids: (): string[] => ids.all().map(({ id }) => id),
    get(id: string): ModelRow | null {
      const row = byId.get(id)
      return row ? toModelRow(row) : null
    },
    require(id: string): ModelRow {
      noOf(id)
      return toModelRow(byId.get(id)!)
    },
    /** Adds a model unless it exists already. Returns whether it was added. */
    add: (model: { id: string; name: string; tags: readonly string[]; at: number; parentId: string | null; origin: Origin }): boolean =>
      insert.run({ ...model, tags: JSON.stringify(model.tags), origin: JSON.stringify(model.origin) }).changes > 0,
    change(row: ModelRow, { addTags, removeTags, ...values }: ModelChange): void {
      const next = { ...row, ...values, tags: withTags(row.tags, { addTags, removeTags }) }
      change.run({
        no: row.no,
        name: next.name,
        description: next.description,
        tags: JSON.stringify(next.tags),
        note: next.note,
        starred: Number(next.starred),
        archived: Number(next.archived),
      })
    },
    setParameters: (id: string, parameters: number | null): void => void setParameters.run(parameters, id),
    remove: (id: string): void => void remove.run(id),
    /** Models that were trained from this one, with the path they were trained from. */
    childrenOf: (id: string): { name: string; basePath: string }[] => children.all(id),
    list({ q, tag, archived, starred, cursor, limit }: ListFilter) {
      const before = numberBefore(cursor)
      const where = `archived = @archived AND (@starred IS NULL OR starred = @starred)
        AND (@tag IS NULL OR EXISTS (SELECT 1 FROM json_each(tags) WHERE value = @tag))
        AND (@q IS NULL OR instr(lower(concat_ws(char(10), name, description, note, tags, origin ->> '$.lineage.baseModel',
          origin ->> '$.lineage.datasetName', origin ->> '$.lineage.strategy')), lower(@q)) > 0)`
      const params = {
        archived: Number(archived),
        starred: starred === undefined ? null : Number(starred),
        tag: tag ?? null,
        q: q?.trim() || null,
      }
      const rows = db
        .prepare<unknown[], StoredRow>(`SELECT * FROM models WHERE ${where} AND no < @before ORDER BY no DESC LIMIT @limit`)
        .all({ ...params, before, limit: limit + 1 })
      const { n } = db.prepare<unknown[], { n: number }>(`SELECT count(*) AS n FROM models WHERE ${where}`).get(params)!
      return { ...pageOf(rows.map(toModelRow), limit, ({ no }) => no), total: n }
    },
    artifacts: (no: number): ArtifactRow[] => artifactsOf.all(no).map(toArtifactRow),
    count: (): number => countAll.get()!.n,
    /** Paths and sizes of all artifacts. */
    places: () => places.all(),
    /** Replaces an artifact with the same id. */
    putArtifact: (id: string, artifact: Omit<ArtifactRow, 'isChanged'>): void =>
      void putArtifact.run({
        ...artifact,
        no: noOf(id),
        files: JSON.stringify(artifact.files),
        parity: artifact.parity && JSON.stringify(artifact.parity),
      }),
    /** Stores the result of reading an artifact's files. */
    updateFiles: (id: string, artifact: string, found: Pick<ArtifactRow, 'files' | 'bytes' | 'sha256' | 'isChanged'>): void =>
      void updateFiles.run({
        ...found,
        no: noOf(id),
        id: artifact,
        files: JSON.stringify(found.files),
        isChanged: Number(found.isChanged),
      }),
    dropArtifact: (id: string, artifact: string): void => void dropArtifact.run(noOf(id), artifact),
    addAnswer: (id: string, answer: AnswerRow): void => void addAnswer.run({ ...answer, no: noOf(id) }),
    speed(no: number): Speed {
      const rows = answers.all(no)
      const newest = rows.filter(({ device }) => device === rows[0]?.device)
      const rates = newest.flatMap(({ rate }) => rate ?? []).toSorted((a, b) => a - b)
      const times = newest.map(({ ms }) => ms).toSorted((a, b) => a - b)
      return {
        tokensPerSec: percentile(rates, 0.5),
        latencyMsP50: percentile(times, 0.5),
        latencyMsP95: percentile(times, 0.95),
        measuredOn: newest[0]?.device ?? null,
      }
    },
  }
}
export type ModelStore = ReturnType<typeof createModelStore>

/** The percentile of a sorted list (nearest rank); null for an empty list. */
const percentile = (sorted: readonly number[], share: number): number | null =>
  sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? null

const toModelRow = (row: StoredRow): ModelRow => ({
  no: Number(row['no']),
  id: String(row['id']),
  name: String(row['name']),
  description: row['description'] as string | null,
  tags: JSON.parse(String(row['tags'])) as string[],
  note: row['note'] as string | null,
  starred: row['starred'] === 1,
  archived: row['archived'] === 1,
  createdAt: Number(row['created_at']),
  parentId: row['parent_id'] as string | null,
  origin: JSON.parse(String(row['origin'])) as Origin, // written by add
  parameters: row['parameters'] as number | null,
})

const toArtifactRow = (row: StoredRow): ArtifactRow => ({
  id: String(row['id']),
  format: row['format'] as ModelFormat,
  quantization: row['quantization'] as Quantization | null,
  path: String(row['path']),
  files: JSON.parse(String(row['files'])) as RecordedFile[], // written by putArtifact and seen
  bytes: Number(row['bytes']),
  sha256: row['sha256'] as string | null,
  isChanged: row['is_changed'] === 1,
  made: row['made'] as string | null,
  parity: row['parity'] === null ? null : (JSON.parse(String(row['parity'])) as Artifact['parity']),
  createdAt: Number(row['created_at']),
})
