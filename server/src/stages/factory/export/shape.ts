import type { DatasetKind, ExportFormat } from '#contracts/entities/dataset.ts'
import type { ChatMessage, PreferenceRow } from '#contracts/entities/example.ts'
import type { DataRow, LabelledRow, SftRow } from '../curate/candidate.ts'
import { toAlpaca } from './alpaca.ts'
import type { Shaped } from './shaped.ts'
import { toShareGpt } from './sharegpt.ts'

interface Shape {
  kinds: readonly DatasetKind[]
  /** `metadata` is written where the format has a column for it; else it goes to a folder beside. */
  metadata: boolean
  of(row: DataRow, kind: DatasetKind): Shaped
}

/** Folder of what a format has no column for, one line per row. `datasets` reads no folder of such a name, so that it can read the export in place. */
export const BESIDE = '__metadata__'

const ALL: readonly DatasetKind[] = ['sft', 'dpo', 'kto', 'rlvr', 'prompts']
const whole = (row: object): Shaped => ({ rows: [{ ...row }], losses: [] })
const wholeConversation = (row: object): Shaped => ({ rows: [{ ...row }], losses: weightLosses(row) })

/** `weight` is OpenAI's; who does not read it trains on those answers too. */
function weightLosses(row: object): string[] {
  const { messages = [], completion = [] } = row as { messages?: readonly ChatMessage[]; completion?: readonly ChatMessage[] }
  const isUnread = [...messages, ...completion].some((message) => message.role === 'assistant' && message.weight === 0)
  return isUnread ? ['answers of weight 0 are trained on by programs that do not read "weight"'] : []
}

/** experience.md has no say over code: the shapes are those that each consumer documents; tests re-read them with it. */
const SHAPES: Record<Exclude<ExportFormat, 'parquet' | 'hf'>, Shape> = {
  nemo: { kinds: ['sft'], metadata: true, of: wholeConversation },
  openai: {
    kinds: ['sft', 'dpo'],
    metadata: false,
    of: (row) => ('messages' in row ? openAiMessages(row as SftRow) : openAiPreference(row as PreferenceRow)),
  },
  trl: { kinds: ALL, metadata: false, of: wholeConversation },
  'trl-prompt-completion': { kinds: ['sft'], metadata: false, of: (row) => promptCompletion(row as SftRow) },
  'trl-preference': { kinds: ['dpo'], metadata: false, of: whole },
  'trl-unpaired': {
    kinds: ['kto', 'dpo'],
    metadata: false,
    of: (row, kind) => (kind === 'kto' ? whole(row) : unpaired(row as PreferenceRow)),
  },
  'trl-prompt-only': { kinds: ALL, metadata: false, of: promptOnly },
  sharegpt: { kinds: ['sft'], metadata: false, of: (row) => toShareGpt(row as SftRow) },
  alpaca: { kinds: ['sft'], metadata: false, of: (row) => toAlpaca(row as SftRow) },
}

/** Parquet and the Hugging Face folder hold the rows of any kind as they are. */
export const shapeOf = (format: ExportFormat): Shape => (format === 'parquet' || format === 'hf' ? SHAPES.trl : SHAPES[format])

/** OpenAI's API has the arguments of calls as JSON text, and its fine-tuning wants an answer at the end of what is learnt. */
function openAiMessages({ messages, tools }: SftRow): Shaped {
  const { kept, losses } = upToAnswer(messages)
  if (kept.length === 0) return { rows: [], losses: ['left out: no answer'] }
  return { rows: [{ messages: kept.map(withTextArguments), ...(tools.length > 0 && { tools }) }], losses }
}

/** Without what comes behind the last answer. */
function upToAnswer(messages: readonly ChatMessage[]): { kept: ChatMessage[]; losses: string[] } {
  const kept = messages.slice(0, messages.findLastIndex(({ role }) => role === 'assistant') + 1)
  return { kept, losses: kept.length < messages.length ? ['a last prompt or tool result without an answer is left out'] : [] }
}
const withTextArguments = (message: ChatMessage) =>
  message.role === 'assistant' && message.tool_calls
    ? {
        ...message,
        tool_calls: message.tool_calls.map((call) => ({
          ...call,
          function: { ...call.function, arguments: JSON.stringify(call.function.arguments) },
        })),
      }
    : message

/** Direct preference optimisation as OpenAI's fine-tuning takes it. */
function openAiPreference({ prompt, chosen, rejected, tools }: PreferenceRow): Shaped {
  const [one, other] = [upToAnswer(chosen), upToAnswer(rejected)]
  if (one.kept.length === 0 || other.kept.length === 0) return { rows: [], losses: ['left out: no answer'] }
  const row = {
    input: { messages: prompt.map(withTextArguments), ...(tools.length > 0 && { tools }) },
    preferred_output: one.kept.map(withTextArguments),
    non_preferred_output: other.kept.map(withTextArguments),
  }
  return { rows: [row], losses: [...new Set([...one.losses, ...other.losses])] }
}

/** The prompt ends before the first answer; everything from there on is the completion. */
function promptCompletion({ messages, tools }: SftRow): Shaped {
  const first = messages.findIndex(({ role }) => role === 'assistant')
  if (first < 0) return { rows: [], losses: ['left out: no answer'] }
  const completion = messages.slice(first)
  const foreign = completion.some(({ role }) => role !== 'assistant')
  return {
    rows: [{ prompt: messages.slice(0, first), completion, tools }],
    losses: foreign ? ['the completion contains tool results or later prompts, so the model is also trained on them'] : [],
  }
}

const unpaired = ({ prompt, chosen, rejected, tools }: PreferenceRow): Shaped => ({
  rows: [
    { prompt, completion: chosen, label: true, tools },
    { prompt, completion: rejected, label: false, tools },
  ] satisfies LabelledRow[],
  losses: [],
})

function promptOnly(row: DataRow, kind: DatasetKind): Shaped {
  if (kind === 'prompts' || kind === 'rlvr') return whole(row)
  if (!('messages' in row)) return { rows: [{ prompt: row.prompt, tools: row.tools }], losses: ['answers are left out'] }
  const { messages, tools } = row as SftRow
  const first = messages.findIndex(({ role }) => role === 'assistant')
  return { rows: [{ prompt: first < 0 ? messages : messages.slice(0, first), tools }], losses: ['answers are left out'] }
}
