import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase } from '#server/db/open.ts'
import { openCore, type TestCore } from '#server/testing/core.ts'
import { newFolder, useFolder } from '#server/testing/folders.ts'
import { openSearch, prepareSearch } from './search/schema.ts'
import { wireSamples } from './testing-samples.ts'

const session = randomUUID()
const OUTPUT = `開始ﾕｰｻﾞｰ認証完了 データベース接続に失敗しました
사용자인증이실패했습니다 ${'한글파일'.normalize('NFD')}
การเชื่อมต่อล้มเหลว ကွန်ရက် នៅកម្ពុជា
git commit --no-verify -m "x" && make E2E_TEST_TIMEOUT=30s a.b.c.d v1.2.3-rc.4 192.168.0.7
naïve café Straße İstanbul e\u0301clair ﬁle ①② \u200bzero co\u00adoperate Łódź ὈΔΌΣ й
deployed 🚀 by 👍🏽 in 🇯🇵, A社のAPI, ＦＵＬＬ　ｗｉｄｔｈ, │ ✓ done │ Claude™ मैं हिन्दी سَلام`
const line = (index: number, type: 'user' | 'assistant', content: unknown, more: object = {}) =>
  `${JSON.stringify({ uuid: `${index}`, parentUuid: index ? `${index - 1}` : null, sessionId: session, isSidechain: false, cwd: '/work', version: '2.1.50', timestamp: new Date(Date.UTC(2026, 0, 1) + index * 1000).toISOString(), type, message: { role: type, content, ...more } })}\n`
const model = { model: 'claude-sonnet-4-5', usage: { input_tokens: 1, output_tokens: 1 } }

let core: TestCore
let app: ReturnType<typeof wireSamples>
const folder = useFolder()

beforeAll(async () => {
  fs.writeFileSync(
    path.join(folder, `${session}.jsonl`),
    [
      line(0, 'user', '步2 重跑gen-itgc后50条悬空引用清零，修复已验证 Éclair'),
      line(1, 'assistant', [{ type: 'tool_use', id: 'toolu_1', name: 'Bash', input: { command: 'make' } }], { id: 'msg_1', ...model }),
      line(2, 'user', [{ type: 'tool_result', tool_use_id: 'toolu_1', content: OUTPUT }]),
      line(3, 'assistant', [{ type: 'text', text: 'Here 悬空 is in src/auth/LoginForm.tsx, user_id_hash too.' }], {
        id: 'msg_2',
        ...model,
      }),
    ].join(''),
  )
  core = openCore()
  app = wireSamples(core)
  await app.importFolder(folder)
  await app.traces.settleSearch()
})
afterAll(async () => {
  await app.close()
  await core.close()
})

const found = async (q: string) => (await app.list(q)).total
const markOf = async (q: string) => {
  const { items } = await app.list(q)
  const [hit] = await app.traces.lists.hitLines(
    q,
    items.map(({ id }) => id),
    new AbortController().signal,
  )
  return hit?.line.match ?? null
}

test.each([
  ['認証', '認証'],
  ['ﾕｰｻﾞｰ', 'ﾕｰｻﾞｰ'],
  ['ユーザー認', 'ﾕｰｻﾞｰ認'],
  ['接続', '接続'],
  ['完', '完'],
  ['続', '続'],
  ['た', 'た'],
  ['"しました"', 'しました'],
  ['인증', '인증'],
  ['실패', '실패'],
  ['글파', '글파'.normalize('NFD')],
  ['เชื่อมต่อ', 'เชื่อมต่อ'],
  ['ต่อล้ม', 'ต่อล้ม'],
  ['ကွန်', 'ကွန်'],
  ['កម្ពុជា', 'កម្ពុជា'],
  ['--no-verify', '--no-verify'],
  ['"--no-verify"', '--no-verify'],
  ['no_verify', 'no-verify'],
  ['E2E_TEST', 'E2E_TEST'],
  ['b.c.d', 'b.c.d'],
  ['192.168.0.7', '192.168.0.7'],
  ['éclair', 'e\u0301clair'],
  ['"cafe\u0301"', 'café'],
  ['strasse', 'Straße'],
  ['istanbul', 'İstanbul'],
  ['"file"', 'ﬁle'],
  ['"cooperate"', 'co\u00adoperate'],
  ['"lodz"', 'Łódź'],
  ['"οδος"', 'ὈΔΌΣ'],
  ['"и\u0306"', 'й'],
  ['🚀', '🚀'],
  ['👍', '👍🏽'],
  ['🇯🇵', '🇯🇵'],
  ['✓', '✓'],
  ['A社', 'A社'],
  ['社のAPI', '社のAPI'],
  ['"full width"', 'ＦＵＬＬ　ｗｉｄｔｈ'],
  ['"claude"', 'Claude'],
  ['"हिन्दी"', 'हिन्दी'],
  ['"سلام"', 'سَلام'],
  ['id_hash', 'id_hash'],
  ['src/auth/LoginForm.tsx', 'src/auth/LoginForm.tsx'],
  ['悬空', '悬空'],
])('%s is found, and what was written is marked', async (q, mark) => {
  expect([await found(q), await markOf(q)]).toEqual([1, mark])
})

test.each(['証認', '"인실"', '接失', '🚗', '🇵🇯', '"ユザー"', '"dodz"', 'か', '--verify-no'])(
  '%s, which is nowhere, is not found',
  async (q) => {
    expect(await found(q)).toBe(0)
  },
)

test('a hit that the title shows has no line; titles are compared as texts are', async () => {
  expect([await found('重跑'), await markOf('重跑')]).toEqual([1, null])
  core.db.exec("UPDATE traces SET title = 'Gâteau ＡＢＣ'")
  expect([await found('"GATEAU"'), await found('abc'), await found('"gateaux"')]).toEqual([1, 1, 0])
  expect(await markOf('重跑')).toBe('重跑')
})

test('an index with other tokens is filled again', async () => {
  await app.close()
  for (const suffix of ['', '-wal', '-shm']) fs.rmSync(core.paths.search + suffix, { force: true })
  const old = openDatabase(core.paths.search) // as the first version left it
  old.exec(`CREATE VIRTUAL TABLE docs USING fts5(text, content='', contentless_delete=1, tokenize='unicode61 remove_diacritics 2');
    CREATE TABLE places (rowid INTEGER PRIMARY KEY, trace INTEGER NOT NULL) STRICT;
    CREATE TABLE done (trace INTEGER PRIMARY KEY, rev INTEGER NOT NULL) STRICT;
    CREATE TABLE state (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;`)
  old.prepare("INSERT INTO state VALUES ('epoch', ?)").run(core.events.epoch)
  old.close()
  app = wireSamples(core)
  expect(app.traces.searchStatus()).toMatchObject({ pendingEntries: 3 })
  await app.traces.settleSearch()
  expect([app.traces.searchStatus(), await found('認証')]).toEqual([null, 1])
})

test('a start that is killed before everything is marked to be indexed starts over', () => {
  const file = path.join(newFolder(), 'search.db')
  let marked = 0
  const killed = () => {
    throw new Error('killed')
  }
  expect(() => prepareSearch(file, 'epoch', killed)).toThrow('killed')
  openSearch(file).close()
  prepareSearch(file, 'epoch', () => (marked += 1))
  prepareSearch(file, 'epoch', () => (marked += 1))
  expect(marked).toBe(1)
})
