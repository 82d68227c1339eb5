// Sessions for the screenshots: recorded ones with recent dates, one with awkward content, and a large number of small ones.
import fs from 'node:fs'
import path from 'node:path'
import { codeText, randomOf, sessionLines } from '../../bench/support/history.ts'
import { root, type Workspace } from '../../e2e/support/server.ts'

const DAY_MS = 86_400_000

export const FIX = '490ff9e4-f7a2-4c8e-8e8c-a6b6b6397fbe'
export const FIX_WITH_OLDER_CLIENT = '75f6e6a5-633a-4212-b085-307879b09b44'
export const AWKWARD = 'aaaaaaaa-0000-4000-8000-000000000001'

/** Recorded sessions, and how many days ago each appears to have ended, so that a screenshot looks the same on any day. */
const RECORDED: readonly { dir: string; project: string; daysAgo: number }[] = [
  ...['2.1.329-parallel', '2.1.329-mcp', '2.1.329-denied', '2.1.329-compact', '2.1.329-subagent-background', '2.1.329-odd-output'].map(
    (name, index) => ({
      dir: `server/src/stages/traces/readers/fixtures/${name}`,
      project: index % 2 === 0 ? 'notes' : 'shop-api',
      daysAgo: 2.3 + 5.1 * index,
    }),
  ),
  ...[
    'fix-test',
    'subagent',
    'older/2.1.50/fix-test',
    'older/2.1.197/fix-test',
    'older/1.0.128/fix-test',
    'older/2.1.197/subagent-task',
  ].map((name, index) => ({ dir: `samples/claude-code/${name}`, project: 'calc', daysAgo: 0.1 + 3.7 * index })),
]

/** Adds the recorded transcripts with new dates and folders, and without the marker that chose the recording's script. */
export function addRecorded({ claudeDir }: Workspace): void {
  for (const { dir, project, daysAgo } of RECORDED) {
    const from = path.join(root, dir, 'projects')
    const files = fs.readdirSync(from, { recursive: true, encoding: 'utf8' }).filter((name) => /\.jsonl?$/.test(name))
    const time = /"(20\d\d-\d\d-\d\dT[\d:.]+Z)"/g
    const texts = files.map((name) => fs.readFileSync(path.join(from, name), 'utf8'))
    const ended = Math.max(...texts.flatMap((text) => [...text.matchAll(time)].map((match) => Date.parse(match[1] ?? ''))))
    const later = Date.now() - daysAgo * DAY_MS - ended
    files.forEach((name, index) => {
      const text = (texts[index] ?? '')
        .replaceAll(time, (_, at: string) => `"${new Date(Date.parse(at) + later).toISOString()}"`)
        .replaceAll('/home/dev/project', `/home/dev/${project}`)
        .replaceAll(/SCENARIO=[\w-]+ /g, '')
      write(path.join(claudeDir, 'projects', name.replace('-home-dev-project', `-home-dev-${project}`)), text, ended + later)
    })
  }
}

/** Adds a session with made-up secrets and personal data. */
export function addLeaky({ claudeDir }: Workspace): void {
  const start = Date.now() - 26 * 3_600_000
  const sessionId = 'aaaaaaaa-0000-4000-8000-000000000003'
  let count = 0
  const record = (type: 'user' | 'assistant', content: unknown, more: object = {}) => {
    count += 1
    return JSON.stringify({
      type,
      uuid: `cccccccc-0000-4000-9000-${String(count).padStart(12, '0')}`,
      parentUuid: null,
      sessionId,
      cwd: '/home/dev/shop',
      version: '2.1.329',
      timestamp: new Date(start + count * 9_000).toISOString(),
      message: type === 'user' ? { role: 'user', content } : assistant(count, content),
      ...more,
    })
  }
  const call = (id: string, command: string, output: string) => [
    record('assistant', [{ type: 'tool_use', id, name: 'Bash', input: { command } }], { requestId: `req_${id}` }),
    record('user', [{ type: 'tool_result', tool_use_id: id, content: output, is_error: false }]),
  ]
  const lines = [
    record(
      'user',
      'Why does the order of Maria Schneider (maria.schneider@kunden-post.de, +49 170 5550123) fail? She lives in 12 Lindenstraße, 10969 Berlin.',
    ),
    ...call(
      'toolu_l1',
      'cat .env',
      'DATABASE_URL=postgres://shop:Tr0ub4dor-and-3@db.internal:5432/shop\nGITHUB_TOKEN=ghp_16C7e42F292c6912E7710c838347Ae178B4a\nPORT=8080',
    ),
    ...call(
      'toolu_l2',
      'grep -n 4111 orders.log',
      '118: card 4111 1111 1111 1111 refused for 192.168.17.4\n119: iban DE89 3704 0044 0532 0130 00',
    ),
    record('assistant', [{ type: 'text', text: 'The card is refused by the test gateway.' }]),
  ]
  const file = path.join(claudeDir, 'projects', '-home-dev-shop', `${sessionId}.jsonl`)
  write(file, lines.map((line) => `${line}\n`).join(''), start)
}

const LONG_DIR = '/home/dev/a-monorepo-whose-name-nobody-would-type-twice/packages/internationalisation-and-localisation-service'

/** Adds a session with long unbreakable names, right-to-left and wide characters, a failed call, an empty output and one long line. */
export function addAwkward({ claudeDir }: Workspace): void {
  const start = Date.now() - 3 * 3_600_000
  let count = 0
  const record = (type: 'user' | 'assistant', content: unknown, more: Record<string, unknown> = {}) => {
    count += 1
    const message = type === 'user' ? { role: 'user', content } : assistant(count, content)
    return JSON.stringify({
      type,
      uuid: `aaaaaaaa-0000-4000-9000-${String(count).padStart(12, '0')}`,
      parentUuid: null,
      sessionId: AWKWARD,
      cwd: LONG_DIR,
      gitBranch: 'feature/JIRA-48151-rewrite-the-negotiation-of-languages-without-breaking-old-clients',
      version: '2.1.197',
      timestamp: new Date(start + count * 41_000).toISOString(),
      message,
      ...more,
    })
  }
  const call = (id: string, name: string, input: unknown, output: string, isError = false) => [
    record('assistant', [{ type: 'tool_use', id, name, input }], { requestId: `req_${id}` }),
    record('user', [{ type: 'tool_result', tool_use_id: id, content: output, is_error: isError }]),
  ]
  const file = `${LONG_DIR}/src/negotiation/${'deeply/'.repeat(6)}AcceptLanguageHeaderParserFactoryProviderImplementation.test.ts`
  const lines = [
    record(
      'user',
      `Rewrite ${'AcceptLanguageHeaderParser'.repeat(4)} so that it keeps مرحبا بالعالم, 日本語の長い見出し and ${'🧪'.repeat(3)} apart, then run every test of the package and tell me which of them fail and why`,
    ),
    ...call('toolu_1', 'Read', { file_path: file }, ''),
    ...call(
      'toolu_2',
      'Bash',
      { command: `cd ${LONG_DIR} && npx vitest run ${file} --reporter=verbose` },
      `Exit code 1\n${'x'.repeat(4000)}`,
      true,
    ),
    ...call('toolu_3', 'mcp__an_integration_server_with_a_long_name__search_everything', { query: 'Accept-Language' }, 'مرحبا\n日本語\n'),
    ...call(
      'toolu_4',
      'Edit',
      { file_path: file, old_string: 'const a = 1', new_string: `const a = ${'veryLongIdentifier'.repeat(20)}` },
      'ok',
    ),
    record('assistant', [
      { type: 'text', text: `# Done\n\n| file | result |\n| --- | --- |\n| \`${file}\` | fails |\n\n${'LongWord'.repeat(60)}` },
    ]),
  ]
  const folder = LONG_DIR.replaceAll('/', '-')
  write(path.join(claudeDir, 'projects', folder, `${AWKWARD}.jsonl`), lines.map((line) => `${line}\n`).join(''), Date.now() - 3 * 3_600_000)
  const silent = 'aaaaaaaa-0000-4000-8000-000000000002'
  const reply = record('user', 'Hello?').replaceAll(AWKWARD, silent)
  write(path.join(claudeDir, 'projects', folder, `${silent}.jsonl`), `${reply}\n`, Date.now() - 4 * 3_600_000)
}

const assistant = (no: number, content: unknown) => ({
  id: `msg_awkward_${no}`,
  role: 'assistant',
  model: 'an-organisation/a-finetuned-model-with-a-very-long-name-v12.3-instruct-preview-20261101',
  content,
  usage: { input_tokens: 0, output_tokens: 1_234_567, cache_read_input_tokens: 987_654_321, cache_creation_input_tokens: 0 },
})

/** Adds `count` small sessions over the last year, each with up to 14 calls. */
export function addMany({ claudeDir }: Workspace, count: number): void {
  const random = randomOf(5)
  const text = codeText(400_000, random)
  for (let index = 0; index < count; index += 1) {
    const project = `project-${Math.floor(random() * 60)}`
    const sessionId = `bbbbbbbb-0000-4000-8000-${String(index).padStart(12, '0')}`
    const start = Date.now() - random() ** 2 * 365 * DAY_MS - 3_600_000
    const steps = 1 + Math.floor(random() * 14)
    const lines = [...sessionLines({ sessionId, cwd: `/home/dev/${project}`, bytes: 0, start, text, random, steps })]
    write(path.join(claudeDir, 'projects', `-home-dev-${project}`, `${sessionId}.jsonl`), lines.map((line) => `${line}\n`).join(''), start)
  }
}

function write(file: string, text: string, at: number): void {
  fs.mkdirSync(path.dirname(file), { recursive: true })
  fs.writeFileSync(file, text)
  fs.utimesSync(file, at / 1000, at / 1000)
}
