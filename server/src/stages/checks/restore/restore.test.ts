import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import type { ServerMessage } from '#contracts/messages.ts'
import type { CheckReport } from '#contracts/entities/check.ts'
import { findBubblewrap } from '#server/adapters/bubblewrap/index.ts'
import { useFolder } from '#server/testing/folders.ts'
import { importSession, useServer } from '#server/testing/use.ts'

const TEST = "require('node:test')('adds', () => require('node:assert').equal(require('./sum.js')(1, 2), 3))"
const WRONG = 'module.exports = (a, b) => a - b\n'
const RIGHT = 'module.exports = (a, b) => a + b\n'

interface Call {
  tool: 'Bash' | 'Edit' | 'Write'
  input: Record<string, unknown>
  output?: string
  /** What the client records beside the text. */
  result?: object
}

describe.skipIf(findBubblewrap() === null)('the checks of a session', () => {
  const root = useFolder()
  const server = useServer()

  const git = (folder: string, ...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=Dev', '-c', 'user.email=dev@example.com', '-C', folder, ...args], {
      encoding: 'utf8',
      env: { ...process.env, GIT_COMMITTER_DATE: '2026-11-01T10:00:00Z', GIT_AUTHOR_DATE: '2026-11-01T10:00:00Z' },
    }).trim()
  /** A repository whose one test fails. */
  const repository = (): string => {
    const folder = fs.mkdtempSync(path.join(root, 'r-'))
    fs.writeFileSync(path.join(folder, 'package.json'), '{"scripts":{"test":"node --test"}}')
    fs.writeFileSync(path.join(folder, 'sum.js'), WRONG)
    fs.writeFileSync(path.join(folder, 'sum.test.js'), TEST)
    git(folder, 'init', '-q', '-b', 'main')
    git(folder, 'add', '-A')
    git(folder, 'commit', '-qm', 'first')
    return folder
  }
  /** Imports a session with these calls, all of them successful. */
  const session = async (cwd: string, calls: Call[], sessionId: string = randomUUID()): Promise<string> => {
    const at = (second: number) => new Date(Date.UTC(2026, 10, 2, 10, 0, second)).toISOString()
    const base = { isSidechain: false, userType: 'external', cwd, sessionId, version: '2.1.329', gitBranch: 'main' }
    let parentUuid: string | null = null
    let records = 0
    const record = (second: number, more: object) => {
      const uuid = `${sessionId.slice(0, 24)}${String((records += 1)).padStart(12, '0')}`
      const line = { parentUuid, ...base, uuid, timestamp: at(second), ...more }
      parentUuid = uuid
      return line
    }
    const lines = [
      record(0, { type: 'user', message: { role: 'user', content: 'Mend the sum' } }),
      ...calls.flatMap(({ tool, input, output = 'done', result }, n) => {
        const id = `toolu_${sessionId.slice(0, 8)}${n}`
        const message = { id: `msg_${id}`, type: 'message', role: 'assistant', model: 'claude-opus-5-5', content: [{ type: 'tool_use', id, name: tool, input }], usage: { input_tokens: 1, output_tokens: 1 } } // prettier-ignore
        return [
          record(2 * n + 1, { type: 'assistant', message }),
          record(2 * n + 2, { type: 'user', message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: output, is_error: false }] }, ...(result && { toolUseResult: result }) }),
        ]
      }),
    ] // prettier-ignore
    return importSession(server, root, sessionId, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  }
  /** A session whose last call commits a fix; its test passes on that commit, but the session never ran it. */
  const sessionEndingInCommit = async (): Promise<{ folder: string; calls: Call[]; sessionId: string; hash: string }> => {
    const folder = repository()
    fs.writeFileSync(path.join(folder, 'sum.js'), RIGHT)
    git(folder, 'commit', '-qam', 'mended')
    const hash = git(folder, 'rev-parse', 'HEAD')
    const commit: Call = {
      tool: 'Bash',
      input: { command: 'git commit -am mended' },
      output: `[main ${hash.slice(0, 7)}] mended\n 1 file changed`,
    }
    return { folder, hash, calls: [edit(folder, 'a - b', 'a + b'), commit], sessionId: randomUUID() }
  }
  const scoreOf = async (id: string) => (await server.client.getTrace({ params: { id }, query: {} })).score
  const check = async (id: string) => server.app.core.jobs.wait((await server.client.checkTrace({ params: { id }, body: {} })).id)
  const edit = (folder: string, from: string, to: string): Call => ({
    tool: 'Edit',
    input: { file_path: path.join(folder, 'sum.js'), old_string: from, new_string: to },
  })

  it('run on the last commit of the session, even if the project has changed since', async () => {
    const { folder, calls, hash } = await sessionEndingInCommit()
    const id = await session(folder, calls)
    fs.writeFileSync(path.join(folder, 'sum.js'), 'torn since')
    fs.writeFileSync(path.join(folder, 'untracked.test.js'), 'throw 1')
    const { result } = await check(id)
    expect(result).toMatchObject({ status: 'passed', total: 1, restored: { commit: hash, isInferred: false, applied: 0, missing: [] } })
    expect(git(folder, 'status', '--short')).toBe('M sum.js\n?? untracked.test.js')
    expect(fs.readdirSync(server.app.core.paths.restored)).toEqual([])
  })

  it('run with what shell commands changed, where the client recorded it', async () => {
    const folder = repository()
    const hunks = [
      {
        oldStart: 1,
        oldLines: 1,
        newStart: 1,
        newLines: 1,
        lines: ['-module.exports = (a, b) => a - b', '+module.exports = (a, b) => a + b'],
      },
    ]
    const file = (name: string) => path.join(folder, name)
    const files = [
      { filePath: file('sum.js'), hunks },
      { filePath: file('new.txt'), hunks: [{ oldStart: 0, oldLines: 0, newStart: 1, newLines: 1, lines: ['+new'] }], created: true },
    ]
    const id = await session(folder, [
      {
        tool: 'Bash',
        input: { command: "sed -i 's/a - b/a + b/' sum.js; echo new >new.txt" },
        result: {
          stdout: '',
          stderr: '',
          interrupted: false,
          bashEditDiff: { files, moreFiles: 0, changedFiles: files.map(({ filePath }) => filePath) },
        },
      },
    ])
    expect((await check(id)).result).toMatchObject({ status: 'passed', total: 1, restored: { applied: 2, missing: [] } })
  })

  it('override inferred verification, survive a rescore and a rebuild, and expire when the session continues', async () => {
    const { folder, calls, sessionId } = await sessionEndingInCommit()
    const id = await session(folder, calls, sessionId)
    expect(await scoreOf(id)).toMatchObject({ verification: 'none', verifiedBy: null })
    expect(await server.client.getTraceChecks({ params: { id } })).toEqual({ result: null })
    const messages: ServerMessage[] = []
    const unfollow = server.app.core.events.subscribe((message) => messages.push(message))
    await check(id)
    unfollow()
    const scoreWithChecks = { verification: 'passed', verifiedBy: 'checks that were run (node)', open: false, red: false }
    expect(await scoreOf(id)).toMatchObject(scoreWithChecks)
    expect((await scoreOf(id))!.metricEvidence.find(({ metric }) => metric === 'verification')!.sentence).toContain(
      'checks that were run (node)',
    )
    expect(messages.find(({ type }) => type === 'verification:result')?.payload).toEqual({ taskId: null, traceId: id, status: 'passed', runner: 'node', passed: 1, failed: 0, total: 1 }) // prettier-ignore
    expect(await server.client.getTraceChecks({ params: { id } })).toMatchObject({ result: { counts: true, report: { status: 'passed' } } })
    for (const job of [
      await server.client.startRescore({ body: { policy: 'verified_first' } }),
      await server.client.startRebuild({ body: {} }),
    ])
      expect(await server.app.core.jobs.wait(job.id)).toMatchObject({ state: 'completed' })
    expect(await scoreOf(id)).toMatchObject({ ...scoreWithChecks, tierByPolicy: { verified_first: 'gold' } })
    await session(folder, [...calls, edit(folder, 'a + b', 'a * b')], sessionId)
    expect(await scoreOf(id)).toMatchObject({ verification: 'none', verifiedBy: null })
    expect(await server.client.getTraceChecks({ params: { id } })).toMatchObject({ result: { calls: 2, report: { status: 'passed' } } })
    await check(id)
    expect(await scoreOf(id)).toMatchObject({ verification: 'failed', tier: 'failed' })
  })

  it('run on the preceding commit plus the edits of the session if it made no commit, and list edits that do not apply', async () => {
    const folder = repository()
    const id = await session(folder, [
      edit(folder, 'a - b', 'a + b'),
      edit(folder, 'never there', 'x'),
      { tool: 'Write', input: { file_path: path.join(folder, 'lib', 'more.test.js'), content: "require('node:test')('more', () => {})" } },
      { tool: 'Write', input: { file_path: path.join(root, 'elsewhere.js'), content: 'x' } },
      { tool: 'Bash', input: { command: 'npm test' } },
    ])
    const { result } = await check(id)
    expect(result).toMatchObject({
      status: 'passed',
      total: 2,
      restored: {
        commit: git(folder, 'rev-parse', 'HEAD'),
        isInferred: true,
        applied: 2,
        missing: [{ file: 'sum.js', reason: 'the file differs from the one that the session changed' }],
        mayMiss: true,
      },
    })
    expect(await scoreOf(id)).toMatchObject({ verifiedBy: null }) // reported, but not used for the score: the restored state may differ
    expect(fs.readFileSync(path.join(folder, 'sum.js'), 'utf8')).toBe(WRONG)
    expect(fs.existsSync(path.join(root, 'elsewhere.js'))).toBe(false)
  })

  it('never blame the session for what a commit does not hold, and list it', async () => {
    const folder = repository()
    const needs =
      "require('node:test')('data', () => require('node:assert').equal(require('node:fs').readFileSync(process.env.F ?? 'gen/a.txt', 'utf8').length, 1))"
    fs.mkdirSync(path.join(folder, 'gen'))
    fs.writeFileSync(path.join(folder, 'gen', 'a.txt'), 'x')
    fs.writeFileSync(path.join(folder, '.gitignore'), 'gen\n')
    fs.writeFileSync(path.join(folder, '.gitmodules'), '[submodule "lib"]\n\tpath = vendor/lib\n\turl = ../lib\n')
    fs.writeFileSync(path.join(folder, '.gitattributes'), '*.bin filter=lfs\n')
    fs.writeFileSync(path.join(folder, 'data.bin'), `version https://git-lfs.github.com/spec/v1\noid sha256:${'a'.repeat(64)}\nsize 5\n`)
    fs.writeFileSync(path.join(folder, 'data.test.js'), needs)
    fs.writeFileSync(
      path.join(folder, 'own.test.js'),
      "require('node:test')('own', () => require('node:child_process').execFileSync('git', ['rev-parse', 'HEAD']))",
    )
    git(folder, 'add', '-A')
    git(folder, 'update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},vendor/lib`)
    git(folder, 'commit', '-qm', 'needs')
    fs.mkdirSync(path.join(folder, 'vendor', 'lib'), { recursive: true })
    fs.writeFileSync(path.join(folder, 'vendor', 'lib', 'rate.js'), '')
    const missing = [
      { file: 'vendor/lib', kind: 'submodule' },
      { file: 'data.bin', kind: 'lfs' },
      { file: 'gen/', kind: 'ignored' },
    ]
    const mended = await session(folder, [edit(folder, 'a - b', 'a + b')])
    expect((await check(mended)).result).toMatchObject({
      status: 'passed',
      knownFailures: ['data'],
      newFailures: [],
      before: { status: 'failed', failed: 2, total: 3 },
      restored: { missing },
    })
    const unchanged = await session(folder, [edit(folder, 'a - b', 'b - a')])
    expect((await check(unchanged)).result).toMatchObject({ status: 'error', knownFailures: ['adds', 'data'], restored: { missing } })
    expect(await scoreOf(unchanged)).toMatchObject({ verifiedBy: null })
  })

  it('run for several sessions as one job that reports each result', async () => {
    const { folder, calls } = await sessionEndingInCommit()
    const ids = [
      await session(folder, calls),
      await session(repository(), [edit('x', 'never', 'there'), { tool: 'Bash', input: { command: 'touch y' } }]),
      await session(path.join(root, 'gone'), [{ tool: 'Bash', input: { command: 'ls' } }]),
    ]
    const started = await server.client.checkTraces({ body: { selection: { ids } } })
    const { result, progress } = await server.app.core.jobs.wait(started.id)
    expect(result).toEqual({
      traces: 3,
      passed: 1,
      failed: 0,
      error: 1,
      none: 0,
      notRestorable: 1,
      notRun: 0,
      scored: 1,
      problems: [{ traceId: ids[2], message: expect.stringContaining('is not a git repository') as string }],
    })
    expect(progress).toMatchObject({ done: 3, total: 3, message: '1 passed, 1 not verified, 1 not restorable' })
    const { items } = await server.client.listTraces({ query: { verification: 'passed' } })
    expect(items.map(({ id }) => id)).toContain(ids[0])
    expect((await server.client.listSandboxes({ query: {} })).items).toEqual([])
  })

  it('can be cancelled while they run for several sessions', async () => {
    const { folder, calls } = await sessionEndingInCommit()
    fs.writeFileSync(path.join(folder, 'package.json'), '{"scripts":{"test":"sleep 1000"}}')
    git(folder, 'commit', '-qam', 'slow')
    const id = await session(folder, [...calls, { tool: 'Bash', input: { command: 'git commit -am slow' }, output: `[main ${git(folder, 'rev-parse', '--short', 'HEAD')}] slow` }]) // prettier-ignore
    const started = await server.client.checkTraces({ body: { selection: { ids: [id] } } })
    await expect.poll(async () => (await server.client.listSandboxes({ query: {} })).items[0]?.busy, { timeout: 30_000 }).toBe(true)
    await server.client.cancelJob({ params: { id: started.id }, body: {} })
    expect(await server.app.core.jobs.wait(started.id)).toMatchObject({ state: 'cancelled' })
    expect((await server.client.listSandboxes({ query: {} })).items).toEqual([])
    expect(await server.client.getTraceChecks({ params: { id } })).toEqual({ result: null })
  })

  it('never write through a symlink in the repository', async () => {
    const folder = repository()
    const outside = fs.mkdtempSync(path.join(root, 'out-'))
    fs.symlinkSync(outside, path.join(folder, 'link'))
    git(folder, 'add', '-A')
    git(folder, 'commit', '-qm', 'link')
    const id = await session(folder, [{ tool: 'Write', input: { file_path: path.join(folder, 'link', 'a.js'), content: 'x' } }])
    const { result } = await check(id)
    expect((result as CheckReport).restored!.missing).toEqual([
      { file: 'link/a.js', kind: 'change', reason: 'it is a link or not a folder, or is below one; links are not followed' },
    ])
    expect(fs.readdirSync(outside)).toEqual([])
  })

  it('do not run programs that the repository configures, and are deleted with the session', async () => {
    const folder = repository()
    const ran = path.join(root, 'filter-ran')
    fs.writeFileSync(path.join(folder, '.gitattributes'), '*.js filter=own\n')
    git(folder, 'add', '-A')
    git(folder, 'commit', '-qm', 'filter')
    for (const [name, value] of [['filter.own.smudge', `touch ${ran}; cat`], ['core.fsmonitor', `touch ${ran}`]] as const) git(folder, 'config', name, value) // prettier-ignore
    const id = await session(folder, [edit(folder, 'a - b', 'a + b')])
    const { id: job, result } = await check(id)
    expect(result).toMatchObject({ status: 'passed', restored: { applied: 1 } })
    expect(fs.existsSync(ran)).toBe(false)
    await server.client.forgetTrace({ params: { id } })
    expect(await server.client.getJob({ params: { id: job }, query: {} })).toMatchObject({ result: null })
  })

  it('fail if the state cannot be restored, and say what is missing', async () => {
    const gone = path.join(root, 'gone')
    const refused = async (id: string, text: string) => expect((await check(id)).error).toMatchObject({ code: 'state_not_restorable', message: expect.stringContaining(text) as string }) // prettier-ignore
    await refused(await session(gone, [{ tool: 'Bash', input: { command: 'ls' } }]), `${gone} is not a git repository on this machine`)
    const commit: Call = { tool: 'Bash', input: { command: 'git commit -m x' }, output: '[main abcdef1] x' }
    await refused(await session(repository(), [commit]), 'The commit abcdef1 of the session is no longer in')
    expect((await check('a'.repeat(26))).error).toMatchObject({ code: 'trace_not_found' })
    expect(server.contractViolations).toEqual([])
  })
})
