import { useQuery } from '@tanstack/react-query'
import { api } from '#renderer/api/client.ts'
import { datasetKeys } from '#renderer/api/datasets.ts'
import { exampleKeys } from '#renderer/api/examples.ts'

/** An example under review, or a row of a version. */
export type PreviewSource = { example: string } | { dataset: string; index: number }

export const useTokenizers = () => useQuery({ queryKey: datasetKeys.tokenizers, queryFn: ({ signal }) => api.listTokenizers({ signal }) })

/** `part`: index of the part, if the row is split. */
export const usePreview = (
  row: PreviewSource,
  choice: { tokenizer: string | null; template: string | null; maxTokens: number | null },
  part: number,
) =>
  useQuery({
    queryKey: ['example' in row ? exampleKeys.all[0] : datasetKeys.all[0], 'preview', row, choice, part],
    queryFn: ({ signal }) => api.previewRow({ body: { row, ...choice, part }, signal }),
  })
