import type {
  Sandbox,
  SandboxBackend,
  SandboxEndReason,
  SandboxResult,
  SandboxSpec,
  SandboxStatus,
  SandboxTraffic,
  TrajectoryEntry,
} from '#contracts/entities/sandbox.ts'
import type { MachineIsolation } from '#server/adapters/sandbox/index.ts'
import type { Database } from '#server/db/open.ts'
import { createRows, type Raw } from '#server/db/rows.ts'

export interface SandboxRow {
  no: number
  id: string
  backend: SandboxBackend
  spec: SandboxSpec
  status: SandboxStatus
  isolation: MachineIsolation | null
  /** Set when the sandbox ends. */
  traffic: SandboxTraffic | null
  /** Whether its files outlive the app. */
  keeps: boolean
  /** While it is stopped: its files, which it goes on with. */
  kept: Sandbox['kept']
  commands: number
  lastStandaloneExitCode: number | null
  createdAt: number
  startedAt: number | null
  lastUsedAt: number | null
  endedAt: number | null
  endReason: SandboxEndReason | null
  error: string | null
}

export type SandboxChange = Partial<Omit<SandboxRow, 'no' | 'id' | 'backend' | 'spec' | 'keeps' | 'commands' | 'createdAt'>>

interface ListFilter {
  status?: readonly SandboxStatus[] | undefined
  cursor?: string | undefined
  limit: number
}

export function createSandboxStore(db: Database) {
  const insert = db.prepare(
    "INSERT INTO sandboxes (id, backend, spec, status, created_at, keeps) VALUES (@id, @backend, @spec, 'created', @at, @keeps)",
  )
  // needs no index: queried only if a caller sends a key, and `instr` is a cheap first filter
  const byKey = db.prepare<{ key: string; text: string }, Raw>(
    "SELECT * FROM sandboxes WHERE instr(spec, @text) > 0 AND json_extract(spec, '$.idempotencyKey') = @key",
  )
  const update = db.prepare(
    `UPDATE sandboxes SET status = @status, isolation = @isolation, traffic = @traffic, last_standalone_exit_code = @lastStandaloneExitCode, started_at = @startedAt,
       last_used_at = @lastUsedAt, ended_at = @endedAt, end_reason = @endReason, error = @error, kept = @kept WHERE no = @no`,
  )
  const kept = db.prepare<[], Raw>('SELECT * FROM sandboxes WHERE kept IS NOT NULL ORDER BY no')
  const remove = db.prepare('DELETE FROM sandboxes WHERE id = ?')
  const addCommand = db.prepare(
    'INSERT INTO sandbox_commands (sandbox_no, position, session, command, is_typed, at) VALUES (@no, @position, @session, @command, @isTyped, @at)',
  )
  const countCommand = db.prepare('UPDATE sandboxes SET commands = commands + 1, last_used_at = @at WHERE no = @no')
  const endCommand = db.prepare('UPDATE sandbox_commands SET result = @result WHERE sandbox_no = @no AND position = @position')
  const commandsOf = db.prepare<{ no: number; session: string | null }, Raw>(
    `SELECT * FROM sandbox_commands WHERE sandbox_no = @no AND (@session IS NULL OR session = @session) ORDER BY position`,
  )

  const { get, require, rowOf, list } = createRows(db, {
    table: 'sandboxes',
    toRow,
    missing: { code: 'sandbox_not_found', what: 'sandbox' },
    where: '(@statuses IS NULL OR status IN (SELECT value FROM json_each(@statuses)))',
  })
  return {
    get,
    require,
    byKey: (key: string): SandboxRow | null => rowOf(byKey.get({ key, text: JSON.stringify(key) })),
    insert({
      idempotencyKey,
      ...row
    }: Pick<SandboxRow, 'id' | 'backend' | 'spec' | 'keeps'> & { idempotencyKey: string | undefined; at: number }): void {
      insert.run({ ...row, keeps: Number(row.keeps), spec: JSON.stringify({ ...row.spec, idempotencyKey }) })
    },
    change(id: string, change: SandboxChange): SandboxRow {
      const row = { ...require(id), ...change }
      const { keeps: _, ...values } = row
      update.run({
        ...values,
        kept: row.kept && JSON.stringify(row.kept),
        isolation: row.isolation && JSON.stringify(row.isolation),
        traffic: row.traffic && JSON.stringify(row.traffic),
      })
      return row
    },
    remove: (id: string): boolean => remove.run(id).changes > 0,
    kept: (): SandboxRow[] => kept.all().map(toRow),
    list: ({ status, ...page }: ListFilter) => list(page, { statuses: status ? JSON.stringify(status) : null }),
    /** Returns the position of the command. */
    addCommand(
      { no, commands, startedAt }: SandboxRow,
      { isTyped, ...entry }: Pick<TrajectoryEntry, 'session' | 'command' | 'isTyped'>,
      now: number,
    ): number {
      addCommand.run({ ...entry, no, position: commands, isTyped: Number(isTyped), at: now - (startedAt ?? now) })
      countCommand.run({ no, at: now })
      return commands
    },
    endCommand(no: number, position: number, result: SandboxResult | Blocked): void {
      endCommand.run({ no, position, result: JSON.stringify(result) })
    },
    trajectory: (no: number, session: string | null): TrajectoryEntry[] =>
      commandsOf.all({ no, session }).map((raw) => ({
        index: Number(raw['position']),
        session: String(raw['session']),
        command: String(raw['command']),
        isTyped: raw['is_typed'] === 1,
        at: Number(raw['at']) / 1000,
        ...endingOf(raw['result'] as string | null),
      })),
  }
}

/** Stored instead of a result. */
interface Blocked {
  blocked: NonNullable<TrajectoryEntry['blocked']>
}

function endingOf(stored: string | null): Pick<TrajectoryEntry, 'blocked' | 'result'> {
  if (stored === null) return { blocked: null, result: null }
  const ending = JSON.parse(stored) as SandboxResult | Blocked // written by endCommand
  return 'blocked' in ending ? { blocked: ending.blocked, result: null } : { blocked: null, result: ending }
}

export type SandboxStore = ReturnType<typeof createSandboxStore>

/** The contract validated it at creation; older rows have no guard. */
function specOf(text: string): SandboxSpec {
  const { idempotencyKey: _, ...spec } = JSON.parse(text) as SandboxSpec & { idempotencyKey?: string }
  return { ...spec, guard: spec.guard ?? {} }
}

const toRow = (raw: Raw): SandboxRow => ({
  no: Number(raw['no']),
  id: String(raw['id']),
  backend: raw['backend'] as SandboxBackend,
  spec: specOf(String(raw['spec'])),
  status: raw['status'] as SandboxStatus,
  isolation: raw['isolation'] === null ? null : (JSON.parse(String(raw['isolation'])) as MachineIsolation),
  traffic: raw['traffic'] === null ? null : (JSON.parse(String(raw['traffic'])) as SandboxTraffic), // written by change
  keeps: raw['keeps'] === 1,
  kept: raw['kept'] === null ? null : (JSON.parse(String(raw['kept'])) as Sandbox['kept']), // written by change
  commands: Number(raw['commands']),
  lastStandaloneExitCode: raw['last_standalone_exit_code'] as number | null,
  createdAt: Number(raw['created_at']),
  startedAt: raw['started_at'] as number | null,
  lastUsedAt: raw['last_used_at'] as number | null,
  endedAt: raw['ended_at'] as number | null,
  endReason: raw['end_reason'] as SandboxEndReason | null,
  error: raw['error'] as string | null,
})
