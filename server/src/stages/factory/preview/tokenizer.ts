import { lookup } from '#contracts/lookup.ts'
import fs from 'node:fs'
import path from 'node:path'
import { Tokenizer } from '@huggingface/tokenizers'
import { o200k } from '../o200k.ts'
import { RenderError, type ChatTemplate } from './render.ts'
import { addsSpace, placesOf, type Placed } from './ids.ts'
import { chatml } from './templates.ts'

/** How a base model reads text. `exact` false: another model's tokenizer is used, and every count is an estimate. */
export interface Encoder {
  name: string
  exact: boolean
  encode(text: string): number[]
  /** Ids with where in the text each begins, for a tokenizer that puts a space before whatever it is given; else null. */
  startsOf(text: string): Placed[] | null
  decode(ids: number[]): string
  /** Throws `RenderError` if the model has none. */
  template(withTools: boolean): ChatTemplate
}

/** Called with no tokenizer at hand: ChatML around the row, counted by the tokenizer o200k. */
export const estimator: Encoder = {
  name: 'estimate (ChatML, o200k)',
  exact: false,
  encode: (text) => o200k().encode(text, { allowedSpecial: 'all' }),
  startsOf: () => null,
  decode: (ids) => o200k().decode(ids),
  template: () => ({ source: chatml(), specials: { eos_token: '<|im_end|>' } }),
}

type Config = Record<string, unknown> & { chat_template?: string | { name: string; template: string }[] }

const END_MARK = '<|im_end|>'
const SPECIALS = ['bos_token', 'eos_token', 'unk_token', 'sep_token', 'pad_token', 'cls_token', 'mask_token']

/**
 * The tokenizer of a Hugging Face folder: `tokenizer.json`, `tokenizer_config.json`, and if there is one
 * `chat_template.jinja`; `chosen` takes its place. Throws `RenderError` for a tokenizer that the library does not take.
 */
export function loadTokenizer(dir: string, chosen: string | null = null): Encoder {
  const config = json(dir, 'tokenizer_config.json')
  const tokenizer = create(dir, config)
  const own = path.join(dir, 'chat_template.jinja')
  const template = chosen ?? (fs.existsSync(own) ? fs.readFileSync(own, 'utf8') : config.chat_template)
  const known = specialsOf(config)
  const specials =
    known['eos_token'] === undefined && tokenizer.token_to_id(END_MARK) !== undefined ? { ...known, eos_token: END_MARK } : known
  const hasSpace = addsSpace(tokenizer.tokenize('b', { add_special_tokens: false })[0])
  const encode = (text: string) => tokenizer.encode(text, { add_special_tokens: false })
  return {
    name: path.basename(dir),
    exact: true,
    encode: (text) => encode(text).ids,
    startsOf(text) {
      if (!hasSpace) return null
      const { ids, tokens } = encode(text)
      return placesOf(text, ids.map((id: number, at: number) => ({ id, text: tokens[at]! }))) // prettier-ignore
    },
    decode: (ids) => tokenizer.decode(ids, { skip_special_tokens: false, clean_up_tokenization_spaces: false }),
    template: (withTools) => ({ source: choose(template, withTools, specials), specials }),
  }
}

function create(dir: string, config: Config): Tokenizer {
  try {
    return new Tokenizer(json(dir, 'tokenizer.json'), config)
  } catch (error) {
    throw new RenderError(`The tokenizer in ${dir} cannot be used here: ${error instanceof Error ? error.message : String(error)}.`)
  }
}

const json = (dir: string, file: string): Config => JSON.parse(fs.readFileSync(path.join(dir, file), 'utf8')) as Config // checked by use

/** The template for rows with or without tools; a base model that has none gets ChatML, as in the trainers (`loading.py`). */
function choose(template: Config['chat_template'], withTools: boolean, { eos_token }: Record<string, string>): string {
  if (eos_token === undefined)
    throw new RenderError('The tokenizer has no end mark (eos_token), so a model could not learn where an answer ends. Name one in its tokenizer_config.json, or choose the instruct version of the model.') // prettier-ignore
  if (!template) return chatml()
  const named = (name: string) => (Array.isArray(template) ? template.find((one) => one.name === name)?.template : undefined)
  const source = typeof template === 'string' ? template : ((withTools ? named('tool_use') : undefined) ?? named('default'))
  if (source === undefined) throw new RenderError('The tokenizer has no chat template. Choose the instruct version of the model.')
  return source
}

function specialsOf(config: Config): Record<string, string> {
  const found: Record<string, string> = lookup()
  for (const name of SPECIALS) {
    const value = config[name]
    const text = typeof value === 'object' && value !== null ? (value as { content?: unknown }).content : value
    if (typeof text === 'string') found[name] = text
  }
  return found
}
