import { z } from 'zod'

/** A part of the rendered text, as tokens. A character of several tokens belongs to the last token. */
export const PreviewPiece = z.object({
  trained: z.boolean().meta({ description: 'true if the loss includes its tokens' }),
  tokens: z.array(z.object({ id: z.number().int(), text: z.string() })),
})
export type PreviewPiece = z.infer<typeof PreviewPiece>

/** A row as a base model will see it. `exact` is false for an estimate with another tokenizer. */
export const Preview = z
  .object({
    tokenizer: z.string(),
    exact: z.boolean(),
    maxTokens: z.number().int().nullable(),
    part: z.number().int().meta({ description: 'number of the part, from 0, if the row is split at maxTokens' }),
    parts: z.number().int(),
    pieces: z.array(PreviewPiece),
    tokens: z.number().int().nullable(),
    trained: z.number().int().nullable().meta({ description: 'number of tokens in the loss' }),
    refused: z.string().nullable().meta({ description: 'why the row cannot be trained on' }),
    warnings: z.array(z.string()),
  })
  .meta({ id: 'Preview' })
export type Preview = z.infer<typeof Preview>

/** A tokenizer found on this machine. `path` is its folder. */
export const KnownTokenizer = z
  .object({
    name: z.string(),
    path: z.string(),
    from: z.enum(['setting', 'hub-cache', 'models']),
    hasTemplate: z.boolean(),
    problem: z.string().nullable(),
  })
  .meta({ id: 'KnownTokenizer' })
export type KnownTokenizer = z.infer<typeof KnownTokenizer>

/** Lengths of the rows of a data set in tokens, in bins of `width`. */
export const LengthReport = z
  .object({
    tokenizer: z.string(),
    exact: z.boolean(),
    rows: z.number().int(),
    width: z.number().int(),
    bins: z.array(z.object({ from: z.number().int(), rows: z.number().int() })),
    total: z.number().int(),
    trained: z.number().int(),
    p50: z.number().int(),
    p90: z.number().int(),
    p99: z.number().int(),
    max: z.number().int(),
    maxTokens: z.number().int().nullable(),
    truncated: z.number().int().nullable().meta({ description: 'rows longer than maxTokens, which are split' }),
    refused: z.array(z.object({ reason: z.string(), rows: z.number().int(), firstRow: z.number().int() })),
  })
  .meta({ id: 'LengthReport' })
export type LengthReport = z.infer<typeof LengthReport>
