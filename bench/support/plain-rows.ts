/**
 * A simple baseline: converts transcripts to rows of messages, one row per prompt, and cuts long outputs in the middle. It has
 * no archive, no checks and no privacy filter. `node plain-rows.ts FOLDER FILE` prints the size of the result and its cost.
 */
import fs from 'node:fs'
import path from 'node:path'
import { createHash } from 'node:crypto'

interface Block {
  type: string
  text?: string
  id?: string
  name?: string
  input?: unknown
  tool_use_id?: string
  content?: unknown
}
interface Line {
  type: string
  isMeta?: boolean
  isSidechain?: boolean
  cwd?: string
  message?: { role: string; content: string | Block[] }
}
interface Message {
  role: string
  content: string
  tool_calls?: { id: string; type: 'function'; function: { name: string; arguments: unknown } }[]
  tool_call_id?: string
}
const LONGEST_OUTPUT = 4000

const [folder = '', target = ''] = process.argv.slice(2)
const out = fs.openSync(target, 'w')
const [seen, figures] = [new Set<string>(), { rows: 0, bytes: 0, messages: 0 }]
const files = fs.globSync('**/*.jsonl', { cwd: folder }).toSorted()
for (const name of files) for (const messages of rowsOf(fs.readFileSync(path.join(folder, name), 'utf8'))) write(messages)
fs.closeSync(out)
const { user, system } = process.cpuUsage()
console.log(JSON.stringify({ ...figures, cpuMs: (user + system) / 1000, peakRssMb: process.resourceUsage().maxRSS / 1024 }))

function* rowsOf(text: string): Generator<Message[]> {
  let messages: Message[] = []
  for (const line of text.split('\n')) {
    if (line === '') continue
    const { type, isMeta, isSidechain, cwd, message } = JSON.parse(line) as Line
    if (!message || isMeta || isSidechain || (type !== 'user' && type !== 'assistant')) continue
    const { role, content } = message
    if (role === 'user' && typeof content === 'string') {
      if (messages.length > 2) yield messages
      messages = [
        { role: 'system', content: `Working directory: ${cwd ?? ''}` },
        { role, content },
      ]
      continue
    }
    for (const block of typeof content === 'string' ? [{ type: 'text', text: content }] : content) add(messages, role, block)
  }
  if (messages.length > 2) yield messages
}

function add(messages: Message[], role: string, block: Block): void {
  const last = messages.at(-1)
  const answer = (): Message => {
    if (last?.role === 'assistant') return last
    const made = { role: 'assistant', content: '' }
    messages.push(made)
    return made
  }
  if (block.type === 'text' && role === 'assistant') answer().content += block.text ?? ''
  else if (block.type === 'text') messages.push({ role, content: block.text ?? '' })
  else if (block.type === 'tool_use')
    (answer().tool_calls ??= []).push({ id: block.id ?? '', type: 'function', function: { name: block.name ?? '', arguments: block.input } }) // prettier-ignore
  else if (block.type === 'tool_result')
    messages.push({ role: 'tool', tool_call_id: block.tool_use_id ?? '', content: trimmed(block.content) })
}

function trimmed(content: unknown): string {
  const text = typeof content === 'string' ? content : JSON.stringify(content)
  if (text.length <= LONGEST_OUTPUT) return text
  return `${text.slice(0, 2700)}\n[… ${text.length - LONGEST_OUTPUT} characters left out …]\n${text.slice(-1300)}`
}

function write(messages: Message[]): void {
  const line = `${JSON.stringify({ messages, tools: [...new Set(messages.flatMap(({ tool_calls: calls = [] }) => calls.map((call) => call.function.name)))] })}\n`
  const hash = createHash('sha256').update(line).digest('base64')
  if (seen.has(hash)) return
  seen.add(hash)
  fs.writeSync(out, line)
  figures.rows += 1
  figures.bytes += Buffer.byteLength(line)
  figures.messages += messages.length
}
