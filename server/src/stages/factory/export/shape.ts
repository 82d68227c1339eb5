import type { DatasetKind, ExportFormat } from '#contracts/entities/dataset.ts'
import type { ChatMessage, PreferenceRow } from '#contracts/entities/example.ts'
import { splitAtAnswer, type DataRow, type LabelledRow, type SftRow } from '../curate/candidate.ts'
import { toAlpaca } from './alpaca.ts'
import type { ShapedRows } from './shaped-rows.ts'
import { toShareGpt } from './sharegpt.ts'

interface Shape {
  kinds: readonly DatasetKind[]
  /** True if the format has a column for `metadata`; else it is written into METADATA_FOLDER. */
  metadata: boolean
  convert(row: DataRow, kind: DatasetKind): ShapedRows
}

/** Contains one line of metadata per row. `datasets` ignores folders with such names, so it can read the export in place. */
export const METADATA_FOLDER = '__metadata__'

const ALL_KINDS: readonly DatasetKind[] = ['sft', 'dpo', 'kto', 'rlvr', 'prompts']
const unchanged = (row: object): ShapedRows => ({ rows: [{ ...row }], losses: [] })
const unchangedConversation = (row: object): ShapedRows => ({ rows: [{ ...row }], losses: weightLosses(row) })

/** `weight` is an OpenAI field; other programs train on those answers too. */
function weightLosses(row: object): string[] {
  const { messages = [], completion = [] } = row as { messages?: readonly ChatMessage[]; completion?: readonly ChatMessage[] }
  const isUnread = [...messages, ...completion].some((message) => message.role === 'assistant' && message.weight === 0)
  return isUnread ? ['answers of weight 0 are trained on by programs that do not read "weight"'] : []
}

/** Each shape follows the documentation of the program that reads it. */
const SHAPES: Record<Exclude<ExportFormat, 'parquet' | 'hf'>, Shape> = {
  nemo: { kinds: ['sft'], metadata: true, convert: unchangedConversation },
  openai: {
    kinds: ['sft', 'dpo'],
    metadata: false,
    convert: (row) => ('messages' in row ? openAiMessages(row as SftRow) : openAiPreference(row as PreferenceRow)),
  },
  trl: { kinds: ALL_KINDS, metadata: false, convert: unchangedConversation },
  'trl-prompt-completion': { kinds: ['sft'], metadata: false, convert: (row) => toPromptCompletion(row as SftRow) },
  'trl-preference': { kinds: ['dpo'], metadata: false, convert: unchanged },
  'trl-unpaired': {
    kinds: ['kto', 'dpo'],
    metadata: false,
    convert: (row, kind) => (kind === 'kto' ? unchanged(row) : toUnpaired(row as PreferenceRow)),
  },
  'trl-prompt-only': { kinds: ALL_KINDS, metadata: false, convert: toPromptOnly },
  sharegpt: { kinds: ['sft'], metadata: false, convert: (row) => toShareGpt(row as SftRow) },
  alpaca: { kinds: ['sft'], metadata: false, convert: (row) => toAlpaca(row as SftRow) },
}

/** Parquet and the Hugging Face folder store rows of any kind unchanged. */
export const shapeOf = (format: ExportFormat): Shape => (format === 'parquet' || format === 'hf' ? SHAPES.trl : SHAPES[format])

/** OpenAI's API takes arguments of calls as JSON text, and its fine-tuning requires an answer at the end. */
function openAiMessages({ messages, tools }: SftRow): ShapedRows {
  const { messages: keptMessages, losses } = upToLastAnswer(messages)
  if (keptMessages.length === 0) return { rows: [], losses: ['left out: no answer'] }
  return { rows: [{ messages: keptMessages.map(withTextArguments), ...(tools.length > 0 && { tools }) }], losses }
}

/** Drops the messages after the last answer. */
function upToLastAnswer(messages: readonly ChatMessage[]): { messages: ChatMessage[]; losses: string[] } {
  const keptMessages = messages.slice(0, messages.findLastIndex(({ role }) => role === 'assistant') + 1)
  return {
    messages: keptMessages,
    losses: keptMessages.length < messages.length ? ['a last prompt or tool result without an answer is left out'] : [],
  }
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

/** The format of OpenAI's direct preference optimisation. */
function openAiPreference({ prompt, chosen, rejected, tools }: PreferenceRow): ShapedRows {
  const [chosenAnswer, rejectedAnswer] = [upToLastAnswer(chosen), upToLastAnswer(rejected)]
  if (chosenAnswer.messages.length === 0 || rejectedAnswer.messages.length === 0) return { rows: [], losses: ['left out: no answer'] }
  const row = {
    input: { messages: prompt.map(withTextArguments), ...(tools.length > 0 && { tools }) },
    preferred_output: chosenAnswer.messages.map(withTextArguments),
    non_preferred_output: rejectedAnswer.messages.map(withTextArguments),
  }
  return { rows: [row], losses: [...new Set([...chosenAnswer.losses, ...rejectedAnswer.losses])] }
}

function toPromptCompletion({ messages, tools }: SftRow): ShapedRows {
  const { prompt, answer: completion } = splitAtAnswer(messages)
  if (completion.length === 0) return { rows: [], losses: ['left out: no answer'] }
  const hasOtherRoles = completion.some(({ role }) => role !== 'assistant')
  return {
    rows: [{ prompt, completion, tools }],
    losses: hasOtherRoles ? ['the completion contains tool results or later prompts, so the model is also trained on them'] : [],
  }
}

const toUnpaired = ({ prompt, chosen, rejected, tools }: PreferenceRow): ShapedRows => ({
  rows: [
    { prompt, completion: chosen, label: true, tools },
    { prompt, completion: rejected, label: false, tools },
  ] satisfies LabelledRow[],
  losses: [],
})

function toPromptOnly(row: DataRow, kind: DatasetKind): ShapedRows {
  if (kind === 'prompts' || kind === 'rlvr') return unchanged(row)
  if (!('messages' in row)) return { rows: [{ prompt: row.prompt, tools: row.tools }], losses: ['answers are left out'] }
  const { messages, tools } = row as SftRow
  return { rows: [{ prompt: splitAtAnswer(messages).prompt, tools }], losses: ['answers are left out'] }
}
