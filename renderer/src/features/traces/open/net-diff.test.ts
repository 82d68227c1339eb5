import { applyPatch, structuredPatch } from 'diff'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { FileDiff } from './file-diff.ts'
import { netDiff } from './net-diff.ts'

const text = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join('')
/** An edit as Claude Code records it. */
const edit = (before: readonly string[], after: readonly string[]) => ({
  tool: 'Edit',
  input: {},
  patch: structuredPatch('a', 'a', text(before), text(after), '', '', { context: 3 }).hunks.map(({ lines, ...hunk }) => ({
    ...hunk,
    lines,
  })),
})
const signs = (diff: FileDiff | null) =>
  diff?.hunks.flatMap(({ lines }) => lines.map(({ kind, text: words }) => `${{ added: '+', removed: '-', context: ' ' }[kind]}${words}`))

/** The file after the net diff, computed by the library. */
function applyNetDiff(before: readonly string[], diff: FileDiff): string | false {
  const hunks = diff.hunks.map(({ header, lines }) => {
    const [, oldStart, oldLines, newStart, newLines] = /-(\d+),(\d+) \+(\d+),(\d+)/.exec(header)!.map(Number)
    return {
      oldStart: oldStart!,
      oldLines: oldLines!,
      newStart: newStart!,
      newLines: newLines!,
      lines: lines.map(({ kind, text: words }) => `${{ added: '+', removed: '-', context: ' ' }[kind]}${words}`),
    }
  })
  return applyPatch(text(before), { oldFileName: 'a', newFileName: 'a', oldHeader: '', newHeader: '', hunks })
}

describe('the net change of a file', () => {
  const base = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l']

  it('has only changes that remain at the end', () => {
    const first = base.with(4, 'E1')
    const second = first.with(4, 'E2').toSpliced(10, 0, 'new')
    const third = second.toSpliced(10, 1)
    const diff = netDiff('a', [edit(base, first), edit(first, second), edit(second, third)])
    expect(signs(diff)).toEqual([' b', ' c', ' d', '-e', '+E2', ' f', ' g', ' h'])
    expect([diff?.added, diff?.removed]).toEqual([1, 1])
  })

  it('is empty when everything was reverted', () => {
    const changed = base.with(3, 'D')
    expect(netDiff('a', [edit(base, changed), edit(changed, base)])).toMatchObject({ hunks: [], added: 0, removed: 0 })
  })

  it('is the new file after its last edit', () => {
    const written = { tool: 'Write', input: { content: 'a\nb\nc\n' }, patch: null }
    expect(signs(netDiff('a', [written, edit(['a', 'b', 'c'], ['a', 'B', 'c'])]))).toEqual(['+a', '+B', '+c'])
  })

  it('is not guessed when something else changed the file, or no position was recorded', () => {
    const first = base.with(4, 'E1')
    const changedByHand = first.with(5, 'by hand')
    expect(netDiff('a', [edit(base, first), edit(changedByHand, changedByHand.with(6, 'G'))])).toBeNull()
    expect(netDiff('a', [{ tool: 'Edit', input: { old_string: 'a', new_string: 'b' }, patch: null }])).toBeNull()
  })

  it('turns the first state into the last one, for any edits', () => {
    const lines = fc.array(fc.constantFrom<string>('a', 'b', 'c', 'd', ''), { minLength: 6, maxLength: 30 })
    const cuts = fc.array(
      fc.record({ at: fc.nat(), remove: fc.nat(3), add: fc.array(fc.constantFrom<string>('a', 'x', 'y'), { maxLength: 3 }) }),
      { minLength: 1, maxLength: 8 },
    )
    fc.assert(
      fc.property(lines, cuts, (start, edits) => {
        const states = [start]
        for (const { at, remove, add } of edits) states.push(states.at(-1)!.toSpliced(at % (states.at(-1)!.length + 1), remove, ...add))
        fc.pre(states.every((state) => state.length > 0))
        const steps = states
          .slice(1)
          .map((after, index) => edit(states[index]!, after))
          .filter(({ patch }) => patch.length > 0)
        const diff = netDiff('a', steps)
        expect(diff && applyNetDiff(start, diff)).toBe(text(states.at(-1)!))
      }),
    )
  })
})
