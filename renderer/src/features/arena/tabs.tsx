import { Link } from 'wouter'
import { cn } from '#renderer/ui/cn.ts'

const TABS = [
  { id: 'sandboxes', href: '/arena', label: 'Sandboxes' },
  { id: 'tasks', href: '/arena/tasks', label: 'Tasks' },
  { id: 'batches', href: '/arena/batches', label: 'Batches' },
  { id: 'shell-tasks', href: '/arena/shell-tasks', label: 'Shell tasks' },
  { id: 'rollouts', href: '/arena/rollouts', label: 'Rollouts' },
  { id: 'environments', href: '/arena/environments', label: 'Environments' },
  { id: 'checks', href: '/arena/checks', label: 'Check a project' },
] as const

export const ArenaTabs = ({ current }: { current: (typeof TABS)[number]['id'] }) => (
  <nav aria-label="Arena" className="flex max-w-full shrink-0 self-start overflow-x-auto rounded border border-edge bg-panel">
    {TABS.map(({ id, href, label }, index) => (
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
        {label}
      </Link>
    ))}
  </nav>
)

/** The same above a list that fills the page. */
export const ArenaTabsRow = (props: Parameters<typeof ArenaTabs>[0]) => (
  <div className="flex px-6 pb-3">
    <ArenaTabs {...props} />
  </div>
)
