import type { GuardAction, GuardCheck, GuardSource, GuardType } from '#contracts/entities/guardrail.ts'
import type { Tone } from '#renderer/ui/badge.tsx'

export const TYPE_WORDS: Record<GuardType, string> = {
  code: 'Commands',
  injection: 'Injection',
  topic: 'Topics',
  pii: 'Personal data',
  moderation: 'Violence and hate',
}
export const ACTION_WORDS: Record<GuardAction, string> = { ran: 'ran', asked: 'asked', blocked: 'blocked', redacted: 'redacted' }
export const SOURCE_WORDS: Record<GuardSource, string> = {
  session: 'Session',
  sandbox: 'Sandbox',
  proxy: 'Proxy',
  hook: 'Hook',
  mod: 'Mod',
}

/** "No rule matched" and never "safe": rules know some wordings only. */
export const VERDICT_WORDS: Record<GuardCheck['verdict'], { word: string; tone: Tone }> = {
  allow: { word: 'no rule matched', tone: 'neutral' },
  warn: { word: 'warn', tone: 'warn' },
  block: { word: 'block', tone: 'bad' },
  not_checked: { word: 'not checked', tone: 'neutral' },
}

export const GUARD_TABS = {
  label: 'Guardrails',
  tabs: [
    { id: 'events', href: '/guardrails', label: 'Events' },
    { id: 'rules', href: '/guardrails/rules', label: 'Rules' },
    { id: 'client', href: '/guardrails/client', label: 'Claude Code' },
    { id: 'installed', href: '/guardrails/installed', label: 'Installed' },
    { id: 'test', href: '/guardrails/test', label: 'Test' },
  ],
} as const
