/** Makers of models, by words in their names. */
const FAMILIES: readonly (readonly [family: string, words: RegExp])[] = [
  ['Claude', /claude|anthropic|fable/i],
  ['GPT', /\bgpt|openai|\bo[134]\b|codex/i],
  ['Gemini', /gemini|gemma|\bpalm/i],
  ['Llama', /llama|nemotron/i],
  ['Qwen', /qwen|qwq/i],
  ['Mistral', /mistral|mixtral|codestral|devstral|ministral/i],
  ['DeepSeek', /deepseek/i],
  ['Phi', /\bphi[-_ ]?\d/i],
  ['GLM', /\bglm/i],
  ['SmolLM', /smollm/i],
]

/** Null if the name tells nothing. */
export const familyOf = (model: string): string | null => FAMILIES.find(([, words]) => words.test(model))?.[0] ?? null

/** A sentence if a model grades answers of its own family, or if that cannot be known. */
export function familyNote(grader: string, writers: readonly string[]): string | null {
  const family = familyOf(grader)
  if (writers.length === 0 || family === null) return null
  if (!writers.some((writer) => familyOf(writer) === family)) return null
  return `${grader} grades answers of its own family (${family}), which models tend to prefer.`
}
