import { useQuery } from '@tanstack/react-query'
import { api } from '#renderer/api/client.ts'
import { keys } from '#renderer/api/keys.ts'

/** Something that can be previewed: an example under review, or a row of a version. */
export type PreviewOf = { example: string } | { dataset: string; index: number }

export const useTokenizers = () => useQuery({ queryKey: keys.tokenizers, queryFn: ({ signal }) => api.listTokenizers({ signal }) })

/** Examples change under review; rows of a version never do. */
export const usePreview = (row: PreviewOf, tokenizer: string | null, maxTokens: number | null) =>
  useQuery({
    queryKey: ['example' in row ? keys.examples[0] : keys.datasets[0], 'preview', row, tokenizer, maxTokens],
    queryFn: ({ signal }) => api.previewRow({ body: { row, tokenizer, maxTokens }, signal }),
  })
