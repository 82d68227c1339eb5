import { BadgeCheck, CheckCheck } from 'lucide-react'
import { useState } from 'react'
import type { Installed, InstalledKind, InstalledPart } from '#contracts/entities/installed.ts'
import { useOfflineReason } from '#renderer/api/connection.ts'
import { useInstalled, useMarkInstalledSeen, useValidateInstalled } from '#renderer/api/installed.ts'
import { Badge } from '#renderer/ui/badge.tsx'
import { Button } from '#renderer/ui/button.tsx'
import { Fetched } from '#renderer/ui/fetched.tsx'
import { formatCount, plural } from '#renderer/ui/format.ts'
import { Section } from '#renderer/ui/page.tsx'
import { RelativeTime } from '#renderer/ui/relative-time.tsx'
import { Select } from '#renderer/ui/select.tsx'
import { EmptyState } from '#renderer/ui/states.tsx'
import { Table } from '#renderer/ui/table.tsx'
import { Visible } from '#renderer/ui/visible.tsx'

const KIND_WORDS: Record<InstalledKind, string> = {
  skill: 'Skill',
  mcp_server: 'MCP server',
  plugin: 'Plugin',
  mod: 'Mod',
  hook: 'Hook',
  agent: 'Sub-agent',
  command: 'Command',
}
const SCOPE_WORDS: Record<InstalledPart['scope'], string> = {
  user: 'You',
  project: 'Project',
  local: 'You, in one project',
  managed: 'Administrator',
}
const CHANGED = 'changed'

export function InstalledTab() {
  const installed = useInstalled()
  return (
    <Fetched query={installed} what="what is installed" bars={['h-8 w-full', 'h-80 w-full']}>
      {(data) => <Parts installed={data} />}
    </Fetched>
  )
}

function Parts({ installed: { items, problems, profiles, projects } }: { installed: Installed }) {
  const [shown, setShown] = useState('')
  const markSeen = useMarkInstalledSeen()
  const offline = useOfflineReason()
  const changes = items.filter(({ change }) => change !== null).length
  const rows = items.filter(({ kind, change }) => shown === '' || (shown === CHANGED ? change !== null : kind === shown))
  const kinds = [...new Set(items.map(({ kind }) => kind))]
  return (
    <Section
      title="Installed in Claude Code"
      note={`${plural(items.length, 'part')} in ${profiles.join(', ')} and ${plural(projects, 'project')}. Read on this machine; nothing is sent, and no value of a variable or header is read`}
      actions={
        <Button
          icon={CheckCheck}
          busy={markSeen.isPending}
          reason={offline ?? (changes === 0 ? 'Nothing is new or changed.' : null)}
          onClick={() => markSeen.mutate()}
        >
          Mark all as seen
        </Button>
      }
    >
      {problems.length > 0 ? (
        <ul aria-label="Files that could not be read" className="flex flex-col gap-1 text-sm">
          {problems.map(({ file, message }) => (
            <li key={`${file} ${message}`} className="flex flex-wrap items-baseline gap-2">
              <Badge tone="warn">not read</Badge>
              <span className="min-w-0 break-all">
                <span className="font-mono text-xs">
                  <Visible text={file} />
                </span>
                : {message}
              </span>
            </li>
          ))}
        </ul>
      ) : null}
      {items.length === 0 ? (
        <EmptyState title="Nothing is installed">
          Skills, MCP servers, plugins, mods, hooks, sub-agents and commands of your Claude Code are listed here.
        </EmptyState>
      ) : (
        <>
          <div>
            <Select
              label="Which parts"
              value={shown}
              options={[
                { value: '', label: 'All parts' },
                { value: CHANGED, label: `New or changed (${formatCount(changes)})` },
                ...kinds.map((kind) => ({ value: kind, label: KIND_WORDS[kind] })),
              ]}
              onChange={setShown}
            />
          </div>
          {rows.length === 0 ? <EmptyState title="No part matches">Choose other parts.</EmptyState> : <PartTable rows={rows} />}
        </>
      )}
    </Section>
  )
}

const PartTable = ({ rows }: { rows: readonly InstalledPart[] }) => (
  <Table
    caption="Installed in Claude Code"
    rows={rows}
    keyOf={({ id }) => id}
    columns={[
      {
        id: 'part',
        label: 'Part',
        className: 'min-w-48',
        cell: ({ kind, name, description, change, enabled, problem }) => (
          <span className="flex flex-col gap-0.5">
            <span className="flex flex-wrap items-baseline gap-x-2">
              <b className="break-all">
                <Visible text={name} />
              </b>
              <span className="text-xs text-second">{KIND_WORDS[kind]}</span>
              {change === null ? null : <Badge tone="warn">{change}</Badge>}
              {enabled === false ? <Badge tone="neutral">off</Badge> : null}
            </span>
            {description === null ? null : (
              <span className="line-clamp-2 text-xs text-second">
                <Visible text={description} />
              </span>
            )}
            {problem === null ? null : <span className="text-xs text-warn">{problem}</span>}
          </span>
        ),
      },
      {
        id: 'may',
        label: 'What it declares',
        className: 'w-full min-w-64',
        cell: ({ id, kind, may }) => (
          <span className="flex flex-col gap-0.5 text-xs">
            {may.length === 0 ? <span className="text-second">nothing</span> : null}
            {may.map((line) => (
              <span key={line} className="break-all">
                <Visible text={line} />
              </span>
            ))}
            {kind === 'plugin' || kind === 'mod' ? <Validate id={id} /> : null}
          </span>
        ),
      },
      {
        id: 'from',
        label: 'Where from',
        className: 'min-w-40',
        cell: ({ scope, project, plugin, from, file }) => (
          <span className="flex flex-col text-xs" title={file}>
            <span>
              {plugin === null ? (
                SCOPE_WORDS[scope]
              ) : (
                <>
                  Plugin <Visible text={plugin} />
                </>
              )}
            </span>
            {[from, project].map((text) =>
              text === null ? null : (
                <span key={text} className="break-all text-second">
                  <Visible text={text} />
                </span>
              ),
            )}
          </span>
        ),
      },
      {
        id: 'since',
        label: 'Since',
        className: 'whitespace-nowrap',
        cell: ({ installedAt, firstSeenAt, changedAt }) => (
          <span className="flex flex-col text-xs">
            <span>
              {installedAt === null ? 'first seen ' : ''}
              <RelativeTime at={installedAt ?? firstSeenAt} />
            </span>
            {changedAt === null ? null : (
              <span>
                changed <RelativeTime at={changedAt} />
              </span>
            )}
          </span>
        ),
      },
      {
        id: 'uses',
        label: 'Used',
        className: 'whitespace-nowrap',
        cell: ({ uses }) =>
          uses === null ? (
            <span className="text-second" title="Sessions do not show it">
              not measured
            </span>
          ) : uses.calls === 0 ? (
            'never'
          ) : (
            `${formatCount(uses.calls)} in ${plural(uses.sessions, 'session')}`
          ),
      },
    ]}
  />
)

/** Asks the client about a plugin. */
function Validate({ id }: { id: string }) {
  const validate = useValidateInstalled()
  const offline = useOfflineReason()
  const result = validate.data
  return (
    <span className="flex flex-col items-start gap-1">
      <Button size="small" look="quiet" icon={BadgeCheck} busy={validate.isPending} reason={offline} onClick={() => validate.mutate(id)}>
        Check with Claude Code
      </Button>
      {result ? (
        <span role="status" className="flex flex-col gap-0.5">
          <span>
            {result.passed === null ? 'Not checked' : result.passed ? 'claude plugin validate passed' : 'claude plugin validate failed'}
          </span>
          <span className="max-h-40 overflow-y-auto font-mono break-words whitespace-pre-wrap text-second">
            <Visible text={result.text} />
          </span>
        </span>
      ) : null}
    </span>
  )
}
