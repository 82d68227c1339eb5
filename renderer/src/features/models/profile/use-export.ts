import type { z } from 'zod'
import type { exportModel } from '#contracts/routes/models.ts'
import { api } from '#renderer/api/client.ts'
import { useJobOf } from '#renderer/api/use-job.ts'

type ExportRequest = z.input<(typeof exportModel)['body']>

/** The export of this model: its progress and result. */
export const useExport = (id: string) =>
  useJobOf('model-export', (body: ExportRequest) => api.exportModel({ params: { id }, body }), "Couldn't start the export", id)

export type ExportWork = ReturnType<typeof useExport>
