import { isExcluded } from './exclusions.ts'
import { sniff } from './sniff.ts'

export interface LeaveOutInput {
  files: { path: string; traceId: string }[]
  excluded: string[]
}

/** Sessions whose file names an excluded working directory; not sessions whose file was deleted, and not sessions in a database. */
export default function leaveOut({ files, excluded }: LeaveOutInput): string[] {
  const ids = files.flatMap(({ path: file, traceId }) => {
    try {
      const { cwd } = sniff(file)
      return cwd !== null && isExcluded(cwd, excluded) ? [traceId] : []
    } catch {
      return [] // the archive has the only copy
    }
  })
  return [...new Set(ids)]
}
