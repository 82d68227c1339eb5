import type { Sandbox, SandboxTraffic } from '#contracts/entities/sandbox.ts'
import { useGuardRules } from '#renderer/api/guardrails.ts'
import { useUsage } from '#renderer/api/sandboxes.ts'
import { plural } from '#renderer/ui/format.ts'
import { Section } from '#renderer/ui/page.tsx'
import { REFUSALS, VERDICTS } from './words.ts'

/** The addresses that programs may connect to, and those they were refused. */
export function Traffic({ sandbox }: { sandbox: Sandbox }) {
  const usage = useUsage()
  if (typeof sandbox.network === 'string') return null
  const traffic = usage.data?.get(sandbox.id)?.traffic ?? sandbox.traffic
  return (
    <Section title="Allowed addresses" note={traffic ? plural(traffic.passed, 'connection') : undefined}>
      <ul className="flex flex-col gap-1 font-mono text-xs">
        {sandbox.network.allow.map((address) => (
          <li key={address} className="break-all">
            {address}
          </li>
        ))}
      </ul>
      {traffic && (traffic.refused.length > 0 || traffic.refusedOthers > 0) ? <Refused traffic={traffic} /> : null}
    </Section>
  )
}

function Refused({ traffic: { refused, refusedOthers } }: { traffic: SandboxTraffic }) {
  return (
    <>
      <h3 className="pt-3 pb-1 text-sm font-semibold">Refused</h3>
      <ul aria-label="Refused addresses" className="flex max-h-60 flex-col gap-1 overflow-y-auto text-xs">
        {refused.map(({ address, reason, times }) => (
          <li key={`${reason} ${address}`}>
            <span className="font-mono break-all">{address}</span>{' '}
            <span className="text-second">
              {REFUSALS[reason]}, {plural(times, 'time')}
            </span>
          </li>
        ))}
        {refusedOthers > 0 ? <li className="text-second">other addresses, {plural(refusedOthers, 'time')}</li> : null}
      </ul>
    </>
  )
}

export function GuardRules({ guard }: Pick<Sandbox, 'guard'>) {
  const rules = useGuardRules()
  const own = Object.entries(guard)
  if (own.length === 0) return null
  return (
    <Section title="Guardrails" note="changed for this sandbox">
      <ul className="flex flex-col gap-1 text-xs">
        {own.map(([id, verdict]) => (
          <li key={id}>
            <span className="font-semibold">{VERDICTS[verdict]}</span>: {rules.data?.items.find((rule) => rule.id === id)?.reason ?? id}
          </li>
        ))}
      </ul>
    </Section>
  )
}
