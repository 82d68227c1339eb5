import { useMemo } from 'react'
import { CurveSource } from './source.ts'

/** One source per run; the sources are the same while the ids are. */
export function useSources(ids: readonly string[]): ReadonlyMap<string, CurveSource> {
  const text = ids.join(',')
  return useMemo(() => new Map(text.split(',').map((id) => [id, new CurveSource(id)])), [text])
}
