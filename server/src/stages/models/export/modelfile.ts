import { readLinked, readLinkedOrNull } from '#server/foreign/index.ts'

/** A family of chat templates for Ollama: the turns in Ollama's template language, and where an answer ends. */
interface Family {
  /** Marks in the Jinja template that identify it. */
  marks: readonly string[]
  /** `opening`: the text before each new answer. */
  template: (opening: string) => string
  stops: readonly string[]
}

const TOOLS_OF_QWEN = `{{ if .Tools }}

# Tools

You may call one or more functions to assist with the user query.

You are provided with function signatures within <tools></tools> XML tags:
<tools>{{ range .Tools }}
{{ . }}{{ end }}
</tools>

For each function call, return a json object with function name and arguments within <tool_call></tool_call> XML tags:
<tool_call>
{"name": <function-name>, "arguments": <args-json-object>}
</tool_call>{{ end }}`

const chatMl = (tools: boolean, opening: string): string => {
  const system = tools
    ? `{{- if or .System .Tools }}<|im_start|>system\n{{ .System }}${TOOLS_OF_QWEN}<|im_end|>\n{{ end }}`
    : '{{- if .System }}<|im_start|>system\n{{ .System }}<|im_end|>\n{{ end }}'
  const calls = tools
    ? '{{ range .ToolCalls }}\n<tool_call>\n{"name": "{{ .Function.Name }}", "arguments": {{ .Function.Arguments }}}\n</tool_call>{{ end }}'
    : ''
  const result = tools ? '{{ else if eq .Role "tool" }}<|im_start|>user\n<tool_response>\n{{ .Content }}\n</tool_response><|im_end|>\n' : ''
  return `${system}{{ range $index, $message := .Messages }}{{ $last := eq (len (slice $.Messages $index)) 1 }}{{ with $message }}{{ if eq .Role "user" }}<|im_start|>user
{{ .Content }}<|im_end|>
{{ else if eq .Role "assistant" }}<|im_start|>assistant
{{ .Content }}${calls}<|im_end|>
${result}{{ end }}{{ end }}{{ if and (ne $message.Role "assistant") $last }}<|im_start|>assistant
${opening}{{ end }}{{ end }}`
}

/** Empty thinking, which opens an answer if thinking is off. */
const NO_THOUGHT = '<think>\n\n</think>\n\n'

const FAMILIES: readonly Family[] = [
  {
    marks: ['<|im_start|>', '<tool_call>', '<tools>'],
    template: (opening) => chatMl(true, opening),
    stops: ['<|im_end|>', '<|im_start|>'],
  },
  { marks: ['<|im_start|>'], template: (opening) => chatMl(false, opening), stops: ['<|im_end|>', '<|im_start|>'] },
  {
    marks: ['<|start_header_id|>'],
    template: () => `{{- if .System }}<|start_header_id|>system<|end_header_id|>

{{ .System }}<|eot_id|>{{ end }}{{ range .Messages }}<|start_header_id|>{{ .Role }}<|end_header_id|>

{{ .Content }}<|eot_id|>{{ end }}<|start_header_id|>assistant<|end_header_id|>

`,
    stops: ['<|eot_id|>', '<|start_header_id|>'],
  },
]

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

/**
 * A Modelfile for a GGUF. For a known family of templates it contains the template in Ollama's language. Otherwise Ollama
 * uses the template in the GGUF file.
 */
export function modelfileOf(options: { gguf: string; name: string; template: ReturnType<typeof templateOf> }): string {
  const { gguf, name, template } = options
  const family = FAMILIES.find(({ marks }) => marks.every((mark) => template.jinja?.includes(mark)))
  const opening = !template.thinks && template.jinja?.includes('<think>') ? NO_THOUGHT : ''
  const stops = [...new Set([...(template.end === null ? [] : [template.end]), ...(family?.stops ?? [])])]
  return `${[
    `# ${name.replaceAll(/[\r\n]+/g, ' ')}`,
    `FROM ${/\s/.test(gguf) ? JSON.stringify(gguf) : gguf}`,
    family ? `TEMPLATE """${family.template(opening)}"""` : '# The chat template is the one in the GGUF file.',
    ...stops.map((stop) => `PARAMETER stop ${JSON.stringify(stop)}`),
  ].join('\n')}\n`
}

const MAX_TEXT_BYTES = 32 * 1024 * 1024

function documentOf(folder: string, name: string): Record<string, unknown> {
  try {
    return JSON.parse(readLinked(folder, name, MAX_TEXT_BYTES)) as Record<string, unknown>
  } catch {
    return {}
  }
}
