import type { Scan, ScanProject } from '#contracts/entities/capture.ts'
import { useOfflineReason } from '#renderer/api/connection.ts'
import { useLeaveOutProject, useStartImport } from '#renderer/api/capture.ts'
import { usePatchSettings, useSettings } from '#renderer/api/settings.ts'
import { agentWord } from '#renderer/app/words/agents.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Checkbox } from '#renderer/ui/checkbox.tsx'
import { formatBytes, formatCount } from '#renderer/ui/format.ts'
import { MiddleCut } from '#renderer/ui/middle-cut.tsx'
import { RelativeTime } from '#renderer/ui/relative-time.tsx'
import { Table } from '#renderer/ui/table.tsx'

/** Which projects are imported. Unticking one removes what was imported from it; while `waits` is true, nothing has been imported yet. */
export function Projects({ projects, waits }: { projects: Scan['byProject']; waits: boolean }) {
  const leaveOut = useLeaveOutProject()
  const patch = usePatchSettings()
  const startImport = useStartImport()
  const excluded = useSettings().data?.settings.capture.excludedProjects ?? []
  const offline = useOfflineReason()
  const busy = leaveOut.isPending || patch.isPending
  const isFixed = ({ cwd, leftOut }: ScanProject) => cwd === null || (leftOut && !excluded.includes(cwd))
  const save = (excludedProjects: string[]) =>
    patch.mutate({ capture: { excludedProjects } }, waits ? {} : { onSuccess: () => startImport.mutate(undefined) })
  const set = (cwd: string, isIncluded: boolean) =>
    isIncluded ? save(excluded.filter((other) => other !== cwd)) : waits ? save([...excluded, cwd]) : leaveOut.mutate(cwd)
  const projectFolders = projects.flatMap(({ cwd }) => (cwd === null ? [] : [cwd]))
  return (
    <div className="flex flex-col gap-2">
      <p className="text-sm text-second">
        {waits
          ? "Untick a project to exclude it. Nothing has been imported yet; your agents' own files are never touched."
          : "Untick a project to exclude it. Anything already imported from it is removed; your agents' own files are never touched."}
      </p>
      {waits ? (
        <div className="flex gap-2">
          <Button size="small" reason={offline} onClick={() => save(excluded.filter((cwd) => !projectFolders.includes(cwd)))}>
            Select all
          </Button>
          <Button size="small" reason={offline} onClick={() => save([...new Set([...excluded, ...projectFolders])])}>
            Select none
          </Button>
        </div>
      ) : null}
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
                    <span className="w-24 shrink-0 text-xs text-second">{project.leftOut ? 'excluded by a pattern' : 'always'}</span>
                  ) : (
                    <Checkbox
                      label={`Import ${project.cwd}`}
                      checked={!project.leftOut}
                      disabled={busy || offline !== null}
                      onChange={(wanted) => set(project.cwd!, wanted)}
                    />
                  )}
                  <MiddleCut className="font-mono text-xs" text={project.cwd ?? 'unknown working directory'} end={24} />
                </span>
              ),
            },
            {
              id: 'agents',
              label: 'Agent',
              cell: ({ agents }) => <span className="whitespace-nowrap">{agents.map(agentWord).join(', ')}</span>,
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
