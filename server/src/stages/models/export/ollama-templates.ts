/** Templates in Ollama's language (Go's text/template). Each writes what one family of chat templates writes; `ollama-family.ts` checks that. */

/** What differs between the templates of the ChatML kind. */
export interface ChatMl {
  /** What is written if there is no system prompt; null: nothing. */
  defaultSystem: string | null
  /** The text around the list of tools; null if the template has no tools. */
  tools: { head: string; tail: string } | null
  /** Results of parallel calls share one turn. */
  sharesResults: boolean
  /** The text that opens each new answer, behind the mark of the turn. */
  opening: string
  /** Thoughts of answers after the last prompt are written. */
  thinks: boolean
  /** Tools follow the system prompt directly, or this text if there is none. */
  end: string
}

/** The newline after an action is text, so that each line here ends where the prompt's line ends. */
export function chatMlTemplate({ defaultSystem, tools, sharesResults, opening, thinks, end }: ChatMl): string {
  const lead = `{{ if .System }}{{ .System }}\n\n${defaultSystem === null ? '' : `{{ else }}${defaultSystem}\n\n`}{{ end }}`
  const toolsPart = tools
    ? `{{ if .Tools }}<|im_start|>system\n${lead}${tools.head}{{ range .Tools }}\n{{ . }}{{ end }}${tools.tail}${end}\n{{ else if .System }}`
    : '{{ if .System }}'
  const system = `${toolsPart}<|im_start|>system\n{{ .System }}${end}\n${defaultSystem === null ? '' : `{{ else }}<|im_start|>system\n${defaultSystem}${end}\n`}{{ end }}`
  const calls = `{{ range $number, $call := $message.ToolCalls }}{{ if or $message.Content $number }}\n{{ end }}<tool_call>\n{"name": "{{ $call.Function.Name }}", "arguments": {{ $call.Function.Arguments }}}\n</tool_call>{{ end }}`
  const thoughts = thinks ? `{{ if and $message.Thinking (gt $index $prompt) }}<think>\n{{ $message.Thinking }}\n</think>\n\n{{ end }}` : ''
  const result = sharesResults
    ? `{{ if ne $role "tool" }}<|im_start|>user{{ end }}\n<tool_response>\n{{ $message.Content }}\n</tool_response>`
    : `<|im_start|>user\n<tool_response>\n{{ $message.Content }}\n</tool_response>${end}\n`
  const closeResults = sharesResults ? `{{ if and (eq $role "tool") (ne $message.Role "tool") }}${end}\n{{ end }}` : ''
  const closeLast = sharesResults ? `{{ if eq $role "tool" }}${end}\n{{ end }}` : ''
  const findPrompt = thinks
    ? '{{- $prompt := -1 }}{{ range $index, $message := .Messages }}{{ if eq $message.Role "user" }}{{ $prompt = $index }}{{ end }}{{ end }}'
    : ''
  return [
    findPrompt,
    `{{- $role := "" }}`,
    system,
    '{{ range $index, $message := .Messages }}',
    closeResults,
    `{{ if eq $message.Role "user" }}<|im_start|>user\n{{ $message.Content }}${end}\n`,
    `{{ else if eq $message.Role "assistant" }}<|im_start|>assistant\n${thoughts}{{ $message.Content }}${tools ? calls : ''}`,
    `{{ if gt (len (slice $.Messages $index)) 1 }}${end}\n{{ end }}`,
    ...(tools ? [`{{ else if eq $message.Role "tool" }}${result}`] : []),
    '{{ end }}{{ $role = $message.Role }}{{ end }}',
    tools ? closeLast : '',
    `{{ if ne $role "assistant" }}<|im_start|>assistant\n${opening}{{ end }}`,
  ].join('')
}

const header = (role: string) => `<|start_header_id|>${role}<|end_header_id|>\n\n`

/** Llama 3.1 and 3.2: the tools are in the first prompt, results are JSON text, and the text beside a call is left out. */
export const llamaTemplate = ({ head, date }: { head: string; date: string }): string =>
  [
    `{{- $role := "" }}{{- $isAsked := false }}`,
    `${header('system')}{{ if .Tools }}Environment: ipython\n{{ end }}Cutting Knowledge Date: December 2023\nToday Date: ${date}\n\n{{ .System }}<|eot_id|>`,
    '{{ range $index, $message := .Messages }}',
    `{{ if eq $message.Role "user" }}${header('user')}{{ if and $.Tools (not $isAsked) }}${head}{{ range $.Tools }}{{ . }}\n\n{{ end }}{{ end }}{{ $isAsked = true }}{{ $message.Content }}<|eot_id|>`,
    `{{ else if and (eq $message.Role "assistant") $message.ToolCalls }}{{ range $message.ToolCalls }}${header('assistant')}{"name": "{{ .Function.Name }}", "parameters": {{ .Function.Arguments }}}<|eot_id|>{{ end }}`,
    `{{ else if eq $message.Role "assistant" }}${header('assistant')}{{ $message.Content }}{{ if gt (len (slice $.Messages $index)) 1 }}<|eot_id|>{{ end }}`,
    `{{ else if eq $message.Role "tool" }}${header('ipython')}{{ printf "%q" $message.Content }}<|eot_id|>`,
    '{{ end }}{{ $role = $message.Role }}{{ end }}',
    `{{ if ne $role "assistant" }}${header('assistant')}{{ end }}`,
  ].join('')
