import { type JsonObject, parseObject, wholeRecords } from './whole-records.ts'

/** Where the messages of a session in one document begin. */
const LIST = /"(?:messages|steps|items)"\s*:\s*\[/
/** More than any head: the facts of a session before its messages, with the definitions of its tools. */
const LONGEST_HEAD = 4 << 20

export interface Document {
  value: JsonObject
  isCut: boolean
  isWhole: boolean
}

/** A session in one JSON document. Of a damaged or unfinished one its whole messages, between what can be read of the rest. */
export function documentIn(bytes: Buffer): Document | null {
  const whole = parseObject(bytes)
  if (whole) return { ...whole, isWhole: true }
  const list = LIST.exec(bytes.toString('latin1', 0, LONGEST_HEAD)) // one character a byte
  const listStart = list ? list.index + list[0].length : 0
  const head = list && parseObject(Buffer.concat([bytes.subarray(0, listStart), Buffer.from(']}')]))
  if (!list || !head) return null
  const rest = bytes.subarray(listStart)
  const items: JsonObject[] = []
  let isCut = head.isCut
  let at = 0
  for (const found of wholeRecords(rest, isMessage)) {
    if (isListEnd(rest, at)) break
    items.push(found.value)
    isCut ||= found.isCut
    at = found.end
  }
  const name = /\w+/.exec(list[0])![0] // the list has a name
  return { value: { ...tailOf(rest, at), ...head.value, [name]: items }, isCut, isWhole: false }
}

/** A message of Gemini or of `opencode export`, a step in ATIF, or an item of Codex; not a part of one. */
const isMessage = ({ id, type, timestamp, info, parts, source, message, step_id: step, role, call_id: call }: JsonObject): boolean =>
  (typeof id === 'string' && typeof type === 'string' && timestamp !== undefined) ||
  (typeof info === 'object' && Array.isArray(parts)) ||
  (typeof source === 'string' && (message !== undefined || step !== undefined)) ||
  (typeof type === 'string' && (role !== undefined || call !== undefined))

const isListEnd = (rest: Buffer, at: number): boolean => /^\s*\]/.test(rest.toString('latin1', at, at + 200))

/** The fields after the list. */
function tailOf(rest: Buffer, at: number): JsonObject {
  const end = isListEnd(rest, at) ? rest.indexOf(0x5d, at) : -1
  return end < 0 ? {} : (parseObject(Buffer.concat([Buffer.from('{"":0'), rest.subarray(end + 1)]))?.value ?? {})
}
