import { Archive, ArchiveRestore, Download, Ellipsis, Pen, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import type { Model } from '#contracts/entities/model.ts'
import { countingVerdict } from '#contracts/exam-words.ts'
import { useOfflineReason } from '#renderer/api/connection.ts'
import { copyText } from '#renderer/ui/copy-text.ts'
import { datasetHref, isItBetterHref, modelHref, runHref } from '#renderer/app/links.ts'
import { ModelVerdict } from '#renderer/app/verdict.tsx'
import { useModelWord } from '#renderer/app/words/models.ts'
import { keyOf } from '#renderer/app/keymap.ts'
import { useKeys } from '#renderer/app/use-keys.ts'
import { Badge } from '#renderer/ui/badge.tsx'
import { Button } from '#renderer/ui/button.tsx'
import { cn } from '#renderer/ui/cn.ts'
import { ButtonLink, TextLink } from '#renderer/ui/link.tsx'
import { Menu, MenuItem, MenuLine } from '#renderer/ui/menu.tsx'
import { PageHead, useTitle } from '#renderer/ui/page.tsx'
import { RelativeTime } from '#renderer/ui/relative-time.tsx'
import { StarOfModel } from '../parts.tsx'
import { usePatchModel } from '../queries.ts'
import { strategyWord, weightsProblem } from '../words.ts'
import { DeleteDialog } from './delete-dialog.tsx'
import { EditDialog } from './edit-dialog.tsx'
import { PutToWork } from './put-to-work.tsx'

const TABS = [
  { id: 'overview', label: 'Overview', path: '' },
  { id: 'card', label: 'Model card', path: '?tab=card' },
  { id: 'try', label: 'Try it', path: '/try' },
] as const
export type ProfileTab = (typeof TABS)[number]['id']

/** The head of a model's pages: its name and origin, its actions and its tabs. */
export function Head({ model, tab, onExport }: { model: Model; tab: ProfileTab; onExport?: () => void }) {
  const { id, name, lineage, createdAt } = model
  const [, go] = useLocation()
  const offline = useOfflineReason()
  const baseName = useModelWord()
  const patch = usePatchModel()
  const [asking, setAsking] = useState<'edit' | 'delete' | null>(null)
  useTitle(name)
  const verdict = countingVerdict(model.evaluations)
  const isExamined = verdict !== null
  const isProven = verdict?.standing === 'proof' && model.probe?.state !== 'leaks'
  const copyId = () => void copyText(id, { note: id })
  // in the chat, Escape must not leave the page, because the text would be lost
  useKeys({ copyId, ...(tab !== 'try' && { back: () => go('/models') }) })
  return (
    <>
      <PageHead
        heading={name}
        marks={
          <>
            <StarOfModel model={model} />
            <ModelVerdict model={model} />
            {model.archived ? <Badge>archived</Badge> : null}
            {model.operational.status === 'serving' ? <Badge tone="accent">loaded</Badge> : null}
          </>
        }
        summary={
          <>
            {strategyWord(lineage.strategy)} on <span title={lineage.baseModel}>{baseName(lineage.baseModel)}</span>
            {lineage.datasetName === null ? null : (
              <>
                {' '}
                with{' '}
                {lineage.datasetId === null ? (
                  lineage.datasetName
                ) : (
                  <TextLink href={datasetHref(lineage.datasetId)}>{lineage.datasetName}</TextLink>
                )}
                {lineage.mix.length > 0
                  ? `, with ${lineage.mix.map(({ name, weight }) => `${name} (weight ${weight})`).join(', ')} mixed in`
                  : ''}
              </>
            )}{' '}
            · <TextLink href={runHref(lineage.runId)}>Open run</TextLink> · created <RelativeTime at={createdAt} /> ·{' '}
            <TextLink href="/models">All models</TextLink>
          </>
        }
        actions={
          <>
            <Button keys={keyOf('copyId')} look="quiet" onClick={copyId}>
              Copy ID
            </Button>
            {isProven ? <PutToWork id={id} name={name} /> : null}
            <ButtonLink href={isItBetterHref(id)} look={isExamined ? 'plain' : 'primary'}>
              Is it better?
            </ButtonLink>
            <Menu
              align="end"
              trigger={
                <Button icon={Ellipsis} look="quiet" reason={offline}>
                  More
                </Button>
              }
            >
              <MenuItem icon={Pen} onSelect={() => setAsking('edit')}>
                Rename, describe …
              </MenuItem>
              <MenuItem icon={model.archived ? ArchiveRestore : Archive} onSelect={() => patch.mutate({ id, archived: !model.archived })}>
                {model.archived ? 'Unarchive' : 'Archive'}
              </MenuItem>
              <MenuLine />
              <MenuItem icon={Trash2} danger onSelect={() => setAsking('delete')}>
                Delete …
              </MenuItem>
            </Menu>
            {onExport ? (
              <Button
                look={isExamined && !isProven ? 'primary' : 'plain'}
                icon={Download}
                reason={offline ?? weightsProblem(model)}
                onClick={onExport}
              >
                Export …
              </Button>
            ) : null}
          </>
        }
      >
        {model.description ? <p className="max-w-[90ch] text-sm break-words whitespace-pre-wrap">{model.description}</p> : null}
      </PageHead>
      <nav aria-label="Model sections" className="flex h-9 shrink-0 items-stretch gap-1 border-b border-line px-3">
        {TABS.map((one) => (
          <Link
            key={one.id}
            href={`${modelHref(id)}${one.path}`}
            aria-current={one.id === tab ? 'page' : undefined}
            className={cn(
              'focus-inset flex items-center px-3 text-sm hover:text-text',
              one.id === tab ? 'font-semibold text-text shadow-[inset_0_-2px_0_var(--accent)]' : 'text-second',
            )}
          >
            {one.label}
          </Link>
        ))}
      </nav>
      {asking === 'edit' ? <EditDialog model={model} onClose={() => setAsking(null)} /> : null}
      {asking === 'delete' ? <DeleteDialog model={model} onClose={() => setAsking(null)} /> : null}
    </>
  )
}
