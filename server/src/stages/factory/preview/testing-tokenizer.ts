import fs from 'node:fs'
import path from 'node:path'

/** For tests: a template with turns between marks and tool calls, but without schemas. */
export const CHATML =
  "{% for m in messages %}{{ '<|im_start|>' + m.role + '\\n' + m.content }}{% for call in m.tool_calls or [] %}{{ call.function | tojson }}{% endfor %}{{ '<|im_end|>\\n' }}{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}"

/** For tests: writes a Hugging Face tokenizer of single bytes and two marks. Returns the folder. */
export function writeTokenizer(folder: string, config: Record<string, unknown>): string {
  const printable = (byte: number) => (byte >= 33 && byte <= 126) || (byte >= 161 && byte <= 172) || byte >= 174
  let extra = 256
  const alphabet = Array.from({ length: 256 }, (_, byte) => String.fromCodePoint(printable(byte) ? byte : extra++))
  const specials = ['<|im_start|>', '<|im_end|>'].map((content, index) => ({
    id: 256 + index,
    content,
    special: true,
    single_word: false,
    lstrip: false,
    rstrip: false,
    normalized: false,
  }))
  const byteLevel = { type: 'ByteLevel', add_prefix_space: false, trim_offsets: true, use_regex: true }
  const model = { type: 'BPE', vocab: Object.fromEntries(alphabet.map((sign, id) => [sign, id])), merges: [] }
  const tokenizer = {
    version: '1.0',
    added_tokens: specials,
    normalizer: null,
    post_processor: null,
    pre_tokenizer: byteLevel,
    decoder: byteLevel,
    model,
  }
  fs.mkdirSync(folder, { recursive: true })
  fs.writeFileSync(path.join(folder, 'tokenizer.json'), JSON.stringify(tokenizer))
  fs.writeFileSync(path.join(folder, 'tokenizer_config.json'), JSON.stringify(config))
  return folder
}
