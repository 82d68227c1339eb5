import { Plus } from 'lucide-react'
import { ButtonLink } from '#renderer/ui/link.tsx'

export const NewTaskLink = () => (
  <ButtonLink href="/arena/tasks/new" look="primary">
    <Plus size={16} aria-hidden />
    New task
  </ButtonLink>
)
