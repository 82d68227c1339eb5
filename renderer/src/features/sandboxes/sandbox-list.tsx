import { Plus } from 'lucide-react'
import { useState } from 'react'
import { useLocation } from 'wouter'
import type { Sandbox, SandboxCapacity, SandboxUsage } from '#contracts/entities/sandbox.ts'
import { useOfflineReason } from '#renderer/api/connection.ts'
import { LISTED_SANDBOXES, useSandboxes, useSandboxLimits, useUsage } from '#renderer/api/sandboxes.ts'
import { Badge } from '#renderer/ui/badge.tsx'
import { Button } from '#renderer/ui/button.tsx'
import { CodeText } from '#renderer/ui/code-text.tsx'
import { Fetched } from '#renderer/ui/fetched.tsx'
import { formatBytes, plural } from '#renderer/ui/format.ts'
import { TextLink } from '#renderer/ui/link.tsx'
import { Page, Section } from '#renderer/ui/page.tsx'
import { RelativeTime } from '#renderer/ui/relative-time.tsx'
import { EmptyState } from '#renderer/ui/states.tsx'
import { CreateDialog } from './create-dialog.tsx'
import { endOf, nameOf, stateOf } from './words.ts'

const isActive = ({ status, phase }: Sandbox) => phase !== null || status === 'started' || status === 'exited'

/** All sandboxes: running and waiting ones first, then ended ones. */
export function SandboxList() {
  const [isOpen, setOpen] = useState(false)
  const [, go] = useLocation()
  const offline = useOfflineReason()
  const list = useSandboxes()
  const limits = useSandboxLimits()
  const usage = useUsage()
  const items = list.data?.items ?? []
  const active = items.filter(isActive)
  const ended = items.filter((one) => !isActive(one))
  const unavailableBackends = limits.data && limits.data.backends.every(({ available }) => !available) ? limits.data.backends : null
  const createButton = (
    <Button
      look="primary"
      icon={Plus}
      reason={offline ?? (unavailableBackends ? 'There is no sandbox engine on this machine.' : null)}
      onClick={() => setOpen(true)}
    >
      New sandbox
    </Button>
  )
  return (
    <Page
      title="Sandboxes"
      summary="Shells in isolation: nothing in them can reach your files or, unless you allow it, the network."
      actions={items.length > 0 ? createButton : null}
    >
      {unavailableBackends ? <NoEngine backends={unavailableBackends} /> : null}
      <Fetched query={list} what="sandboxes" bars={['h-32 w-full', 'h-32 w-full']}>
        {() => null}
      </Fetched>
      {list.data && items.length === 0 ? (
        <EmptyState title="No sandboxes yet" action={createButton}>
          A sandbox is a shell that is isolated from this machine. Try a command in it, or let an agent work there. From the command line:{' '}
          <CodeText text="`bashgym sandbox run -- 'uname -a'`" />
        </EmptyState>
      ) : null}
      {list.data && active.length > 0 ? (
        <Section title="Running" note={capacityWords(list.data.capacity)}>
          <ul aria-label="Running sandboxes" className="grid grid-cols-[repeat(auto-fill,minmax(280px,1fr))] gap-3">
            {active.map((sandbox) => (
              <Card key={sandbox.id} sandbox={sandbox} usage={usage.data?.get(sandbox.id)} />
            ))}
          </ul>
        </Section>
      ) : null}
      {ended.length > 0 ? (
        <Section title="Ended" note={items.length === LISTED_SANDBOXES ? `of the newest ${LISTED_SANDBOXES}` : undefined}>
          <ul aria-label="Ended sandboxes">
            {ended.map((sandbox) => (
              <li key={sandbox.id} className="flex flex-wrap items-center gap-x-4 gap-y-1 border-b border-line py-2 text-sm">
                <TextLink href={`/sandboxes/${sandbox.id}`} className="w-40 truncate">
                  {nameOf(sandbox)}
                </TextLink>
                <span className="w-40 truncate font-mono text-xs text-second">{sandbox.image}</span>
                <span className="min-w-40 flex-1 truncate text-second">{endOf(sandbox) ?? stateOf(sandbox).word}</span>
                {sandbox.kept ? (
                  <Badge tone="accent">
                    {sandbox.kept.bytes === null ? 'files kept' : `files kept, ${formatBytes(sandbox.kept.bytes)}`}
                  </Badge>
                ) : null}
                <span className="text-xs text-second">{plural(sandbox.sessionCommandCount, 'command')}</span>
                <RelativeTime at={sandbox.endedAt ?? sandbox.createdAt} className="w-24 text-right text-xs text-second" />
              </li>
            ))}
          </ul>
        </Section>
      ) : null}
      {isOpen ? (
        <CreateDialog
          backends={limits.data?.backends}
          onClose={() => setOpen(false)}
          onCreated={({ id }) => {
            setOpen(false)
            go(`/sandboxes/${id}`)
          }}
        />
      ) : null}
    </Page>
  )
}

function capacityWords({ running, limit, queued }: SandboxCapacity): string {
  const waiting = queued.length > 0 ? `, ${queued.length} waiting` : ''
  return `${running} of at most ${limit} running${waiting}`
}

function NoEngine({ backends }: { backends: readonly { name: string; reason: string | null }[] }) {
  return (
    <div role="status" className="flex max-w-[72ch] flex-col gap-2 rounded border border-line bg-panel p-4 text-sm">
      <h2 className="font-semibold">No sandbox engine on this machine</h2>
      <p className="text-second">Sandboxes need one of these. Bash Gym never runs anything without isolation.</p>
      <ul className="flex flex-col gap-1">
        {backends.map(({ name, reason }) => (
          <li key={name}>
            <span className="font-semibold">{name}</span>: <CodeText text={reason ?? 'not available'} />
          </li>
        ))}
      </ul>
    </div>
  )
}

function Card({ sandbox, usage }: { sandbox: Sandbox; usage: SandboxUsage | undefined }) {
  const { word, tone } = stateOf(sandbox)
  return (
    <li className="flex min-w-0 flex-col gap-2 rounded border border-line bg-panel p-3 text-sm">
      <div className="flex items-center gap-2">
        <h3 className="min-w-0 flex-1 font-semibold">
          <TextLink href={`/sandboxes/${sandbox.id}`} className="block truncate text-text! no-underline! hover:underline!">
            {nameOf(sandbox)}
          </TextLink>
        </h3>
        <Badge tone={tone}>{word}</Badge>
      </div>
      <p className="truncate text-xs text-second">
        {sandbox.backend} · {sandbox.image} · {sandbox.profile}
      </p>
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-1 text-xs">
        <Fact label="Memory" text={figure(usage?.memoryBytes, formatBytes)} />
        <Fact label="Processor time" text={figure(usage?.cpuSeconds, (seconds) => `${seconds.toFixed(1)} s`)} />
        <Fact label="Processes" text={figure(usage?.processes, String)} />
        <Fact label="Commands" text={String(sandbox.sessionCommandCount)} />
      </dl>
      <p className="flex gap-1 text-xs text-second">
        {sandbox.startedAt ? 'started' : 'created'} <RelativeTime at={sandbox.startedAt ?? sandbox.createdAt} />
      </p>
    </li>
  )
}

const figure = (value: number | null | undefined, format: (value: number) => string) =>
  value === null || value === undefined ? 'not measured' : format(value)

const Fact = ({ label, text }: { label: string; text: string }) => (
  <>
    <dt className="text-second">{label}</dt>
    <dd className="truncate text-right font-mono">{text}</dd>
  </>
)
