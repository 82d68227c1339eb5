import { Blocks, FlaskConical, ShieldAlert, ShieldCheck } from 'lucide-react'
import { lazy } from 'react'
import { GuardSweep } from '#contracts/entities/guardrail.ts'
import { guardrailMessages } from '#renderer/api/guardrails.ts'
import type { Command, Feature } from '#renderer/app/feature.ts'
import { listed, wordsFor } from '#renderer/app/job-words.ts'
import { formatCount, plural } from '#renderer/ui/format.ts'

const GuardrailsPage = lazy(() => import('./page.tsx'))

const useCommands = (): readonly Command[] => [
  {
    id: 'guardrails-test',
    label: 'Try a command or a text against the guardrails',
    words: 'check dangerous injection prompt parse',
    icon: FlaskConical,
    order: 65,
    href: '/guardrails/test',
  },
  {
    id: 'guardrails-client',
    label: "Guard Claude Code's own commands",
    words: 'refuse deny ask dangerous hook mod protect observe',
    icon: ShieldCheck,
    order: 66,
    href: '/guardrails/client',
  },
  {
    id: 'guardrails-installed',
    label: 'See what is installed in Claude Code',
    words: 'skills mcp servers plugins mods hooks sub-agents commands permissions changed',
    icon: Blocks,
    order: 67,
    href: '/guardrails/installed',
  },
]

export const guardrails = {
  sections: [
    {
      group: 'watch',
      path: '/guardrails',
      label: 'Guardrails',
      icon: ShieldAlert,
      words: 'blocked warned dangerous commands prompt injection topics rules events false alarm',
    },
  ],
  pages: [{ path: '/guardrails/:tab?', page: ({ tab }) => <GuardrailsPage tab={tab} /> }],
  messages: [guardrailMessages],
  useCommands,
  jobs: [
    {
      kind: 'guardrail-sweep',
      name: 'Check of sessions',
      outcome: wordsFor(GuardSweep, ({ sessions, events, failed, tainted }) => ({
        sentence: listed(
          `${plural(sessions, 'session')} checked`,
          plural(events, 'event'),
          tainted > 0 && `${plural(tainted, 'command')} with words of a tool result`,
          failed > 0 && `${formatCount(failed)} could not be read`,
        ),
        link: { href: '/guardrails', label: 'Events' },
      })),
    },
  ],
} satisfies Feature
