import { Download } from 'lucide-react'
import type { TraceDetail } from '#contracts/entities/trace.ts'
import { formatBytes, formatCompact, formatCount, formatInstant, formatUsd, plural } from '#renderer/ui/format.ts'
import { usePrices } from '#renderer/api/stats.ts'
import { TextLink } from '#renderer/ui/link.tsx'
import { MiddleCut } from '#renderer/ui/middle-cut.tsx'
import { IconButton } from '#renderer/ui/button.tsx'
import { Visible } from '#renderer/ui/visible.tsx'
import { shortPath } from '../open/clip.ts'
import { rawUrl } from '../open/trace-header.tsx'
import { Afterwards } from './afterwards.tsx'
import { Annotations } from './annotations.tsx'
import { Checks } from './checks.tsx'
import { ScoreFacts } from './score-facts.tsx'
import { Section } from './section.tsx'

interface Props {
  trace: TraceDetail
  /** Shows a step in the transcript. */
  onStep: (stepId: string) => void
}

/** The third column: why this score, which files were touched, what it cost, where the bytes are. */
export function Facts({ trace, onStep }: Props) {
  return (
    <div className="flex flex-col gap-6 px-4 py-3">
      <ScoreFacts trace={trace} onStep={onStep} />
      <Checks trace={trace} />
      <Afterwards trace={trace} />
      <Annotations trace={trace} />
      <Files trace={trace} onStep={onStep} />
      <Subagents trace={trace} onStep={onStep} />
      <TokenFacts trace={trace} />
      <Problems trace={trace} />
      <Session trace={trace} />
      <Sources trace={trace} />
    </div>
  )
}

/** Files shown before "more" is pressed. */
const FIRST_FILES = 12

function Files({ trace, onStep }: Props) {
  if (trace.files.length === 0) return null
  const files = trace.files.toSorted((a, b) => b.edits + b.writes - (a.edits + a.writes))
  const rows = files.map((file) => (
    <li key={file.path}>
      <button
        type="button"
        onClick={() => onStep(file.firstStepId)}
        title={file.path}
        className="focus-inset flex min-h-6 w-full items-center gap-2 rounded-sm text-left text-xs hover:bg-raised"
      >
        <MiddleCut text={shortPath(file.path, trace.cwd)} end={16} className="flex-1 font-mono" />
        <span className="shrink-0 text-second">
          {[
            file.edits > 0 && plural(file.edits, 'edit'),
            file.writes > 0 && plural(file.writes, 'write'),
            file.reads > 0 && plural(file.reads, 'read'),
          ]
            .filter(Boolean)
            .join(', ')}
        </span>
      </button>
    </li>
  ))
  return (
    <Section title="Files touched" count={files.length}>
      <ul>{rows.slice(0, FIRST_FILES)}</ul>
      {rows.length > FIRST_FILES ? (
        <details className="text-xs">
          <summary className="min-h-6 text-accent">{plural(rows.length - FIRST_FILES, 'more file')}</summary>
          <ul>{rows.slice(FIRST_FILES)}</ul>
        </details>
      ) : null}
    </Section>
  )
}

function Subagents({ trace, onStep }: Props) {
  if (trace.subagents.length === 0) return null
  return (
    <Section title="Sub-agents" count={trace.subagents.length}>
      <ul className="flex flex-col gap-1">
        {trace.subagents.map((agent) => (
          <li key={agent.id}>
            <button
              type="button"
              onClick={() => agent.parentStepId && onStep(agent.parentStepId)}
              className="focus-inset flex min-h-6 w-full flex-col rounded-sm text-left text-xs hover:bg-raised"
            >
              <span className="truncate">
                <Visible text={agent.description ?? agent.type ?? agent.id} />
              </span>
              <span className="text-second">
                {[
                  agent.type,
                  plural(agent.toolCalls, 'call'),
                  agent.failedToolCalls > 0 && `${agent.failedToolCalls} failed`,
                  `${formatCompact(agent.tokens.output)} output tokens`,
                ]
                  .filter(Boolean)
                  .join(' · ')}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </Section>
  )
}

const KINDS = [
  ['input', 'Input'],
  ['output', 'Output'],
  ['cacheRead', 'Cache read'],
  ['cacheWrite', 'Cache write'],
] as const

function TokenFacts({ trace }: { trace: TraceDetail }) {
  return (
    <Section title="Tokens and cost">
      <dl className="grid grid-cols-[1fr_auto] gap-y-1 text-xs">
        {KINDS.map(([kind, label]) => (
          <div key={kind} className="contents">
            <dt className="text-second">{label}</dt>
            <dd className="text-right font-mono" title={trace.tokens[kind] === null ? 'This client does not record it.' : undefined}>
              {formatCount(trace.tokens[kind])}
            </dd>
          </div>
        ))}
        <dt className="text-second">Cost</dt>
        <dd className="text-right font-mono">{formatUsd(trace.costUsd)}</dd>
      </dl>
      <PriceNote trace={trace} />
    </Section>
  )
}

/** The price that was used for each model of the session. */
function PriceNote({ trace }: { trace: TraceDetail }) {
  const prices = usePrices().data
  if (!prices) return null
  const usedPrices = prices.used.filter(({ model }) => trace.models.includes(model))
  if (usedPrices.length === 0) return null
  return (
    <ul className="text-xs text-second">
      {usedPrices.map(({ model, price }) => (
        <li key={model}>
          {price === null ? (
            <>
              No price for {model}. <TextLink href="/settings/prices">Set a price</TextLink>
            </>
          ) : price.from === 'own' ? (
            `${model}: your price`
          ) : (
            `${model}: price of ${price.model} (${price.asOf})`
          )}
        </li>
      ))}
    </ul>
  )
}

function Problems({ trace }: { trace: TraceDetail }) {
  if (trace.problems === 0) return null
  return (
    <Section title="Problems in the transcript" count={trace.problems}>
      <ul className="flex flex-col gap-1 text-xs">
        {trace.problemList.map((problem, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- two problems may be identical
          <li key={index} className="break-words">
            <span className="font-mono text-second">
              {problem.source}
              {problem.line === null ? '' : `, line ${formatCount(problem.line)}`}
            </span>{' '}
            {problem.message}
          </li>
        ))}
      </ul>
      <p className="text-xs text-second">Nothing is lost: the original bytes are in the archive.</p>
    </Section>
  )
}

function Session({ trace }: { trace: TraceDetail }) {
  const facts = [
    ['Directory', trace.cwd],
    ['Branch', trace.gitBranch],
    ['Models', trace.models.join(', ') || null],
    ['Client', trace.clientVersion],
    ['Started', trace.startedAt && formatInstant(trace.startedAt)],
    ['Ended', trace.state === 'live' ? null : trace.endedAt && formatInstant(trace.endedAt)],
    ['Session', trace.sessionId],
  ] as const
  return (
    <Section title="Session">
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-xs">
        {facts.map(([name, value]) =>
          value ? (
            <div key={name} className="contents">
              <dt className="text-second">{name}</dt>
              <dd className="min-w-0 font-mono break-words">{value}</dd>
            </div>
          ) : null,
        )}
      </dl>
    </Section>
  )
}

function Sources({ trace }: { trace: TraceDetail }) {
  return (
    <Section title="Archive" count={trace.sources.length}>
      <p className="text-xs text-second">
        {formatBytes(trace.raw.bytes)} raw, archived {formatInstant(trace.raw.archivedAt)}
      </p>
      {trace.raw.sha256 ? (
        <p className="font-mono text-xs break-all text-second">
          <span className="sr-only">SHA-256 of the raw bytes: </span>sha256 {trace.raw.sha256}
        </p>
      ) : null}
      <ul className="flex flex-col gap-1 text-xs">
        {trace.sources.map((source) => (
          <li key={`${source.name} ${source.generation}`} className="flex items-center gap-2">
            <span className="flex min-w-0 flex-1 font-mono" title={`${source.originalPath}\nsha256 ${source.sha256}`}>
              {source.kind === 'main' ? 'main' : <MiddleCut text={source.name} end={16} />}
              {source.generation > 1 ? <span className="whitespace-nowrap">, generation {source.generation}</span> : null}
            </span>
            <span className="shrink-0 text-second">{formatBytes(source.bytes)}</span>
            <IconButton
              size="small"
              icon={Download}
              label={`Download ${source.name}`}
              onClick={() => location.assign(rawUrl(trace.id, source.name))}
            />
          </li>
        ))}
      </ul>
    </Section>
  )
}
