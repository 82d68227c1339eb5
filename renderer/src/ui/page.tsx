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
      <div className={cn('flex w-full flex-col gap-6 px-6 py-5', narrow ? 'max-w-[908px]' : 'mx-auto max-w-[1288px]')}>
        <div className="flex flex-col gap-3">
          <header className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2">
            <div className="min-w-60 flex-1">
              <h1 className="text-xl font-semibold">{title}</h1>
              {summary ? <div className="text-sm text-second">{summary}</div> : null}
            </div>
            {actions ? <div className="flex flex-wrap items-center gap-2">{actions}</div> : null}
          </header>
          {tabs}
        </div>
        {children}
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
