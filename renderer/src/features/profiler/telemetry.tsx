import { useState } from 'react'
import { X } from 'lucide-react'
import type { TelemetryIn, TelemetryOut, TelemetryVariable } from '#contracts/entities/telemetry.ts'
import { Collector, type CollectorKind } from '#contracts/settings/telemetry.ts'
import { useTelemetry } from '#renderer/api/telemetry.ts'
import { useChange } from '#renderer/app/use-setting.ts'
import { Button, IconButton } from '#renderer/ui/button.tsx'
import { CodeBlock } from '#renderer/ui/code-block.tsx'
import { Fetched } from '#renderer/ui/fetched.tsx'
import { SelectRow, SwitchRow, TextRow } from '#renderer/ui/form-rows.tsx'
import { formatCount, plural } from '#renderer/ui/format.ts'
import { NoteLine } from '#renderer/ui/note-line.tsx'
import { Section } from '#renderer/ui/page.tsx'
import { RelativeTime } from '#renderer/ui/relative-time.tsx'
import { SavedText } from '#renderer/ui/saved-text.tsx'

/** Spans from other programs, and to them. */
export default function TelemetrySettings() {
  return (
    <Fetched query={useTelemetry()} what="telemetry" bars={['h-40 w-full', 'h-40 w-full']}>
      {(telemetry) => (
        <>
          <Incoming status={telemetry.in} />
          <Outgoing status={telemetry.out} />
        </>
      )}
    </Fetched>
  )
}

function Incoming({ status }: { status: TelemetryIn }) {
  const { settings, offline, change } = useChange()
  const { in: isOn, inPort } = settings.telemetry
  return (
    <Section title="From Claude Code" note="Takes its own telemetry on this machine, beside the transcripts">
      <div>
        <SwitchRow
          label="Take telemetry"
          hint="OTLP over HTTP, protobuf or JSON. Spans become traces under Profiler → Recorded, and the cost that Claude Code reports stands beside ours. Nothing of it is added to the figures of sessions."
          checked={isOn}
          disabled={offline !== null}
          onChange={(on) => change('Telemetry', { telemetry: { in: on } })}
        />
        <SavedText
          label="Port"
          hint="On this machine only"
          value={String(inPort)}
          recommended="4318"
          reason={offline}
          narrow
          read={(text) => (/^\d{4,5}$/.test(text.trim()) && +text >= 1024 && +text <= 65_535 ? null : 'From 1024 to 65535.')}
          onSave={(text) => change('Port', { telemetry: { inPort: Number(text) } })}
        />
      </div>
      {status.problem === null ? null : (
        <ul>
          <NoteLine level="warning" message={status.problem} />
        </ul>
      )}
      {status.address === null ? null : (
        <>
          <p className="text-sm">
            In the settings.json of Claude Code. Sessions that start from now on send their telemetry here, and to no other place.
          </p>
          <CodeBlock text={envOf(status.variables.filter(({ isContent }) => !isContent))} label="Variables for settings.json" />
          <Variables title="What each of them reveals" variables={status.variables.filter(({ isContent }) => !isContent)} />
          <Variables
            title="Not needed: these add text of your sessions"
            variables={status.variables.filter(({ isContent }) => isContent)}
          />
          <p className="text-sm text-second">
            {plural(status.spans, 'span')} and {plural(status.requests, 'request')} stored since the start, {formatCount(status.repeated)}{' '}
            had come before, {plural(status.refused, 'message')} refused.{' '}
            {status.lastAt === null ? (
              'Nothing has come yet.'
            ) : (
              <>
                Last: <RelativeTime at={status.lastAt} />
              </>
            )}
          </p>
        </>
      )}
    </Section>
  )
}

const envOf = (variables: readonly TelemetryVariable[]): string =>
  JSON.stringify({ env: Object.fromEntries(variables.map(({ name, value }) => [name, value])) }, null, 2)

const Variables = ({ title, variables }: { title: string; variables: readonly TelemetryVariable[] }) => (
  <div className="flex flex-col gap-1">
    <h3 className="text-sm font-semibold">{title}</h3>
    <ul className="flex flex-col gap-1 text-sm">
      {variables.map(({ name, reveals }) => (
        <li key={name}>
          <code className="text-xs break-all">{name}</code> <span className="text-second">{reveals}</span>
        </li>
      ))}
    </ul>
  </div>
)

const KINDS: readonly { value: CollectorKind; label: string }[] = [
  { value: 'phoenix', label: 'Phoenix' },
  { value: 'langfuse', label: 'Langfuse' },
  { value: 'otlp', label: 'Another OTLP collector' },
]
const PLACEHOLDERS: Readonly<Record<CollectorKind, string>> = {
  phoenix: 'http://127.0.0.1:6006',
  langfuse: 'https://langfuse.example',
  otlp: 'https://collector.example',
}

function Outgoing({ status }: { status: readonly TelemetryOut[] }) {
  const { settings, offline, change } = useChange()
  const { out, sampleRate } = settings.telemetry
  return (
    <Section title="To other programs" note="Sends the spans of sessions, rollouts and exams to collectors of yours">
      <p className="max-w-[70ch] text-sm">
        A trace is sent when nothing was added to it for 5 minutes: times, models, tokens, cost, names of tools, and one line for each call.
        Secrets and personal data are replaced first, as the privacy policy says. Prompts and answers are never sent.
      </p>
      {out.length === 0 ? <p className="text-sm text-second">Nothing is sent: no collector is set up.</p> : null}
      <ul className="flex flex-col">
        {status.map((one) => (
          <CollectorLine
            key={one.url}
            status={one}
            offline={offline}
            onRemove={() => change('Collectors', { telemetry: { out: out.filter(({ url }) => url !== one.url) } })}
          />
        ))}
      </ul>
      <NewCollector offline={offline} onAdd={(collector) => change('Collectors', { telemetry: { out: [...out, collector] } })} />
      <SavedText
        label="Share of traces"
        hint="From 0 to 1. Each trace is sent whole or not at all."
        value={String(sampleRate)}
        recommended="1"
        reason={offline}
        narrow
        read={(text) => (/^(?:0|1|0?\.\d+|1\.0+)$/.test(text.trim()) ? null : 'A number from 0 to 1.')}
        onSave={(text) => change('Share of traces', { telemetry: { sampleRate: Number(text) } })}
      />
    </Section>
  )
}

function CollectorLine({ status, offline, onRemove }: { status: TelemetryOut; offline: string | null; onRemove: () => void }) {
  const { kind, url, isHere, queued, sent, dropped, notSampled, problem, nextTryAt } = status
  return (
    <li className="flex items-start gap-2 border-b border-line py-2 text-sm">
      <span className="min-w-0 flex-1">
        <span className="font-semibold">{KINDS.find(({ value }) => value === kind)?.label}</span>{' '}
        <span className="font-mono text-xs break-all">{url}</span>
        <span className="block text-second">
          {isHere ? 'On this machine. ' : 'Leaves this machine. '}
          {plural(sent, 'trace')} sent, {formatCount(queued)} waiting, {formatCount(dropped)} dropped, {formatCount(notSampled)} not in the
          sample.
        </span>
        {problem === null ? null : (
          <span className="block text-warn">
            {problem} {nextTryAt === null ? '' : 'It is tried again by itself.'}
          </span>
        )}
      </span>
      <IconButton label={`Send nothing more to ${url}`} icon={X} size="small" reason={offline} onClick={onRemove} />
    </li>
  )
}

function NewCollector({ offline, onAdd }: { offline: string | null; onAdd: (collector: Collector) => void }) {
  const [kind, setKind] = useState<CollectorKind>('phoenix')
  const [url, setUrl] = useState('')
  const read = Collector.safeParse({ kind, url })
  const error = url === '' || read.success ? null : read.error.issues[0]!.message
  return (
    <div>
      <SelectRow label="Collector" value={kind} options={KINDS} disabled={offline !== null} onChange={setKind} />
      <TextRow label="Address" value={url} placeholder={PLACEHOLDERS[kind]} mono onChange={setUrl} {...(error !== null && { error })} />
      <Button
        className="mt-2"
        reason={offline ?? (url === '' ? 'Enter an address first.' : error)}
        onClick={() => {
          if (!read.success) return
          onAdd(read.data)
          setUrl('')
        }}
      >
        Add collector
      </Button>
    </div>
  )
}
