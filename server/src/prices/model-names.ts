/** What a Claude model's id says. `version` is `major.minor`. */
interface ClaudeModel {
  family: string
  version: string
  isFast: boolean
}

/** Words in an id that do not change which model it is. */
const MARKS: ReadonlySet<string> = new Set([
  'latest',
  'thinking',
  'default',
  'beta',
  'extended',
  'exacto',
  'high',
  'medium',
  'low',
  'max',
  'xhigh',
])
const FAMILIES: ReadonlySet<string> = new Set(['opus', 'sonnet', 'haiku', 'fable', 'mythos', 'instant'])

/**
 * One name for a model however a cloud or a gateway writes it: `us.anthropic.claude-opus-4-20250514-v1:0` (Bedrock),
 * `claude-opus-4@20250514` (Vertex), `anthropic/claude-opus-4` (OpenRouter), `claude-opus-41` (Copilot), `claude-4-opus`.
 * An id with a word that is not known keeps it, so that it matches no other model.
 */
export function canonicalName(model: string): string {
  const id = model
    .slice(model.lastIndexOf('/') + 1)
    .trim()
    .toLowerCase()
  const claude = claudeModel(id)
  return claude
    ? `claude-${claude.family}-${claude.version}`
    : withoutDate(id.replace(/:(?:thinking|beta|extended|exacto|online|nitro)$/, ''))
}

/** Whether the id is one that a gateway gives to the fast mode of a model. */
export const isFastName = (model: string): boolean => claudeModel(model.toLowerCase())?.isFast ?? false

/** Null if the id is not one of a Claude model with a family and a version. */
export function claudeModel(model: string): ClaudeModel | null {
  const at = model.toLowerCase().indexOf('claude-')
  if (at < 0) return null
  const words = model
    .slice(at + 'claude-'.length)
    .toLowerCase()
    .replace(/\[1m\]|-1m$/g, '')
    .replace(/-v\d+(?::\d+)?(?=$|@)/, '') // a revision of a cloud
    .split(/[-.@:_]/)
  let family: string | null = null
  let isFast = false
  const numbers: string[] = []
  for (const word of words) {
    if (FAMILIES.has(word) && family === null) family = word
    else if (word === 'fast') isFast = true
    else if (/^\d{1,2}$/.test(word)) numbers.push(word)
    else if (!/^(?:20\d{6})?$/.test(word) && !MARKS.has(word)) return null
  }
  const [major, minor = '0', ...more] = numbers.length === 1 && /^[3-9]\d$/.test(numbers[0]!) ? numbers[0]!.split('') : numbers
  return family === null || major === undefined || more.length > 0 ? null : { family, version: `${major}.${minor}`, isFast }
}

/** Without the date of a release or a preview: `gpt-5-2025-08-07`, `gemini-2.5-pro-preview-05-06`. */
const withoutDate = (id: string): string => id.replace(/[-@](?:20\d{6}|20\d\d-\d\d-\d\d|\d{3}|latest|(?:preview|exp)-\d\d-\d{2,4})$/, '')
