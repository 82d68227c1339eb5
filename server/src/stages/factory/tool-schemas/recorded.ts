import { parseShallow } from '#server/shallow-json.ts'
import { chunks, currentSources, readManifest } from '#server/stages/capture/index.ts'
import { compareVersions, structureOf } from './index.ts'

/** Since when the client may record its requests (the exact version is not known). */
const FIRST_RECORDING = '2.1.261'
const MARK = Buffer.from('"api-request-shape"')
const NEWLINE = 10

export interface RecordedRequest {
  system: string | null
  /** By tool name: the structure of its arguments. Tools whose schema was not kept are left out. */
  tools: Map<string, Record<string, unknown>>
}

/**
 * System prompt and tools of the main conversation as the client recorded them in the transcript; null if it did
 * not. Of several shapes the one with most tools is that of the main conversation.
 */
export function readRecorded(traceDir: string, clientVersion: string | null): RecordedRequest | null {
  if (clientVersion === null || compareVersions(clientVersion, FIRST_RECORDING) < 0) return null
  const shapes: Shape[] = []
  for (const source of currentSources(readManifest(traceDir)).filter(({ kind }) => kind === 'main')) {
    let rest: Buffer = Buffer.alloc(0)
    for (const chunk of chunks(source)) {
      const bytes = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk
      const end = bytes.lastIndexOf(NEWLINE) + 1
      for (let at = bytes.indexOf(MARK); at >= 0 && at < end; at = bytes.indexOf(MARK, at + MARK.length)) {
        const shape = shapeOf(bytes.subarray(bytes.lastIndexOf(NEWLINE, at) + 1, bytes.indexOf(NEWLINE, at)))
        if (shape) shapes.push(shape)
      }
      rest = bytes.subarray(end)
    }
  }
  const main = shapes.toSorted((a, b) => b.tools.length - a.tools.length)[0]
  if (!main) return null
  const tools = main.tools.flatMap(({ name, input_schema }) =>
    typeof name === 'string' && typeof input_schema === 'object' && input_schema !== null
      ? [[name, structureOf(input_schema)] as const]
      : [],
  )
  const texts = main.system.flatMap(({ text }) => (typeof text === 'string' ? [text] : []))
  return { system: texts.length > 0 ? texts.join('\n\n') : null, tools: new Map(tools) }
}

interface Shape {
  system: { text?: unknown }[]
  tools: { name?: unknown; input_schema?: unknown }[]
}

function shapeOf(line: Buffer): Shape | null {
  try {
    const record = parseShallow(line.toString('utf8')).value as { type?: unknown; shape?: { system?: unknown; tools?: unknown } }
    if (record.type !== 'api-request-shape') return null
    const list = (value: unknown) =>
      Array.isArray(value) ? value.filter((one): one is Record<string, unknown> => typeof one === 'object' && one !== null) : []
    return { system: list(record.shape?.system), tools: list(record.shape?.tools) }
  } catch {
    return null // a line that holds the words and is no record
  }
}
