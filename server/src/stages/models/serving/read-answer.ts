import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import type { ChatChunk } from '#contracts/entities/model.ts'
import { ReadAnswer } from '#contracts/trainer.ts'
import type { Facts, ToolCall } from '#server/adapters/trainer-tools/index.ts'

/** Splits an answer into text and calls with the trainers' parser. Returns nothing once `signal` is aborted. */
export async function readAnswer(
  runTool: (call: ToolCall, onProgress: () => void) => Promise<Facts>,
  { interpreter, folder }: Pick<ToolCall, 'interpreter' | 'folder'>,
  answer: { raw: string; tools: readonly Record<string, unknown>[] },
  signal: AbortSignal,
): Promise<ChatChunk[]> {
  const work = path.join(folder, `read-${randomBytes(6).toString('hex')}`)
  const [input, output] = [path.join(work, 'answer.json'), path.join(work, 'read.json')]
  try {
    fs.mkdirSync(work, { mode: 0o700 })
    fs.writeFileSync(input, JSON.stringify(answer), { mode: 0o600 })
    await runTool({ interpreter, config: { command: 'read', input, output }, folder: work, signal }, () => undefined)
    const { text, calls } = ReadAnswer.parse(JSON.parse(fs.readFileSync(output, 'utf8')))
    const found = calls.map((call): ChatChunk => ({ type: 'tool_call', name: call.name, arguments: call.arguments, raw: JSON.stringify(call.arguments) })) // prettier-ignore
    return [{ type: 'read', text, raw: answer.raw }, ...found]
  } catch (error) {
    if (signal.aborted) return []
    return [{ type: 'error', code: 'chat_failed', message: `The answer could not be read for tool calls: ${(error as Error).message}` }]
  } finally {
    fs.rmSync(work, { recursive: true, force: true })
  }
}
