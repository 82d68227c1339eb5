import zlib from 'node:zlib'
import { expect, it } from 'vitest'
import { openCore } from '#server/testing/core.ts'
import { createCheckResults } from './results.ts'

const ID = 'a'.repeat(26)

it('a stored report that becomes too large, or is none, counts as not there, without an error', async () => {
  const core = openCore()
  const results = createCheckResults(core)
  const put = (report: Buffer) =>
    core.db
      .prepare('INSERT OR REPLACE INTO trace_checks (trace_id, at, status, runner, calls, counts, report) VALUES (?, 1, ?, NULL, 0, 1, ?)')
      .run(ID, 'passed', report)
  const foreignKeys = core.db.pragma('foreign_keys', { simple: true })
  core.db.pragma('foreign_keys = OFF') // there is no session
  const bomb = zlib.zstdCompressSync(Buffer.from(`{"summary":"${'a'.repeat(80 << 20)}"}`))
  expect(bomb.length).toBeLessThan(100_000)
  for (const report of [bomb, Buffer.from('no zstd'), zlib.zstdCompressSync('{"status":"passed"}')]) {
    put(report)
    expect(results.get(ID)).toBeNull()
    expect(results.verified(ID)).toMatchObject({ state: 'passed' })
  }
  core.db.pragma(`foreign_keys = ${String(foreignKeys)}`)
  await core.close()
})
