import type { CaptureStatus } from '#contracts/entities/capture.ts'
import type { Share } from '#renderer/ui/meter.tsx'
import { formatBytes } from '#renderer/ui/format.ts'

type Disk = NonNullable<CaptureStatus['disk']>

/** The disk by kind: archive, the rest of the data directory (database, search index, backups), other use, free. */
export function diskShares(archiveBytes: number, disk: Disk): Share[] {
  const restOfDataDir = Math.max(0, disk.usedByDataDirBytes - archiveBytes)
  const otherFiles = Math.max(0, disk.totalBytes - disk.freeBytes - archiveBytes - restOfDataDir)
  const share = (id: string, label: string, value: number, color: string) => ({ id, label, value, color, text: formatBytes(value) })
  return [
    share('archive', 'Archive', archiveBytes, 'var(--series-1)'),
    share('database', 'Database, index, backups', restOfDataDir, 'var(--series-4)'),
    share('other', 'Other files', otherFiles, 'var(--edge)'),
    share('free', 'Free', disk.freeBytes, 'var(--line)'),
  ]
}
