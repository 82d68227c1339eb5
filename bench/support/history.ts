// Generates a history with the published size profile: 3,142 files of 1.2 GB in total, and one file of 391 MB.
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'

/** Quantiles of the published profile, bytes (p50 105 KB, p90 654 KB, p99 5.4 MB, largest 87 MB). */
const QUANTILES: readonly (readonly [number, number])[] = [
  [0, 3_000],
  [0.5, 105_000],
  [0.9, 654_000],
  [0.99, 5_400_000],
  [0.9985, 11_000_000],
  [1, 87_000_000],
]
export const FILES = 3142
export const LARGEST = 391_000_000

/** Size of the file at rank `share` (0–1), interpolated log-linearly between the quantiles. */
export function sizeAt(share: number): number {
  const upper = QUANTILES.findIndex(([rank]) => rank >= share)
  const [lowRank, lowSize] = QUANTILES[Math.max(0, upper - 1)]!
  const [highRank, highSize] = QUANTILES[upper]!
  if (highRank === lowRank) return highSize
  const part = (share - lowRank) / (highRank - lowRank)
  return Math.round(lowSize * (highSize / lowSize) ** part)
}

/** Seeded random numbers (mulberry32), so that every run generates the same history. */
export function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

const WORDS =
  'const return import export function await async value index result error token list page route trace step score await if else for while match count total bytes offset length cursor parse write read open close commit query filter sort archive frame source session prompt answer tool call input output exit code test build lint pass fail'.split(
    ' ',
  )

/** Generates text that looks and compresses like code. */
export function codeText(bytes: number, random: () => number): string {
  const lines: string[] = []
  for (let size = 0; size < bytes;) {
    const words = Array.from({ length: 3 + Math.floor(random() * 9) }, () => WORDS[Math.floor(random() * WORDS.length)])
    const line = `${'  '.repeat(Math.floor(random() * 4))}${words.join(random() < 0.5 ? ' ' : '.')}(${Math.floor(random() * 100_000)}) // ${Math.floor(random() * 1e9).toString(36)}`
    lines.push(line)
    size += line.length + 1
  }
  return lines.join('\n')
}

const uuid = (text: string) => {
  const hex = createHash('sha256').update(text).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

const TOOLS = ['Bash', 'Read', 'Edit', 'Grep', 'Bash', 'Read', 'Write', 'Bash'] as const
const COMMANDS = [
  'npm test',
  'git status',
  'ls -la src',
  'npx vitest run src/a.test.ts',
  'git diff --stat && git log --oneline | head -5',
  'grep -rn "needle" src | head',
  'cargo build',
  'node scripts/check.mjs',
  'cat package.json',
  'git commit -am "Work"',
]

/** Generates a session of about `bytes` in the format of client 2.1.197. If `steps` is given, it sets the number of calls instead. */
export function* sessionLines(options: {
  sessionId: string
  cwd: string
  bytes: number
  start: number
  text: string
  random: () => number
  steps?: number
}): Generator<string> {
  const { sessionId, cwd, bytes, start, text, random } = options
  let at = start
  let parent: string | null = null
  let written = 0
  let count = 0
  const record = (fields: Record<string, unknown>) => {
    const id = uuid(`${sessionId}:${count}`)
    count += 1
    at += 200 + Math.floor(random() * 8000)
    const line = JSON.stringify({
      parentUuid: parent,
      isSidechain: false,
      userType: 'external',
      cwd,
      sessionId,
      version: '2.1.197',
      gitBranch: 'main',
      ...fields,
      uuid: id,
      timestamp: new Date(at).toISOString(),
    })
    parent = id
    written += line.length + 1
    return line
  }
  const slice = (length: number) => {
    const from = Math.floor(random() * Math.max(1, text.length - length))
    return text.slice(from, from + length)
  }
  for (let call = 0; options.steps === undefined ? written < bytes : call < options.steps; call += 1) {
    if (call % 12 === 0)
      yield record({
        type: 'user',
        promptId: uuid(`${sessionId}:p${call}`),
        message: { role: 'user', content: `Please ${slice(40 + Math.floor(random() * 160)).replaceAll('\n', ' ')}` },
      })
    const tool = TOOLS[Math.floor(random() * TOOLS.length)]!
    const toolUseId = `toolu_${uuid(`${sessionId}:t${call}`).replaceAll('-', '').slice(0, 24)}`
    const file = `${cwd}/src/file${Math.floor(random() * 40)}.ts`
    const input =
      tool === 'Bash'
        ? { command: COMMANDS[Math.floor(random() * COMMANDS.length)]!, description: 'Run it' }
        : tool === 'Grep'
          ? { pattern: 'needle', path: cwd }
          : tool === 'Edit'
            ? { file_path: file, old_string: slice(200), new_string: slice(220) }
            : tool === 'Write'
              ? { file_path: file, content: slice(1500) }
              : { file_path: file }
    const message = {
      id: `msg_${sessionId.slice(0, 8)}${call}`,
      type: 'message',
      role: 'assistant',
      model: 'claude-sonnet-4-5-20250929',
      stop_reason: 'tool_use',
      usage: {
        input_tokens: 900 + call,
        output_tokens: 60 + Math.floor(random() * 400),
        cache_creation_input_tokens: 0,
        cache_read_input_tokens: 12_000,
      },
    }
    const requestId = `req_${sessionId.slice(0, 8)}${call}`
    if (random() < 0.4)
      yield record({ type: 'assistant', requestId, message: { ...message, content: [{ type: 'text', text: slice(120) }] } })
    yield record({
      type: 'assistant',
      requestId,
      message: { ...message, content: [{ type: 'tool_use', id: toolUseId, name: tool, input }] },
    })
    const failed = random() < 0.08
    const size = Math.min(30_000, Math.floor(200 + 2500 * -Math.log(1 - random())))
    const output = failed ? `Exit code 1\n${slice(size)}` : slice(size)
    yield record({
      type: 'user',
      message: {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: toolUseId, content: output, ...(failed ? { is_error: true } : {}) }],
      },
      toolUseResult: failed
        ? `Error: ${output}`
        : tool === 'Bash'
          ? { stdout: output, stderr: '', interrupted: false, isImage: false }
          : { type: 'text', file: { filePath: file, content: output, numLines: 40, startLine: 1, totalLines: 40 } },
    })
  }
}

/** Writes the history into `claudeDir/projects` and returns its size. An existing complete history is reused. */
export function writeHistory(
  claudeDir: string,
  options: { files?: number; largest?: number; seed?: number } = {},
): { files: number; bytes: number } {
  const { files = FILES, largest = LARGEST, seed = 7 } = options
  const stamp = path.join(claudeDir, `history-${files}-${largest}-${seed}.json`)
  if (fs.existsSync(stamp)) return JSON.parse(fs.readFileSync(stamp, 'utf8')) as { files: number; bytes: number }
  const random = randomOf(seed)
  const text = codeText(4_000_000, random)
  const sizes = Array.from({ length: files }, (_, index) => sizeAt((index + 0.5) / files))
  if (largest) sizes.push(largest)
  let bytes = 0
  sizes.forEach((size, index) => {
    const sessionId = uuid(`${seed}:${index}`)
    const project = `project-${index % 60}`
    const folder = path.join(claudeDir, 'projects', `-home-dev-${project}`)
    fs.mkdirSync(folder, { recursive: true })
    const file = path.join(folder, `${sessionId}.jsonl`)
    const start = Date.UTC(2026, 5, 1) + Math.floor(random() * 150) * 86_400_000
    const fd = fs.openSync(file, 'w')
    let waiting = ''
    for (const line of sessionLines({ sessionId, cwd: `/home/dev/${project}`, bytes: size, start, text, random })) {
      waiting += `${line}\n`
      if (waiting.length > 4_000_000) {
        fs.writeSync(fd, waiting)
        waiting = ''
      }
    }
    fs.writeSync(fd, waiting)
    fs.closeSync(fd)
    bytes += fs.statSync(file).size
  })
  const written = { files: sizes.length, bytes }
  fs.writeFileSync(stamp, JSON.stringify(written))
  return written
}
