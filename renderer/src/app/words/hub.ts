import type { HubModel } from '#contracts/entities/base-model.ts'
import { formatBytes } from '#renderer/ui/format.ts'

/** "3.1 GB in 9 files, 1.2 GB of it already here". */
export const sizeSentence = ({ bytes, bytesHere, files }: Pick<HubModel, 'bytes' | 'bytesHere' | 'files'>): string =>
  `${formatBytes(bytes)} in ${files.length} ${files.length === 1 ? 'file' : 'files'}${bytesHere > 0 ? `, ${formatBytes(bytesHere)} of it already here` : ''}`

export const accessSentence = ({ gated, private: isPrivate }: Pick<HubModel, 'gated' | 'private'>): string =>
  gated ? 'gated: its terms must be accepted on its page' : isPrivate ? 'private: needs an access token' : 'open to everyone'

/** Why a typed id is not valid; null if it is. */
export const idProblem = (id: string): string | null =>
  id.trim() === ''
    ? 'Enter an id first.'
    : /^[A-Za-z0-9][\w.-]*\/[A-Za-z0-9][\w.-]*$/.test(id.trim())
      ? null
      : 'An id is OWNER/NAME, as in the address of its page.'
