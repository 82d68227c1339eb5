import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { SegmentCut } from '#contracts/entities/example.ts'
import { cutSegments } from './cut.ts'
import type { CutItem, CutStep } from './types.ts'

const MINUTE = 60_000
const OPTIONS = { gapMinutes: 5 }

/** A session with a step of one second each minute, unless the parts say otherwise. */
function session(...parts: (Partial<CutStep> | 'prompt')[]): CutItem[] {
  let number = 0
  let prompts = 0
  return parts.map((part): CutItem => {
    if (part === 'prompt') return { kind: 'prompt', id: `p${++prompts}`, from: `p${prompts}` }
    number += 1
    const at = part.at ?? number * MINUTE
    return {
      kind: 'step',
      id: `s${number}`,
      seq: number,
      at,
      endedAt: at + 1000,
      messageId: `m${number}`,
      cwd: '/repo',
      scope: '/repo',
      file: null,
      success: true,
      git: null,
      ...part,
    }
  })
}
const ids = (items: readonly CutItem[], cuts: readonly SegmentCut[] = []) =>
  cutSegments(items, OPTIONS, cuts).map(({ steps }) => steps.map(({ id }) => id).join(' '))
const kinds = (items: readonly CutItem[], cuts: readonly SegmentCut[] = []) =>
  cutSegments(items, OPTIONS, cuts).map(({ boundary }) => boundary.kind)
const files = (...names: string[]) => names.map((name) => ({ file: `/repo/${name}` }))

it('makes one segment if nothing changes, and none without steps', () => {
  expect(ids(session('prompt', {}, {}, {}))).toEqual(['s1 s2 s3'])
  expect(kinds(session({}, {}))).toEqual(['start'])
  expect(ids(session('prompt'))).toEqual([])
  expect(ids([])).toEqual([])
})

describe('time gap', () => {
  it('cuts after more than five minutes since the end of the previous step', () => {
    expect(ids(session({ at: 0 }, { at: 1 }, { at: 6 * MINUTE + 1001 }, { at: 7 * MINUTE }))).toEqual(['s1 s2', 's3 s4'])
    expect(ids(session({ at: 0 }, { at: 0, endedAt: 9 * MINUTE }, { at: 14 * MINUTE }, { at: 15 * MINUTE }))).toEqual(['s1 s2 s3 s4'])
    expect(ids(session({ at: 0 }, { at: 1, endedAt: 1 }, { at: 5 * MINUTE + 1000 }, { at: 6 * MINUTE }))).toEqual(['s1 s2 s3 s4'])
  })
  it('uses the longest of parallel calls, and never cuts at unknown times', () => {
    const parallel = session({ at: 0 }, { at: 0, endedAt: 20 * MINUTE, messageId: 'm' }, { at: 0, messageId: 'm' }, { at: 21 * MINUTE }, {})
    expect(ids(parallel)).toEqual(['s1 s2 s3 s4 s5'])
    expect(ids(session({}, {}, { at: null as never, endedAt: null }, {}))).toEqual(['s1 s2 s3 s4'])
  })
  it('reports the length of the pause', () => {
    const segment = cutSegments(session({ at: 0 }, { at: 1 }, { at: 30 * MINUTE }, { at: 31 * MINUTE }), OPTIONS)[1]!
    expect(segment.boundary).toEqual({ kind: 'time_gap', why: '30 min idle since the previous step' })
  })
})

describe('git commit', () => {
  it('ends its segment', () => {
    expect(ids(session({}, {}, { git: 'commit' }, {}, {}))).toEqual(['s1 s2 s3', 's4 s5'])
    expect(kinds(session({}, {}, { git: 'commit' }, {}, {}))).toEqual(['start', 'git_commit'])
  })
  it('keeps the push, tag, status and log after it in the segment', () => {
    expect(ids(session({}, { git: 'commit' }, { git: 'after' }, { git: 'after' }, {}, {}))).toEqual(['s1 s2 s3 s4', 's5 s6'])
    expect(ids(session({}, { git: 'commit' }, {}, { git: 'after' }, {}))).toEqual(['s1 s2', 's3 s4 s5'])
  })
  it('moves a single step after it into the next segment, or keeps it if there is none', () => {
    const next = { at: 30 * MINUTE }
    expect(ids(session({}, { git: 'commit' }, {}, next, { at: 31 * MINUTE }))).toEqual(['s1 s2', 's3 s4 s5'])
    expect(ids(session({}, { git: 'commit' }, {}))).toEqual(['s1 s2 s3'])
  })
  it('separates two commits that each have other steps', () => {
    expect(ids(session({}, { git: 'commit' }, {}, { git: 'commit' }, {}, {}))).toEqual(['s1 s2', 's3 s4', 's5 s6'])
  })
})

describe('directory change', () => {
  const at = (cwd: string, scope: string | null) => ({ cwd, scope })
  it('cuts when the scope changes, not inside one package', () => {
    expect(
      ids(session(at('/repo/a', '/repo/a'), at('/repo/a/src', '/repo/a'), at('/repo/b', '/repo/b'), at('/repo/b', '/repo/b'))),
    ).toEqual(['s1 s2', 's3 s4'])
    expect(kinds(session(at('/a', '/a'), at('/a', '/a'), at('/b', '/b'), at('/b', '/b')))).toEqual(['start', 'directory'])
  })
  it('compares paths if no scope is known', () => {
    const unknownScope = (cwd: string) => at(cwd, null)
    expect(ids(session(unknownScope('/w/a'), unknownScope('/w/a/src'), unknownScope('/w/a'), unknownScope('/w/a')))).toEqual([
      's1 s2 s3 s4',
    ])
    expect(ids(session(unknownScope('/w/a'), unknownScope('/w/a'), unknownScope('/w/ab'), unknownScope('/w/ab')))).toEqual([
      's1 s2',
      's3 s4',
    ])
    expect(
      ids(session(unknownScope('C:\\w\\a'), unknownScope('C:\\w\\a'), unknownScope('C:\\w\\a\\b'), unknownScope('C:\\w\\a\\b'))),
    ).toEqual(['s1 s2 s3 s4'])
  })
  it('ignores steps with an unknown directory', () => {
    expect(ids(session(at('/a', '/a'), at('/a', '/a'), at(null as never, null), at('/b', '/b'), at('/b', '/b')))).toEqual([
      's1 s2 s3',
      's4 s5',
    ])
  })
})

describe('file scope', () => {
  const auth = files('auth/a.ts', 'auth/b.ts', 'auth/c.ts', 'auth/a.ts', 'auth/b.ts')
  const bill = files('bill/x.ts', 'bill/y.ts', 'bill/z.ts', 'bill/x.ts', 'bill/y.ts')
  it('cuts where other files begin', () => {
    expect(ids(session(...auth, ...bill))).toEqual(['s1 s2 s3 s4 s5', 's6 s7 s8 s9 s10'])
    expect(kinds(session(...auth, ...bill))).toEqual(['start', 'file_scope'])
  })
  it('cuts at the prompt in between', () => {
    expect(ids(session('prompt', ...auth, 'prompt', {}, {}, ...bill))).toEqual(['s1 s2 s3 s4 s5', 's6 s7 s8 s9 s10 s11 s12'])
    expect(ids(session('prompt', ...auth, {}, {}, ...bill))).toEqual(['s1 s2 s3 s4 s5 s6 s7', 's8 s9 s10 s11 s12'])
  })
  it('needs three files on each side, and never cuts inside a folder', () => {
    expect(ids(session(...auth, ...bill.slice(0, 2)))).toEqual(['s1 s2 s3 s4 s5 s6 s7'])
    expect(ids(session(...auth.slice(0, 2), ...bill)).length).toBe(1)
    expect(ids(session(...auth, ...files('auth/d.ts', 'auth/e.ts', 'auth/f.ts'))).length).toBe(1)
  })
  it('cuts again when the subject changes again', () => {
    const docs = files('docs/1.md', 'docs/2.md', 'docs/3.md', 'docs/1.md', 'docs/2.md')
    expect(ids(session(...auth, ...bill, ...docs))).toEqual(['s1 s2 s3 s4 s5', 's6 s7 s8 s9 s10', 's11 s12 s13 s14 s15'])
  })
  it('does not compare files across a boundary of another kind', () => {
    const apart = [...auth.slice(0, 2), ...bill.map((step, index) => ({ ...step, at: (60 + index) * MINUTE }))]
    expect(kinds(session(...apart))).toEqual(['start', 'time_gap'])
  })
})

describe('joining', () => {
  it('merges a segment of one step into the previous one, and the first into the next', () => {
    expect(ids(session({ at: 0 }, { at: 1 }, { at: 30 * MINUTE }, { at: 60 * MINUTE }, { at: 61 * MINUTE }))).toEqual(['s1 s2 s3', 's4 s5'])
    expect(ids(session({ at: 0 }, { at: 30 * MINUTE }, { at: 31 * MINUTE }))).toEqual(['s1 s2 s3'])
    expect(ids(session({}))).toEqual(['s1'])
  })
})

describe('prompts', () => {
  it('gives a segment the last prompt before its first step, and marks its own', () => {
    const cuts = cutSegments(session('prompt', {}, 'prompt', { git: 'commit' }, {}, {}, { at: 60 * MINUTE }, 'prompt', {}), OPTIONS)
    expect(cuts.map(({ promptId, ownPrompt }) => [promptId, ownPrompt])).toEqual([
      ['p1', true],
      ['p2', false],
      ['p2', false],
    ])
    const last = cutSegments(session('prompt', {}, {}, 'prompt', 'prompt', { at: 60 * MINUTE }, { at: 61 * MINUTE }), OPTIONS)[1]!
    expect([last.promptId, last.ownPrompt]).toEqual(['p3', true])
    expect(cutSegments(session({}, {}), OPTIONS)[0]).toMatchObject({ promptId: null, ownPrompt: false })
  })
})

describe('cuts of the user', () => {
  const plain = session({}, {}, { git: 'commit' }, {}, {}, {})
  it('split, merge and move segments without affecting other boundaries', () => {
    expect(ids(plain)).toEqual(['s1 s2 s3', 's4 s5 s6'])
    expect(ids(plain, [{ stepId: 's6', boundary: true }])).toEqual(['s1 s2 s3', 's4 s5', 's6'])
    expect(ids(plain, [{ stepId: 's4', boundary: false }])).toEqual(['s1 s2 s3 s4 s5 s6'])
    const moved = [
      { stepId: 's4', boundary: false },
      { stepId: 's5', boundary: true },
    ]
    expect(ids(plain, moved)).toEqual(['s1 s2 s3 s4', 's5 s6'])
    expect(kinds(plain, moved)).toEqual(['start', 'user'])
  })
  it('stay when the session grows; unknown steps are ignored', () => {
    expect(ids([...plain, ...session({}, {}).map((item) => ({ ...item, id: `x${item.id}` }))], [{ stepId: 's2', boundary: true }])[0]).toBe(
      's1',
    )
    expect(ids(plain, [{ stepId: 'gone', boundary: true }])).toEqual(ids(plain))
    expect(ids(plain, [{ stepId: 's1', boundary: false }])).toEqual(ids(plain))
  })
  it('never separate calls of one response', () => {
    const together = session({}, { messageId: 'm' }, { messageId: 'm' }, { messageId: 'm' })
    expect(ids(together, [{ stepId: 's4', boundary: true }])).toEqual(['s1', 's2 s3 s4'])
  })
})

describe('any session', () => {
  const step = fc.record({
    pause: fc.constantFrom(1, 60, 400, 4000),
    cwd: fc.constantFrom('/w/a', '/w/b', '/w/b/src', null),
    file: fc.constantFrom(null, null, '/w/a/1', '/w/a/2', '/w/a/3', '/w/b/4', '/w/b/5', '/w/b/6', '/w/c/7'),
    git: fc.constantFrom(null, null, null, null, 'commit' as const, 'after' as const),
    joins: fc.boolean(),
    prompt: fc.boolean(),
  })
  const sessions = fc.array(step, { maxLength: 60 }).map((parts) => {
    let at = 0
    let message = 0
    return parts.flatMap(({ pause, joins, prompt, ...facts }, index): CutItem[] => {
      at += pause * 1000
      if (!joins || prompt) message = index
      const one = {
        kind: 'step' as const,
        id: `s${index}`,
        seq: index,
        at,
        endedAt: at,
        messageId: `m${message}`,
        scope: null,
        success: true,
      }
      return [...(prompt ? [{ kind: 'prompt' as const, id: `p${index}`, from: `p${index}` }] : []), { ...one, ...facts }]
    })
  })
  const stepIds = (items: readonly CutItem[]) => items.flatMap(({ kind, id }) => (kind === 'step' ? [id] : []))
  const cuts = fc.array(fc.record({ stepId: fc.nat(60).map((number) => `s${number}`), boundary: fc.boolean() }), { maxLength: 5 })

  it('has every step in exactly one segment, in order', () => {
    fc.assert(
      fc.property(sessions, cuts, (items, userCuts) => {
        expect(cutSegments(items, OPTIONS, userCuts).flatMap(({ steps }) => steps.map(({ id }) => id))).toEqual(stepIds(items))
      }),
    )
  })
  it('has no segment of one step, unless it has only one step', () => {
    fc.assert(
      fc.property(sessions, (items) => {
        const segments = cutSegments(items, OPTIONS)
        expect(segments.length < 2 || segments.every(({ steps }) => steps.length > 1)).toBe(true)
      }),
    )
  })
  it('keeps earlier segments when it grows, if a boundary other than by files ended them', () => {
    fc.assert(
      fc.property(sessions, fc.nat(), (items, length) => {
        const prefix = items.slice(0, length % (items.length + 1))
        const before = cutSegments(prefix, OPTIONS)
        const lastHard = before.findLastIndex(({ boundary }) => boundary.kind !== 'file_scope')
        const closed = before.slice(0, Math.max(0, lastHard)).map(({ steps }) => steps.map(({ id }) => id))
        const after = cutSegments(items, OPTIONS).map(({ steps }) => steps.map(({ id }) => id))
        expect(after.slice(0, closed.length)).toEqual(closed)
      }),
    )
  })
})
