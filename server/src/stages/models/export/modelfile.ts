import path from 'node:path'
import { ForeignFileError, readLinked, readLinkedOrNull } from '#server/foreign/index.ts'
import { ollamaWayOf } from './ollama-family.ts'

/** The chat template (Jinja) of a model folder, the token that ends an answer, and whether thinking is on. Null if not specified. */
export function templateOf(folder: string): { jinja: string | null; end: string | null; thinks: boolean } {
  const config = documentOf(folder, 'tokenizer_config.json')
  const inConfig = config['chat_template']
  const jinja = readLinkedOrNull(folder, 'chat_template.jinja', MAX_TEXT_BYTES) ?? (typeof inConfig === 'string' ? inConfig : null)
  const token = config['eos_token']
  const end =
    typeof token === 'string' ? token : typeof token === 'object' && token !== null ? (token as { content?: unknown }).content : null
  return { jinja, end: typeof end === 'string' ? end : null, thinks: config['enable_thinking'] !== false }
}

const NOTICE = '# Note: '

/** What a person must know about a Modelfile of ours; null: nothing, or it cannot be read. */
export function noticeOf(file: string): string | null {
  try {
    const [, ...lines] = readLinked(path.dirname(file), path.basename(file), MAX_TEXT_BYTES).split('\n') // the first is the name
    return lines.find((line) => line.startsWith(NOTICE))?.slice(NOTICE.length) ?? null
  } catch (error) {
    if (error instanceof ForeignFileError) return null
    throw error
  }
}

/** Tokens of a conversation where a model is used: its context, but no more than what fits into usual memory. */
export const USED_CONTEXT = 8192

/** The tokens that the model of a folder is used with. */
export function contextOf(folder: string): number {
  const most = documentOf(folder, 'config.json')['max_position_embeddings']
  return typeof most === 'number' && most > 0 ? Math.min(most, USED_CONTEXT) : USED_CONTEXT
}

/** A Modelfile for a GGUF. It says itself what must be known about it. */
export function modelfileOf(options: { gguf: string; name: string; template: ReturnType<typeof templateOf>; context: number }): string {
  const { gguf, name, template, context } = options
  const way = ollamaWayOf(template)
  const notice =
    way.kind === 'none'
      ? `${way.reason} The Modelfile has no TEMPLATE, so that Ollama writes other prompts than the model knows. Serve the GGUF with llama-server --jinja, which uses its own chat template.`
      : way.kind === 'renderer'
        ? `Ollama's own renderer ${way.name} writes the prompts. It was not compared with the chat template of the model.`
        : null
  const stops = [...new Set([...(template.end === null ? [] : [template.end]), ...(way.kind === 'none' ? [] : way.stops)])]
  const text = [
    `# ${name.replaceAll(/[\r\n]+/g, ' ')}`,
    ...(notice === null ? [] : [`${NOTICE}${notice}`]),
    `FROM ${/\s/.test(gguf) ? JSON.stringify(gguf) : gguf}`,
    ...(way.kind === 'template' ? [`TEMPLATE """${way.template}"""`] : []),
    ...(way.kind === 'renderer' ? [`RENDERER ${way.name}`, `PARSER ${way.name}`] : []),
    `PARAMETER num_ctx ${context}`, // Ollama's own value is shorter than most sessions, and it cuts prompts without a word
    ...stops.map((stop) => `PARAMETER stop ${JSON.stringify(stop)}`),
  ]
  return `${text.join('\n')}\n`
}

const MAX_TEXT_BYTES = 32 * 1024 * 1024

function documentOf(folder: string, name: string): Record<string, unknown> {
  try {
    return JSON.parse(readLinked(folder, name, MAX_TEXT_BYTES)) as Record<string, unknown>
  } catch {
    return {}
  }
}
