import { byType, either, fields, isObject, isText, keep, list, only, plain, removedText, type Rule, text, typeIn } from './shape.ts'

/** A longer lifetime costs more, so it is not passed on. */
const cache_control = fields({ type: only((value) => value === 'ephemeral') })
const instead = (type: string) => ({ type: 'text', text: removedText(type) })

const base64 = { type: text, media_type: text, data: text }
const textBlock = fields({ type: text, text, cache_control })
/** A source with an address or a file id would be fetched by the endpoint. */
const image: Rule = (value, at, removed) => {
  const block = imageFields(value, at, removed) as Record<string, unknown>
  return block['source'] === undefined ? undefined : block
}
const imageFields = fields({ type: text, source: byType({ base64: fields(base64) }), cache_control })
const inner = either(isText, text, list(byType({ text: textBlock, image }, { instead })))
const document: Rule = (value, at, removed) => {
  const block = documentFields(value, at, removed) as Record<string, unknown>
  return block['source'] === undefined ? undefined : block
}
const documentFields = fields({
  type: text,
  source: byType({ base64: fields(base64), text: fields(base64), content: fields({ type: text, content: inner }) }),
  title: text,
  context: text,
  citations: fields({ enabled: plain }),
  cache_control,
})
const tool_reference = fields({ type: text, tool_name: text, cache_control })
const tool_result = fields({
  type: text,
  tool_use_id: text,
  is_error: plain,
  content: either(isText, text, list(byType({ text: textBlock, image, document, tool_reference }, { instead }))),
  cache_control,
})

const content = either(
  isText,
  text,
  list(
    byType(
      {
        text: textBlock,
        image,
        document,
        tool_result,
        tool_use: fields({ type: text, id: text, name: text, input: keep, cache_control }),
        thinking: fields({ type: text, thinking: text, signature: text }),
        redacted_thinking: fields({ type: text, data: text }),
      },
      { instead },
    ),
  ),
)

const effort = fields({ effort: plain })
/** Only tools that the client runs: they have a schema, and no type of the endpoint's own. */
const tool = byType(
  {
    custom: (value, at, removed) =>
      isObject(value) && isObject(value['input_schema']) ? toolFields(value, 'tools', removed) : removed(at),
  },
  { missing: 'custom' },
)
const toolFields = fields({
  type: text,
  name: text,
  description: text,
  input_schema: keep,
  input_examples: keep,
  strict: plain,
  defer_loading: plain,
  eager_input_streaming: plain,
  cache_control,
})

/** What is sent of a request to the Messages API. */
export const messagesRequest = fields({
  model: text,
  messages: list(fields({ role: text, content, output_config: effort })),
  system: either(isText, text, list(byType({ text: textBlock }, { instead }))),
  tools: list(tool),
  tool_choice: fields({ type: text, name: text, disable_parallel_tool_use: plain }),
  max_tokens: plain,
  thinking: fields({ type: text, budget_tokens: plain, display: plain }),
  temperature: plain,
  top_p: plain,
  top_k: plain,
  stop_sequences: list(text),
  stream: plain,
  output_config: fields({ effort: plain, format: keep }),
  output_format: keep,
  context_management: fields({
    edits: list((edit, at, removed) =>
      // others let the endpoint run a further, separately counted request
      /^clear_(?:thinking|tool_uses)_\d+$/.test(typeIn(edit) ?? '') ? edit : removed(`${at}: ${typeIn(edit)}`),
    ),
  }),
  cache_control,
})
