import type { ChatMessage, ToolSchema } from '#contracts/entities/example.ts'
import { renderPrompt } from '#server/stages/factory/preview/measuring.ts'
import { type ChatMl, chatMlTemplate, llamaTemplate } from './ollama-templates.ts'

export interface Conversation {
  messages: ChatMessage[]
  tools: ToolSchema[]
}

/** How Ollama is told to write a model's prompts. */
export type OllamaWay =
  | { kind: 'template'; template: string; stops: readonly string[] }
  /** A program inside Ollama that writes this family's prompts and reads its calls. */
  | { kind: 'renderer'; name: string; stops: readonly string[] }
  | { kind: 'none'; reason: string }

const BASH: ToolSchema = {
  type: 'function',
  function: { name: 'Bash', description: 'Runs it.', parameters: { type: 'object', properties: { command: { type: 'string' } } } },
}
const call = (id: string, command: string) => ({ id, type: 'function' as const, function: { name: 'Bash', arguments: { command } } })
const result = (id: string, content: string): ChatMessage => ({ role: 'tool', tool_call_id: id, name: 'Bash', content })

/** Conversations by which a chat template is recognised. `parallel`: not every family can write it. */
export const PROBES = {
  plain: {
    messages: [
      { role: 'user', content: 'Hello' },
      { role: 'assistant', content: 'Hi.' },
      { role: 'user', content: 'Again' },
    ],
    tools: [],
  },
  system: {
    messages: [
      { role: 'system', content: 'Be short.' },
      { role: 'user', content: 'Hello' },
    ],
    tools: [],
  },
  asked: { messages: [{ role: 'user', content: 'List' }], tools: [BASH] },
  calls: {
    messages: [
      { role: 'system', content: 'Be short.' },
      { role: 'user', content: 'List' },
      { role: 'assistant', content: '', tool_calls: [call('c1', 'ls')] },
      result('c1', 'a "b"\nc'),
      { role: 'assistant', content: 'Listed.' },
      { role: 'user', content: 'Again' },
      { role: 'assistant', content: '', tool_calls: [call('c2', 'pwd')] },
      result('c2', '/'),
    ],
    tools: [BASH],
  },
  parallel: {
    messages: [
      { role: 'user', content: 'Both' },
      { role: 'assistant', content: 'I look.', tool_calls: [call('c1', 'cat a'), call('c2', 'cat b')] },
      result('c1', 'alpha'),
      result('c2', 'beta'),
    ],
    tools: [BASH],
  },
} satisfies Record<string, Conversation>
type Probe = keyof typeof PROBES

const QWEN_TOOLS = {
  head: '# Tools\n\nYou may call one or more functions to assist with the user query.\n\nYou are provided with function signatures within <tools></tools> XML tags:\n<tools>',
  tail: '\n</tools>\n\nFor each function call, return a json object with function name and arguments within <tool_call></tool_call> XML tags:\n<tool_call>\n{"name": <function-name>, "arguments": <args-json-object>}\n</tool_call>',
}
/** Of `bashgym_trainers/chatml.jinja`. */
const OUR_TOOLS = {
  head: '# Tools\n\nThe functions that can be called stand within <tools></tools>:\n<tools>',
  tail: '\n</tools>\n\nA call is a JSON object with name and arguments within <tool_call></tool_call>:\n<tool_call>\n{"name": <name>, "arguments": <object>}\n</tool_call>',
}
const LLAMA_HEAD =
  'Given the following functions, please respond with a JSON for a function call with its proper arguments that best answers the given prompt.\n\nRespond in the format {"name": function name, "parameters": dictionary of argument name and its value}.Do not use variables.\n\n'
/** What Llama's templates write if they are given no date. */
const LLAMA_DATE = '26 Jul 2024'

/** Python's JSON: a space behind each comma and colon. */
export const pythonJson = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(pythonJson).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  return `{${Object.entries(value).map(([name, inner]) => `${JSON.stringify(name)}: ${pythonJson(inner)}`).join(', ')}}` // prettier-ignore
}

/** What a family of the ChatML kind writes. */
function chatMlText({ defaultSystem, tools: words, sharesResults, opening, end }: ChatMl, { messages, tools }: Conversation): string {
  const [first] = messages
  const system = first?.role === 'system' ? first.content : defaultSystem
  const turn = (role: string, text: string) => `<|im_start|>${role}\n${text}${end}\n`
  const lead = system === null ? '' : `${system}\n\n`
  const parts = [
    tools.length > 0 && words
      ? turn('system', `${lead}${words.head}${tools.map((tool) => `\n${pythonJson(tool)}`).join('')}${words.tail}`)
      : system === null
        ? ''
        : turn('system', system),
  ]
  for (const [at, message] of messages.entries()) {
    if (message.role === 'user') parts.push(turn('user', message.content))
    else if (message.role === 'assistant') {
      const calls = (message.tool_calls ?? []).map(({ function: { name, arguments: args } }) => `<tool_call>\n{"name": "${name}", "arguments": ${pythonJson(args)}}\n</tool_call>`) // prettier-ignore
      parts.push(turn('assistant', [...(message.content === '' ? [] : [message.content]), ...calls].join('\n')))
    } else if (message.role === 'tool') {
      const written = `\n<tool_response>\n${message.content}\n</tool_response>`
      const isFirst = !sharesResults || messages[at - 1]?.role !== 'tool'
      const isLast = !sharesResults || messages[at + 1]?.role !== 'tool'
      parts.push(`${isFirst ? '<|im_start|>user' : ''}${written}${isLast ? `${end}\n` : ''}`)
    }
  }
  return `${parts.join('')}<|im_start|>assistant\n${opening}`
}

function llamaText({ messages, tools }: Conversation): string {
  const turn = (role: string, text: string) => `<|start_header_id|>${role}<|end_header_id|>\n\n${text}<|eot_id|>`
  const [first] = messages
  const environment = tools.length > 0 ? 'Environment: ipython\n' : ''
  const system = first?.role === 'system' ? first.content : ''
  const head = tools.length > 0 ? `${LLAMA_HEAD}${tools.map((tool) => `${JSON.stringify(tool, null, 4)}\n\n`).join('')}` : ''
  const asked = messages.findIndex(({ role }) => role === 'user')
  const turns = messages.flatMap((message, at) => {
    if (message.role === 'user') return [turn('user', `${at === asked ? head : ''}${message.content}`)]
    if (message.role === 'tool') return [turn('ipython', JSON.stringify(message.content))]
    if (message.role !== 'assistant') return []
    const calls = message.tool_calls ?? []
    if (calls.length === 0) return [turn('assistant', message.content)]
    return calls.map(({ function: { name, arguments: args } }) => turn('assistant', `{"name": "${name}", "parameters": ${pythonJson(args)}}`)) // prettier-ignore
  })
  const date = `Cutting Knowledge Date: December 2023\nToday Date: ${LLAMA_DATE}\n\n`
  return `${turn('system', `${environment}${date}${system}`)}${turns.join('')}<|start_header_id|>assistant<|end_header_id|>\n\n`
}

interface Family {
  probes: readonly Probe[]
  text: (conversation: Conversation) => string
  template: string
  stops: readonly string[]
}

interface Template {
  jinja: string
  plain: string
  /** It writes the tools that it is given. */
  writesTools: boolean
  end: string
  thinks: boolean
}

const chatMl = (options: ChatMl, probes: readonly Probe[]): Family => ({
  probes,
  text: (conversation) => chatMlText(options, conversation),
  template: chatMlTemplate(options),
  stops: [options.end, '<|im_start|>'],
})

/** The families that a template may belong to. `plain`: what it writes for the probe without system prompt and tools. */
function familiesFor({ jinja, plain, writesTools, end, thinks }: Template): Family[] {
  if (jinja.includes('<|start_header_id|>'))
    return [
      {
        probes: ['plain', 'system', 'asked', 'calls'],
        text: llamaText,
        template: llamaTemplate({ head: LLAMA_HEAD, date: LLAMA_DATE }),
        stops: ['<|eot_id|>', '<|eom_id|>', '<|start_header_id|>'],
      },
    ]
  const defaultSystem = /^<\|im_start\|>system\n([^]*?)<\|im_end\|>\n<\|im_start\|>user\n/.exec(plain)?.[1] ?? null
  const hasThoughts = jinja.includes('<think>')
  const opening = hasThoughts && !thinks ? NO_THOUGHT : ''
  const all = Object.keys(PROBES) as Probe[]
  return [
    chatMl({ defaultSystem, tools: QWEN_TOOLS, sharesResults: true, opening, thinks: hasThoughts, end }, all),
    chatMl({ defaultSystem, tools: OUR_TOOLS, sharesResults: false, opening, thinks: false, end }, all),
    ...(writesTools
      ? []
      : [chatMl({ defaultSystem, tools: null, sharesResults: false, opening, thinks: false, end }, ['plain', 'system'])]),
  ]
}

/** Empty thinking, which opens an answer if thinking is off. */
const NO_THOUGHT = '<think>\n\n</think>\n\n'

/** Families that programs inside Ollama write, by marks of their chat templates. */
const RENDERERS: readonly { marks: readonly string[]; name: string; stops: readonly string[] }[] = [
  { marks: ['<function=', '<parameter=', 'truncate_history_thinking'], name: 'nemotron-3-nano', stops: ['<|im_end|>'] },
  { marks: ['<function=', '<parameter=', 'You are Qwen, a helpful AI assistant'], name: 'qwen3-coder', stops: ['<|im_end|>'] },
]

/**
 * How Ollama writes what a chat template writes: by a template that gives the same text for all probes, else by a program of its
 * own. White space inside JSON differs: Ollama writes none. `jinja`: null if the model has no template.
 */
export function ollamaWayOf({ jinja, end, thinks }: { jinja: string | null; end: string | null; thinks: boolean }): OllamaWay {
  if (jinja === null) return { kind: 'none', reason: 'The model has no chat template.' }
  const write = (probe: Probe) => renderPrompt({ source: jinja, eos: end ?? '', thinking: thinks }, PROBES[probe])
  const plain = write('plain')
  const writesTools = write('asked')?.includes(BASH.function.name) ?? false
  if (plain !== null)
    for (const { probes, text, template, stops } of familiesFor({ jinja, plain, writesTools, end: end ?? '<|im_end|>', thinks }))
      if (probes.every((probe) => withFixedDate(write(probe)) === text(PROBES[probe]))) return { kind: 'template', template, stops }
  const renderer = RENDERERS.find(({ marks }) => marks.every((mark) => jinja.includes(mark)))
  if (renderer) return { kind: 'renderer', name: renderer.name, stops: renderer.stops }
  return { kind: 'none', reason: 'No template in the language of Ollama writes what this model was trained with.' }
}

/** Llama 3.2 writes today's date, which Ollama's language cannot. */
const withFixedDate = (text: string | null): string | null => text?.replace(/(?<=^Today Date: ).*$/m, LLAMA_DATE) ?? null
