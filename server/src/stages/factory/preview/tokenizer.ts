import { lookup } from '#contracts/lookup.ts'
import path from 'node:path'
import { ForeignFileError, readLinked } from '#server/foreign/index.ts'
import { Tokenizer } from '@huggingface/tokenizers'
import { o200k } from '../o200k.ts'
import { RenderError, type ChatTemplate } from './render.ts'
import { addsSpace, positionTokens, type PositionedToken } from './ids.ts'
import { BREAK, marksOf } from './spelled.ts'
import { chatml } from './templates.ts'

/** A base model's tokenizer and template. `exact` is false for another model's tokenizer: then every count is an estimate. */
export interface Encoder {
  name: string
  exact: boolean
  encode(text: string): number[]
  /** Ids with their positions, for a tokenizer that puts a space before every text; else null. */
  startsOf(text: string): PositionedToken[] | null
  decode(ids: number[]): string
  /** Throws `RenderError` if the model has none. */
  template(withTools: boolean): ChatTemplate
}

/** For use without a tokenizer: ChatML and the tokenizer o200k. */
export const estimator: Encoder = {
  name: 'estimate (ChatML, o200k)',
  exact: false,
  encode: (text) => o200k().encode(text, { allowedSpecial: 'all' }),
  startsOf: () => null,
  decode: (ids) => o200k().decode(ids),
  template: () => ({ source: chatml(), specialTokens: { eos_token: '<|im_end|>' } }),
}

type Config = Record<string, unknown> & { chat_template?: string | { name: string; template: string }[] }

const END_MARK = '<|im_end|>'
const SPECIAL_TOKENS = ['bos_token', 'eos_token', 'unk_token', 'sep_token', 'pad_token', 'cls_token', 'mask_token']

/**
 * The tokenizer of a Hugging Face folder (`tokenizer.json`, `tokenizer_config.json` and optionally `chat_template.jinja`).
 * Throws `RenderError` for a tokenizer that the library does not support.
 */
export function loadTokenizer(dir: string, templateOverride: string | null = null): Encoder {
  const config = readConfig(dir, 'tokenizer_config.json')
  const document = readConfig(dir, 'tokenizer.json')
  const tokenizer = createTokenizer(dir, document, config)
  const template = templateOverride ?? textIn(dir, 'chat_template.jinja') ?? config.chat_template
  const configured = specialTokensOf(config)
  const specialTokens =
    configured['eos_token'] === undefined && tokenizer.token_to_id(END_MARK) !== undefined
      ? { ...configured, eos_token: END_MARK }
      : configured
  const hasSpace = addsSpace(tokenizer.tokenize('b', { add_special_tokens: false })[0])
  const encode = (text: string) => tokenizer.encode(text, { add_special_tokens: false })
  const marks = marksOf([...addedSpecials(document), ...Object.values(specialTokens)])
  return {
    name: path.basename(dir),
    exact: true,
    encode: (text) => text.split(BREAK).flatMap((part) => encode(part).ids),
    startsOf(text) {
      if (!hasSpace) return null
      const { ids, tokens } = encode(text)
      return positionTokens(text, ids.map((id: number, at: number) => ({ id, text: tokens[at]! }))) // prettier-ignore
    },
    decode: (ids) => tokenizer.decode(ids, { skip_special_tokens: false, clean_up_tokenization_spaces: false }),
    template: (withTools) => ({ source: templateFor(template, withTools, specialTokens), specialTokens, marks, encodesPieces: !hasSpace }),
  }
}

/** The template for rows with tools, from the texts of `chat_template.jinja` and `tokenizer_config.json`. Throws `RenderError`. */
export function toolTemplate(jinja: string | null, configText: string | null): ChatTemplate {
  const config = JSON.parse(configText ?? '{}') as Config // its fields are checked where they are used
  const specialTokens = { eos_token: END_MARK, ...specialTokensOf(config) }
  return { source: templateFor(jinja ?? config.chat_template, true, specialTokens), specialTokens }
}

function createTokenizer(dir: string, document: Config, config: Config): Tokenizer {
  try {
    return new Tokenizer(document, config)
  } catch (error) {
    throw new RenderError(`The tokenizer in ${dir} cannot be used here: ${error instanceof Error ? error.message : String(error)}.`)
  }
}

/** The special tokens that a tokenizer lists. */
function addedSpecials({ added_tokens: added }: Config): string[] {
  if (!Array.isArray(added)) return []
  return (added as { content?: unknown; special?: unknown }[]).flatMap((token) =>
    token?.special === true && typeof token.content === 'string' ? [token.content] : [],
  )
}

/** A tokenizer of a million words has about 60 MB. */
const MAX_BYTES = 256 * 1024 * 1024

/** Its fields are checked where they are used. */
const readConfig = (dir: string, file: string): Config => JSON.parse(readLinked(dir, file, MAX_BYTES)) as Config

/** Null if there is no such file. Throws `RenderError` if it cannot be read. */
function textIn(dir: string, file: string): string | null {
  try {
    return readLinked(dir, file, MAX_BYTES)
  } catch (error) {
    if (!(error instanceof ForeignFileError)) throw error
    if (error.code === 'missing') return null
    throw new RenderError(`The chat template in ${dir} cannot be used: ${error.message}.`)
  }
}

/** The template for rows with or without tools; ChatML for a base model without one, as in the trainers (`loading.py`). */
function templateFor(template: Config['chat_template'], withTools: boolean, { eos_token }: Record<string, string>): string {
  if (eos_token === undefined)
    throw new RenderError('The tokenizer has no end mark (eos_token), so a model could not learn where an answer ends. Name one in its tokenizer_config.json, or choose the instruct version of the model.') // prettier-ignore
  if (!template) return chatml()
  const templateNamed = (name: string) => (Array.isArray(template) ? template.find((one) => one.name === name)?.template : undefined)
  const source = typeof template === 'string' ? template : ((withTools ? templateNamed('tool_use') : undefined) ?? templateNamed('default'))
  if (source === undefined) throw new RenderError('The tokenizer has no chat template. Choose the instruct version of the model.')
  return source
}

function specialTokensOf(config: Config): Record<string, string> {
  const tokens: Record<string, string> = lookup()
  for (const name of SPECIAL_TOKENS) {
    const value = config[name]
    const text = typeof value === 'object' && value !== null ? (value as { content?: unknown }).content : value
    if (typeof text === 'string') tokens[name] = text
  }
  return tokens
}
