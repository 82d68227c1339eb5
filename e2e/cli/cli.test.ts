import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import fs from 'node:fs'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { z } from 'zod'
import { HooksReport, ImportResult } from '#contracts/entities/capture.ts'
import { RescorePreview, ScoreDocument } from '#contracts/entities/score.ts'
import { DoctorReport, VerifyReport } from '#contracts/entities/system.ts'
import { type Trace, TraceDetail } from '#contracts/entities/trace.ts'
import { bashgym } from '../support/cli.ts'
import { makeWorkspace, root, startServer, type Workspace } from '../support/server.ts'

const FIX_TEST = '490ff9e4-f7a2-4c8e-8e8c-a6b6b6397fbe'
type List = { items: z.infer<typeof Trace>[]; nextCursor: string | null; total: number }
type Shown = z.infer<typeof TraceDetail> & { steps: { id: string; seq: number; tool: string }[] }

let workspace: Workspace
beforeEach(() => {
  workspace = makeWorkspace()
  workspace.addSample('fix-test')
  workspace.addSample('subagent')
})
afterEach(() => workspace.remove())

const run = (...args: string[]) => bashgym(workspace, args)
const fileOf = (sessionId: string) =>
  fs
    .readdirSync(path.join(workspace.claudeDir, 'projects'), { recursive: true })
    .map((file) => path.join(workspace.claudeDir, 'projects', String(file)))
    .find((file) => file.endsWith(`${sessionId}.jsonl`))!

async function idOf(sessionId: string): Promise<string> {
  const { items } = (await run('traces', '--json')).json() as List
  return items.find((trace) => trace.sessionId === sessionId)!.id
}

it('trusts a folder for the app, lists it and trusts it no longer', async () => {
  const folder = fs.mkdtempSync(path.join(path.dirname(workspace.dir), 'disk-'))
  const trusted = async (...args: string[]) => (await run('trust', ...args, '--json')).json()
  expect(await trusted()).toEqual({ trustedFolders: [] })
  expect(await trusted(folder)).toEqual({ trustedFolders: [folder] })
  expect(await trusted(folder)).toEqual({ trustedFolders: [folder] })
  expect(await run('trust', '/')).toMatchObject({ code: 1, stderr: expect.stringContaining('/ cannot be a trusted folder') })
  expect((await run('trust', `${folder}x`, '--remove')).code).toBe(2)
  expect(await trusted(folder, '--remove')).toEqual({ trustedFolders: [] })
  fs.rmdirSync(folder)
})

describe('import', () => {
  it('imports each known session once, and only the new bytes after a session grew', async () => {
    const first = await run('import', '--json')
    expect(first.code).toBe(0)
    expect(ImportResult.parse(first.json())).toMatchObject({
      sessions: { new: 2, grown: 0, unchanged: 0, failed: 0 },
      records: 125,
      steps: 13,
      bytes: 111_056,
      errors: [],
    })
    expect(ImportResult.parse((await run('import', '--json')).json())).toMatchObject({
      sessions: { new: 0, grown: 0, unchanged: 2, failed: 0 },
      records: 0,
      steps: 0,
      bytes: 0,
    })

    const line = `${JSON.stringify({ type: 'user', uuid: 'aaaaaaaa-0000-4000-8000-000000000000', parentUuid: null, sessionId: FIX_TEST, timestamp: '2026-11-21T05:00:00.000Z', message: { role: 'user', content: 'And one more thing' } })}\n`
    fs.appendFileSync(fileOf(FIX_TEST), line + line.slice(0, 40))
    const grown = ImportResult.parse((await run('import', '--json')).json())
    expect(grown).toMatchObject({ sessions: { new: 0, grown: 1, unchanged: 1, failed: 0 }, records: 1, steps: 0, errors: [] })
    expect(grown.bytes).toBe(Buffer.byteLength(line) + 40)
  })

  it('reports a path that does not exist, and exits 1', async () => {
    const { code, stdout, stderr } = await run('import', path.join(workspace.dir, 'nowhere'), '--json')
    expect(code).toBe(1)
    expect(JSON.parse(stdout)).toMatchObject({ error: { code: 'path_refused' } })
    expect(stderr).toMatch(/nowhere/)
  })

  it('loses nothing after kill -9 at any moment: the next import produces the same rows', async () => {
    const whole = makeWorkspace()
    fs.cpSync(path.join(workspace.claudeDir, 'projects'), path.join(whole.claudeDir, 'projects'), { recursive: true })
    await bashgym(whole, ['import', '--json'])
    const expected = rowsOf((await bashgym(whole, ['traces', '--json'])).json() as List)
    whole.remove()
    for (const afterMs of [150, 300, 450, 600]) {
      await bashgym(workspace, ['import', '--json'], { signal: AbortSignal.timeout(afterMs) })
    }
    expect((await run('import', '--json')).code).toBe(0)
    expect(rowsOf((await run('traces', '--json')).json() as List)).toEqual(expected)
    expect(VerifyReport.parse((await run('verify', '--json')).json())).toMatchObject({ ok: true, problems: [] })
  })
})

const rowsOf = ({ items }: List) =>
  items.map(({ id, counts, tokens, tier, quality }) => ({ id, counts, tokens, tier, quality })).toSorted((a, b) => a.id.localeCompare(b.id))

describe('a doorbell rung while the app was closed', () => {
  it('is imported from any folder by the first command that runs', async () => {
    const elsewhere = path.join(workspace.dir, 'elsewhere', `${FIX_TEST}.jsonl`)
    fs.mkdirSync(path.dirname(elsewhere))
    fs.renameSync(fileOf(FIX_TEST), elsewhere)
    expect((await run('traces', '--json')).code).toBe(0)
    const payload = { hook_event_name: 'Stop', session_id: FIX_TEST, transcript_path: elsewhere, cwd: '/home/dev/project' }
    fs.writeFileSync(path.join(workspace.dataDir, 'spool', '4711.4712'), `${JSON.stringify(payload)}\n`, { mode: 0o600 })
    const { items } = (await run('traces', '--json')).json() as List
    expect(items.map(({ sessionId }) => sessionId)).toContain(FIX_TEST)
    expect(fs.readdirSync(path.join(workspace.dataDir, 'spool'))).toEqual([])
  })
})

it('finds words in every session right after an import, whose text is indexed later', async () => {
  await run('import', '--json')
  const { items } = (await run('traces', '--query', '"calc.mjs"', '--json')).json() as List
  expect(items).toHaveLength(2)
})

describe('export', () => {
  it('writes sessions into one folder for each tier', async () => {
    await run('import', '--json')
    const { items } = (await run('traces', '--json')).json() as List
    const output = path.join(workspace.dir, 'folders')
    const exported = await run('export', '--layout', 'folders', '--output', output, '--json')
    const { written } = exported.json() as { written: Record<string, number> }
    const names = { gold: 'gold_traces', silver: 'silver_traces', bronze: 'bronze_traces', failed: 'failed_traces', pending: 'traces' }
    const expected = items.map(({ id, tier }) => `${names[tier]}/${id}.json`)
    expect([exported.code, Object.values(written).reduce((sum, count) => sum + count, 0)]).toEqual([0, items.length]) // prettier-ignore
    const files = fs.readdirSync(output, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.json'))
    expect(files.toSorted()).toEqual(expected.toSorted())
    expect(JSON.parse(fs.readFileSync(path.join(output, files[0]!), 'utf8'))).toHaveProperty('schema_version')
  })
})

describe('show, promote, tag, note', () => {
  it('shows a trace with turns and steps as the schema says, and its original bytes', async () => {
    await run('import', '--json')
    const id = await idOf(FIX_TEST)
    const shown = (await run('show', id, '--json')).json() as Shown
    TraceDetail.parse(shown)
    expect(shown.steps.map(({ tool }) => tool)).toEqual(['Bash', 'Read', 'Read', 'Bash', 'Edit', 'Edit', 'Bash', 'Write', 'Grep', 'Bash'])
    expect(shown.counts).toEqual({
      prompts: 1,
      abandonedTurns: 0,
      toolCalls: 10,
      failedToolCalls: 2,
      rejectedToolCalls: 0,
      subagents: 0,
      commits: 1,
    })
    expect(shown.tokens).toEqual({ input: 10_800, output: 665, cacheRead: 7200, cacheWrite: 0 })
    expect(shown.turns).toHaveLength(1)
    const raw = await run('show', id, '--raw')
    const original = fs.readFileSync(fileOf(FIX_TEST))
    expect(raw.bytes.equals(original)).toBe(true)
    expect(shown.raw).toMatchObject({ bytes: original.length, sha256: createHash('sha256').update(original).digest('hex') })
  })

  it('keeps decisions, tags, notes and ids after a rebuild and after the database was deleted', async () => {
    await run('import', '--json')
    const id = await idOf(FIX_TEST)
    const promoted = (await run('promote', id, '--json')).json() as z.infer<typeof Trace>
    expect(promoted).toMatchObject({ id, tier: 'gold', tierSource: 'user' })
    await run('tag', id, 'keep', '--json')
    await run('note', id, 'the good one', '--json')
    const before = (await run('show', id, '--json')).json() as Shown
    expect((await run('rebuild', '--json')).code).toBe(0)
    const after = (await run('show', id, '--json')).json() as Shown
    expect(after).toEqual(before)

    expect((await run('undo', id, '--json')).json()).toMatchObject({ tier: 'silver', tierSource: 'policy' })
    const undoneTwice = await run('undo', id, '--json')
    expect([undoneTwice.code, undoneTwice.json()]).toMatchObject([1, { error: { code: 'nothing_to_undo' } }])
    for (const name of ['bashgym.db', 'bashgym.db-wal', 'bashgym.db-shm', 'search.db'])
      fs.rmSync(path.join(workspace.dataDir, name), { force: true })
    const again = (await run('show', id, '--json')).json() as Shown
    expect(again.steps).toEqual(before.steps)
  })

  it('reports invalid lines during a rebuild as during an import, without failing', async () => {
    const file = path.join(workspace.dir, 'own.jsonl')
    fs.writeFileSync(file, `${JSON.stringify({ type: 'user', uuid: 'u', sessionId: 's', message: { content: 'x' } })}\n[1]\n`)
    const imported = await run('import', file, '--json')
    const rebuilt = await run('rebuild', '--json')
    const errors = [
      { file, line: 2, message: 'This line is not a JSON object. The rest of the file was read; the original bytes are in the archive.' },
    ]
    expect(imported).toMatchObject({ code: 0, stderr: expect.stringContaining(`${file}:2: This line`) as string })
    expect(rebuilt).toMatchObject({ code: 0, stderr: expect.stringContaining(`${file}:2: This line`) as string })
    expect(imported.json()).toMatchObject({ errors })
    expect(rebuilt.json()).toMatchObject({ problems: [], errors })
  })

  it('keeps a promote that was acknowledged right before kill -9', async () => {
    await run('import', '--json')
    const id = await idOf(FIX_TEST)
    const server = await startServer(workspace)
    await server.api(`/api/traces/${id}/promote`, { method: 'POST', body: { reason: 'good' } })
    await server.stop('SIGKILL')
    expect((await run('show', id, '--json')).json() as Shown).toMatchObject({ tier: 'gold', tierSource: 'user' })
  })
})

describe('score', () => {
  it('scores a steps file without a data directory, and prints the key quality even if it is null', async () => {
    const file = path.join(workspace.dir, 'steps.json')
    const steps = Array.from({ length: 10 }, (_, index) =>
      [2, 6].includes(index)
        ? { tool: 'Bash', command: 'npm test', output: 'Error: boom', success: false, exitCode: 1 }
        : { tool: 'Bash', command: 'npm test', output: 'pass', exitCode: 0 },
    )
    fs.writeFileSync(file, JSON.stringify(steps))
    const scored = ScoreDocument.strict().parse((await run('score', file, '--json')).json())
    expect(scored).toMatchObject({
      tier: 'gold',
      unverified: false,
      policy: 'thresholds',
      metrics: { successRate: 1, verification: 1, length: 1, toolDiversity: 0.2 },
    })
    expect(scored.quality).toBeCloseTo(0.769, 9)
    expect((await run('score', file, '--policy', 'verified_first', '--json')).json()).toMatchObject({ tier: 'gold' })
    fs.writeFileSync(file, '[]')
    expect((await run('score', file, '--json')).json()).toMatchObject({ quality: null, tier: 'pending', evidence: [] })
    expect(fs.existsSync(workspace.dataDir)).toBe(false)
  })

  it('gives a transcript file the same score as the stored session', async () => {
    await run('import', '--json')
    const id = await idOf(FIX_TEST)
    expect(((await run('score', fileOf(FIX_TEST), '--json')).json() as ScoreDocument).metrics).toEqual(
      ((await run('score', id, '--json')).json() as ScoreDocument).metrics,
    )
  })

  it('names the steps of its evidence as `show` numbers them', async () => {
    await run('import', '--json')
    const id = await idOf(FIX_TEST)
    const shown = await run('show', id)
    expect(shown.stdout).toMatch(/verification: passed\n10 calls, .* 0 sub-agents · 1 commit\n/)
    const step = /^(\d+) +failed, exit 1 +Bash +node calc\.test\.mjs$/m.exec(shown.stdout)?.[1]
    expect((await run('score', id)).stdout).toContain(
      `test failed: node calc.test.mjs (exit status 1; "FAIL add(2, 3) = -1, want 5"; step ${step})`,
    )
  })
})

describe('hooks', () => {
  it('installs hooks in a settings file, restores it byte for byte, and refuses an invalid file with the line number', async () => {
    const settings = path.join(workspace.dir, 'settings.json')
    const text = '{\n    "model": "opus",\r\n  "hooks": {"Stop": [ {"hooks":[{"type":"command","command":"mine"}]} ]}, "10": 1e400 }'
    fs.writeFileSync(settings, text)
    const installed = await run('hooks', 'install', '--settings', settings, '--json')
    expect(installed.code).toBe(0)
    const report = HooksReport.parse(installed.json())
    expect(report).toMatchObject({ installed: true, settingsFile: settings })
    expect(fs.readFileSync(report.backupFile!, 'utf8')).toBe(text)
    expect(fs.readFileSync(settings, 'utf8')).not.toBe(text)
    expect((await run('hooks', 'uninstall', '--settings', settings, '--json')).code).toBe(0)
    expect(fs.readFileSync(settings, 'utf8')).toBe(text)

    fs.writeFileSync(settings, '{\n  // a comment\n}')
    const refused = await run('hooks', 'install', '--settings', settings, '--json')
    expect(refused.code).toBe(1)
    expect(refused.stderr).toMatch(/line 2/)
    expect(fs.readFileSync(settings, 'utf8')).toBe('{\n  // a comment\n}')
  })
})

describe('rescore and doctor', () => {
  it('counts the changes of a rescore in a dry run, and keeps tiers that the user set', async () => {
    await run('import', '--json')
    const id = await idOf(FIX_TEST)
    const demoted = (await run('demote', id, '--tier', 'bronze', '--json')).json()
    expect(demoted).toMatchObject({ id, tier: 'bronze', tierSource: 'user' })
    const tried = RescorePreview.parse((await run('rescore', '--policy', 'verified_first', '--dry-run', '--json')).json())
    expect(tried).toMatchObject({ traces: 2, scored: 2, keptByUser: 1 })
    expect((await run('score', id, '--json')).json()).toMatchObject({ policy: 'thresholds' })
    const written = RescorePreview.parse((await run('rescore', '--policy', 'verified_first', '--json')).json())
    expect([written.moving, written.moves]).toEqual([tried.moving, tried.moves])
    expect((await run('score', id, '--json')).json()).toMatchObject({ policy: 'verified_first' })
    expect((await run('show', id, '--json')).json()).toMatchObject({ tier: 'bronze', tierSource: 'user' })
  })

  it('names every external program, what it is needed for, and how to install a missing one', async () => {
    const report = await run('doctor', '--json')
    const { checks } = DoctorReport.parse(report.json())
    expect(checks.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['Node', 'Claude Code', 'Transcripts', 'Capture hooks', 'Disk', 'NVIDIA GPU']),
    )
    const undescribed = checks.filter(({ state, neededFor, fix, detail }) => !neededFor || (state !== 'found' && !fix && !detail))
    expect(undescribed).toEqual([])
  })
})

describe('backup and restore', () => {
  it('restores everything into a new data directory', async () => {
    await run('import', '--json')
    const id = await idOf(FIX_TEST)
    await run('promote', id, '--json')
    const before = (await run('show', id, '--json')).json() as Shown
    const file = path.join(workspace.dir, 'backup.tar')
    expect((await run('backup', file, '--json')).code).toBe(0)
    expect((await run('restore', file, '--json')).code).toBe(1)
    const other = path.join(workspace.dir, 'other')
    expect((await run('restore', file, '--home', other, '--json')).code).toBe(0)
    expect((await run('show', id, '--home', other, '--json')).json() as Shown).toEqual(before)
    expect((await run('verify', '--home', other, '--json')).json()).toMatchObject({ ok: true })
  })
})

describe('usage', () => {
  it('exits 2 on wrong usage with nothing on stdout, and 0 on help', async () => {
    for (const args of [
      ['nonsense'],
      ['show'],
      ['traces', '--limit', 'many'],
      ['promote', 'x', '--tier', 'platinum'],
      ['import', '--agent', 'nobody'],
      ['score'],
      ['hooks', 'explode'],
      ['hooks', 'status', 'twice'],
      ['rescore', '--policy', 'none'],
      ['serve', '--port', ''],
      ['serve', '--port', '1e3'],
      ['import', ''],
      ['traces', '--home', ''],
    ]) {
      const ran = await run(...args)
      expect([args, ran.code, ran.stdout]).toEqual([args, 2, ''])
      expect(ran.stderr).not.toBe('')
    }
    expect((await run('help')).code).toBe(0)
    const { code, stdout } = await run('import', '--help')
    expect([code, stdout]).toEqual([0, expect.stringContaining('import [PATH…]')])
    expect((await run('help', 'import')).stdout).toBe(stdout)
    expect((await run('import', '--version')).stdout).toBe((await run('--version')).stdout)
  })

  it('reports an unknown trace id, and files that cannot be scored', async () => {
    for (const args of [
      ['show', 'x'],
      ['undo', '../x'],
      ['tag', 'X', 'a'],
      ['note', 'X', 'a'],
      ['promote', 'x'.repeat(26)],
    ]) {
      const { code, stderr } = await run(...args)
      expect([args, code, stderr]).toEqual([args, 1, expect.stringContaining(`No trace has the id ${args[1]}.`)])
    }
    const { code, stderr } = await run('score', workspace.dir)
    expect([code, stderr]).toEqual([1, `${workspace.dir} is a folder. Use a transcript (a .jsonl file) or a steps file.\n`])
    fs.writeFileSync(path.join(workspace.dir, 'x.jsonl'), 'text\n')
    expect((await run('score', path.join(workspace.dir, 'x.jsonl'))).stderr).toMatch(
      /^Can.t score .*No line .* Replace it with a complete copy .*\n$/,
    )
  })

  it('prints an error as JSON on stdout with --json, in every command', async () => {
    for (const args of [
      ['nothing'],
      ['show', 'x'],
      ['show'],
      ['traces', '--no-such-flag'],
      ['traces', '--query', 'tier:"'],
      ['score', workspace.dir],
      ['serve', '--port', 'x'],
      ['restore', '/nowhere.tar'],
    ]) {
      const { code, stdout, stderr } = await run(...args, '--json')
      const { error } = JSON.parse(stdout) as { error: { code: string; message: string; hint: string | null } }
      expect([args, code]).not.toEqual([args, 0])
      expect(stderr).toContain(error.message)
    }
  })

  it.runIf(process.platform === 'linux')('says when its result could not be written', async () => {
    const full = fs.openSync('/dev/full', 'w')
    const child = spawn(process.execPath, [path.join(root, 'dist', 'server', 'bashgym.js'), 'help'], { stdio: ['ignore', full, 'pipe'] })
    const [stderr, [code]] = await Promise.all([text(child.stderr!), once(child, 'exit')])
    fs.closeSync(full)
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^Couldn.t write the result: ENOSPC/)])
  })

  it('replaces terminal control characters by visible symbols, but keeps them in JSON', async () => {
    const title = 'a\u{1B}[2Jb\u{9B}31mc\u{202E}d\u{200B}e\rf'
    const record = {
      type: 'user',
      uuid: 'bbbbbbbb-0000-4000-8000-000000000000',
      parentUuid: null,
      sessionId: 's',
      message: { role: 'user', content: title },
    }
    const file = path.join(workspace.dir, 's.jsonl')
    fs.writeFileSync(file, `${JSON.stringify(record)}\n`)
    const id = (await run('import', file, '--json').then(() => run('traces', '--json'))).json() as List
    const shown = await run('show', id.items[0]!.id)
    // oxlint-disable-next-line no-control-regex -- the test looks for control characters
    expect(shown.stdout).not.toMatch(/[\u0000-\u0009\u000B-\u001F\u007F-\u009F\u202E]/)
    expect(shown.stdout).toMatch(/^a␛\[2Jb⟨U\+009B⟩31mc⟨U\+202E⟩d⟨U\+200B⟩e/)
    await run('note', id.items[0]!.id, title, '--json')
    expect(((await run('show', id.items[0]!.id, '--json')).json() as Shown).note).toBe(title)
  })

  it('prints the same result with and without a running server', async () => {
    await run('import', '--json')
    const closed = (await run('traces', '--json')).json() as List
    const server = await startServer(workspace)
    const open = (await run('traces', '--json')).json() as List
    const second = await run('serve', '--port', '0')
    await server.stop()
    expect(open).toEqual(closed)
    expect(second.code).toBe(1)
    expect(second.stderr).toMatch(String(server.pid))
  })

  it('makes two concurrent commands wait for each other', async () => {
    const both = await Promise.all([run('import', '--json'), run('import', '--json')])
    expect(both.map(({ code }) => code)).toEqual([0, 0])
    const sessions = both.map((ran) => ImportResult.parse(ran.json()).sessions)
    expect(sessions[0]!.new + sessions[1]!.new).toBe(2)
  })
})
