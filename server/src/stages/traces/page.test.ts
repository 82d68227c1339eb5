import fs from 'node:fs'
import path from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { TranscriptItem } from '#contracts/entities/step.ts'
import { newFolder } from '#server/testing/folders.ts'
import { appendTraces } from '../capture/archive/append.ts'
import { deriveFromArchive } from './derive.job.ts'
import type { DeriveOutput, EntryRow } from './derived.ts'
import page from './page.job.ts'
import { linesOf, sampleSources, SESSION, source, TRACE, type Fed } from './readers/claude-code/testing.ts'

let traceDir: string
let dataDir: string
beforeEach(() => {
  dataDir = newFolder()
  traceDir = path.join(dataDir, 'archive', 'claude-code', TRACE)
})

async function archive(sources: Fed[]): Promise<void> {
  for (const { name, kind, originalPath, bytes } of sources) {
    const file = path.join(dataDir, path.basename(originalPath))
    fs.writeFileSync(file, bytes)
    const [result] = await appendTraces([
      { traceDir, traceId: TRACE, agent: 'claude-code', sessionId: SESSION, sample: false, files: [{ path: file, name, kind }] },
    ])
    expect(result!.failed).toBeNull()
  }
}

const deriveRows = (since: string | null = null, keep = false): Promise<DeriveOutput> =>
  deriveFromArchive({ traceId: TRACE, traceDir, keep, since, analysers: [] })

const readItems = (entries: EntryRow[], untruncated = false) => page({ traceDir, entries: entries.map((row) => ({ row })), untruncated })

describe('deriving from the archive', () => {
  it('returns the rows of a session, and only new ones after growth', async () => {
    const [transcript, hooks] = sampleSources('fix-test') as [Fed, Fed]
    const lines = transcript.bytes.toString().split('\n')
    const early = Buffer.from(`${lines.slice(0, 30).join('\n')}\n`)
    await archive([{ ...transcript, bytes: early }])
    const first = await deriveRows(null, true)
    await archive([transcript, hooks])
    const second = await deriveRows(first.version, true)
    expect(second.complete).toBe(false)
    expect(second.removed).toEqual([])
    const complete = await deriveRows(null)
    expect(complete.complete).toBe(true)
    const merged = new Map([...first.entries, ...second.entries].map((row) => [row.id, row]))
    expect([...merged.values()].toSorted((a, b) => (a.ord < b.ord ? -1 : 1))).toEqual(complete.entries)
    expect(second.trace).toEqual(complete.trace)
    expect(first.records + second.records).toBe(complete.records)
    expect(first.steps + second.steps).toBe(10)
  })

  it('passes steps to analysers and returns their facts in order', async () => {
    await archive(sampleSources('subagent'))
    const module = `export const analyser = { name: 'tools', analyseStep: (step) => [step.conversation, step.tool, step.output !== null], analyseTrace: (facts) => facts }`
    const url = `data:text/javascript,${encodeURIComponent(module)}`
    const output = await deriveFromArchive({
      traceId: TRACE,
      traceDir,
      keep: false,
      since: null,
      analysers: [{ name: 'tools', url, options: null }],
    })
    expect(output.analyses).toEqual({
      tools: [
        ['main', 'Agent', true],
        ['a5f00e10b3d92d045', 'Bash', true],
        ['a5f00e10b3d92d045', 'Read', true],
      ],
    })
  })
})

describe('a page of entries', () => {
  it('has inputs, outputs, patches and texts in the form of the contract', async () => {
    await archive(sampleSources('fix-test'))
    const { entries } = await deriveRows()
    const pageItems = readItems(entries)
    for (const item of pageItems) expect(TranscriptItem.parse(item)).toEqual(item)
    expect(pageItems.map(({ id }) => id)).toEqual(entries.map(({ id }) => id))
    expect(pageItems[0]).toMatchObject({ kind: 'prompt', text: 'Please fix the failing test.' })
    expect(pageItems.filter(({ kind }) => kind === 'thinking').map((item) => 'text' in item && item.text)).toContain(
      'The test is said to fail. Look first.',
    )
    const steps = pageItems.flatMap((item) => (item.kind === 'step' ? [item.step] : []))
    expect(steps[0]).toMatchObject({
      tool: 'Bash',
      command: 'ls && git log --oneline | head -3',
      output: 'CLAUDE.md\ncalc.mjs\ncalc.test.mjs\na8e0aa1 Initial commit',
    })
    expect(steps[5]!.patch).toEqual([
      {
        oldStart: 1,
        oldLines: 3,
        newStart: 1,
        newLines: 3,
        lines: [' export function add (a, b) {', '-  return a - b', '+  return a + b', ' }'],
      },
    ])
    expect(steps[7]!.patch).toEqual([
      { oldStart: 0, oldLines: 0, newStart: 1, newLines: 3, lines: ['+# Changes', '+', '+- add() now adds.'] },
    ])
  })

  it('attaches the text of the same response to a step', async () => {
    await archive(sampleSources('fix-test'))
    const { entries } = await deriveRows()
    const call = entries.find(({ kind }) => kind === 'call')!
    const precedingText = entries.filter((row) => row.messageId === call.messageId && row.ord < call.ord)
    const [item] = page({ traceDir, entries: [{ row: call, precedingText }], untruncated: false })
    expect(item).toMatchObject({ step: { thinking: 'The test is said to fail. Look first.', text: 'I will look at the project first.' } })
  })

  it('truncates a long output at 64 KB between characters, and shows all of it on request', async () => {
    const text = 'ä€😀'.repeat(20_000)
    await archive([transcriptWith({ content: text })])
    const { entries } = await deriveRows()
    const [truncated] = readItems(entries.filter(({ kind }) => kind === 'call'))
    const [full] = readItems(
      entries.filter(({ kind }) => kind === 'call'),
      true,
    )
    if (truncated?.kind !== 'step' || full?.kind !== 'step') throw new Error('no step')
    expect(truncated.step.outputTruncated).toBe(true)
    expect(Buffer.byteLength(truncated.step.output!)).toBeLessThanOrEqual(65_536)
    expect(text.startsWith(truncated.step.output!)).toBe(true)
    expect(full.step).toMatchObject({ output: text, outputTruncated: false, outputBytes: Buffer.byteLength(text) })
  })

  it('shows a complete stored output from the archive, although the transcript only has its beginning', async () => {
    const full = `${'line of output\n'.repeat(10_000)}end`
    const stored = '/home/dev/.claude/projects/-p/s/tool-results/b1x.txt'
    await archive([
      transcriptWith({
        content: `<persisted-output>\nOutput too large (150 KB). Full output saved to: ${stored}\n\nPreview:\nline of output\n</persisted-output>`,
        toolUseResult: { stdout: 'line of output', stderr: '', persistedOutputPath: stored, persistedOutputSize: full.length },
      }),
      { ...source('tool-result-b1x', 'tool-result', stored), bytes: Buffer.from(full) },
    ])
    const { entries } = await deriveRows()
    const call = entries.filter(({ kind }) => kind === 'call')
    expect(call[0]).toMatchObject({ outputBytes: full.length, spill: { source: 'tool-result-b1x', length: full.length } })
    expect(readItems(call, true)[0]).toMatchObject({ step: { output: full, outputTruncated: false } })
    expect(readItems(call)[0]).toMatchObject({ step: { output: full.slice(0, 65_536), outputTruncated: true } })
  })

  it("takes a sub-agent's patch from the hooks, because its transcript has none", async () => {
    const at = { sessionId: SESSION, isSidechain: true, agentId: 'a1', timestamp: '2026-11-21T04:00:00.000Z' }
    const input = { file_path: '/p/a.txt', old_string: 'one', new_string: 'two' }
    const hunk = { oldStart: 7, oldLines: 1, newStart: 7, newLines: 1, lines: ['-one', '+two'] }
    await archive([
      {
        ...source('agent-a1', 'subagent'),
        bytes: linesOf(
          { ...at, type: 'user', uuid: 'u1', parentUuid: null, message: { content: 'Change it' } },
          {
            ...at,
            type: 'assistant',
            uuid: 'u2',
            parentUuid: 'u1',
            message: { id: 'm', content: [{ type: 'tool_use', id: 't1', name: 'Edit', input }] },
          },
          {
            ...at,
            type: 'user',
            uuid: 'u3',
            parentUuid: 'u2',
            message: { content: [{ type: 'tool_result', tool_use_id: 't1', content: 'done' }] },
          },
        ),
      },
      {
        ...source('hooks', 'hooks', 'hooks'),
        bytes: linesOf({ hook_event_name: 'PostToolUse', tool_use_id: 't1', agent_id: 'a1', tool_response: { structuredPatch: [hunk] } }),
      },
    ])
    const { entries } = await deriveRows()
    expect(readItems(entries.filter(({ kind }) => kind === 'call'))[0]).toMatchObject({ step: { patch: [hunk] } })
  })
})

function transcriptWith(result: { content: string; toolUseResult?: unknown }): Fed {
  const at = { sessionId: SESSION, timestamp: '2026-11-21T04:00:00.000Z', cwd: '/p' }
  return {
    ...source('main-00000000', 'main'),
    bytes: linesOf(
      {
        ...at,
        type: 'assistant',
        uuid: 'u1',
        parentUuid: null,
        message: { id: 'm', content: [{ type: 'tool_use', id: 't1', name: 'Bash', input: { command: 'seq' } }] },
      },
      {
        ...at,
        type: 'user',
        uuid: 'u2',
        parentUuid: 'u1',
        toolUseResult: result.toolUseResult,
        message: { content: [{ type: 'tool_result', tool_use_id: 't1', content: result.content }] },
      },
    ),
  }
}
