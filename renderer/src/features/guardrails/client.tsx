import { FlaskConical } from 'lucide-react'
import type { ClientGuard } from '#contracts/entities/client-guard.ts'
import type { GuardMode, GuardUnchecked } from '#contracts/settings/guardrails.ts'
import { useClientGuard, useProveGuard } from '#renderer/api/guardrails.ts'
import { usePatchSettings, useSettings } from '#renderer/api/settings.ts'
import { ClientChangeBlock } from '#renderer/app/client-change.tsx'
import { useChange } from '#renderer/app/use-setting.ts'
import { Badge } from '#renderer/ui/badge.tsx'
import { Button } from '#renderer/ui/button.tsx'
import { Fact, Facts } from '#renderer/ui/facts.tsx'
import { Fetched } from '#renderer/ui/fetched.tsx'
import { SelectRow } from '#renderer/ui/form-rows.tsx'
import { Section } from '#renderer/ui/page.tsx'
import { RelativeTime } from '#renderer/ui/relative-time.tsx'
import { toast } from '#renderer/ui/toast.tsx'

const MODES: { value: GuardMode; label: string }[] = [
  { value: 'off', label: 'Off' },
  { value: 'observe', label: 'Observe: list what the rules find' },
  { value: 'guard', label: 'Guard: refuse what is blocked, ask about warnings' },
]
const UNCHECKED: { value: GuardUnchecked; label: string }[] = [
  { value: 'nothing', label: 'Say nothing' },
  { value: 'ask', label: 'Ask me' },
]

/** The guard over Claude Code's own commands: its switch, and whether it was shown to hold. */
export const ClientTab = () => (
  <Fetched query={useSettings()} what="settings" bars={['h-40 w-full']}>
    {() => <ClientGuardSection />}
  </Fetched>
)

function ClientGuardSection() {
  const { settings, offline, change } = useChange()
  const prove = useProveGuard()
  const query = useClientGuard()
  const { client, clientUnchecked } = settings.guardrails
  const off = offline !== null
  const patch = usePatchSettings()
  /** A guard is tested at once. */
  const switchTo = (next: GuardMode) =>
    patch.mutate(
      { guardrails: { client: next } },
      {
        onSuccess: () => {
          if (next === 'guard') prove.mutate()
          toast.undo('Guard saved', () => patch.mutate({ guardrails: { client } }))
        },
      },
    )
  return (
    <Section
      title="Commands of Claude Code"
      note="Judged before they run, by the rules about commands. Nothing is ever allowed by this, and no command is changed"
      actions={query.data ? <StandingBadge guard={query.data} /> : null}
    >
      <div>
        <SelectRow
          label="Guard"
          hint="It uses the mod, or a hook in the settings of Claude Code where mods are not loaded. Sessions that run already may need a restart."
          value={client}
          options={MODES}
          disabled={off}
          onChange={switchTo}
        />
        <SelectRow
          label="Commands that cannot be checked"
          hint="By the hook: while Bash Gym is closed. By the mod, which needs no app: very long ones."
          value={clientUnchecked}
          options={UNCHECKED}
          disabled={off}
          onChange={(next) => change('Commands that cannot be checked', { guardrails: { clientUnchecked: next } })}
        />
      </div>
      <Fetched query={query} what="the guard" bars={['h-24 w-full']}>
        {(guard) => (
          <>
            <GuardFacts guard={guard} />
            <p aria-live="polite" className="text-sm text-second">
              {prove.isPending
                ? 'Claude Code is being given a harmless command that the guard must refuse. Nothing is sent to a provider.'
                : null}
            </p>
            {guard.mode === 'guard' ? (
              <div>
                <Button icon={FlaskConical} reason={offline} busy={prove.isPending} onClick={() => prove.mutate()}>
                  Test it in Claude Code
                </Button>
              </div>
            ) : null}
            {guard.overridableBy.length > 0 && guard.canBeFirst ? (
              <ClientChangeBlock
                which="first"
                label="A setting of Claude Code puts our mod before all others."
                action="Put our mod first"
              />
            ) : null}
          </>
        )}
      </Fetched>
    </Section>
  )
}

function StandingBadge({ guard: { mode, holds } }: { guard: ClientGuard }) {
  if (mode === 'off') return <Badge tone="neutral">off</Badge>
  return holds ? <Badge tone="ok">refuses</Badge> : <Badge tone="warn">observes only</Badge>
}

const WAYS = { mod: 'the mod, inside Claude Code', hook: 'a hook that asks this app' } as const

function GuardFacts({ guard }: { guard: ClientGuard }) {
  const { mode, way, reason, clientVersion, proof, overridableBy, problems } = guard
  if (mode === 'off') return <p className="text-sm text-second">{reason}</p>
  return (
    <Facts>
      <Fact name="Now">{reason}</Fact>
      <Fact name="By">{way === null ? 'neither the mod nor the hook' : WAYS[way]}</Fact>
      <Fact name="Claude Code">{clientVersion ?? 'version unknown'}</Fact>
      <Fact name="Last test">{proof === null ? 'not tested' : <RelativeTime at={proof.at} />}</Fact>
      {overridableBy.length > 0 ? (
        <Fact name="Can override it">
          {overridableBy.join(', ')}: a mod that decides about commands too, and can allow what the guard refuses
        </Fact>
      ) : null}
      {problems.length > 0 ? <Fact name="Problems">{problems.join(' ')}</Fact> : null}
    </Facts>
  )
}
