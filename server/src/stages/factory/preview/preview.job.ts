import path from 'node:path'
import type { ChatMessage, ToolSchema } from '#contracts/entities/example.ts'
import type { Preview, PreviewPiece } from '#contracts/entities/preview.ts'
import { encoderOf } from './encoder.ts'
import { encodePieces } from './ids.ts'
import { RenderError, renderRow } from './render.ts'
import type { Encoder } from './tokenizer.ts'
import { splitRow, type EncodedRow } from './windows.ts'

export interface PreviewInput {
  /** Folder of the base model's tokenizer; null: estimate. */
  tokenizer: string | null
  /** Overrides the tokenizer's chat template. */
  template?: string | null
  messages: ChatMessage[]
  tools: ToolSchema[]
  /** Training length: a longer row is split. */
  maxTokens: number | null
  /** Index of the row, if the example is split into several. */
  part?: number
}

/** The tokens that the model sees of a row, and which carry loss; or why the row cannot be trained on. */
export default function preview(input: PreviewInput): Preview {
  const { tokenizer, template = null, maxTokens, part: requestedPart = 0 } = input
  try {
    const encoder = encoderOf(tokenizer, template)
    const { rows, leftOut } = maxTokens === null ? { rows: renderWhole(encoder, input), leftOut: [] } : splitRow(encoder, input, maxTokens)
    const part = Math.min(requestedPart, rows.length - 1)
    const shownPieces = (rows[part] ?? []).map(({ ids, trained }) => ({ trained, tokens: withText(encoder, ids) }))
    const count = (pieces: PreviewPiece[]) => pieces.reduce((sum, { tokens }) => sum + tokens.length, 0)
    const [tokens, trained] = [count(shownPieces), count(shownPieces.filter((piece) => piece.trained))]
    const warnings = warningsOf(trained, leftOut, maxTokens)
    const split = { part: Math.max(0, part), parts: rows.length }
    return {
      tokenizer: encoder.name,
      exact: encoder.exact,
      maxTokens,
      ...split,
      pieces: shownPieces,
      tokens,
      trained,
      refused: null,
      warnings,
    }
  } catch (error) {
    if (!(error instanceof RenderError)) throw error
    const name = path.basename(tokenizer ?? '')
    const emptyPreview = { part: 0, parts: 0, pieces: [], tokens: null, trained: null }
    return { tokenizer: name, exact: true, maxTokens, ...emptyPreview, refused: error.message, warnings: [] }
  }
}

function renderWhole(encoder: Encoder, { messages, tools }: Pick<PreviewInput, 'messages' | 'tools'>): EncodedRow[] {
  const { method, conversations } = renderRow(encoder.template(tools.length > 0), { messages, tools })
  const rows = conversations.map((parts): EncodedRow => {
    const ids = encodePieces(encoder, parts.map(({ text }) => text)) // prettier-ignore
    return parts.map(({ trained }, place) => ({ trained, ids: ids[place]! }))
  })
  return method === 'answers' ? rows.filter((row) => row.some(({ trained }) => trained)) : rows
}

/** Shows a character of several tokens at the last of them. */
function withText(encoder: Encoder, ids: number[]): PreviewPiece['tokens'] {
  const tokens: PreviewPiece['tokens'] = []
  let pendingIds: number[] = []
  for (const id of ids) {
    pendingIds.push(id)
    const text = encoder.decode(pendingIds)
    const isPart = text.endsWith('\uFFFD') && pendingIds.length < 8
    tokens.push({ id, text: isPart ? '' : text })
    if (!isPart) pendingIds = []
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
