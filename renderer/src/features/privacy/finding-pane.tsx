import { X } from 'lucide-react'
import { SECRET_TYPES, type ArchiveFinding } from '#contracts/entities/privacy.ts'
import { stepHref, traceHref } from '#renderer/app/links.ts'
import { actionWord, deciderWord, piiWord } from '#renderer/app/words/privacy.ts'
import { formatScore } from '#renderer/app/words/score.ts'
import { keyOf } from '#renderer/app/keymap.ts'
import { Badge } from '#renderer/ui/badge.tsx'
import { IconButton } from '#renderer/ui/button.tsx'
import { Fact, Facts } from '#renderer/ui/facts.tsx'
import { plural } from '#renderer/ui/format.ts'
import { ButtonLink, TextLink } from '#renderer/ui/link.tsx'
import { RelativeTime } from '#renderer/ui/relative-time.tsx'
import { useTrace } from '#renderer/api/traces.ts'
import type { Choice } from './actions.ts'
import { DecidePanel } from './decide-panel.tsx'
import { ActionMark } from './finding-list.tsx'
import { MaskedText } from './masked-text.tsx'
import { usePlaceCount } from './queries.ts'
import type { ScopeName } from './scopes.ts'
import { formatUrl, NO_FILTER, parseUrl } from './url-state.ts'

/** A finding with its masked text, the decision about it, and its location. */
export function FindingPane({
  finding,
  scope,
  onScope,
  onDecide,
  onClose,
}: {
  finding: ArchiveFinding
  scope: ScopeName
  onScope: (scope: ScopeName) => void
  onDecide: (choice: Choice) => void
  onClose: () => void
}) {
  const title = useTrace(finding.traceId).data?.title
  const places = usePlaceCount(finding.value)
  const allPlaces = { ...parseUrl(''), ...NO_FILTER, types: [], value: finding.value, id: finding.id }
  return (
    <section aria-label="Finding" className="flex min-h-0 flex-1 flex-col gap-5 overflow-y-auto p-4">
      <header className="flex items-start gap-2">
        <div className="flex min-w-0 flex-1 flex-wrap items-center gap-2">
          <h2 className="text-lg font-semibold">{piiWord(finding.type)}</h2>
          {SECRET_TYPES.includes(finding.type) ? <Badge>secret</Badge> : null}
          <span className="flex items-center gap-1.5 text-sm">
            <ActionMark action={finding.action} />
            {actionWord(finding.action)} <span className="text-second">by {deciderWord(finding.decidedBy)}</span>
          </span>
        </div>
        <IconButton size="small" icon={X} label="Close" keys={keyOf('back')} onClick={onClose} />
      </header>
      <MaskedText key={finding.id} finding={finding} />
      <DecidePanel key={`decide ${finding.id}`} finding={finding} places={places} scope={scope} onScope={onScope} onDecide={onDecide} />
      <section aria-label="Location" className="flex flex-col gap-2">
        <h3 className="text-sm font-semibold">Location</h3>
        <Facts>
          <Fact name="Session">
            <TextLink href={traceHref(finding.traceId)}>{title ?? finding.traceId.slice(0, 8)}</TextLink>
          </Fact>
          <Fact name="Project">{finding.project ?? <NotKnown />}</Fact>
          <Fact name="File">{finding.file ?? <span className="text-second">none</span>}</Fact>
          <Fact name="In">
            {finding.part === 'result' ? 'output of the step' : finding.path ? `input of the step, at ${finding.path}` : 'the text'}
          </Fact>
          <Fact name="Written">{finding.at === null ? <NotKnown /> : <RelativeTime at={finding.at} />}</Fact>
          <Fact name="Detector">{finding.detector}</Fact>
          <Fact name="Confidence">
            {formatScore(finding.confidence)}{' '}
            <span className="text-second">
              {finding.validated ? 'confirmed by checksum, range or format' : 'based on form and context'}
            </span>
          </Fact>
          <Fact name="Same value">
            {places === null ? <NotKnown /> : <TextLink href={formatUrl(allPlaces)}>{plural(places, 'place')}</TextLink>}
          </Fact>
        </Facts>
        <div>
          <ButtonLink href={stepHref(finding.traceId, finding.stepId)}>Open step</ButtonLink>
        </div>
      </section>
    </section>
  )
}

const NotKnown = () => <span className="text-second">unknown</span>
