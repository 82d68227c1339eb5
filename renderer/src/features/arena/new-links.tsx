import { Plus } from 'lucide-react'
import { newBatchHref, newRolloutsHref } from '#renderer/app/links.ts'
import { ButtonLink } from '#renderer/ui/link.tsx'

const NewLink = ({ href, label }: { href: string; label: string }) => (
  <ButtonLink href={href} look="primary">
    <Plus size={16} aria-hidden />
    {label}
  </ButtonLink>
)
export const NewTaskLink = () => <NewLink href="/arena/tasks/new" label="New task" />
export const NewBatchLink = () => <NewLink href={newBatchHref({})} label="New batch" />
export const NewRolloutsLink = () => <NewLink href={newRolloutsHref} label="New rollouts" />
