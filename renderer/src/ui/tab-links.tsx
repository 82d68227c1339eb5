import { Link } from 'wouter'
import { cn } from './cn.ts'

interface TabLink {
  id: string
  href: string
  label: string
}

/** The pages of a section, as links side by side. */
export const TabLinks = ({ label, tabs, current }: { label: string; tabs: readonly TabLink[]; current: string }) => (
  <nav aria-label={label} className="flex max-w-full shrink-0 self-start overflow-x-auto rounded border border-edge bg-panel">
    {tabs.map(({ id, href, label: name }, index) => (
      <Link
        key={id}
        href={href}
        aria-current={id === current ? 'page' : undefined}
        className={cn(
          'focus-inset flex h-[30px] items-center px-3 text-sm whitespace-nowrap first:rounded-l last:rounded-r',
          index > 0 && 'border-l border-line',
          id === current ? 'bg-raised font-semibold text-text' : 'text-second hover:text-text',
        )}
      >
        {name}
      </Link>
    ))}
  </nav>
)

/** The same above a list that fills the page. */
export const TabLinksRow = (props: Parameters<typeof TabLinks>[0]) => (
  <div className="flex px-6 pb-3">
    <TabLinks {...props} />
  </div>
)
