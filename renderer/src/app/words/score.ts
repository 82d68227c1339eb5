import { formatScore as written } from '#contracts/score-figure.ts'
import { DASH } from '#renderer/ui/format.ts'

/** A score or its bound, 0 to 1, as the server's sentences and the commands write it; not known is a dash. */
export const formatScore = (value: number | null | undefined): string =>
  value === null || value === undefined || !Number.isFinite(value) ? DASH : written(value)
