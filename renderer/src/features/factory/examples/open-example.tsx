import { Eye, Undo2, X } from 'lucide-react'
import { useState } from 'react'
import type { ExampleDetail, ReviewState } from '#contracts/entities/example.ts'
import { AppError } from '#contracts/errors.ts'
import { useOfflineReason } from '#renderer/api/connection.ts'
import { stepHref } from '#renderer/app/links.ts'
import { keyOf } from '#renderer/app/keymap.ts'
import { Badge } from '#renderer/ui/badge.tsx'
import { Button, IconButton } from '#renderer/ui/button.tsx'
import { formatCount, plural } from '#renderer/ui/format.ts'
import { TextLink } from '#renderer/ui/link.tsx'
import { EmptyState, ErrorState, Loading, Skeleton } from '#renderer/ui/states.tsx'
import { TierMark } from '#renderer/ui/tier-mark.tsx'
import { Visible, visible } from '#renderer/ui/visible.tsx'
import { RowPreview } from '../preview/row-preview.tsx'
import { ReviewButtons } from '../review-buttons.tsx'
import { useExampleActions } from './actions.ts'
import { Chat } from './chat.tsx'
import { useExample } from './queries.ts'
import { StateWord } from './cells.tsx'
import { findingWord, flagWords } from './words.ts'

interface Props {
  id: string
  onReview: (state: ReviewState) => void
  onClose: () => void
}

/** The open example, exactly as a model would learn it. */
export function OpenExample({ id, onReview, onClose }: Props) {
  const example = useExample(id)
  if (example.error instanceof AppError && example.error.code === 'example_not_found')
    return (
      <EmptyState
        title="This example no longer exists"
        action={
          <Button look="primary" onClick={onClose}>
            Close
          </Button>
        }
      >
        Its session was split differently, processed with other options, or deleted.
      </EmptyState>
    )
  if (example.error)
    return (
      <ErrorState
        title="Couldn't open the example"
        error={example.error}
        retry={() => void example.refetch()}
        action={<Button onClick={onClose}>Close</Button>}
        className="m-4"
      />
    )
  if (!example.data) return <PaneSkeleton />
  return <Body example={example.data} onReview={onReview} onClose={onClose} />
}

function Body({ example, onReview, onClose }: { example: ExampleDetail } & Omit<Props, 'id'>) {
  const actions = useExampleActions()
  const offline = useOfflineReason()
  const [version, setVersion] = useState<'now' | 'original'>('now')
  const [isModelInput, setModelInput] = useState(false)
  const isOriginal = version === 'original' && example.original !== null
  return (
    <section aria-label="Example" className="flex min-h-0 min-w-0 flex-1 flex-col">
      <header className="flex shrink-0 flex-col gap-2 border-b border-line px-4 py-3">
        <div className="flex items-start gap-2">
          <h2 className="line-clamp-2 min-w-0 flex-1 text-lg font-semibold break-words" title={visible(example.prompt)}>
            <Visible text={example.prompt.trim() || 'Example without a prompt'} />
          </h2>
          <IconButton icon={X} size="small" label="Close" keys={keyOf('back')} onClick={onClose} />
        </div>
        <Figures example={example} />
        <Flags example={example} />
        <div className="flex flex-wrap items-center gap-2">
          <ReviewButtons state={example.state} onReview={onReview} />
          <Button look="quiet" icon={Eye} aria-pressed={isModelInput} onClick={() => setModelInput(!isModelInput)}>
            {isModelInput ? 'Show messages' : 'Show model input'}
          </Button>
          {example.original === null || isModelInput ? null : (
            <div role="group" aria-label="Version of the messages" className="ml-auto flex gap-1">
              <Button
                size="small"
                aria-pressed={!isOriginal}
                className={isOriginal ? '' : 'border-accent!'}
                onClick={() => setVersion('now')}
              >
                Edited
              </Button>
              <Button
                size="small"
                aria-pressed={isOriginal}
                className={isOriginal ? 'border-accent!' : ''}
                onClick={() => setVersion('original')}
              >
                Original
              </Button>
              <Button
                size="small"
                look="quiet"
                icon={Undo2}
                reason={offline}
                onClick={() => {
                  setVersion('now')
                  void actions.dropEdit(example)
                }}
              >
                Discard edits
              </Button>
            </div>
          )}
        </div>
      </header>
      {isModelInput ? (
        <div className="min-h-0 flex-1 overflow-y-auto p-4">
          <RowPreview key={example.id} row={{ example: example.id }} />
        </div>
      ) : (
        <Chat key={`${example.id} ${version}`} example={example} isOriginal={isOriginal} actions={actions} />
      )}
    </section>
  )
}

function Figures({ example }: { example: ExampleDetail }) {
  const { tokens } = example
  return (
    <dl className="flex flex-wrap items-center gap-x-4 gap-y-1 text-xs text-second">
      <Figure name="State">
        <StateWord state={example.state} />
      </Figure>
      <Figure name="Tier of the session">
        <TierMark mark={example.tier} unverified={example.unverified} word />
      </Figure>
      {example.repo === null ? null : <Figure name="Repository">{example.repo}</Figure>}
      <Figure name="Size">
        {plural(example.turns, 'turn')}, {plural(example.steps, 'step')}
      </Figure>
      <Figure name="Tokens">
        <span title={tokens.tokenizer}>
          {tokens.exact ? '' : '≈ '}
          {formatCount(tokens.count)} tokens{tokens.exact ? '' : ' (estimated)'}
        </span>
      </Figure>
      <Figure name="Source">
        <TextLink href={stepHref(example.traceId, example.segmentId)}>Open in session</TextLink>
      </Figure>
    </dl>
  )
}

const Figure = ({ name, children }: { name: string; children: React.ReactNode }) => (
  <div>
    <dt className="sr-only">{name}</dt>
    <dd>{children}</dd>
  </div>
)

function Flags({ example }: { example: ExampleDetail }) {
  const findings = Object.entries(example.findings)
  if (findings.length === 0 && example.flags.length === 0) return null
  return (
    <ul className="flex flex-wrap gap-1.5">
      {findings.map(([type, count]) => (
        <li key={type} title={`Replaced by the privacy policy: ${findingWord(type)}`}>
          <Badge tone="accent">
            {findingWord(type)} {formatCount(count)}
          </Badge>
        </li>
      ))}
      {example.flags
        .filter((flag) => flag !== 'findings')
        .map((flag) => (
          <li key={flag} title={flagWords(flag).meaning}>
            <Badge>{flagWords(flag).label}</Badge>
          </li>
        ))}
    </ul>
  )
}

const PaneSkeleton = () => (
  <Loading label="Loading example" className="flex min-h-0 flex-1 flex-col gap-4 overflow-hidden p-4">
    <Skeleton className="h-5 w-2/3" />
    <Skeleton className="w-1/2" />
    <Skeleton className="h-8 w-64" />
    {Array.from({ length: 6 }, (_, index) => (
      // oxlint-disable-next-line react/no-array-index-key -- all alike
      <Skeleton key={index} className="h-20 shrink-0" />
    ))}
  </Loading>
)
