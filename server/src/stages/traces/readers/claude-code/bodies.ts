import { commandText, isInjected } from './classify.ts'
import { blocksOf, isObject, jsonOf, resultText, textOrNull, type RawRecord } from './record.ts'

export interface ResultBody {
  text: string
  bytes: number
}

/** Maximum depth of an input. Threads and JSON.stringify are recursive and overflow the stack at a few thousand levels. */
const MAX_LEVELS = 200

/** The input of a call: parsed JSON as the client wrote it, cut at a depth that no real input has. */
export function callBody(record: RawRecord, block: number): unknown {
  return cutDepth(blocksOf(record.message?.content)[block]?.input ?? {}, MAX_LEVELS)
}

function cutDepth(value: unknown, levels: number): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (levels === 0) return '[nested too deep to be shown; the transcript in the archive has it]'
  if (Array.isArray(value)) return value.map((one) => cutDepth(one, levels - 1))
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, cutDepth(one, levels - 1)]))
}

export function resultBody(record: RawRecord, block: number): ResultBody {
  const text = resultText(blocksOf(record.message?.content)[block]?.content)
  return { text, bytes: Buffer.byteLength(text) }
}

/** The client's structured result of a call; undefined if the record has none (sub-agents from 2.1.50 on). */
export const structuredOf = (record: RawRecord): unknown => (isObject(record.toolUseResult) ? record.toolUseResult : undefined)

/** The text of an entry other than a call. `block` -1 stands for the whole record. */
export function textBody(record: RawRecord, block: number, kind: string): string {
  if (record.message !== undefined) {
    const blocks = blocksOf(record.message.content)
    if (block >= 0) return kind === 'thinking' ? (blocks[block]?.thinking ?? '') : asTyped(blocks[block]?.text ?? '', kind)
    const texts = blocks.flatMap(({ type, text }) => (type === 'text' && typeof text === 'string' ? [text] : []))
    const typedTexts = texts.filter((text) => !isInjected(text))
    if (kind === 'prompt' && typedTexts.length === 0) return '[image]'
    return asTyped((kind === 'prompt' || typedTexts.length > 0 ? typedTexts : texts).join('\n'), kind)
  }
  if (record.attachment) return attachmentText(record.attachment)
  return textOrNull(record.content) ?? hookErrors(record)
}

const asTyped = (text: string, kind: string): string => (kind === 'prompt' ? commandText(text) : text)

function attachmentText(attachment: NonNullable<RawRecord['attachment']>): string {
  if (attachment.prompt !== undefined) return resultText(attachment.prompt)
  const texts = [attachment.content, attachment.stdout, attachment.stderr, attachment.blockingError, attachment.message].map((part) =>
    typeof part === 'string' ? part : isObject(part) ? jsonOf(part) : resultText(part),
  )
  return texts.filter((part) => part.trim() !== '').join('\n')
}

const hookErrors = (record: RawRecord): string =>
  (record.hookErrors ?? []).map((error) => (typeof error === 'string' ? error : jsonOf(error))).join('\n')
