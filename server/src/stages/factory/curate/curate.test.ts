import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { SplitName } from '#contracts/entities/dataset.ts'
import { balance } from './balance.ts'
import type { Candidate } from './candidate.ts'
import { createDeduplicator, type Duplicate } from './duplicates.ts'
import { factsOf, taskOf } from './facts.ts'
import { createHeldOut, textsOfItem } from './held-out.ts'
import { bandsFor, SIGNATURE, sign, SHINGLE } from './min-hash.ts'
import { jaccard, shinglesOf } from '#server/likeness/shingles.ts'
import { split, type SplitRow } from './split.ts'
import { hash32, wordHashes } from '#server/likeness/word-hashes.ts'

const chat = (user: string, assistant = 'done', more: Partial<Candidate> = {}): Pick<Candidate, 'row' | 'repo'> => ({
  repo: null,
  row: { messages: [{ role: 'user', content: user }, { role: 'assistant', content: assistant }], tools: [] },
  ...more,
}) // prettier-ignore

const words = (count: number, from = 0) => Array.from({ length: count }, (_, index) => `w${index + from}`).join(' ')

function deduped(rows: { id: string; quality: number | null; text: string }[], threshold = 0.9): Map<string, string> {
  const deduplicator = createDeduplicator({ near: true, threshold })
  for (const row of rows) deduplicator.add(row, row.text)
  const repeats: Duplicate[] = deduplicator.duplicates((index) => rows[index]!.text)
  return new Map(repeats.map(({ index, keptId }) => [rows[index]!.id, keptId]))
}

describe('duplicates', () => {
  test('count each character as a word in scripts without spaces', () => {
    const base = '请修复登录页面的错误然后运行所有测试并且告诉我结果是什么以及为什么会失败'.repeat(3)
    const droppedTo = deduped([
      { id: 'base', quality: 1, text: base },
      { id: 'near', quality: 0.5, text: `${base}。` },
      { id: 'far', quality: 0.5, text: '这是一个完全不同的任务与登录没有任何关系请写一个新的模块' },
    ])
    expect([...droppedTo]).toEqual([['near', 'base']])
  })

  test('include texts that differ only in white space; the highest quality stays', () => {
    const droppedTo = deduped([
      { id: 'a', quality: 0.7, text: 'fix the  test\n' },
      { id: 'b', quality: 0.9, text: ' fix the test' },
      { id: 'c', quality: null, text: 'fix\tthe test' },
      { id: 'd', quality: 0.1, text: 'fix the tests' },
    ])
    expect([...droppedTo]).toEqual([['a', 'b'], ['c', 'b']]) // prettier-ignore
  })

  test('are near duplicates exactly if the Jaccard index of their 5-word shingles reaches the threshold', () => {
    const base = words(400)
    const at = (changed: number) => base.split(' ').map((word, index) => (index < changed ? `x${index}` : word)).join(' ') // prettier-ignore
    const likeness = (changed: number) => jaccard(shinglesOf(base, SHINGLE), shinglesOf(at(changed), SHINGLE))
    expect(likeness(10)).toBeGreaterThan(0.9)
    expect(likeness(30)).toBeLessThan(0.9)
    const droppedTo = deduped([
      { id: 'base', quality: 1, text: base },
      { id: 'near', quality: 0.5, text: at(10) },
      { id: 'far', quality: 0.5, text: at(30) },
    ])
    expect([...droppedTo]).toEqual([['near', 'base']])
  })

  test('words are separated by spaces, or are single characters in scripts without spaces', () => {
    const pieces = fc.array(fc.constantFrom('a', 'x1.', 'ß', '…', ' ', '\n ', '\u00A0', '\u2003', '这', '是', 'ก', '🙂', '\uD800'))
    fc.assert(
      fc.property(pieces, (list) => {
        const words = list.join('').match(/[\p{Script=Han}\p{Script=Thai}]|[\S--[\p{Script=Han}\p{Script=Thai}]]+/gv) ?? []
        expect([...wordHashes(list.join(''))].map((hash) => hash >>> 0)).toEqual(words.map((word) => hash32(word)))
      }),
    )
  })

  test('signatures estimate the Jaccard index', () => {
    const [a, b] = [shinglesOf(words(1000), SHINGLE), shinglesOf(words(1000, 200), SHINGLE)]
    const signatures = new Int32Array(SIGNATURE * 2)
    sign(a, signatures, 0)
    sign(b, signatures, SIGNATURE)
    const same = signatures.subarray(0, SIGNATURE).filter((value, index) => value === signatures[SIGNATURE + index]).length
    expect(Math.abs(same / SIGNATURE - jaccard(a, b))).toBeLessThan(4 * Math.sqrt(0.25 / SIGNATURE))
    expect(bandsFor(0.9)).toEqual({ bands: 16, rows: 8 })
  })

  test('do not depend on the order of input, and leave one of several copies', () => {
    const row = fc.record({
      quality: fc.option(fc.constantFrom(0.2, 0.5, 0.9)),
      text: fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 8 }).map((list) => list.join(' ')),
    })
    fc.assert(
      fc.property(fc.array(row, { maxLength: 30 }), fc.infiniteStream(fc.nat()), (rows, numbers) => {
        const namedRows = rows.map((one, index) => ({ id: `r${index}`, ...one }))
        const mixed = namedRows.map((one) => ({ one, lot: numbers.next().value! })).toSorted((a, b) => a.lot - b.lot).map(({ one }) => one) // prettier-ignore
        const droppedTo = deduped(namedRows)
        expect(Object.fromEntries(deduped(mixed))).toEqual(Object.fromEntries(droppedTo))
        const remaining = namedRows.filter(({ id }) => !droppedTo.has(id))
        expect(new Set(remaining.map(({ text }) => text)).size).toBe(remaining.length)
        for (const keptId of droppedTo.values()) expect(droppedTo.has(keptId)).toBe(false)
      }),
    )
  })
})

describe('decontamination', () => {
  const item = (name: string, ...texts: string[]) => ({ name, texts })

  test('finds a shared 13-gram anywhere, but not 12 shared tokens', () => {
    const heldOut = createHeldOut([item('bench:1', `before ${words(13)} after`)])
    expect(heldOut.overlapOf(chat('something else', `A, then ${words(13)}!`).row)).toEqual({ name: 'bench:1', shared: words(13) })
    expect(heldOut.overlapOf(chat(`so ${words(12)} end`).row)).toBeNull()
    expect(heldOut.overlapOf(chat('Before', words(13).toUpperCase().replaceAll(' ', ', ')).row)?.name).toBe('bench:1')
  })

  test('includes arguments of calls', () => {
    const heldOut = createHeldOut([item('bench:1', words(20))])
    const row = {
      messages: [
        { role: 'user' as const, content: 'write it' },
        {
          role: 'assistant' as const,
          content: '',
          tool_calls: [{ id: 'c1', type: 'function' as const, function: { name: 'Write', arguments: { content: words(20) } } }],
        },
      ],
      tools: [],
    }
    expect(heldOut.overlapOf(row)?.name).toBe('bench:1')
  })

  test('finds a 3-gram Jaccard index of at least .7 without a shared 13-gram', () => {
    const heldOut = createHeldOut([item('bench:1', words(20))])
    const changed = (...at: number[]) => words(20).split(' ').map((word, index) => (at.includes(index) ? 'new' : word)).join(' ') // prettier-ignore
    expect(heldOut.overlapOf(chat(changed(10)).row)?.shared).toBe('0.71 of the 3-grams match') // 15 of 21
    expect(heldOut.overlapOf(chat(changed(8, 14)).row)).toBeNull() // 12 of 24
  })

  test('treats a text under 13 tokens as one n-gram: equal prompts overlap, longer ones and answers do not', () => {
    const heldOut = createHeldOut([item('exam:1', 'Fix the typo.'), item('exam:2', '42')])
    expect(heldOut.overlapOf(chat('fix the typo').row)?.name).toBe('exam:1')
    expect(heldOut.overlapOf(chat('fix the typo in the readme').row)).toBeNull()
    expect(heldOut.overlapOf(chat('what is it', '42').row)).toBeNull()
  })

  test('finds an item in a script without spaces inside a longer prompt', () => {
    const heldOut = createHeldOut([item('exam:1', '写一个函数,返回列表中最大的两个数字之和。')])
    expect(heldOut.overlapOf(chat('你好。请写一个函数,返回列表中最大的两个数字之和。谢谢!').row)?.name).toBe('exam:1')
    expect(heldOut.overlapOf(chat('你好。请写一个函数,打开文件。谢谢!').row)).toBeNull()
  })

  test('uses every text of an item except labels, and keeps unrelated rows', () => {
    expect(textsOfItem({ id: 'x', prompt: [{ role: 'user', content: 'a b' }], solution: 'c' })).toEqual(['a b', 'c'])
    fc.assert(
      fc.property(fc.array(fc.stringMatching(/^[a-z]{1,8}$/), { maxLength: 40 }), (list) => {
        expect(createHeldOut([item('n', words(30))]).overlapOf(chat(list.join(' ')).row)).toBeNull()
      }),
    )
  })
})

describe('facts and balance', () => {
  test('reads task, tool, language and length from the row', () => {
    const call = (name: string, args: Record<string, unknown>) => ({
      id: name,
      type: 'function' as const,
      function: { name, arguments: args },
    })
    const row = {
      messages: [
        { role: 'user' as const, content: 'Fix the failing test' },
        { role: 'assistant' as const, content: '', tool_calls: [call('Edit', { file_path: '/a/b.ts' }), call('Edit', { file_path: '/a/c.tsx' }), call('Bash', { command: 'cat x.py' })] },
      ],
      tools: [],
    } // prettier-ignore
    expect(factsOf({ row, repo: 'api', traceIds: ['a', 'b'] }, 5000)).toEqual({
      repo: 'api',
      session: 'a',
      tool: 'Edit',
      task: 'fix',
      language: 'typescript',
      length: 'medium',
    })
    expect(['add a page', 'write docs', 'why is it so', 'hm'].map(taskOf)).toEqual(['feature', 'docs', 'question', 'other'])
  })

  const rowsOf = (count: number, repo: string) =>
    Array.from({ length: count }, (_, index) => ({ id: `${repo}${index}`, facts: factsOf({ ...chat('x'), repo, traceIds: [] }, 10) }))

  test('applies caps and weights; the seed selects the rows', () => {
    const rows = [...rowsOf(10, 'a'), ...rowsOf(4, 'b')]
    const remainingIds = (rules: Parameters<typeof balance>[1], seed = 1, from = rows) => {
      const out = new Set(balance(from, rules, seed).map(({ id }) => id))
      return from.filter(({ id }) => !out.has(id)).map(({ id }) => id)
    }
    expect(remainingIds([{ by: 'repo', cap: 5 }])).toHaveLength(9)
    expect(remainingIds([{ by: 'repo', weights: { a: 0 } }])).toEqual(['b0', 'b1', 'b2', 'b3'])
    expect(remainingIds([{ by: 'repo', weights: { b: 2 } }])).toHaveLength(9)
    expect(remainingIds([{ by: 'repo', weights: { a: 0.5 }, cap: 3 }])).toHaveLength(6)
    expect(remainingIds([{ by: 'repo', cap: 5 }], 1, rows.toReversed()).toSorted()).toEqual(
      remainingIds([{ by: 'repo', cap: 5 }]).toSorted(),
    )
    expect(remainingIds([{ by: 'repo', cap: 5 }], 2)).not.toEqual(remainingIds([{ by: 'repo', cap: 5 }], 1))
  })
})

describe('split', () => {
  test('supports a repository with very many rows', () => {
    const rows = Array.from({ length: 200_000 }, (_, index): SplitRow => ({ id: `${index}`, traceIds: [], group: null, repo: 'one', at: index })) // prettier-ignore
    const { byRow } = split(rows, { by: 'repo', val: 0.1, test: 0, seed: 1 }, [], new Map())
    expect(new Set(byRow.values())).toEqual(new Set(['train']))
  })

  const traceOf = (n: number) => `t${n}`
  const rowArb = fc.record({
    traces: fc.uniqueArray(fc.nat({ max: 15 }), { maxLength: 2 }),
    group: fc.option(fc.constantFrom('g1', 'g2')),
    repo: fc.option(fc.constantFrom('api', 'web', 'cli')),
    at: fc.option(fc.nat({ max: 1000 })),
  })
  const rowsArb = fc
    .array(rowArb, { maxLength: 60 })
    .map((list) => list.map(({ traces, ...rest }, index): SplitRow => ({ id: `r${index}`, traceIds: traces.map(traceOf), ...rest })))
  const familiesArb = fc.array(fc.uniqueArray(fc.nat({ max: 15 }).map(traceOf), { minLength: 2, maxLength: 3 }), { maxLength: 3 })
  const sideArb = fc.constantFrom<SplitName>('train', 'val', 'test')
  const keptArb = fc.dictionary(fc.nat({ max: 15 }).map(traceOf), sideArb).map((sides) => new Map(Object.entries(sides)))
  const optionsArb = fc.record({
    by: fc.constantFrom<'session' | 'repo' | 'time'>('session', 'repo', 'time'),
    val: fc.constantFrom(0, 0.1, 0.3),
    test: fc.constantFrom(0, 0.2),
    seed: fc.nat({ max: 5 }),
  })

  test('never divides related rows', () => {
    fc.assert(
      fc.property(rowsArb, optionsArb, familiesArb, keptArb, (rows, options, families, earlierSides) => {
        const { byRow } = split(rows, options, families, earlierSides)
        expect(byRow.size).toBe(rows.length)
        const sidesOf = (belongs: (row: SplitRow) => boolean) => new Set(rows.filter(belongs).map(({ id }) => byRow.get(id)))
        for (let n = 0; n <= 15; n += 1) expect(sidesOf((row) => row.traceIds.includes(traceOf(n))).size).toBeLessThanOrEqual(1)
        for (const family of families) expect(sidesOf((row) => row.traceIds.some((id) => family.includes(id))).size).toBeLessThanOrEqual(1)
        for (const group of ['g1', 'g2'])
          expect(sidesOf((row) => row.traceIds.length === 0 && row.group === group).size).toBeLessThanOrEqual(1)
        const repos = options.by === 'repo' ? ['api', 'web', 'cli'] : []
        for (const repo of repos) expect(sidesOf((row) => row.repo === repo).size).toBeLessThanOrEqual(1)
      }),
    )
  })

  test('gives the same splits for the same seed, in any order of rows and families', () => {
    fc.assert(
      fc.property(rowsArb, optionsArb, familiesArb, keptArb, (rows, options, families, earlierSides) => {
        const [one, two] = [
          split(rows, options, families, earlierSides),
          split(rows.toReversed(), options, families.toReversed(), earlierSides),
        ]
        expect(Object.fromEntries(two.byRow)).toEqual(Object.fromEntries(one.byRow))
      }),
    )
  })

  test('keeps the split of a session in later versions', () => {
    fc.assert(
      fc.property(rowsArb, rowsArb, optionsArb, (first, more, options) => {
        const before = split(first, options, [], new Map())
        const added = more.map((row, index) => ({
          ...row,
          id: `m${index}`,
          traceIds: row.traceIds.map((id) => `new-${id}`),
          group: null,
          repo: null,
        }))
        const after = split([...first, ...added], options, [], before.sessions)
        for (const [traceId, side] of before.sessions) expect(after.sessions.get(traceId)).toBe(side)
      }),
    )
  })

  test('keeps a session held out even if a fork relates it to a train session', () => {
    const row = (id: string, traceId: string): SplitRow => ({ id, traceIds: [traceId], group: null, repo: null, at: 0 })
    const earlierSides = new Map<string, SplitName>([['a', 'train'], ['b', 'val']]) // prettier-ignore
    const { byRow } = split([row('1', 'a'), row('2', 'b')], { by: 'session', val: 0.1, test: 0, seed: 1 }, [['a', 'b']], earlierSides)
    expect([...byRow.values()]).toEqual(['val', 'val'])
  })

  test('puts a single session into train, whatever the shares', () => {
    const rows = ['1', '2'].map((id): SplitRow => ({ id, traceIds: ['a'], group: null, repo: null, at: 1 }))
    for (const by of ['session', 'repo', 'time'] as const)
      expect(new Set(split(rows, { by, val: 0.5, test: 0.4, seed: 1 }, [], new Map()).byRow.values())).toEqual(new Set(['train']))
  })

  test('meets the shares with small sessions, holds out the newest by time, and gives val one of two sessions', () => {
    const rows = Array.from({ length: 1000 }, (_, n): SplitRow => ({
      id: `r${n}`,
      traceIds: [`s${n >> 1}`],
      group: null,
      repo: null,
      at: n,
    }))
    const count = (side: string, splits: ReadonlyMap<string, string>) => [...splits.values()].filter((one) => one === side).length
    const { byRow } = split(rows, { by: 'session', val: 0.1, test: 0.05, seed: 42 }, [], new Map())
    expect([count('val', byRow), count('test', byRow)]).toEqual([100, 50])
    const byTime = split(rows, { by: 'time', val: 0.1, test: 0.05, seed: 42 }, [], new Map()).byRow
    expect(rows.filter(({ id }) => byTime.get(id) === 'test').map(({ at }) => at)).toEqual(Array.from({ length: 50 }, (_, n) => 950 + n))
    const two = split(rows.slice(0, 4), { by: 'session', val: 0.1, test: 0, seed: 42 }, [], new Map()).byRow
    expect(count('val', two)).toBe(2)
  })
})
