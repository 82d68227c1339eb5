import { Square, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useLocation } from 'wouter'
import type { Sandbox } from '#contracts/entities/sandbox.ts'
import { ENGINE_ABILITIES } from '#contracts/sandbox-engines.ts'
import { useOfflineReason } from '#renderer/api/connection.ts'
import { useSandbox, useStartSandbox, useStopSandbox } from '#renderer/api/sandboxes.ts'
import { RestoredWaits } from '#renderer/app/restored-items.tsx'
import { Badge } from '#renderer/ui/badge.tsx'
import { Button } from '#renderer/ui/button.tsx'
import { Confirm } from '#renderer/ui/confirm.tsx'
import { FetchedPage } from '#renderer/ui/fetched.tsx'
import { TextLink } from '#renderer/ui/link.tsx'
import { Page, Section } from '#renderer/ui/page.tsx'
import { RelativeTime } from '#renderer/ui/relative-time.tsx'
import { Commands } from './commands.tsx'
import { Copies } from './copies.tsx'
import { Files } from './files.tsx'
import { Shell } from '#renderer/app/sandbox-shell/shell.tsx'
import { GuardRules, Traffic } from './rules-and-traffic.tsx'
import { TaskInSandbox } from './task-in-sandbox.tsx'
import { endOf, isolationOf, leftOf, nameOf, stateOf } from './words.ts'

export default function SandboxPage({ id }: { id: string }) {
  return (
    <FetchedPage query={useSandbox(id)} what="sandbox" all={ALL_SANDBOXES}>
      {(sandbox) => <Loaded sandbox={sandbox} />}
    </FetchedPage>
  )
}

const ALL_SANDBOXES = { href: '/sandboxes', label: 'All sandboxes' }

function Loaded({ sandbox }: { sandbox: Sandbox }) {
  const [, go] = useLocation()
  const [isConfirming, setConfirming] = useState(false)
  const offline = useOfflineReason()
  const start = useStartSandbox()
  const stop = useStopSandbox()
  const { word, tone } = stateOf(sandbox)
  const canCopy = ENGINE_ABILITIES[sandbox.backend].copies.includes(sandbox.profile)
  const isRunning = sandbox.status === 'started' || sandbox.status === 'exited' || sandbox.phase !== null
  const remove = () => stop.mutate({ id: sandbox.id, remove: true }, { onSuccess: () => go('/sandboxes') })
  return (
    <Page
      title={nameOf(sandbox)}
      summary={
        <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <Badge tone={tone}>{word}</Badge>
          <span className="font-mono text-xs">{sandbox.image}</span>
          <span>{sandbox.backend}</span>
          <span>
            Created <RelativeTime at={sandbox.createdAt} />
          </span>
          {sandbox.expiresAt ? (
            <span>
              Stops <RelativeTime at={sandbox.expiresAt} /> if idle
            </span>
          ) : null}
          <TextLink href={ALL_SANDBOXES.href}>{ALL_SANDBOXES.label}</TextLink>
        </span>
      }
      actions={
        <>
          {(sandbox.status === 'created' || sandbox.kept) && sandbox.phase === null ? (
            <Button look="primary" reason={offline} busy={start.isPending} onClick={() => start.mutate(sandbox.id)}>
              {sandbox.kept ? 'Start again' : 'Start'}
            </Button>
          ) : null}
          {isRunning ? (
            <Button icon={Square} reason={offline} busy={stop.isPending} onClick={() => stop.mutate({ id: sandbox.id, remove: false })}>
              Stop
            </Button>
          ) : null}
          <Button icon={Trash2} look="danger" reason={offline} onClick={() => (isRunning || sandbox.kept ? setConfirming(true) : remove())}>
            {sandbox.kept ? 'Discard' : 'Remove'}
          </Button>
        </>
      }
    >
      <RestoredWaits id={sandbox.id} />
      {endOf(sandbox) ? (
        <p role="status" className="max-w-[90ch] rounded border border-line bg-panel p-3 text-sm">
          {endOf(sandbox)} {leftOf(sandbox)}
        </p>
      ) : null}
      <TaskInSandbox sandbox={sandbox} />
      <div className="grid min-w-0 gap-6 min-[1280px]:grid-cols-[minmax(0,1fr)_320px]">
        <Shell sandbox={sandbox} />
        <div className="flex min-w-0 flex-col gap-6">
          <Commands sandbox={sandbox} />
          <Isolation sandbox={sandbox} />
          <Traffic sandbox={sandbox} />
          <GuardRules guard={sandbox.guard} />
          {isRunning && sandbox.phase === null ? <Files id={sandbox.id} /> : null}
          {isRunning && sandbox.phase === null && canCopy ? <Copies id={sandbox.id} /> : null}
          {sandbox.setupCommands.length > 0 ? (
            <Section title="Set-up commands">
              <ol className="flex flex-col gap-1 font-mono text-xs">
                {sandbox.setupCommands.map((command, index) => (
                  // oxlint-disable-next-line react/no-array-index-key -- the order never changes
                  <li key={index} className="break-words whitespace-pre-wrap">
                    {command}
                  </li>
                ))}
              </ol>
            </Section>
          ) : null}
        </div>
      </div>
      <Confirm
        open={isConfirming}
        onOpenChange={setConfirming}
        title={sandbox.kept ? 'Discard this sandbox?' : 'Remove this sandbox?'}
        action={sandbox.kept ? 'Discard' : 'Remove'}
        onConfirm={remove}
      >
        {sandbox.kept ? null : 'The sandbox is stopped. '}Its files and the record of its commands are deleted.
      </Confirm>
    </Page>
  )
}

function Isolation({ sandbox }: { sandbox: Sandbox }) {
  const rows = isolationOf(sandbox)
  return (
    <Section title="Isolation" note={rows ? 'as applied by the engine' : undefined}>
      {rows ? (
        <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 text-sm">
          {rows.map(({ label, text, isWeak }) => (
            <div key={label} className="contents">
              <dt className="text-second">{label}</dt>
              <dd className={isWeak ? 'text-warn' : undefined}>{text}</dd>
            </div>
          ))}
        </dl>
      ) : (
        <p className="text-sm text-second">Known once the sandbox runs.</p>
      )}
    </Section>
  )
}
