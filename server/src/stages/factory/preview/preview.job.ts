import path from 'node:path'
import type { ChatMessage, ToolSchema } from '#contracts/entities/example.ts'
import type { Preview, PreviewPiece } from '#contracts/entities/preview.ts'
import { encoderOf } from './encoder.ts'
import { encodePieces } from './ids.ts'
import { RenderError, write } from './render.ts'
import type { Encoder } from './tokenizer.ts'
import { splitRow, type EncodedRow } from './windows.ts'

export interface PreviewInput {
  /** Folder of the base model's tokenizer; null: estimate. */
  tokenizer: string | null
  /** Instead of its own chat template. */
  template?: string | null
  messages: ChatMessage[]
  tools: ToolSchema[]
  /** Training length: a longer row is split. */
  maxTokens: number | null
  /** Which of its rows, from 0. */
  part?: number
}

/** What the model will see of a row, and which tokens carry loss; of a row that cannot be trained on, why. */
export default function preview(input: PreviewInput): Preview {
  const { tokenizer, template = null, maxTokens, part: wanted = 0 } = input
  try {
    const encoder = encoderOf(tokenizer, template)
    const { rows, leftOut } = maxTokens === null ? { rows: whole(encoder, input), leftOut: [] } : splitRow(encoder, input, maxTokens)
    const part = Math.min(wanted, rows.length - 1)
    const shown = (rows[part] ?? []).map(({ ids, trained }) => ({ trained, tokens: withText(encoder, ids) }))
    const count = (some: PreviewPiece[]) => some.reduce((sum, { tokens }) => sum + tokens.length, 0)
    const [tokens, trained] = [count(shown), count(shown.filter((piece) => piece.trained))]
    const warnings = warningsOf(trained, leftOut, maxTokens)
    const split = { part: Math.max(0, part), parts: rows.length }
    return { tokenizer: encoder.name, exact: encoder.exact, maxTokens, ...split, pieces: shown, tokens, trained, refused: null, warnings }
  } catch (error) {
    if (!(error instanceof RenderError)) throw error
    const name = path.basename(tokenizer ?? '')
    const nothing = { part: 0, parts: 0, pieces: [], tokens: null, trained: null }
    return { tokenizer: name, exact: true, maxTokens, ...nothing, refused: error.message, warnings: [] }
  }
}

function whole(encoder: Encoder, { messages, tools }: Pick<PreviewInput, 'messages' | 'tools'>): EncodedRow[] {
  const { means, conversations } = write(encoder.template(tools.length > 0), { messages, tools })
  const rows = conversations.map((parts): EncodedRow => {
    const ids = encodePieces(encoder, parts.map(({ text }) => text)) // prettier-ignore
    return parts.map(({ trained }, place) => ({ trained, ids: ids[place]! }))
  })
  return means === 'answers' ? rows.filter((row) => row.some(({ trained }) => trained)) : rows
}

/** A character of several tokens belongs to the last of them. */
function withText(encoder: Encoder, ids: number[]): PreviewPiece['tokens'] {
  const tokens: PreviewPiece['tokens'] = []
  let open: number[] = []
  for (const id of ids) {
    open.push(id)
    const text = encoder.decode(open)
    const isPart = text.endsWith('\uFFFD') && open.length < 8
    tokens.push({ id, text: isPart ? '' : text })
    if (!isPart) open = []
  }
  return tokens
}

function warningsOf(trained: number, leftOut: number[], maxTokens: number | null): string[] {
  const lost = leftOut.reduce((sum, tokens) => sum + tokens, 0)
  if (lost > 0) {
    const answers = leftOut.length === 1 ? '1 answer does' : `${leftOut.length} answers do`
    return [
      `${answers} not fit into ${maxTokens} tokens with the prompt and will be left out, with ${lost} trained tokens. Raise the max length.`,
    ]
  }
  return trained === 0 ? ['No token of this row is trained on: it has no assistant message with content.'] : []
}
