import { useEffect, type ReactNode } from 'react'
import { cn } from './cn.ts'

/** Sets the title of the window and of the content, so that screen readers announce the page. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Bash Gym`
    const content = document.getElementById('content')
    content?.setAttribute('aria-label', title)
    return () => content?.removeAttribute('aria-label')
  }, [title])
}

/** The head of every page: the heading with its marks, what the page is about, its filters or actions, and more lines below. */
export function PageHead({
  heading,
  trail,
  marks,
  summary,
  beside,
  actions,
  children,
}: {
  heading: ReactNode
  /** Links to the pages above it. */
  trail?: ReactNode
  /** Right after the heading. */
  marks?: ReactNode
  summary?: ReactNode
  /** Takes the rest of the heading's line, such as filters. */
  beside?: ReactNode
  actions?: ReactNode
  children?: ReactNode
}) {
  return (
    <header className="flex shrink-0 flex-col gap-3 px-6 pt-4 pb-3">
      <div className="flex flex-col gap-0.5">
        <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2">
          <div className={cn('flex min-h-8 min-w-0 flex-wrap items-center gap-x-2 gap-y-1', !beside && 'min-w-60 flex-1')}>
            {trail}
            <h1 className="min-w-0 text-xl font-semibold break-words">{heading}</h1>
            {marks}
          </div>
          {beside ? <div className="min-w-0 flex-1">{beside}</div> : null}
          {actions ? <div className="flex flex-wrap items-center gap-2">{actions}</div> : null}
        </div>
        {/* below both, so that it stays where it is when there are no actions */}
        {summary ? <div className="text-sm text-second">{summary}</div> : null}
      </div>
      {children}
    </header>
  )
}

/** A page above this one, before the heading. */
export const Above = ({ children }: { children: ReactNode }) => (
  <span className="text-sm text-second">
    {children} <span aria-hidden>/</span>
  </span>
)

/** A page that scrolls as a whole: heading, actions, tabs, content. */
export function Page({
  title,
  summary,
  actions,
  tabs,
  children,
  narrow = false,
}: {
  title: string
  summary?: ReactNode
  actions?: ReactNode
  tabs?: ReactNode
  children: ReactNode
  /** For forms and running text. */
  narrow?: boolean
}) {
  useTitle(title)
  return (
    // positioned, so that content for screen readers scrolls with the page
    <div className="relative min-h-0 flex-1 overflow-y-auto">
      <div className={cn('w-full', narrow ? 'max-w-[908px]' : 'mx-auto max-w-[1288px]')}>
        <PageHead heading={title} summary={summary} actions={actions}>
          {tabs}
        </PageHead>
        <div className="flex flex-col gap-6 px-6 pt-3 pb-5">{children}</div>
      </div>
    </div>
  )
}

export function Section({
  title,
  note,
  actions,
  children,
  className,
  id,
}: {
  title: string
  note?: ReactNode
  actions?: ReactNode
  children: ReactNode
  className?: string
  id?: string
}) {
  return (
    <section id={id} aria-label={title} className={cn('flex min-w-0 flex-col gap-3', className)}>
      <div className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
        <h2 className="text-lg font-semibold">{title}</h2>
        <p className="min-w-0 flex-1 text-xs text-second">{note}</p>
        {actions}
      </div>
      {children}
    </section>
  )
}
