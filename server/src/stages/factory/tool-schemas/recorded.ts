import { parseShallow } from '#server/shallow-json.ts'
import { chunks, currentSources, readManifest } from '#server/stages/capture/index.ts'
import { compareVersions, structureOf } from './index.ts'

/** Older clients certainly do not record requests. */
const FIRST_RECORDING = '2.1.261'
const MARK = Buffer.from('"api-request-shape"')
const NEWLINE = 10

export interface RecordedRequest {
  system: string | null
  /** The structure of each tool's arguments, by tool name; null if its schema was not recorded. */
  tools: Map<string, Record<string, unknown> | null>
}

/**
 * The system prompt and tools that the client recorded in the transcript; null if it did not. Of several records, the one
 * with the most tools is of the main conversation.
 */
export function readRecorded(traceDir: string, clientVersion: string | null): RecordedRequest | null {
  if (clientVersion === null || compareVersions(clientVersion, FIRST_RECORDING) < 0) return null
  const shapes: Shape[] = []
  for (const source of currentSources(readManifest(traceDir)).filter(({ kind }) => kind === 'main')) {
    let remainder: Buffer = Buffer.alloc(0)
    for (const chunk of chunks(source)) {
      const bytes = remainder.length > 0 ? Buffer.concat([remainder, chunk]) : chunk
      const end = bytes.lastIndexOf(NEWLINE) + 1
      for (let at = bytes.indexOf(MARK); at >= 0 && at < end; at = bytes.indexOf(MARK, at + MARK.length)) {
        const shape = parseShape(bytes.subarray(bytes.lastIndexOf(NEWLINE, at) + 1, bytes.indexOf(NEWLINE, at)))
        if (shape) shapes.push(shape)
      }
      remainder = bytes.subarray(end)
    }
  }
  const main = shapes.toSorted((a, b) => b.tools.length - a.tools.length)[0]
  if (!main) return null
  const tools = main.tools.flatMap(({ name, input_schema }) =>
    typeof name === 'string'
      ? [[name, typeof input_schema === 'object' && input_schema !== null ? structureOf(input_schema) : null] as const]
      : [],
  )
  const texts = main.system.flatMap(({ text }) => (typeof text === 'string' ? [text] : []))
  return { system: texts.length > 0 ? texts.join('\n\n') : null, tools: new Map(tools) }
}

interface Shape {
  system: { text?: unknown }[]
  tools: { name?: unknown; input_schema?: unknown }[]
}

function parseShape(line: Buffer): Shape | null {
  try {
    const record = parseShallow(line.toString('utf8')).value as { type?: unknown; shape?: { system?: unknown; tools?: unknown } }
    if (record.type !== 'api-request-shape') return null
    const list = (value: unknown) =>
      Array.isArray(value) ? value.filter((one): one is Record<string, unknown> => typeof one === 'object' && one !== null) : []
    return { system: list(record.shape?.system), tools: list(record.shape?.tools) }
  } catch {
    return null // a line that merely contains the marker
  }
}
