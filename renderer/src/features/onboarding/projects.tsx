import type { Scan, ScanProject } from '#contracts/entities/capture.ts'
import { useOfflineReason } from '#renderer/api/connection.ts'
import { useLeaveOutProject, usePatchSettings, useSettings, useStartImport } from '#renderer/api/queries.ts'
import { Checkbox } from '#renderer/ui/checkbox.tsx'
import { formatBytes, formatCount } from '#renderer/ui/format.ts'
import { MiddleCut } from '#renderer/ui/middle-cut.tsx'
import { RelativeTime } from '#renderer/ui/relative-time.tsx'
import { Table } from '#renderer/ui/table.tsx'

/** Which projects are taken in. One that is ticked off is removed from the archive and passed over from then on. */
export function Projects({ projects }: { projects: Scan['byProject'] }) {
  const leaveOut = useLeaveOutProject()
  const patch = usePatchSettings()
  const startImport = useStartImport()
  const excluded = useSettings().data?.settings.capture.excludedProjects ?? []
  const offline = useOfflineReason()
  const busy = leaveOut.isPending || patch.isPending
  const isFixed = ({ cwd, leftOut }: ScanProject) => cwd === null || (leftOut && !excluded.includes(cwd))
  const set = (cwd: string, wanted: boolean) =>
    wanted
      ? patch.mutate(
          { capture: { excludedProjects: excluded.filter((other) => other !== cwd) } },
          { onSuccess: () => startImport.mutate(undefined) },
        )
      : leaveOut.mutate(cwd)
  return (
    <div className="flex flex-col gap-2">
      <p className="text-sm text-second">
        Untick a project and it is left out: what was taken in of it is removed again, nothing more of it is read. The files of the agents
        are never touched. Settings → Capture has the list.
      </p>
      <div className="max-h-72 overflow-y-auto">
        <Table
          caption="Projects with sessions"
          rows={projects}
          keyOf={({ cwd }) => cwd ?? ''}
          columns={[
            {
              id: 'project',
              label: 'Project',
              className: 'w-full max-w-0',
              cell: (project) => (
                <span className="flex items-center gap-2">
                  {isFixed(project) ? (
                    <span className="w-24 shrink-0 text-xs text-second">{project.leftOut ? 'left out by a pattern' : 'always'}</span>
                  ) : (
                    <Checkbox
                      label={`Take in ${project.cwd}`}
                      checked={!project.leftOut}
                      onChange={(wanted) => !busy && offline === null && set(project.cwd!, wanted)}
                    />
                  )}
                  <MiddleCut className="font-mono text-xs" text={project.cwd ?? 'no working directory known'} end={24} />
                </span>
              ),
            },
            { id: 'sessions', label: 'Sessions', numeric: true, cell: ({ sessions }) => formatCount(sessions) },
            { id: 'bytes', label: 'Size', numeric: true, cell: ({ bytes }) => formatBytes(bytes) },
            { id: 'used', label: 'Last used', cell: ({ lastUsedAt }) => <RelativeTime at={lastUsedAt} className="whitespace-nowrap" /> },
          ]}
        />
      </div>
    </div>
  )
}
