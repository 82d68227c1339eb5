import path from 'node:path'
import type { ChatMessage, ToolSchema } from '#contracts/entities/example.ts'
import type { Preview, PreviewPiece } from '#contracts/entities/preview.ts'
import { encoderOf } from './encoder.ts'
import { pieces, RenderError } from './render.ts'
import type { Encoder } from './tokenizer.ts'

export interface PreviewInput {
  /** Folder of the base model's tokenizer; null: estimate. */
  tokenizer: string | null
  messages: ChatMessage[]
  tools: ToolSchema[]
  /** Training length: what lies behind is cut off by the trainer. */
  maxTokens: number | null
}

/** What the model will see of a row, and which tokens carry loss; of a row that cannot be trained on, why. */
export default function preview(input: PreviewInput): Preview {
  const { tokenizer, maxTokens } = input
  try {
    const encoder = encoderOf(tokenizer)
    const shown = tokenized(encoder, input)
    const count = (some: PreviewPiece[]) => some.reduce((sum, { tokens }) => sum + tokens.length, 0)
    const [tokens, trained] = [count(shown), count(shown.filter((piece) => piece.trained))]
    const warnings = warningsOf(shown, tokens, trained, maxTokens)
    return { tokenizer: encoder.name, exact: encoder.exact, maxTokens, pieces: shown, tokens, trained, refused: null, warnings }
  } catch (error) {
    if (!(error instanceof RenderError)) throw error
    const name = path.basename(tokenizer ?? '')
    return { tokenizer: name, exact: true, maxTokens, pieces: [], tokens: null, trained: null, refused: error.message, warnings: [] }
  }
}

/** Each piece tokenized alone, as at inference: there the prompt is given first, and the model continues behind it. */
export function tokenized(encoder: Encoder, { messages, tools }: Pick<PreviewInput, 'messages' | 'tools'>): PreviewPiece[] {
  return pieces(encoder.template(tools.length > 0), { messages, tools }).map(({ text, trained }) => ({
    trained,
    tokens: withText(encoder, encoder.encode(text)),
  }))
}

/** A character of several tokens stands with the last of them. */
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

function warningsOf(shown: PreviewPiece[], tokens: number, trained: number, maxTokens: number | null): string[] {
  const warnings: string[] = []
  if (trained === 0) warnings.push('No token of this row is trained on: it has no assistant message with content.')
  if (maxTokens !== null && tokens > maxTokens) {
    let at = 0
    let lost = 0
    for (const piece of shown) {
      if (piece.trained) lost += Math.max(0, at + piece.tokens.length - Math.max(at, maxTokens))
      at += piece.tokens.length
    }
    warnings.push(
      lost === trained
        ? `All ${trained} trained tokens are beyond the max length of ${maxTokens}, so the model would learn nothing from this row.`
        : `${tokens - maxTokens} of ${tokens} tokens are beyond the max length of ${maxTokens}; ${lost} of them are trained tokens.`,
    )
  }
  return warnings
}
