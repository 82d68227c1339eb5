import { useQuery } from '@tanstack/react-query'
import { api } from '#renderer/api/client.ts'
import { datasetKeys } from '#renderer/api/datasets.ts'
import { exampleKeys } from '#renderer/api/examples.ts'

/** Something that can be previewed: an example under review, or a row of a version. */
export type PreviewOf = { example: string } | { dataset: string; index: number }

export const useTokenizers = () => useQuery({ queryKey: datasetKeys.tokenizers, queryFn: ({ signal }) => api.listTokenizers({ signal }) })

/** Examples change under review; rows of a version never do. `part`: of the rows that a long one is split into. */
export const usePreview = (
  row: PreviewOf,
  choice: { tokenizer: string | null; template: string | null; maxTokens: number | null },
  part: number,
) =>
  useQuery({
    queryKey: ['example' in row ? exampleKeys.all[0] : datasetKeys.all[0], 'preview', row, choice, part],
    queryFn: ({ signal }) => api.previewRow({ body: { row, ...choice, part }, signal }),
  })
