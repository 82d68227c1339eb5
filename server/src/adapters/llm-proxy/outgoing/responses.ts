import { imageData } from './chat.ts'
import { byType, either, fields, isText, keep, list, only, plain, removedText, text } from './shape.ts'

const part = byType(
  {
    input_text: fields({ type: text, text }),
    text: fields({ type: text, text }),
    output_text: fields({ type: text, text }),
    summary_text: fields({ type: text, text }),
    reasoning_text: fields({ type: text, text }),
    refusal: fields({ type: text, refusal: text }),
    input_image: (value, at, removed) => {
      const sent = fields({ type: text, image_url: imageData, detail: plain })(value, at, removed) as Record<string, unknown>
      return sent['image_url'] === undefined ? undefined : sent
    },
  },
  { instead: (type) => ({ type: 'input_text', text: removedText(type) }) },
)
const content = either(isText, text, list(part))
/** Ids are only passed on where a result names its call: an id alone would refer to what the endpoint stored. */
const item = byType(
  {
    message: fields({ type: text, role: text, content, status: text, phase: text, id: text }),
    function_call: fields({ type: text, id: text, call_id: text, name: text, namespace: text, arguments: text, status: text }),
    function_call_output: fields({ type: text, id: text, call_id: text, output: content, status: text }),
    custom_tool_call: fields({ type: text, id: text, call_id: text, name: text, namespace: text, input: text, status: text }),
    custom_tool_call_output: fields({ type: text, id: text, call_id: text, output: content, status: text }),
    reasoning: fields({ type: text, id: text, summary: list(part), content: list(part), encrypted_content: text, status: text }),
  },
  { missing: 'message' },
)
const functionTool = fields({ type: text, name: text, description: text, parameters: keep, strict: plain, defer_loading: plain })
const customTool = fields({ type: text, name: text, description: text, format: keep, defer_loading: plain })
const clientTools = { function: functionTool, custom: customTool }

/** What is sent of a request to the Responses API. Nothing is stored at the endpoint. */
export const responsesRequest = fields({
  model: text,
  input: either(isText, text, list(item)),
  instructions: text,
  tools: list(
    byType({ ...clientTools, namespace: fields({ type: text, name: text, description: text, tools: list(byType(clientTools)) }) }),
  ),
  tool_choice: either(isText, text, byType({ function: fields({ type: text, name: text }), custom: fields({ type: text, name: text }) })),
  parallel_tool_calls: plain,
  max_output_tokens: plain,
  temperature: plain,
  top_p: plain,
  reasoning: fields({ effort: plain, summary: plain }),
  text: fields({ format: keep, verbosity: plain }),
  stream: plain,
  stream_options: fields({ include_obfuscation: plain }),
  include: list(only((value) => value === 'reasoning.encrypted_content' || value === 'message.output_text.logprobs')),
  truncation: plain,
  prompt_cache_key: text,
  store: only((value) => value === false),
})
