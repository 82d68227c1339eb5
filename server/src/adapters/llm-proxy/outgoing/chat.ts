import { byType, either, fields, isText, keep, list, only, plain, removedText, text } from './shape.ts'

const cache_control = fields({ type: only((value) => value === 'ephemeral') })
const instead = (type: string) => ({ type: 'text', text: removedText(type) })
/** An image in the request itself; the endpoint would fetch any other address. */
export const imageData = only((value) => isText(value) && /^data:image\/[\w.+-]+;base64,/i.test(value))

const image_url = fields({ url: imageData, detail: plain })
const parts = list(
  byType(
    {
      text: fields({ type: text, text, cache_control }),
      refusal: fields({ type: text, refusal: text }),
      image_url: (part, at, removed) => {
        const sent = fields({ type: text, image_url, cache_control })(part, at, removed) as { image_url?: { url?: string } }
        return sent.image_url?.url === undefined ? undefined : sent
      },
    },
    { instead },
  ),
)
const called = fields({ name: text, arguments: text, input: text })
const call = fields({
  id: text,
  type: only((type) => type === 'function' || type === 'custom'),
  index: plain,
  function: called,
  custom: called,
})

const tool = byType({
  function: fields({ type: text, function: fields({ name: text, description: text, parameters: keep, strict: plain }), cache_control }),
  custom: fields({ type: text, custom: fields({ name: text, description: text, format: keep }) }),
})
const chosen = fields({ name: text })

/** Others, as `chat_template`, could replace the template: a few bytes would make any number of input tokens. */
const templateSwitches = fields({
  enable_thinking: plain,
  thinking: plain,
  preserve_thinking: plain,
  clear_thinking: plain,
  thinking_budget: plain,
  reasoning_effort: plain,
  add_generation_prompt: plain,
})

/** What is sent of a request to the chat completions API. */
export const chatRequest = fields({
  model: text,
  messages: list(
    fields({
      role: text,
      content: either((value) => isText(value) || value === null, keep, parts),
      name: text,
      tool_calls: list(call),
      tool_call_id: text,
      reasoning_content: text,
      reasoning: text,
      refusal: text,
      cache_control,
    }),
  ),
  tools: list(tool),
  tool_choice: either(isText, text, byType({ function: fields({ type: text, function: chosen }), custom: fields({ type: text, custom: chosen }) })), // prettier-ignore
  parallel_tool_calls: plain,
  max_tokens: plain,
  max_completion_tokens: plain,
  n: plain,
  temperature: plain,
  top_p: plain,
  top_k: plain,
  min_p: plain,
  seed: plain,
  stop: either(isText, text, list(text)),
  stream: plain,
  stream_options: fields({ include_usage: plain }),
  response_format: keep,
  reasoning_effort: text,
  verbosity: text,
  presence_penalty: plain,
  frequency_penalty: plain,
  repetition_penalty: plain,
  logit_bias: keep,
  logprobs: plain,
  top_logprobs: plain,
  chat_template_kwargs: templateSwitches,
  prompt_cache_key: text,
})
