import type { LucideIcon } from 'lucide-react'
import type { ComponentType, ReactNode } from 'react'
import type { Job } from '#contracts/entities/job.ts'
import type { Payload, ServerMessageType } from '#contracts/messages.ts'
import type { NounMessages } from '#renderer/api/messages.ts'

/**
 * What a feature adds to the frame: a value in `feature.tsx` of its folder, collected in features.ts. It is loaded at the
 * start, so pages and other large parts are lazy. `order` sorts entries of several features in one list; no two
 * of a list have the same.
 */
export interface Feature {
  sections?: readonly Section[]
  pages?: readonly Page[]
  /** Handlers that update the cache. Every message type needs a handler in one of the features. `readonly []` in the type keeps each element's own type. */
  messages: readonly [] | readonly NounMessages[]
  /** Commands of the palette. */
  useCommands?: () => readonly Command[]
  /** What the palette finds by name. */
  named?: NamedSearch
  status?: readonly StatusItem[]
  jobs?: readonly JobWords[]
  settings?: readonly SettingsPage[]
  /** Notifications for messages. */
  notices?: Notices
}

/** An entry of the rail: in one of its groups, or above (`top`) or below them (`bottom`). */
export interface Section {
  group: 'top' | 'data' | 'models' | 'run' | 'watch' | 'bottom'
  path: string
  label: string
  icon: LucideIcon
  /** Other words that people search for. */
  words: string
}

export interface Page {
  /** A pattern of wouter: `/things/:id?`, `/things/*?`. */
  path: string
  page: (params: Readonly<Record<string, string | undefined>>, features: readonly Feature[]) => ReactNode
}

export type Command = {
  id: string
  label: string
  /** Other words that people search for. */
  words?: string
  icon: LucideIcon
  order: number
  /** The key that does the same, as printed. */
  keys?: string
  /** Why it cannot be done now. */
  off?: string | null
} & ({ href: string } | { run: () => void })

/** Named rows that the palette finds and opens. */
export interface NamedSearch {
  heading: string
  icon: LucideIcon
  href: (id: string) => string
  /** Rows with the word in one of their fields; undefined while loading. */
  useRows: (word: string) => readonly { id: string; name: string; createdAt: string }[] | undefined
}

export interface StatusItem {
  side: 'left' | 'right'
  order: number
  Item: ComponentType<{ features: readonly Feature[] }>
}

export interface JobWords {
  kind: string
  name: string
  /** The result of a completed job; null if it cannot be read. */
  outcome?: (job: Job) => Outcome | null
}

/** The result of a job in one line, with a link to it. */
export interface Outcome {
  sentence: string
  link?: { href: string; label: string }
}

/** A page of Settings, at `/settings/<id>`. */
export interface SettingsPage {
  id: string
  label: string
  /** Search words in addition to the name. */
  words: string
  order: number
  Body: ComponentType
}

export const inOrder = <Entry extends { order: number }>(entries: readonly Entry[]): Entry[] =>
  entries.toSorted((a, b) => a.order - b.order)

export type Notices = { readonly [T in ServerMessageType]?: (payload: Payload<T>) => Notice | null }

/** Shown by the desktop if the setting of its kind allows it, else on the page. */
export interface Notice {
  kind: 'permission' | 'jobs'
  title: string
  body: string
  traceId?: string | null
  /** Where it leads. */
  link?: { href: string; label: string }
  /** `away`: only while the window is hidden. A `failure` is shown on the page while the window is visible. */
  when: 'always' | 'away' | 'failure'
  /** Subject: of several notices with the same subject, only the first is shown. */
  once?: string
}
